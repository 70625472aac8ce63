// Multicast groups: one store, all receivers.
#include "claims.h"

#include <stdlib.h>
#include <string.h>

enum {GROUP = 3, BYTES = 64 << 10};

static _Atomic uint64_t *receiver(sci_local_segment_t *segment) {
    sci_map_t map;
    void *memory;
    OK(SCICreateSegment(opened(), segment, GROUP, BYTES, NULL, NULL, FLAG(BROADCAST), &error));
    OK(memory = SCIMapLocalSegment(*segment, &map, 0, BYTES, NULL, 0, &error));
    OK(SCIPrepareSegment(*segment, 0, 0, &error));
    OK(SCISetSegmentAvailable(*segment, 0, 0, &error));
    return memory;
}

static void receives(void) {
    sci_local_segment_t segment;
    sci_remote_segment_t remote;
    _Atomic uint64_t *words = receiver(&segment);
    GIVES(ILLEGAL_PARAMETER, SCIConnectSegment(opened(), &remote, 8, GROUP, 0, NULL, NULL, 0, FLAG(BROADCAST), &error));
    meet(4);
    wait_until(&words[0], 1);
    wait_until(&words[1000], 2); // without a flush, too
    meet(4);
    wait_until(&words[BYTES / 8 - 1], 0x0505050505050505u);
    meet(4);
    wait_until(&words[5], 0x0606060606060606u);
    SAME(0x0606060606060606u, words[4]);
    words[0] = 77; // the memory is each receiver's own
    meet(4);
    SAME(77, words[0]);
    meet(4);
}

static void sends(void) {
    sci_local_segment_t segment;
    sci_remote_segment_t remote;
    sci_map_t map;
    Word *memory;
    sci_dma_queue_t queue;
    char bytes[BYTES];
    sci_desc_t sd = opened();
    unsigned all = CONSTANT(DIS_BROADCAST_NODEID_GROUP_ALL);
    GIVES(NO_SUCH_SEGMENT, SCIConnectSegment(sd, &remote, all, GROUP + 1, 0, NULL, NULL, 0, FLAG(BROADCAST), &error));
    _Atomic uint64_t *own = receiver(&segment);
    OK(SCIConnectSegment(sd, &remote, all, GROUP, 0, NULL, NULL, 0, FLAG(BROADCAST), &error));
    SAME(BYTES, SCIGetRemoteSegmentSize(remote));
    GIVES(ILLEGAL_PARAMETER, SCIMapRemoteSegment(remote, &map, 0, BYTES, NULL, 0, &error));
    OK(memory = (Word *)SCIMapRemoteSegment(remote, &map, 0, BYTES, NULL, FLAG(BROADCAST), &error));
    meet(4); // receivers that came after the connection are members
    memory[0] = 1;
    SCIFlush(NULL, 0);
    memory[1000] = 2;
    meet(4);
    memset(bytes, 5, BYTES);
    GIVES(ILLEGAL_OPERATION, SCIMemCpy(NULL, bytes, map, 0, 8, FLAG(BLOCK_READ), &error));
    OK(SCIMemCpy(NULL, bytes, map, 0, BYTES, 0, &error));
    meet(4);
    memset(bytes, 6, BYTES);
    OK(SCICreateDMAQueue(sd, &queue, 0, 1, 0, &error));
    GIVES(ILLEGAL_OPERATION, SCIStartDmaTransferMem(queue, bytes, remote, 64, 0, NULL, NULL, FLAG(DMA_READ), &error));
    GIVES(ILLEGAL_OPERATION, SCIStartDmaTransferMem(queue, bytes, remote, 64, 0, NULL, NULL,
            FLAG(BROADCAST) | FLAG(DMA_GLOBAL), &error));
    OK(SCIStartDmaTransferMem(queue, bytes, remote, 64, 0, NULL, NULL, FLAG(BROADCAST) | FLAG(DMA_WAIT), &error));
    meet(4);
    SAME(0, own[0]); // a sender's own memory is not written
    meet(4);
}

static void one_to_three(void) {
    node(4, sends);
    node(8, receives);
    node(12, receives);
    node(16, receives);
}

CLAIM(stores_copies_and_dma_to_a_group_reach_all_other_nodes) {
    one_to_three();
}

CLAIM(so_they_do_in_mode_weak) {
    set("BRIGADE_SISCI_MODE", "weak=11");
    one_to_three();
}

CLAIM(so_they_do_in_mode_timed) {
    set("BRIGADE_SISCI_MODE", "timed");
    one_to_three();
}

static void dies(void) {
    sci_local_segment_t segment;
    receiver(&segment);
    meet(3);
    _Exit(0);
}

static void survives(void) {
    sci_local_segment_t segment;
    _Atomic uint64_t *words = receiver(&segment);
    meet(3);
    wait_until(&words[9], 9);
    board[0] = 1;
}

static void goes_on(void) {
    sci_remote_segment_t remote;
    sci_map_t map;
    sci_sequence_t sequence;
    Word *memory;
    meet(3);
    OK(SCIConnectSegment(opened(), &remote, 252, GROUP, 0, NULL, NULL, 0, FLAG(BROADCAST), &error));
    OK(memory = (Word *)SCIMapRemoteSegment(remote, &map, 0, BYTES, NULL, FLAG(BROADCAST), &error));
    OK(SCICreateMapSequence(map, &sequence, 0, &error));
    SAME(SCI_SEQ_OK, SCIStartSequence(sequence, 0, &error));
    memory[9] = 9;
    SAME(SCI_SEQ_OK, SCICheckSequence(sequence, 0, &error));
    wait_until(&board[0], 1);
    while (SCIProbeNode(opened(), 0, 8, 0, &error) == 1) { // who dies last leaves tables
    }
}

CLAIM(a_group_goes_on_without_a_member_that_died) {
    node(8, dies);
    node(12, survives);
    node(4, goes_on);
}

static void costly(void) {
    sci_remote_segment_t remote;
    sci_map_t map;
    meet(4);
    OK(SCIConnectSegment(opened(), &remote, 252, GROUP, 0, NULL, NULL, 0, FLAG(BROADCAST), &error));
    OK(SCIMapRemoteSegment(remote, &map, 0, BYTES, NULL, FLAG(BROADCAST), &error));
    uint64_t before = ns(), bytes[1024] = {0};
    OK(SCIMemCpy(NULL, bytes, map, 0, sizeof bytes, 0, &error));
    CHECK(ns() - before >= 11700); // 8 KiB at 0.7 GB/s
    meet(4);
}

static void member(void) {
    sci_local_segment_t segment;
    receiver(&segment);
    meet(4);
    meet(4);
}

CLAIM(a_group_of_three_is_slow_in_mode_timed) {
    set("BRIGADE_SISCI_MODE", "timed");
    node(4, costly);
    node(8, member);
    node(12, member);
    node(16, member);
}
