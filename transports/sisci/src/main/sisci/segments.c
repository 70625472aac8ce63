// Local segments: create, give memory, prepare, make available, remove. Their memory is a file without a name, shared
// with whoever connects.
//
// Memory of the user's own stays where it is. Peers' transfers write there past this process (process_vm_writev), as an
// adapter does; nobody can map it.
#define _GNU_SOURCE
#include "library.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static SegmentEntry *entry_of(sci_local_segment_t segment) {
    return segment->index < SEGMENTS ? &fabric->segments[segment->index] : NULL;
}

static SegmentEntry *find(unsigned node, unsigned id) {
    for (unsigned i = 0; i < SEGMENTS; i++) {
        SegmentEntry *entry = &fabric->segments[i];
        if (entry->used && entry->node == node && entry->id == id) {
            return entry;
        }
    }
    return NULL;
}

// Writes an entry for a segment with its id, or the next free one.
static sci_error_t announce(sci_local_segment_t segment, unsigned flags) {
    if ((flags & FLAG(AUTO_ID)) != 0) {
        while (find(settings.node, segment->id) != NULL) {
            segment->id++;
        }
    } else if (find(settings.node, segment->id) != NULL) {
        return SCI_ERR_SEGMENTID_USED;
    }
    for (unsigned i = 0; i < SEGMENTS; i++) {
        SegmentEntry *entry = &fabric->segments[i];
        if (!entry->used) {
            entry->node = settings.node;
            entry->id = segment->id;
            entry->process = self_slot;
            entry->broadcast = (flags & FLAG(BROADCAST)) != 0;
            entry->shared = entry->kind = NO_MEMORY;
            entry->writers = 0;
            entry->available = entry->asked = entry->forced = entry->posted = entry->taken = 0;
            entry->size = segment->rounded;
            entry->offset = 0;
            entry->file = -1;
            segment->index = i;
            segment->generation = entry->generation;
            entry->used = 1;
            return SCI_ERR_OK;
        }
    }
    return SCI_ERR_NOSPC;
}

static sci_error_t allocate(sci_local_segment_t segment) {
    // more cannot be had in one piece, which is what a host without IOMMU needs
    const size_t contiguous = (size_t)1 << 30;
    if (fabric_node(settings.node)->brokenIommu && segment->rounded >= contiguous) {
        return SCI_ERR_NOSPC;
    }
    segment->file = memory_file(segment->rounded);
    if (segment->file < 0) {
        return SCI_ERR_NOSPC;
    }
    void *base = mmap(NULL, segment->rounded, PROT_READ | PROT_WRITE, MAP_SHARED, segment->file, 0);
    if (base == MAP_FAILED) {
        close(segment->file);
        return SCI_ERR_NOSPC;
    }
    segment->base = base;
    segment->memory = LIBRARY_MEMORY;
    return SCI_ERR_OK;
}

static void publish_file(sci_local_segment_t segment) {
    SegmentEntry *entry = entry_of(segment);
    struct stat status;
    if (entry != NULL && segment->file >= 0 && fstat(segment->file, &status) == 0) {
        entry->inode = status.st_ino;
        entry->device = status.st_dev;
        entry->file = segment->file;
        entry->kind = segment->memory;
    }
}

static bool call_back(void *object) {
    sci_local_segment_t segment = object;
    unsigned node, adapter;
    sci_error_t error;
    sci_segment_cb_reason_t reason = SCIWaitForLocalSegmentEvent(segment, &node, &adapter, LISTENER_SLICE_MS, 0,
        &error);
    return error != SCI_ERR_OK || segment->callback(segment->arg, segment, reason, node, adapter, SCI_ERR_OK)
        == SCI_CALLBACK_CONTINUE;
}

static void forget(sci_local_segment_t segment) {
    SegmentEntry *entry = entry_of(segment);
    if (entry != NULL && !segment->attached) {
        fabric_lock();
        entry->available = 0;
        entry->generation++;
        entry->used = 0;
        fabric->changes++;
        fabric_unlock();
    }
}

void SCICreateSegment(sci_desc_t sd, sci_local_segment_t *result, unsigned id, size_t size,
    sci_cb_local_segment_t callback, void *arg, unsigned flags, sci_error_t *error) {
    if (!valid(sd, DESCRIPTOR, error)
        || !flags_known(flags, FLAG(USE_CALLBACK) | FLAG(EMPTY) | FLAG(PRIVATE) | FLAG(DMA_GLOBAL)
            | FLAG(ALLOW_UNICAST) | FLAG(BROADCAST) | FLAG(AUTO_ID), error)
        || !report(error, size == 0 || ((flags & FLAG(USE_CALLBACK)) != 0 && callback == NULL)
            ? SCI_ERR_ILLEGAL_PARAMETER : SCI_ERR_OK)) {
        return;
    }
    sci_local_segment_t segment = calloc(1, sizeof *segment);
    if (!report(error, segment == NULL || size > SIZE_MAX / 2 ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        free(segment);
        return;
    }
    *segment = (struct sci_local_segment){.kind = LOCAL_SEGMENT, .sd = sd, .id = id, .index = SEGMENTS, .size = size,
        .rounded = whole_pages(size), .file = -1, .empty = (flags & FLAG(EMPTY)) != 0, .callback = callback,
        .arg = arg};
    sci_error_t made = SCI_ERR_OK;
    if ((flags & FLAG(PRIVATE)) == 0) {
        fabric_lock();
        if (find(settings.node, id) != NULL) {
            fabric_reap(); // its owner may just have died
        }
        made = announce(segment, flags);
        fabric_unlock();
    }
    if (made == SCI_ERR_OK && !segment->empty) {
        made = allocate(segment);
        if (made == SCI_ERR_OK) {
            publish_file(segment);
        } else {
            forget(segment);
        }
    }
    if (!report(error, made)) {
        free(segment);
        return;
    }
    resource_made(sd);
    if ((flags & FLAG(USE_CALLBACK)) != 0 && segment->index < SEGMENTS) {
        listener_start(&segment->listener, call_back, segment);
    }
    *result = segment;
}
SISCI_NAMES(SCICreateSegment)

// Page-aligned, readable memory of at most the segment's size becomes an empty segment's.
static void adopt(void *address, size_t size, sci_local_segment_t segment, Memory memory, sci_error_t *error) {
    char probe[2];
    struct iovec local = {probe, 2}, remote[] = {{address, 1}, {(char *)address + size - 1, 1}};
    if (!report(error, !segment->empty || segment->memory != NO_MEMORY || segment->prepared ? SCI_ERR_ILLEGAL_OPERATION
            : SCI_ERR_OK)
        || !report(error, address == NULL || (uintptr_t)address % settings.page != 0 ? SCI_ERR_ILLEGAL_ADDRESS
            : SCI_ERR_OK)
        || !report(error, size == 0 || size > segment->rounded ? SCI_ERR_OUT_OF_RANGE : SCI_ERR_OK)
        // Without a signal, whether the processor can read it: a real GPU's memory cannot be, and then there is no way
        // to it from here.
        || !report(error, process_vm_readv(getpid(), &local, 1, remote, 2, 0) == 2 ? SCI_ERR_OK
            : memory == ATTACHED_MEMORY ? SCI_ERR_HW_NOSPC : SCI_ERR_ILLEGAL_ADDRESS)) {
        return;
    }
    segment->memory = memory;
    segment->base = address;
    segment->rounded = size;
}

void SCIRegisterSegmentMemory(void *address, size_t size, sci_local_segment_t segment, unsigned flags,
    sci_error_t *error) {
    if (valid(segment, LOCAL_SEGMENT, error) && flags_known(flags, FLAG(LOCK_USER_MEM), error)) {
        adopt(address, size, segment, REGISTERED_MEMORY, error);
    }
}
SISCI_NAMES(SCIRegisterSegmentMemory)

// GPUs show their memory to others in pages of 64 KiB. That two attachments may not share one is what a careful caller
// must survive: overlapping ones broke others' drivers [I].
enum {DEVICE_PAGE = 64 << 10};
static pthread_mutex_t deviceLock = PTHREAD_MUTEX_INITIALIZER;
static sci_local_segment_t ofDevices;

static sci_error_t device_pages(const char *address, size_t size) {
    sci_error_t error = fabric_node(settings.node)->refusesAttached ? SCI_ERR_HW_NOSPC
        : (uintptr_t)address % DEVICE_PAGE != 0 ? SCI_ERR_ILLEGAL_ADDRESS
        : size % DEVICE_PAGE != 0 ? SCI_ERR_SIZE_ALIGNMENT : SCI_ERR_OK;
    for (sci_local_segment_t other = ofDevices; other != NULL && error == SCI_ERR_OK; other = other->nextOfDevice) {
        if (address < other->base + other->rounded && other->base < address + size) {
            error = SCI_ERR_HW_NOSPC;
        }
    }
    return error;
}

static void forget_device(sci_local_segment_t segment) {
    pthread_mutex_lock(&deviceLock);
    for (sci_local_segment_t *link = &ofDevices; *link != NULL; link = &(*link)->nextOfDevice) {
        if (*link == segment) {
            *link = segment->nextOfDevice;
            break;
        }
    }
    pthread_mutex_unlock(&deviceLock);
}

void SCIAttachPhysicalMemory(sci_ioaddr_t ioaddr, void *address, unsigned busNo, size_t size,
    sci_local_segment_t segment, unsigned flags, sci_error_t *error) {
    (void)busNo;
    if (valid(segment, LOCAL_SEGMENT, error)
        && flags_known(flags, FLAG(PHYSICAL) | FLAG(CUDA_BUFFER) | FLAG(SCIF_BUFFER), error)
        && report(error, ioaddr != 0 ? SCI_ERR_NOT_IMPLEMENTED : SCI_ERR_OK)) {
        bool device = (flags & FLAG(CUDA_BUFFER)) != 0;
        pthread_mutex_lock(&deviceLock);
        sci_error_t made = device ? device_pages(address, size) : SCI_ERR_OK;
        if (made == SCI_ERR_OK) {
            adopt(address, size, segment, ATTACHED_MEMORY, &made);
        }
        if (made == SCI_ERR_OK && device) {
            segment->nextOfDevice = ofDevices;
            ofDevices = segment;
        }
        pthread_mutex_unlock(&deviceLock);
        report(error, made);
    }
}
SISCI_NAMES(SCIAttachPhysicalMemory)

void SCIPrepareSegment(sci_local_segment_t segment, unsigned adapter, unsigned flags, sci_error_t *error) {
    if (valid(segment, LOCAL_SEGMENT, error) && adapter_known(adapter, error)
        && flags_known(flags, FLAG(DMA_SOURCE_ONLY) | FLAG(DMA_GLOBAL), error)
        && report(error, segment->memory == NO_MEMORY || segment->attached ? SCI_ERR_ILLEGAL_OPERATION : SCI_ERR_OK)) {
        segment->prepared = true;
    }
}
SISCI_NAMES(SCIPrepareSegment)

void SCISetSegmentAvailable(sci_local_segment_t segment, unsigned adapter, unsigned flags, sci_error_t *error) {
    if (!valid(segment, LOCAL_SEGMENT, error) || !adapter_known(adapter, error) || !flags_known(flags, 0, error)
        || !report(error, segment->index == SEGMENTS || segment->attached ? SCI_ERR_ILLEGAL_OPERATION
            : segment->prepared ? SCI_ERR_OK : SCI_ERR_SEGMENT_NOT_PREPARED)) {
        return;
    }
    SegmentEntry *entry = entry_of(segment);
    fabric_lock();
    if (segment->memory != LIBRARY_MEMORY) {
        entry->address = (uint64_t)(uintptr_t)segment->base;
        entry->kind = segment->memory;
        if (segment->file < 0) {
            segment->file = memory_user_file(segment->base, segment->rounded, &entry->offset);
        }
        publish_file(segment);
    }
    entry->size = segment->rounded;
    entry->available = 1;
    fabric->changes++;
    fabric_unlock();
}
SISCI_NAMES(SCISetSegmentAvailable)

void SCISetSegmentUnavailable(sci_local_segment_t segment, unsigned adapter, unsigned flags, sci_error_t *error) {
    if (!valid(segment, LOCAL_SEGMENT, error) || !adapter_known(adapter, error)
        || !flags_known(flags, FLAG(NOTIFY) | FLAG(FORCE_DISCONNECT), error)
        || !report(error, segment->index == SEGMENTS || segment->attached ? SCI_ERR_ILLEGAL_OPERATION : SCI_ERR_OK)) {
        return;
    }
    SegmentEntry *entry = entry_of(segment);
    fabric_lock();
    entry->available = 0;
    entry->asked += (flags & FLAG(NOTIFY)) != 0;
    entry->forced += (flags & FLAG(FORCE_DISCONNECT)) != 0;
    fabric->changes++;
    fabric_unlock();
}
SISCI_NAMES(SCISetSegmentUnavailable)

static bool connected(sci_local_segment_t segment) {
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        const Connection *connection = &fabric->connections[i];
        if (connection->used && connection->segment == segment->index
            && connection->generation == segment->generation) {
            return true;
        }
    }
    return false;
}

// Until no transfer writes into the user's memory any more. One of a process that has died never says so.
static void await_writers(SegmentEntry *entry) {
    uint64_t deadline = time_now() + 100000000u;
    while (entry->writers > 0 && time_now() < deadline) {
    }
}

void SCIRemoveSegment(sci_local_segment_t segment, unsigned flags, sci_error_t *error) {
    if (!valid(segment, LOCAL_SEGMENT, error) || !flags_known(flags, FLAG(FORCE_REMOVE), error)
        || !report(error, segment->uses > 0 ? SCI_ERR_BUSY : SCI_ERR_OK)) {
        return;
    }
    SegmentEntry *entry = entry_of(segment);
    if (entry != NULL && !segment->attached) {
        fabric_lock();
        bool busy = (flags & FLAG(FORCE_REMOVE)) == 0 && connected(segment);
        if (busy) {
            fabric_reap(); // those who are connected may have died
            busy = connected(segment);
        }
        fabric_unlock();
        if (!report(error, busy ? SCI_ERR_BUSY : SCI_ERR_OK)) {
            return;
        }
    }
    if (!report(error, listener_stop(&segment->listener, entry == NULL ? NULL : &entry->posted) ? SCI_ERR_OK
            : SCI_ERR_BUSY)) {
        return;
    }
    forget(segment);
    if (entry != NULL && !segment->attached && segment->memory != LIBRARY_MEMORY) {
        await_writers(entry);
    }
    forget_device(segment);
    if (segment->memory == LIBRARY_MEMORY) {
        munmap(segment->base, segment->rounded);
    }
    if (segment->file >= 0) {
        close(segment->file);
    }
    resource_gone(segment->sd);
    segment->kind = 0;
    free(segment);
}
SISCI_NAMES(SCIRemoveSegment)

unsigned SCIGetLocalSegmentId(sci_local_segment_t segment) {
    return valid(segment, LOCAL_SEGMENT, NULL) ? segment->id : 0;
}
SISCI_NAMES(SCIGetLocalSegmentId)

size_t SCIGetLocalSegmentSize(sci_local_segment_t segment) {
    return valid(segment, LOCAL_SEGMENT, NULL) ? segment->size : 0;
}
SISCI_NAMES(SCIGetLocalSegmentSize)

void SCIShareSegment(sci_local_segment_t segment, unsigned flags, sci_error_t *error) {
    if (valid(segment, LOCAL_SEGMENT, error) && flags_known(flags, 0, error)
        && report(error, segment->index == SEGMENTS || segment->memory != LIBRARY_MEMORY ? SCI_ERR_ILLEGAL_OPERATION
            : SCI_ERR_OK)) {
        entry_of(segment)->shared = 1;
    }
}
SISCI_NAMES(SCIShareSegment)
