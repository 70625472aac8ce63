// Faults on demand, and sequences.
#define _GNU_SOURCE
#include "claims.h"

#include <stdlib.h>
#include <string.h>

enum {BYTES = 8 << 20};

static sci_map_t map;
static Word *memory;
static sci_remote_segment_t segment;
static sci_sequence_t sequence;

static void connect_all(void) {
    segment = connected(8, 7, &map, &memory);
    OK(SCICreateMapSequence(map, &sequence, 0, &error));
    SAME(SCI_SEQ_OK, SCIStartSequence(sequence, 0, &error));
}

static void disconnect_all(void) {
    OK(SCIRemoveSequence(sequence, 0, &error));
    disconnected(segment, map);
}

static void target(void) {
    void *own;
    made(7, BYTES, &own);
    meet(2);
    meet(2);
}

static sci_dma_queue_state_t dma(void) {
    static sci_dma_queue_t queue;
    static char *own;
    if (queue == NULL) {
        OK(SCICreateDMAQueue(opened(), &queue, 0, 1, 0, &error));
        own = calloc(1, BYTES);
    }
    OK(SCIStartDmaTransferMem(queue, own, segment, 4096, 4096, NULL, NULL, 0, &error));
    return SCIWaitForDMAQueue(queue, 5000, 0, &error);
}

static void link_goes_and_comes(void) {
    sci_remote_segment_t other;
    sci_error_t status;
    connect_all();
    memory[0] = 1;
    SAME(SCI_SEQ_OK, SCICheckSequence(sequence, 0, &error));
    SAME(0, brigade_sisci_fault("link=down@8"));
    SAME(SCI_SEQ_NOT_RETRIABLE, SCICheckSequence(sequence, 0, &error));
    SAME(SCI_SEQ_NOT_RETRIABLE, SCIStartSequence(sequence, 0, &error));
    SAME(SCI_DMAQUEUE_ERROR, dma());
    GIVES(NO_REMOTE_LINK_ACCESS, SCIConnectSegment(opened(), &other, 8, 7, 0, NULL, NULL, 0, 0, &error));
    SAME(SCI_CB_NOT_OPERATIONAL, SCIWaitForRemoteSegmentEvent(segment, &status, 5000, 0, &error));
    while (memory[0] != UINT64_MAX) {
    }
    memory[0] = 2; // vanishes
    SAME(0, brigade_sisci_fault("link=up@8"));
    SAME(SCI_SEQ_PENDING, SCICheckSequence(sequence, 0, &error)); // it was down in between
    while (SCIStartSequence(sequence, 0, &error) != SCI_SEQ_OK) {
    }
    SAME(SCI_SEQ_OK, SCICheckSequence(sequence, 0, &error));
    SAME(SCI_DMAQUEUE_DONE, dma());
    SAME(SCI_CB_OPERATIONAL, SCIWaitForRemoteSegmentEvent(segment, &status, 5000, 0, &error));
    while (memory[0] == UINT64_MAX) {
    }
    SAME(1, memory[0]);
    meet(2);
    meet(2);
    disconnect_all();
}

CLAIM(a_link_goes_down_and_up_and_every_call_says_so) {
    node(8, target);
    node(4, link_goes_and_comes);
}

static void own_link_goes(void) {
    sci_remote_segment_t other;
    connect_all();
    SAME(0, brigade_sisci_fault("link=down@4"));
    GIVES(NO_LINK_ACCESS, SCIConnectSegment(opened(), &other, 8, 7, 0, NULL, NULL, 0, 0, &error));
    SAME(SCI_SEQ_NOT_RETRIABLE, SCICheckSequence(sequence, 0, &error));
    meet(2);
    meet(2);
    disconnect_all();
}

CLAIM(without_the_own_link_no_other_node_is_reached) {
    node(8, target);
    node(4, own_link_goes);
}

static void peer_is_gone(void) {
    sci_remote_segment_t other;
    sci_error_t status;
    connect_all();
    SAME(0, brigade_sisci_fault("peer=lost@8"));
    SAME(SCI_SEQ_NOT_RETRIABLE, SCICheckSequence(sequence, 0, &error));
    SAME(SCI_CB_LOST, SCIWaitForRemoteSegmentEvent(segment, &status, 5000, 0, &error));
    GIVES(NODE_NOT_RESPONDING, SCIConnectSegment(opened(), &other, 8, 7, 0, NULL, NULL, 0, 0, &error));
    SAME(SCI_DMAQUEUE_ERROR, dma());
    while (memory[0] != UINT64_MAX || memory[BYTES / 8 - 1] != UINT64_MAX) {
    }
    meet(2);
    meet(2);
    disconnect_all();
}

CLAIM(a_lost_node_is_gone_though_its_processes_live) {
    node(8, target);
    node(4, peer_is_gone);
}

static void fifth_operation(void) {
    unsigned good = 0;
    connect_all();
    while (SCICheckSequence(sequence, 0, &error) == SCI_SEQ_OK) {
        good++;
    }
    SAME(4, good);
    meet(2);
    meet(2);
    disconnect_all();
}

CLAIM(a_fault_happens_at_its_operation) {
    set("BRIGADE_SISCI_FAULT", "link=down@4#5");
    node(8, target);
    node(4, fifth_operation);
}

static void in_time(void) {
    sci_desc_t sd = opened();
    do {
        SCIConnectSegment(sd, &segment, 8, 7, 0, NULL, NULL, 0, 0, &error);
        // The others before node 8 has come or is ready.
    } while (error == SCI_ERR_NO_REMOTE_LINK_ACCESS || error == SCI_ERR_NO_SUCH_SEGMENT
        || error == SCI_ERR_CONNECTION_REFUSED);
    SAME(SCI_ERR_OK, error);
    CHECK(ns() - board[0] >= 500000000u);
    meet(2);
    meet(2);
}

CLAIM(a_fault_is_over_in_its_time) {
    set("BRIGADE_SISCI_FAULT", "link=down@8, link=up@8+0.5");
    board[0] = ns();
    node(8, target);
    node(4, in_time);
}

static void retries(void) {
    unsigned retriable = 0, lost = 0;
    connect_all();
    for (uint64_t i = 1; i <= 300; i++) {
        sci_sequence_status_t status;
        do {
            while (SCIStartSequence(sequence, 0, &error) != SCI_SEQ_OK) {
            }
            memory[i] = i;
            status = SCICheckSequence(sequence, 0, &error);
            uint64_t there;
            OK(SCIMemCpy(NULL, &there, map, i * 8, 8, FLAG(BLOCK_READ), &error));
            lost += there != i;
            retriable += status != SCI_SEQ_OK;
            CHECK(status == SCI_SEQ_OK ? there == i : status != SCI_SEQ_NOT_RETRIABLE);
        } while (status != SCI_SEQ_OK);
    }
    CHECK(retriable >= 100);
    CHECK(lost > 0);
    meet(2);
    meet(2);
    disconnect_all();
}

CLAIM(a_sequence_that_is_to_be_repeated_has_lost_stores) {
    set("BRIGADE_SISCI_MODE", "weak=3");
    set("BRIGADE_SISCI_FAULT", "sequence=retriable@3,sequence=pending@7");
    node(8, target);
    node(4, retries);
}

static void every_third(void) {
    connect_all();
    for (unsigned i = 1; i < 30; i++) {
        SAME(i % 3 == 0 ? SCI_SEQ_RETRIABLE : SCI_SEQ_OK,
            SCICheckSequence(sequence, FLAG(NO_FLUSH) | FLAG(NO_STORE_BARRIER), &error));
    }
    meet(2);
    meet(2);
    GIVES(BUSY, SCIUnmapSegment(map, 0, &error));
    disconnect_all();
}

CLAIM(every_nth_check_says_retriable) {
    set("BRIGADE_SISCI_FAULT", "sequence=retriable@3");
    node(8, target);
    node(4, every_third);
}

static const char *WRONG[][2] = {
    {"BRIGADE_SISCI_FAULT", "iommu=brokn"}, {"BRIGADE_SISCI_FAULT", "link=down@8+x"},
    {"BRIGADE_SISCI_FAULT", "link=down@7"}, {"BRIGADE_SISCI_FAULT", "sequence=retriable"},
    {"BRIGADE_SISCI_FAULT", "sequence=retriable@0"}, {"BRIGADE_SISCI_FAULT", "link=down@8,nonsense"},
    {"BRIGADE_SISCI_MODE", "strong"}, {"BRIGADE_SISCI_MODE", "weak=x"},
    {"BRIGADE_SISCI_MODE", "weak,aligned=3"}, {"BRIGADE_SISCI_TIMING", "dma.peak=0"},
    {"BRIGADE_SISCI_TIMING", "speed=1"}, {"BRIGADE_SISCI_NODE", "5"},
    {"BRIGADE_SISCI_NODE", "252"}, {"BRIGADE_SISCI_NODE", "four"}, {"BRIGADE_SISCI_FABRIC", "a/b"}
};

static void malformed(void) {
    CHECK(freopen("/dev/null", "w", stderr) != NULL);
    for (unsigned i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char before[64] = "";
        const char *value = getenv(WRONG[i][0]);
        if (value != NULL) {
            strcpy(before, value);
        }
        set(WRONG[i][0], WRONG[i][1]);
        board[0] = i;
        SCIInitialize(0, &error);
        board[1] = error;
        const char *said = brigade_sisci_complaint();
        if (error != SCI_ERR_SYSTEM || said == NULL || strncmp(said, WRONG[i][0], strlen(WRONG[i][0])) != 0) {
            exit(1);
        }
        set(WRONG[i][0], before);
    }
    OK(SCIInitialize(0, &error));
    CHECK(brigade_sisci_complaint() == NULL);
    SCITerminate();
}

CLAIM(a_malformed_environment_is_refused) {
    bare_node(4, malformed);
}
