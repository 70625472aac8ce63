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
