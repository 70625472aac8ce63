// Remote segments. Connecting never waits: the peer's segment is there and available, or the caller comes again. A
// connection to the multicast group (node 252) has the available segments of that id and flag on all other nodes as its
// members; they may come later than the connection.
#define _GNU_SOURCE
#include "library.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

sci_remote_segment_t remotes;

enum {WRITE_STEP = 256 << 10};

// The memory of a segment, by way of its process; -1 if that is gone. Under the fabric's lock.
static int open_memory(const SegmentEntry *entry) {
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)fabric->processes[entry->process].pid, (int)entry->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 && (fstat(file, &status) != 0 || status.st_ino != entry->inode || status.st_dev != entry->device)) {
        close(file);
        return -1;
    }
    return file;
}

static sci_error_t map_member(Member *member, const SegmentEntry *entry) {
    member->file = open_memory(entry);
    if (member->file < 0) {
        return SCI_ERR_NO_SUCH_SEGMENT;
    }
    void *memory = mmap(NULL, member->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, member->file, (off_t)member->offset);
    if (memory == MAP_FAILED) {
        close(member->file);
        return SCI_ERR_NOSPC;
    }
    member->memory = memory;
    return SCI_ERR_OK;
}

// Between the memory of this process and the user's own memory of another; false unless all of it is there.
static bool transfer(const Member *member, size_t offset, void *here, size_t bytes, bool write) {
    struct iovec local = {here, bytes}, remote = {(void *)(uintptr_t)(member->address + offset), bytes};
    ssize_t moved = write ? process_vm_writev(member->process, &local, 1, &remote, 1, 0)
        : process_vm_readv(member->process, &local, 1, &remote, 1, 0);
    return moved == (ssize_t)bytes;
}

// Whether the system lets this process write into the other's memory.
static sci_error_t reach_member(const Member *member) {
    char byte;
    return transfer(member, 0, &byte, 1, false) ? SCI_ERR_OK : SCI_ERR_ACCESS;
}

// A segment as one more member of a remote segment. Under the fabric's lock.
static sci_error_t add_member(sci_remote_segment_t remote, unsigned index) {
    SegmentEntry *entry = &fabric->segments[index];
    unsigned free = 0;
    while (free < CONNECTIONS && fabric->connections[free].used) {
        free++;
    }
    if (free == CONNECTIONS || remote->count == MEMBERS) {
        return SCI_ERR_NOSPC;
    }
    Member *member = &remote->members[remote->count];
    *member = (Member){.index = index, .generation = entry->generation, .connection = free, .node = entry->node,
        .file = -1, .bytes = entry->size, .kind = (Memory)entry->kind, .offset = entry->offset,
        .process = fabric->processes[entry->process].pid, .address = entry->address};
    sci_error_t error = entry->file >= 0 ? map_member(member, entry) : reach_member(member);
    if (error != SCI_ERR_OK) {
        return error;
    }
    fabric->connections[free].segment = index;
    fabric->connections[free].generation = entry->generation;
    fabric->connections[free].process = self_slot;
    fabric->connections[free].used = 1;
    fabric_event(entry, SCI_CB_CONNECT, settings.node);
    remote->count++;
    return SCI_ERR_OK;
}

static void drop_members(sci_remote_segment_t remote) {
    fabric_lock();
    for (unsigned i = 0; i < remote->count; i++) {
        Member *member = &remote->members[i];
        SegmentEntry *entry = &fabric->segments[member->index];
        fabric->connections[member->connection].used = 0;
        if (entry->used && entry->generation == member->generation) {
            fabric_event(entry, SCI_CB_DISCONNECT, settings.node);
        }
        if (member->memory != NULL) {
            munmap(member->memory, member->bytes);
            close(member->file);
        }
    }
    fabric_unlock();
}

static bool is_member(sci_remote_segment_t remote, unsigned index) {
    for (unsigned i = 0; i < remote->count; i++) {
        if (remote->members[i].index == index && remote->members[i].generation == fabric->segments[index].generation) {
            return true;
        }
    }
    return false;
}

void remote_new_members(sci_remote_segment_t remote) {
    if (!remote->multicast || remote->seen == fabric->changes) {
        return;
    }
    pthread_mutex_lock(&remote->lock);
    fabric_lock();
    uint32_t now = fabric->changes;
    for (unsigned i = 0; i < SEGMENTS; i++) {
        const SegmentEntry *entry = &fabric->segments[i];
        if (entry->used && entry->available && entry->broadcast && entry->kind == LIBRARY_MEMORY
            && entry->id == remote->id) {
            remote->size = remote->size == 0 || entry->size < remote->size ? entry->size : remote->size;
            if (entry->node != settings.node && !is_member(remote, i)) {
                add_member(remote, i);
            }
        }
    }
    remote->seen = now;
    fabric_unlock();
    pthread_mutex_unlock(&remote->lock);
}

// Under the fabric's lock.
static sci_error_t connect_one(sci_remote_segment_t remote) {
    sci_error_t error = SCI_ERR_NO_SUCH_SEGMENT;
    for (unsigned i = 0; i < SEGMENTS; i++) {
        const SegmentEntry *entry = &fabric->segments[i];
        if (entry->used && entry->node == remote->node && entry->id == remote->id) {
            if (!fabric_alive(entry->process)) {
                fabric_reap();
            } else if (!entry->available) {
                error = SCI_ERR_CONNECTION_REFUSED;
            } else {
                error = add_member(remote, i);
                remote->size = entry->size;
                remote->asked = entry->asked;
                remote->forcedBefore = entry->forced;
            }
            break;
        }
    }
    return error;
}

static sci_error_t reachable(unsigned node) {
    if (fabric_node(settings.node)->lost) {
        return SCI_ERR_NO_LINK_ACCESS;
    }
    switch (fabric_peer(node)) {
        case PEER_LOST: return SCI_ERR_NODE_NOT_RESPONDING;
        case PEER_DOWN: return fabric_node(settings.node)->down ? SCI_ERR_NO_LINK_ACCESS
            : SCI_ERR_NO_REMOTE_LINK_ACCESS;
        default: return SCI_ERR_OK;
    }
}

sci_error_t node_reachable(unsigned node) {
    return fabric_node(node) == NULL ? SCI_ERR_ILLEGAL_NODEID : reachable(node);
}

static bool call_back(void *object) {
    sci_remote_segment_t remote = object;
    sci_error_t status, error;
    sci_segment_cb_reason_t reason = SCIWaitForRemoteSegmentEvent(remote, &status, LISTENER_SLICE_MS, 0, &error);
    return error != SCI_ERR_OK || remote->callback(remote->arg, remote, reason, status) == SCI_CALLBACK_CONTINUE;
}

void SCIConnectSegment(sci_desc_t sd, sci_remote_segment_t *result, unsigned node, unsigned id, unsigned adapter,
    sci_cb_remote_segment_t callback, void *arg, unsigned timeout, unsigned flags, sci_error_t *error) {
    (void)timeout; // as in the real library, it does nothing
    bool multicast = node == CONSTANT(DIS_BROADCAST_NODEID_GROUP_ALL);
    if (!valid(sd, DESCRIPTOR, error) || !adapter_known(adapter, error)
        || !flags_known(flags, FLAG(USE_CALLBACK) | FLAG(BROADCAST) | FLAG(DMA_GLOBAL), error)
        || !report(error, multicast != ((flags & FLAG(BROADCAST)) != 0) ? SCI_ERR_ILLEGAL_PARAMETER : SCI_ERR_OK)
        || !report(error, (flags & FLAG(USE_CALLBACK)) != 0 && callback == NULL ? SCI_ERR_ILLEGAL_PARAMETER
            : SCI_ERR_OK)
        || !report(error, multicast ? reachable(settings.node) : node_reachable(node))) {
        return;
    }
    sci_remote_segment_t remote = calloc(1, sizeof *remote);
    if (!report(error, remote == NULL ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        return;
    }
    remote->kind = REMOTE_SEGMENT;
    remote->sd = sd;
    remote->node = node;
    remote->id = id;
    remote->multicast = multicast;
    remote->callback = callback;
    remote->arg = arg;
    pthread_mutex_init(&remote->lock, NULL);
    sci_error_t made;
    if (multicast) {
        remote->seen = fabric->changes - 1;
        remote_new_members(remote);
        made = remote->size > 0 ? SCI_ERR_OK : SCI_ERR_NO_SUCH_SEGMENT;
    } else {
        fabric_lock();
        made = reachable(node); // again: since the check above its link may have gone down, and the segment come
        if (made == SCI_ERR_OK) {
            made = connect_one(remote);
        }
        fabric_unlock();
    }
    if (!report(error, made)) {
        free(remote);
        return;
    }
    resource_made(sd);
    pthread_mutex_lock(&objects);
    remote->next = remotes;
    remotes = remote;
    pthread_mutex_unlock(&objects);
    if ((flags & FLAG(USE_CALLBACK)) != 0) {
        listener_start(&remote->listener, call_back, remote);
    }
    *result = remote;
}
SISCI_NAMES(SCIConnectSegment)

void SCIDisconnectSegment(sci_remote_segment_t remote, unsigned flags, sci_error_t *error) {
    if (!valid(remote, REMOTE_SEGMENT, error) || !flags_known(flags, 0, error)
        || !report(error, remote->uses > 0 ? SCI_ERR_BUSY : SCI_ERR_OK)
        || !report(error, listener_stop(&remote->listener, &remote->posted) ? SCI_ERR_OK : SCI_ERR_BUSY)) {
        return;
    }
    pthread_mutex_lock(&objects);
    sci_remote_segment_t *link = &remotes;
    while (*link != remote) {
        link = &(*link)->next;
    }
    *link = remote->next;
    pthread_mutex_unlock(&objects);
    drop_members(remote);
    resource_gone(remote->sd);
    remote->kind = 0;
    free(remote);
}
SISCI_NAMES(SCIDisconnectSegment)

size_t SCIGetRemoteSegmentSize(sci_remote_segment_t remote) {
    return valid(remote, REMOTE_SEGMENT, NULL) ? remote->size : 0;
}
SISCI_NAMES(SCIGetRemoteSegmentSize)

unsigned SCIGetRemoteSegmentId(sci_remote_segment_t remote) {
    return valid(remote, REMOTE_SEGMENT, NULL) ? remote->id : 0;
}
SISCI_NAMES(SCIGetRemoteSegmentId)

unsigned SCIGetRemoteSegmentNodeId(sci_remote_segment_t remote) {
    return valid(remote, REMOTE_SEGMENT, NULL) ? remote->node : 0;
}
SISCI_NAMES(SCIGetRemoteSegmentNodeId)

PeerState member_state(const Member *member) {
    return fabric_segment(member->index, member->generation, member->node);
}

unsigned remote_first_node(sci_remote_segment_t remote) {
    return !remote->multicast ? remote->node : remote->count > 0 ? remote->members[0].node : settings.node;
}

PeerState remote_state(sci_remote_segment_t remote) {
    if (remote->multicast) {
        const Node *own = fabric_node(settings.node);
        // what becomes of posted writes to a group, nobody hears
        return own->lost ? PEER_LOST : own->down ? PEER_DOWN : PEER_UP;
    }
    const SegmentEntry *entry = &fabric->segments[remote->members[0].index];
    PeerState state = member_state(&remote->members[0]);
    return state != PEER_LOST && entry->forced != remote->forcedBefore ? PEER_LOST : state;
}

// As remote_state, and certain: a process that died a moment ago, which nobody has noticed yet, is lost.
PeerState remote_state_now(sci_remote_segment_t remote) {
    PeerState state = remote_state(remote);
    if (state != PEER_LOST && !remote->multicast && !fabric_alive(fabric->segments[remote->members[0].index].process)) {
        fabric_lock();
        fabric_reap();
        fabric_unlock();
        state = remote_state(remote);
    }
    return state;
}

// The adapter of such a node writes somewhere else, and nobody notices.
static bool loses(const Member *member) {
    const Node *node = fabric_node(member->node);
    return member->kind == REGISTERED_MEMORY ? node->brokenIommu
        : member->kind == ATTACHED_MEMORY && (node->brokenIommu || node->losesAttached);
}

// Into the user's own memory, step by step: whoever removes the segment waits for one step.
static bool write_memory(sci_remote_segment_t remote, const Member *member, size_t offset, const char *from,
    size_t bytes) {
    SegmentEntry *entry = &fabric->segments[member->index];
    bool written = true;
    for (size_t at = 0; at < bytes && written; at += WRITE_STEP) {
        size_t step = bytes - at < WRITE_STEP ? bytes - at : WRITE_STEP;
        entry->writers++;
        written = remote_state(remote) == PEER_UP;
        if (written && member->memory != NULL) {
            memory_write(member->memory + offset + at, from + at, step);
        } else {
            written = written && transfer(member, offset + at, (void *)(uintptr_t)(from + at), step, true);
        }
        entry->writers--;
    }
    return written;
}

bool remote_write(sci_remote_segment_t remote, size_t offset, const void *from, size_t bytes) {
    if (remote_state(remote) != PEER_UP) {
        return false;
    }
    remote_new_members(remote);
    for (unsigned i = 0; i < remote->count; i++) {
        const Member *member = &remote->members[i];
        if (member_state(member) != PEER_UP || loses(member) || offset + bytes > member->bytes) {
            continue;
        }
        if (member->kind == LIBRARY_MEMORY) {
            memcpy(member->memory + offset, from, bytes);
        } else if (!write_memory(remote, member, offset, from, bytes)) {
            return false;
        }
    }
    return true;
}

bool remote_read(sci_remote_segment_t remote, size_t offset, void *to, size_t bytes) {
    if (remote_state(remote) != PEER_UP || remote->multicast) {
        memset(to, 0xff, bytes);
        return false;
    }
    const Member *member = &remote->members[0];
    if (member->memory == NULL) {
        return transfer(member, offset, to, bytes, false);
    }
    memcpy(to, member->memory + offset, bytes);
    return true;
}

// The memory of another process of this node, as a local segment of this one: to map, and to move by DMA.
void SCIAttachLocalSegment(sci_desc_t sd, sci_local_segment_t *result, unsigned id, size_t *size,
    sci_cb_local_segment_t callback, void *arg, unsigned flags, sci_error_t *error) {
    (void)callback;
    (void)arg;
    if (!valid(sd, DESCRIPTOR, error) || !flags_known(flags, 0, error)) {
        return;
    }
    sci_local_segment_t segment = calloc(1, sizeof *segment);
    sci_error_t made = segment == NULL ? SCI_ERR_NOSPC : SCI_ERR_NO_SUCH_SEGMENT;
    fabric_lock();
    for (unsigned i = 0; segment != NULL && i < SEGMENTS; i++) {
        const SegmentEntry *entry = &fabric->segments[i];
        if (entry->used && entry->node == settings.node && entry->id == id && fabric_alive(entry->process)) {
            *segment = (struct sci_local_segment){.kind = LOCAL_SEGMENT, .sd = sd, .id = id, .index = i,
                .generation = entry->generation, .size = entry->size, .rounded = entry->size, .memory = LIBRARY_MEMORY,
                .file = entry->shared ? open_memory(entry) : -1, .prepared = true, .attached = true};
            made = !entry->shared ? SCI_ERR_ACCESS : segment->file < 0 ? SCI_ERR_NO_SUCH_SEGMENT : SCI_ERR_OK;
            break;
        }
    }
    fabric_unlock();
    if (made == SCI_ERR_OK) {
        void *base = mmap(NULL, segment->rounded, PROT_READ | PROT_WRITE, MAP_SHARED, segment->file, 0);
        if (base == MAP_FAILED) {
            close(segment->file);
            made = SCI_ERR_NOSPC;
        }
        segment->base = base;
    }
    if (!report(error, made)) {
        free(segment);
        return;
    }
    resource_made(sd);
    *size = segment->size;
    *result = segment;
}
SISCI_NAMES(SCIAttachLocalSegment)
