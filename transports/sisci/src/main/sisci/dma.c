// DMA queues: one transfer at a time each, moved by a thread of the queue. A queue is POSTED until then, and cannot
// take another.
//
// In mode timed a transfer is done when its data has been moved and the clock says so. An adapter needs no processor;
// here somebody must move the data. With many processors that is the queue's thread, and two of them at most look for a
// while whether there is more before they sleep. With few, where ranks spin on all of them, waking a thread takes
// longer than the transfer: up to 1 MiB is moved by the caller.
#define _GNU_SOURCE
#include "library.h"

#include "faults.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {BLOCK = 4096, STEP = 1 << 20, AT_ONCE = 1 << 20, AT_ONCE_OF_MANY = 64 << 10, MANY = 8, LOOKS = 50000 /* ns */,
    LOOKERS = 2};

typedef struct {
    sci_local_segment_t local;      // or NULL and an address
    char *address;
    sci_remote_segment_t remote;
    bool read;
    size_t count;
    dis_dma_vec_t *vector;          // or NULL and one piece
    size_t localOffset, size, remoteOffset;
    sci_cb_dma_t callback;
    void *arg;
} Transfer;

struct sci_dma_queue {
    uint32_t kind;
    sci_desc_t sd;
    pthread_mutex_t lock;
    pthread_cond_t changed;         // by the monotonic clock
    sci_dma_queue_state_t state;
    _Atomic bool posted;
    bool moved, aborting, ending, running, spins;
    sci_dma_queue_state_t outcome;  // when the time has come
    uint64_t due;                   // ns
    Transfer transfer;
    pthread_t thread;
};

// A piece, in the order of its addresses or, in mode weak, block by block in any order. False once the peer cannot be
// reached or the transfer is aborted.
static bool move(sci_dma_queue_t queue, size_t localOffset, size_t size, size_t remoteOffset) {
    const Transfer *transfer = &queue->transfer;
    char *local = transfer->address + localOffset;
    size_t step = settings.weak ? BLOCK : STEP, steps = (size + step - 1) / step,
        at = settings.weak ? weak_random() % steps : 0;
    bool reached = true;
    for (size_t i = 0; i < steps && reached; i++, at = at + 1 == steps ? 0 : at + 1) {
        size_t begin = at * step, bytes = size - begin < step ? size - begin : step;
        pthread_mutex_lock(&queue->lock);
        reached = !queue->aborting;
        pthread_mutex_unlock(&queue->lock);
        reached = reached && (transfer->read ? remote_read(transfer->remote, remoteOffset + begin, local + begin, bytes)
            : remote_write(transfer->remote, remoteOffset + begin, local + begin, bytes));
    }
    return reached;
}

static bool move_all(sci_dma_queue_t queue) {
    const Transfer *transfer = &queue->transfer;
    bool moved = true;
    if (transfer->local != NULL && transfer->local->memory == REGISTERED_MEMORY
        && fabric_node(settings.node)->brokenIommu) {
        // the adapter reads from, or writes to, somewhere else, and nobody notices
        return remote_state_now(transfer->remote) == PEER_UP;
    }
    if (transfer->local != NULL && transfer->local->memory == ATTACHED_MEMORY
        && fabric_node(settings.node)->losesAttached) {
        return remote_state_now(transfer->remote) == PEER_UP;
    }
    if (transfer->local == NULL && fabric_node(settings.node)->brokenAddresses) {
        return remote_state_now(transfer->remote) == PEER_UP;
    }
    if (transfer->vector == NULL) {
        moved = move(queue, transfer->localOffset, transfer->size, transfer->remoteOffset);
    }
    for (size_t i = 0; i < transfer->count && moved; i++) {
        const dis_dma_vec_t *piece = &transfer->vector[i];
        moved = move(queue, piece->local_offset, piece->size, piece->remote_offset);
    }
    return moved && remote_state_now(transfer->remote) == PEER_UP;
}

// Moves the posted transfer. What it needed is free again, as its callback may want to remove it.
static void carry_out(sci_dma_queue_t queue) {
    bool moved = move_all(queue);
    pthread_mutex_lock(&queue->lock);
    queue->outcome = queue->aborting ? SCI_DMAQUEUE_ABORTED : moved ? SCI_DMAQUEUE_DONE : SCI_DMAQUEUE_ERROR;
    if (!moved) {
        queue->due = 0;
    }
    if (queue->transfer.local != NULL) {
        queue->transfer.local->uses--;
    }
    queue->transfer.remote->uses--;
    free(queue->transfer.vector);
    queue->posted = false;
    queue->moved = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

// The state by the clock. Under the queue's lock.
static sci_dma_queue_state_t settle(sci_dma_queue_t queue) {
    if (queue->state == SCI_DMAQUEUE_POSTED && queue->moved
        && (queue->aborting || queue->due == 0 || time_now() >= queue->due)) {
        queue->state = queue->aborting ? SCI_DMAQUEUE_ABORTED : queue->outcome;
        pthread_cond_broadcast(&queue->changed);
    }
    return queue->state;
}

static void sleep_until(sci_dma_queue_t queue, uint64_t when) {
    struct timespec until = {.tv_sec = (time_t)(when / 1000000000u), .tv_nsec = (long)(when % 1000000000u)};
    pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
}

// Waits for the end of what is posted, or the deadline. Under the queue's lock.
static sci_dma_queue_state_t await(sci_dma_queue_t queue, uint64_t deadline) {
    const uint64_t late = 60000; // a sleep may last so much longer
    while (settle(queue) == SCI_DMAQUEUE_POSTED && time_now() < deadline) {
        uint64_t when = queue->moved && queue->due < deadline ? queue->due : deadline;
        if (when > time_now() + late) {
            sleep_until(queue, when - late);
        } else {
            pthread_mutex_unlock(&queue->lock);
            time_reach(when < time_now() + 5000 ? when : time_now() + 5000);
            pthread_mutex_lock(&queue->lock);
        }
    }
    return queue->state;
}

static bool many_processors(void) {
    static _Atomic long online;
    if (online == 0) {
        online = sysconf(_SC_NPROCESSORS_ONLN);
    }
    return online >= MANY;
}

// Looks for a while whether more is posted, if not too many others do. Under the queue's lock, which it lets go of
// meanwhile.
static void look_for_more(sci_dma_queue_t queue) {
    static atomic_int lookers;
    pthread_mutex_unlock(&queue->lock);
    if (atomic_fetch_add(&lookers, 1) < LOOKERS) {
        uint64_t until = time_now() + LOOKS;
        while (!queue->posted && time_now() < until) {
        }
    }
    atomic_fetch_sub(&lookers, 1);
    pthread_mutex_lock(&queue->lock);
}

static void *work(void *argument) {
    sci_dma_queue_t queue = argument;
    pthread_mutex_lock(&queue->lock);
    while (!queue->ending) {
        if (!queue->posted) {
            if (queue->spins) {
                queue->spins = false;
                look_for_more(queue);
                continue;
            }
            pthread_cond_wait(&queue->changed, &queue->lock);
            continue;
        }
        sci_cb_dma_t callback = queue->transfer.callback;
        void *arg = queue->transfer.arg;
        pthread_mutex_unlock(&queue->lock);
        if (settings.weak) {
            struct timespec span = {.tv_nsec = (long)(weak_random() % 200000)};
            nanosleep(&span, NULL);
        }
        carry_out(queue);
        pthread_mutex_lock(&queue->lock);
        queue->spins = settings.timed && many_processors();
        if (callback != NULL) {
            // Whoever sees the state may start the next transfer before this one's callback: hence no look at the
            // queue.
            sci_dma_queue_state_t outcome = queue->outcome;
            uint64_t due = queue->due;
            pthread_mutex_unlock(&queue->lock);
            time_reach(due);
            callback(arg, queue, outcome == SCI_DMAQUEUE_DONE ? SCI_ERR_OK
                : outcome == SCI_DMAQUEUE_ABORTED ? SCI_ERR_CANCELLED : SCI_ERR_TRANSFER_FAILED);
            pthread_mutex_lock(&queue->lock);
        }
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

void SCICreateDMAQueue(sci_desc_t sd, sci_dma_queue_t *result, unsigned adapter, unsigned maxEntries, unsigned flags,
    sci_error_t *error) {
    if (!valid(sd, DESCRIPTOR, error) || !adapter_known(adapter, error)
        || !flags_known(flags, FLAG(DMA_GLOBAL) | FLAG(DMA_SYSDMA) | FLAG(DMA_ADAPTER), error)
        || !report(error, maxEntries == 0 ? SCI_ERR_ILLEGAL_PARAMETER : maxEntries > 256 ? SCI_ERR_MAX_ENTRIES
            : SCI_ERR_OK)) {
        return;
    }
    sci_dma_queue_t queue = calloc(1, sizeof *queue);
    if (!report(error, queue == NULL ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        return;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&queue->lock, NULL);
    queue->kind = QUEUE;
    queue->sd = sd;
    resource_made(sd);
    *result = queue;
}
SISCI_NAMES(SCICreateDMAQueue)

void SCIRemoveDMAQueue(sci_dma_queue_t queue, unsigned flags, sci_error_t *error) {
    if (!valid(queue, QUEUE, error) || !flags_known(flags, 0, error)) {
        return;
    }
    pthread_mutex_lock(&queue->lock);
    bool own = queue->running && pthread_equal(queue->thread, pthread_self());
    sci_error_t refused = own ? SCI_ERR_BUSY
        : settle(queue) == SCI_DMAQUEUE_POSTED ? SCI_ERR_ILLEGAL_OPERATION : SCI_ERR_OK;
    queue->ending = refused == SCI_ERR_OK;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    if (!report(error, refused)) {
        return;
    }
    if (queue->running) {
        pthread_join(queue->thread, NULL);
    }
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    resource_gone(queue->sd);
    queue->kind = 0;
    free(queue);
}
SISCI_NAMES(SCIRemoveDMAQueue)

static sci_error_t check_piece(const Transfer *transfer, size_t localOffset, size_t size, size_t remoteOffset) {
    size_t local = transfer->local == NULL ? SIZE_MAX : transfer->local->rounded, remote = transfer->remote->size;
    if (size % settings.alignment != 0 || size == 0) {
        return SCI_ERR_SIZE_ALIGNMENT;
    }
    if (localOffset % settings.alignment != 0 || remoteOffset % settings.alignment != 0) {
        return SCI_ERR_OFFSET_ALIGNMENT;
    }
    return localOffset > local || size > local - localOffset || remoteOffset > remote || size > remote - remoteOffset
        ? SCI_ERR_OUT_OF_RANGE : SCI_ERR_OK;
}

static sci_error_t check(const Transfer *transfer, unsigned flags) {
    sci_local_segment_t local = transfer->local;
    bool broken = fabric_node(settings.node)->brokenIommu;
    if (local != NULL && !local->prepared) {
        return SCI_ERR_SEGMENT_NOT_PREPARED;
    }
    if (local != NULL && local->memory == ATTACHED_MEMORY && broken) {
        return SCI_ERR_ILLEGAL_ADDRESS; // which of the codes the driver says is not known [I]
    }
    if (transfer->remote->multicast && (transfer->read || (flags & FLAG(DMA_GLOBAL)) != 0)) {
        return SCI_ERR_ILLEGAL_OPERATION;
    }
    if (((flags & FLAG(USE_CALLBACK)) != 0) != (transfer->callback != NULL)) {
        return SCI_ERR_ILLEGAL_PARAMETER;
    }
    sci_error_t error = transfer->vector == NULL
        ? check_piece(transfer, transfer->localOffset, transfer->size, transfer->remoteOffset) : SCI_ERR_OK;
    for (size_t i = 0; i < transfer->count && error == SCI_ERR_OK; i++) {
        error = check_piece(transfer, transfer->vector[i].local_offset, transfer->vector[i].size,
            transfer->vector[i].remote_offset);
    }
    return error;
}

static size_t total(const Transfer *transfer) {
    size_t bytes = transfer->size;
    for (size_t i = 0; i < transfer->count; i++) {
        bytes += transfer->vector[i].size;
    }
    return bytes;
}

// Marks the queue as posted, and lets its thread move it, or moves it here. Under the queue's lock; released where the
// transfer is moved.
static sci_error_t post(sci_dma_queue_t queue, const Transfer *transfer) {
    size_t bytes = total(transfer);
    bool here = settings.timed && !settings.weak && bytes <= (many_processors() ? AT_ONCE_OF_MANY : AT_ONCE)
        && transfer->callback == NULL;
    if (!here && !queue->running) {
        queue->running = thread_start(&queue->thread, work, queue);
        if (!queue->running) {
            return SCI_ERR_NOSPC;
        }
    }
    unsigned node = remote_first_node(transfer->remote);
    queue->due = timing_dma(transfer->read ? node : settings.node, transfer->read ? settings.node : node, bytes,
        transfer->read);
    queue->transfer = *transfer;
    queue->state = SCI_DMAQUEUE_POSTED;
    queue->moved = queue->aborting = false;
    queue->posted = !here;
    transfer->remote->uses++;
    if (transfer->local != NULL) {
        transfer->local->uses++;
    }
    if (here) {
        pthread_mutex_unlock(&queue->lock);
        carry_out(queue);
        pthread_mutex_lock(&queue->lock);
    } else {
        pthread_cond_broadcast(&queue->changed);
    }
    return SCI_ERR_OK;
}

static void start(sci_dma_queue_t queue, const Transfer *transfer, unsigned flags, sci_error_t *error) {
    const unsigned known = FLAG(USE_CALLBACK) | FLAG(DMA_WAIT) | FLAG(DMA_READ) | FLAG(DMA_GLOBAL) | FLAG(DMA_SYSDMA)
        | FLAG(DMA_USER_MEM) | FLAG(DMA_ADAPTER)
        | FLAG(BROADCAST);
    sci_error_t started = flags_known(flags, known, error) ? check(transfer, flags) : SCI_ERR_ILLEGAL_FLAG;
    if (started == SCI_ERR_OK) {
        faults_operation();
        pthread_mutex_lock(&queue->lock);
        started = settle(queue) == SCI_DMAQUEUE_POSTED ? SCI_ERR_ILLEGAL_OPERATION : post(queue, transfer);
        if (started == SCI_ERR_OK && (flags & FLAG(DMA_WAIT)) != 0
            && await(queue, UINT64_MAX / 4) != SCI_DMAQUEUE_DONE) {
            pthread_mutex_unlock(&queue->lock);
            report(error, SCI_ERR_TRANSFER_FAILED);
            return;
        }
        pthread_mutex_unlock(&queue->lock);
    }
    if (started != SCI_ERR_OK) {
        free(transfer->vector);
    }
    report(error, started);
}

void SCIStartDmaTransfer(sci_dma_queue_t queue, sci_local_segment_t local, sci_remote_segment_t remote,
    size_t localOffset, size_t size, size_t remoteOffset, sci_cb_dma_t callback, void *arg, unsigned flags,
    sci_error_t *error) {
    if (valid(queue, QUEUE, error) && valid(local, LOCAL_SEGMENT, error) && valid(remote, REMOTE_SEGMENT, error)) {
        Transfer transfer = {.local = local, .address = local->base, .remote = remote,
            .read = (flags & FLAG(DMA_READ)) != 0, .localOffset = localOffset, .size = size,
            .remoteOffset = remoteOffset, .callback = callback, .arg = arg};
        start(queue, &transfer, flags, error);
    }
}
SISCI_NAMES(SCIStartDmaTransfer)

void SCIStartDmaTransferMem(sci_dma_queue_t queue, void *address, sci_remote_segment_t remote, size_t size,
    size_t remoteOffset, sci_cb_dma_t callback, void *arg, unsigned flags, sci_error_t *error) {
    if (valid(queue, QUEUE, error) && valid(remote, REMOTE_SEGMENT, error)
        && report(error, address == NULL ? SCI_ERR_ILLEGAL_ADDRESS : SCI_ERR_OK)) {
        Transfer transfer = {.address = address, .remote = remote, .read = (flags & FLAG(DMA_READ)) != 0, .size = size,
            .remoteOffset = remoteOffset, .callback = callback, .arg = arg};
        start(queue, &transfer, flags, error);
    }
}
SISCI_NAMES(SCIStartDmaTransferMem)

void SCIStartDmaTransferVec(sci_dma_queue_t queue, sci_local_segment_t local, sci_remote_segment_t remote,
    size_t length, dis_dma_vec_t *vector, sci_cb_dma_t callback, void *arg, unsigned flags, sci_error_t *error) {
    if (!valid(queue, QUEUE, error) || !valid(local, LOCAL_SEGMENT, error) || !valid(remote, REMOTE_SEGMENT, error)
        || !report(error, length == 0 || vector == NULL ? SCI_ERR_ILLEGAL_PARAMETER : length > 256 ? SCI_ERR_MAX_ENTRIES
            : SCI_ERR_OK)) {
        return;
    }
    dis_dma_vec_t *kept = malloc(length * sizeof *kept);
    if (report(error, kept == NULL ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        memcpy(kept, vector, length * sizeof *kept);
        Transfer transfer = {.local = local, .address = local->base, .remote = remote,
            .read = (flags & FLAG(DMA_READ)) != 0, .count = length, .vector = kept, .callback = callback, .arg = arg};
        start(queue, &transfer, flags, error);
    }
}
SISCI_NAMES(SCIStartDmaTransferVec)

sci_dma_queue_state_t SCIDMAQueueState(sci_dma_queue_t queue) {
    if (!valid(queue, QUEUE, NULL)) {
        return SCI_DMAQUEUE_ERROR;
    }
    pthread_mutex_lock(&queue->lock);
    sci_dma_queue_state_t state = settle(queue);
    pthread_mutex_unlock(&queue->lock);
    return state;
}
SISCI_NAMES(SCIDMAQueueState)

// What became of the transfer is the state; the error is that of waiting.
sci_dma_queue_state_t SCIWaitForDMAQueue(sci_dma_queue_t queue, unsigned timeout, unsigned flags, sci_error_t *error) {
    uint64_t deadline = time_deadline(timeout);
    if (!valid(queue, QUEUE, error) || !flags_known(flags, 0, error)) {
        return SCI_DMAQUEUE_ERROR;
    }
    pthread_mutex_lock(&queue->lock);
    sci_dma_queue_state_t state = await(queue, deadline);
    pthread_mutex_unlock(&queue->lock);
    report(error, state == SCI_DMAQUEUE_POSTED ? SCI_ERR_TIMEOUT : SCI_ERR_OK);
    return state;
}
SISCI_NAMES(SCIWaitForDMAQueue)

// Takes effect when the block that is being moved has been.
void SCIAbortDMAQueue(sci_dma_queue_t queue, unsigned flags, sci_error_t *error) {
    if (!valid(queue, QUEUE, error) || !flags_known(flags, 0, error)) {
        return;
    }
    pthread_mutex_lock(&queue->lock);
    if (report(error, settle(queue) == SCI_DMAQUEUE_POSTED ? SCI_ERR_OK : SCI_ERR_ILLEGAL_OPERATION)) {
        queue->aborting = true;
        while (settle(queue) == SCI_DMAQUEUE_POSTED) {
            pthread_cond_wait(&queue->changed, &queue->lock);
        }
    }
    pthread_mutex_unlock(&queue->lock);
}
SISCI_NAMES(SCIAbortDMAQueue)
