// Sequences tell whether what was stored through a map since their start has arrived. Flushes, barriers, and copies by
// the processor.
#define _GNU_SOURCE
#include "library.h"

#include "faults.h"

#include <stdlib.h>
#include <string.h>

enum {LINE = 64};

struct sci_sequence {
    uint32_t kind;
    sci_map_t map;
    uint32_t episodes;      // of links down, at its start
    unsigned pending;       // how often SCIStartSequence will still say so
    sci_sequence_status_t lost; // a copy has lost lines: what the next check says
};

static uint32_t episodes(const struct sci_sequence *sequence) {
    const Node *node = fabric_node(sequence->map->remote->node);
    return fabric_node(settings.node)->episodes + (node == NULL ? 0 : node->episodes);
}

void SCICreateMapSequence(sci_map_t map, sci_sequence_t *result, unsigned flags, sci_error_t *error) {
    if (!valid(map, MAP, error) || !flags_known(flags, FLAG(FAST_BARRIER), error)
        || !report(error, map->remote == NULL ? SCI_ERR_ILLEGAL_OPERATION : SCI_ERR_OK)) {
        return;
    }
    sci_sequence_t sequence = calloc(1, sizeof *sequence);
    if (report(error, sequence == NULL ? SCI_ERR_NOSPC : SCI_ERR_OK)) {
        sequence->kind = SEQUENCE_;
        sequence->map = map;
        sequence->episodes = episodes(sequence);
        map->uses++;
        *result = sequence;
    }
}
SISCI_NAMES(SCICreateMapSequence)

void SCIRemoveSequence(sci_sequence_t sequence, unsigned flags, sci_error_t *error) {
    if (valid(sequence, SEQUENCE_, error) && flags_known(flags, 0, error)) {
        sequence->map->uses--;
        sequence->kind = 0;
        free(sequence);
    }
}
SISCI_NAMES(SCIRemoveSequence)

sci_sequence_status_t SCIStartSequence(sci_sequence_t sequence, unsigned flags, sci_error_t *error) {
    if (!valid(sequence, SEQUENCE_, error) || !flags_known(flags, 0, error)) {
        return SCI_SEQ_NOT_RETRIABLE;
    }
    uint32_t before = episodes(sequence);
    if (remote_state_now(sequence->map->remote) != PEER_UP) {
        return SCI_SEQ_NOT_RETRIABLE;
    }
    if (sequence->pending > 0) {
        sequence->pending--;
        return SCI_SEQ_PENDING;
    }
    pthread_mutex_lock(&objects);
    map_watch(sequence->map); // from now on, stores reach the peer
    pthread_mutex_unlock(&objects);
    sequence->episodes = before;
    return SCI_SEQ_OK;
}
SISCI_NAMES(SCIStartSequence)

sci_sequence_status_t SCICheckSequence(sci_sequence_t sequence, unsigned flags, sci_error_t *error) {
    if (!valid(sequence, SEQUENCE_, error) || !flags_known(flags, FLAG(NO_FLUSH) | FLAG(NO_STORE_BARRIER), error)) {
        return SCI_SEQ_NOT_RETRIABLE;
    }
    uint64_t begin = time_now();
    faults_operation();
    sci_sequence_status_t fault = faults_sequence();
    if (sequence->lost != SCI_SEQ_OK) {
        fault = sequence->lost;
        sequence->lost = SCI_SEQ_OK;
    }
    if (fault != SCI_SEQ_OK && sequence->map->shadow) {
        weak_drop(sequence->map);
    }
    if ((flags & FLAG(NO_FLUSH)) == 0) {
        weak_flush();
    }
    atomic_thread_fence(memory_order_seq_cst);
    timing_spend(COST_CHECK, begin);
    if (remote_state_now(sequence->map->remote) != PEER_UP) {
        return SCI_SEQ_NOT_RETRIABLE;
    }
    if (episodes(sequence) != sequence->episodes || fault == SCI_SEQ_PENDING) {
        sequence->pending = 2;
        return SCI_SEQ_PENDING;
    }
    return fault;
}
SISCI_NAMES(SCICheckSequence)

void SCIStoreBarrier(sci_sequence_t sequence, unsigned flags) {
    SCIFlush(sequence, flags);
}
SISCI_NAMES(SCIStoreBarrier)

void SCIFlush(sci_sequence_t sequence, unsigned flags) {
    (void)sequence; // the processor's buffers are flushed, whatever they hold
    (void)flags;
    uint64_t begin = time_now();
    weak_flush();
    atomic_thread_fence(memory_order_seq_cst);
    timing_spend(COST_FLUSH, begin);
}
SISCI_NAMES(SCIFlush)

// In mode weak, not even a copy's lines come in order; half of them get lost where the sequence is to fail. In mode
// timed, the last line arrives when it is time.
static bool write_lines(sci_remote_segment_t remote, size_t offset, const char *from, size_t size, uint64_t then,
    bool loses) {
    size_t lines = (size + LINE - 1) / LINE, at = settings.weak ? weak_random() % lines : 0,
        early = settings.weak ? 0 : (lines - 1) * LINE;
    bool sent = early == 0 || remote_write(remote, offset, from, early);
    if (then != 0) {
        time_reach(then);
    }
    if (!settings.weak) {
        return remote_write(remote, offset + early, from + early, size - early) && sent;
    }
    for (size_t i = 0; i < lines; i++, at = at + 1 == lines ? 0 : at + 1) {
        size_t begin = at * LINE, bytes = size - begin < LINE ? size - begin : LINE;
        sent = (loses && weak_random() % 2 == 0) || (remote_write(remote, offset + begin, from + begin, bytes) && sent);
    }
    return sent;
}

static void copy(sci_sequence_t sequence, void *address, sci_map_t map, size_t offset, size_t size, unsigned flags,
    sci_error_t *error) {
    bool read = (flags & FLAG(BLOCK_READ)) != 0;
    if (!report(error, address == NULL ? SCI_ERR_ILLEGAL_PARAMETER : offset > map->size || size > map->size - offset
            ? SCI_ERR_OUT_OF_RANGE : SCI_ERR_OK) || size == 0) {
        return;
    }
    if (map->remote == NULL) {
        memcpy(read ? address : map->pointer + offset, read ? map->pointer + offset : address, size);
        return;
    }
    sci_remote_segment_t remote = map->remote;
    if (!report(error, (read && remote->multicast) || (!read && map->readonly) ? SCI_ERR_ILLEGAL_OPERATION
            : SCI_ERR_OK)) {
        return;
    }
    faults_operation();
    unsigned node = remote_first_node(remote);
    // from now on: looking for stores is no part of what a copy costs
    uint64_t then = timing_copy(settings.node, node, size, read, remote->count);
    weak_flush();
    size_t place = map->offset + offset;
    bool done;
    if (read) {
        done = remote_read(remote, place, address, size);
        if (then != 0) {
            time_reach(then);
        }
    } else {
        if (sequence != NULL && settings.weak && sequence->lost == SCI_SEQ_OK) {
            sequence->lost = faults_next_sequence();
        }
        done = write_lines(remote, place, address, size, then, sequence != NULL && sequence->lost != SCI_SEQ_OK);
    }
    atomic_thread_fence(memory_order_seq_cst);
    bool checked = (flags & FLAG(ERROR_CHECK)) != 0;
    report(error, checked && (!done || remote_state_now(remote) != PEER_UP) ? SCI_ERR_TRANSFER_FAILED : SCI_ERR_OK);
}

void SCIMemCpy(sci_sequence_t sequence, void *address, sci_map_t map, size_t offset, size_t size, unsigned flags,
    sci_error_t *error) {
    if (valid(map, MAP, error) && (sequence == NULL || valid(sequence, SEQUENCE_, error))
        && flags_known(flags, FLAG(BLOCK_READ) | FLAG(ERROR_CHECK), error)) {
        copy(sequence, address, map, offset, size, flags, error);
    }
}
SISCI_NAMES(SCIMemCpy)

void SCIMemWrite(void *address, volatile void *remoteAddress, size_t size, unsigned flags, sci_error_t *error) {
    const char *target = (const char *)remoteAddress;
    if (!flags_known(flags, FLAG(ERROR_CHECK), error)) {
        return;
    }
    pthread_mutex_lock(&objects);
    sci_map_t map = maps;
    while (map != NULL && !(target >= map->pointer && target < map->pointer + map->size)) {
        map = map->next;
    }
    pthread_mutex_unlock(&objects);
    if (report(error, map == NULL ? SCI_ERR_ILLEGAL_ADDRESS : SCI_ERR_OK)) {
        copy(NULL, address, map, (size_t)(target - map->pointer), size, flags, error);
    }
}
SISCI_NAMES(SCIMemWrite)
