// Mode timed: never sooner than the model says. How much later depends on this machine, and is no claim.
#include "claims.h"

#include <stdlib.h>

enum {BYTES = 1 << 20};

static void target(void) {
    void *memory;
    made(9, 2 * BYTES, &memory);
    meet(2);
}

static sci_map_t map;
static Word *memory;
static sci_remote_segment_t remote;
static sci_dma_queue_t queues[2];
static char *own;

static void connect_all(void) {
    own = calloc(1, BYTES);
    remote = connected(8, 9, &map, &memory);
    for (unsigned i = 0; i < 2; i++) {
        OK(SCICreateDMAQueue(opened(), &queues[i], 0, 1, 0, &error));
    }
}

static uint64_t taken(size_t bytes, unsigned flags) {
    uint64_t before = ns();
    OK(SCIStartDmaTransferMem(queues[0], own, remote, bytes, 0, NULL, NULL, flags, &error));
    while (SCIDMAQueueState(queues[0]) == SCI_DMAQUEUE_POSTED) {
    }
    return ns() - before;
}

static void measures(void) {
    sci_sequence_t sequence;
    connect_all();
    OK(SCICreateMapSequence(map, &sequence, 0, &error));
    for (unsigned i = 0; i < 20; i++) {
        CHECK(taken(8, 0) >= 10500);
        CHECK(taken(8, FLAG(DMA_WAIT)) >= 10500);
        CHECK(taken(65536, 0) >= 14890);            // 4.4 GB/s
        CHECK(taken(1048576, 0) >= 151960);         // 6.9 GB/s
        CHECK(taken(100000, FLAG(DMA_READ)) >= 38000);
        uint64_t before = ns();
        OK(SCIMemCpy(NULL, own, map, 0, 65536, 0, &error));
        CHECK(ns() - before >= 8510);               // 7.7 GB/s
        before = ns();
        OK(SCIMemCpy(NULL, own, map, 0, 1000, FLAG(BLOCK_READ), &error));
        CHECK(ns() - before >= 112800);             // 9 MB/s
        before = ns();
        SCIFlush(NULL, 0);
        CHECK(ns() - before >= 300);
        before = ns();
        SCICheckSequence(sequence, 0, &error);
        CHECK(ns() - before >= 2800);
    }
    meet(2);
}

CLAIM(nothing_is_done_before_its_time) {
    set("BRIGADE_SISCI_MODE", "timed");
    node(8, target);
    node(4, measures);
}

CLAIM(nor_in_mode_weak) {
    set("BRIGADE_SISCI_MODE", "timed,weak");
    node(8, target);
    node(4, measures);
}

static void two_at_once(void) {
    connect_all();
    uint64_t before = ns();
    for (unsigned i = 0; i < 2; i++) {
        OK(SCIStartDmaTransferMem(queues[i], own, remote, BYTES, i * BYTES, NULL, NULL, 0, &error));
    }
    SAME(SCI_DMAQUEUE_DONE, SCIWaitForDMAQueue(queues[0], 60000, 0, &error));
    SAME(SCI_DMAQUEUE_DONE, SCIWaitForDMAQueue(queues[1], 60000, 0, &error));
    CHECK(ns() - before >= 2 * 104000000u);
    meet(2);
}

CLAIM(two_transfers_share_a_links_rate) {
    set("BRIGADE_SISCI_MODE", "timed");
    set("BRIGADE_SISCI_TIMING", "dma.peak=10e6");
    node(8, target);
    node(4, two_at_once);
}

static void from_one_of_two(void) {
    connect_all();
    meet(3);
    uint64_t before = ns();
    OK(SCIStartDmaTransferMem(queues[0], own, remote, BYTES, 0, NULL, NULL, FLAG(DMA_WAIT), &error));
    board[10] += ns() - before;
    meet(3);
    CHECK(board[10] >= 3 * 104000000u); // one after 1, the other after 2 times 104 ms
}

static void common_target(void) {
    void *memory_;
    made(9, 2 * BYTES, &memory_);
    meet(3);
    meet(3);
}

CLAIM(two_nodes_share_the_link_of_a_third) {
    set("BRIGADE_SISCI_MODE", "timed");
    set("BRIGADE_SISCI_TIMING", "dma.peak=10e6,dma.floor=1e-3");
    node(8, common_target);
    node(4, from_one_of_two);
    node(12, from_one_of_two);
}
