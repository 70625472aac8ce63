// DMA queues.
#include "claims.h"

#include <stdlib.h>
#include <string.h>

enum {BYTES = 3 << 20};

static void fill(unsigned char *memory, size_t bytes, unsigned seed) {
    for (size_t i = 0; i < bytes; i++) {
        memory[i] = (unsigned char)(i * 31 + (i >> 8) * 7 + seed);
    }
}

static bool filled(const unsigned char *memory, size_t bytes, unsigned seed) {
    for (size_t i = 0; i < bytes; i++) {
        if (memory[i] != (unsigned char)(i * 31 + (i >> 8) * 7 + seed)) {
            return false;
        }
    }
    return true;
}

static sci_dma_queue_t queue_of(void) {
    sci_dma_queue_t queue;
    OK(SCICreateDMAQueue(opened(), &queue, 0, 1, 0, &error));
    SAME(SCI_DMAQUEUE_IDLE, SCIDMAQueueState(queue));
    return queue;
}

static void target(void) {
    void *memory;
    made(9, BYTES, &memory);
    meet(2); // it may write
    meet(2); // it has written
    CHECK(filled(memory, BYTES, 1));
    fill(memory, BYTES, 2);
    meet(2);
    meet(2);
}

static void source(void) {
    void *memory;
    sci_local_segment_t local = made(10, BYTES, &memory);
    sci_remote_segment_t remote = connected(8, 9, NULL, NULL);
    sci_dma_queue_t queue = queue_of();
    meet(2);
    fill(memory, BYTES, 1);
    OK(SCIStartDmaTransfer(queue, local, remote, 0, BYTES, 0, NULL, NULL, 0, &error));
    SAME(SCI_DMAQUEUE_DONE, SCIWaitForDMAQueue(queue, 10000, 0, &error));
    SAME(SCI_DMAQUEUE_DONE, SCIDMAQueueState(queue));
    meet(2);
    meet(2);
    OK(SCIStartDmaTransfer(queue, local, remote, 0, BYTES, 0, NULL, NULL, FLAG(DMA_READ) | FLAG(DMA_WAIT), &error));
    CHECK(filled(memory, BYTES, 2));
    meet(2);
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    disconnected(remote, NULL);
}

CLAIM(dma_writes_and_reads_and_a_queue_can_be_used_again) {
    node(8, target);
    node(4, source);
}

CLAIM(dma_moves_all_in_mode_weak) {
    set("BRIGADE_SISCI_MODE", "weak=5");
    node(8, target);
    node(4, source);
}

CLAIM(dma_moves_all_in_mode_timed) {
    set("BRIGADE_SISCI_MODE", "timed");
    node(8, target);
    node(4, source);
}

// Slow enough that a queue is surely POSTED after its start.
static void slowly(void) {
    set("BRIGADE_SISCI_MODE", "timed");
    set("BRIGADE_SISCI_TIMING", "dma.floor=0.3");
}

static void quiet_target(void) {
    void *memory;
    made(9, BYTES, &memory);
    meet(2);
}

static sci_local_segment_t local;
static sci_remote_segment_t remote;
static sci_dma_queue_t queue;
static unsigned char *own;

static void connect_all(void) {
    void *memory;
    local = made(10, BYTES, &memory);
    own = memory;
    remote = connected(8, 9, NULL, NULL);
    queue = queue_of();
}

static void starts_again(void) {
    connect_all();
    OK(SCIStartDmaTransfer(queue, local, remote, 0, 8, 0, NULL, NULL, 0, &error));
    SAME(SCI_DMAQUEUE_POSTED, SCIDMAQueueState(queue));
    GIVES(ILLEGAL_OPERATION, SCIStartDmaTransfer(queue, local, remote, 0, 8, 0, NULL, NULL, 0, &error));
    GIVES(ILLEGAL_OPERATION, SCIRemoveDMAQueue(queue, 0, &error));
    GIVES(TIMEOUT, SCIWaitForDMAQueue(queue, 10, 0, &error));
    SAME(SCI_DMAQUEUE_DONE, SCIWaitForDMAQueue(queue, CONSTANT(SCI_INFINITE_TIMEOUT), 0, &error));
    OK(SCIStartDmaTransfer(queue, local, remote, 0, 8, 0, NULL, NULL, 0, &error));
    OK(SCIAbortDMAQueue(queue, 0, &error));
    SAME(SCI_DMAQUEUE_ABORTED, SCIDMAQueueState(queue));
    GIVES(ILLEGAL_OPERATION, SCIAbortDMAQueue(queue, 0, &error));
    meet(2);
    OK(SCIRemoveDMAQueue(queue, 0, &error));
}

CLAIM(a_posted_queue_takes_no_transfer_and_cannot_be_removed_but_aborted) {
    slowly();
    node(8, quiet_target);
    node(4, starts_again);
}

static void refused(void) {
    sci_local_segment_t unprepared;
    sci_dma_queue_t other;
    connect_all();
    OK(SCICreateSegment(opened(), &unprepared, 11, 4096, NULL, NULL, 0, &error));
    GIVES(SEGMENT_NOT_PREPARED, SCIStartDmaTransfer(queue, unprepared, remote, 0, 8, 0, NULL, NULL, 0, &error));
    GIVES(OUT_OF_RANGE, SCIStartDmaTransfer(queue, local, remote, BYTES - 4, 8, 0, NULL, NULL, 0, &error));
    GIVES(OUT_OF_RANGE, SCIStartDmaTransfer(queue, local, remote, 0, 8, BYTES - 4, NULL, NULL, 0, &error));
    GIVES(OUT_OF_RANGE, SCIStartDmaTransfer(queue, local, remote, 0, SIZE_MAX - 7, 0, NULL, NULL, 0, &error));
    GIVES(OUT_OF_RANGE, SCIStartDmaTransferMem(queue, own, remote, 8, SIZE_MAX - 7, NULL, NULL, 0, &error));
    GIVES(ILLEGAL_ADDRESS, SCIStartDmaTransferMem(queue, NULL, remote, 8, 0, NULL, NULL, 0, &error));
    GIVES(SIZE_ALIGNMENT, SCIStartDmaTransfer(queue, local, remote, 0, 0, 0, NULL, NULL, 0, &error));
    GIVES(ILLEGAL_FLAG, SCIStartDmaTransfer(queue, local, remote, 0, 8, 0, NULL, NULL, 0x80000000u, &error));
    GIVES(ILLEGAL_PARAMETER, SCIStartDmaTransfer(queue, local, remote, 0, 8, 0, NULL, NULL, FLAG(USE_CALLBACK),
            &error));
    GIVES(ILLEGAL_PARAMETER, SCICreateDMAQueue(opened(), &other, 0, 0, 0, &error));
    GIVES(MAX_ENTRIES, SCICreateDMAQueue(opened(), &other, 0, 100000, 0, &error));
    GIVES(ILLEGAL_OPERATION, SCIAbortDMAQueue(queue, 0, &error));
    SAME(SCI_DMAQUEUE_IDLE, SCIDMAQueueState(queue));
    meet(2);
}

CLAIM(transfers_that_cannot_be_are_refused_and_leave_the_queue_as_it_was) {
    node(8, quiet_target);
    node(4, refused);
}

static void aligned(void) {
    connect_all();
    GIVES(SIZE_ALIGNMENT, SCIStartDmaTransfer(queue, local, remote, 0, 12, 0, NULL, NULL, 0, &error));
    GIVES(OFFSET_ALIGNMENT, SCIStartDmaTransfer(queue, local, remote, 4, 8, 0, NULL, NULL, 0, &error));
    GIVES(OFFSET_ALIGNMENT, SCIStartDmaTransfer(queue, local, remote, 0, 8, 4, NULL, NULL, 0, &error));
    OK(SCIStartDmaTransfer(queue, local, remote, 8, 24, 16, NULL, NULL, FLAG(DMA_WAIT), &error));
    meet(2);
}

CLAIM(alignment_is_wanted_where_it_is_asked_for) {
    set("BRIGADE_SISCI_MODE", "aligned=8");
    node(8, quiet_target);
    node(4, aligned);
}

static _Atomic uint64_t calls;

static sci_callback_action_t on_end(void *arg, sci_dma_queue_t done, sci_error_t result) {
    CHECK(arg == &calls && done == queue && result == SCI_ERR_OK);
    SAME(SCI_DMAQUEUE_DONE, SCIDMAQueueState(done));
    GIVES(BUSY, SCIRemoveDMAQueue(done, 0, &error));
    if (++calls < 5) {
        OK(SCIStartDmaTransfer(done, local, remote, 0, 4096, 4096, on_end, arg, FLAG(USE_CALLBACK), &error));
    }
    return SCI_CALLBACK_CONTINUE;
}

static bool called_five_times(void) {
    return calls == 5;
}

static void goes_on_by_callback(void) {
    connect_all();
    OK(SCIStartDmaTransfer(queue, local, remote, 0, 4096, 0, on_end, (void *)&calls, FLAG(USE_CALLBACK), &error));
    CHECK(soon(called_five_times));
    meet(2);
    while (SCIRemoveDMAQueue(queue, 0, &error), error != SCI_ERR_OK) {
    }
}

CLAIM(a_callback_finds_the_queue_done_and_may_start_the_next_transfer) {
    node(8, quiet_target);
    node(4, goes_on_by_callback);
}

CLAIM(so_it_may_in_mode_timed) {
    set("BRIGADE_SISCI_MODE", "timed");
    node(8, quiet_target);
    node(4, goes_on_by_callback);
}

static void gathered(void) {
    void *memory;
    made(9, BYTES, &memory);
    meet(2);
    meet(2);
    unsigned char *bytes = memory;
    CHECK(filled(bytes + 1000, 3000, 4));
    CHECK(bytes[999] == 0 && bytes[4000] == 0);
    CHECK(memcmp(bytes + 100000, "one byte", 1) == 0 && bytes[100001] == 0);
}

static void gathers(void) {
    dis_dma_vec_t vector[] = {{1000, 0, 1000, 0}, {2000, 1000, 2000, 0}, {1, 5000, 100000, 0}};
    connect_all();
    fill(own, 3000, 4);
    own[5000] = 'o';
    meet(2);
    OK(SCIStartDmaTransferVec(queue, local, remote, 3, vector, NULL, NULL, 0, &error));
    memset(vector, 0, sizeof vector); // it has been read
    SAME(SCI_DMAQUEUE_DONE, SCIWaitForDMAQueue(queue, 5000, 0, &error));
    GIVES(SIZE_ALIGNMENT, SCIStartDmaTransferVec(queue, local, remote, 3, vector, NULL, NULL, 0, &error));
    meet(2);
}

CLAIM(a_vector_of_pieces_arrives_byte_for_byte) {
    node(8, gathered);
    node(4, gathers);
}

CLAIM(a_vector_of_pieces_arrives_byte_for_byte_in_mode_weak) {
    set("BRIGADE_SISCI_MODE", "weak=2");
    node(8, gathered);
    node(4, gathers);
}

enum {QUEUES = 4};

static void many_queues(void) {
    sci_dma_queue_t queues[QUEUES];
    connect_all();
    for (unsigned i = 0; i < QUEUES; i++) {
        queues[i] = queue_of();
    }
    meet(2);
    fill(own, BYTES, 1);
    const size_t part = 4096 + 512;
    size_t at = 0;
    for (unsigned i = 0; at < BYTES; i = (i + 1) % QUEUES) {
        if (SCIDMAQueueState(queues[i]) != SCI_DMAQUEUE_POSTED) {
            size_t bytes = BYTES - at < part ? BYTES - at : part;
            OK(SCIStartDmaTransferMem(queues[i], own + at, remote, bytes, at, NULL, NULL, 0, &error));
            at += bytes;
        }
    }
    for (unsigned i = 0; i < QUEUES; i++) {
        SAME(SCI_DMAQUEUE_DONE, SCIWaitForDMAQueue(queues[i], 5000, 0, &error));
    }
    meet(2);
    meet(2);
    meet(2);
}

CLAIM(several_queues_work_at_once) {
    node(8, target);
    node(4, many_queues);
}
