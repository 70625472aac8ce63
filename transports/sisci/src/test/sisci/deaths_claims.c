// Processes that die, anywhere; and what is left of them.
#define _GNU_SOURCE
#include "claims.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {BYTES = 6 << 20};

static void victim(void) {
    void *memory;
    sci_local_data_interrupt_t interrupt;
    unsigned number = 3;
    made(7, BYTES, &memory);
    OK(SCICreateDataInterrupt(opened(), &interrupt, 0, &number, NULL, NULL, FLAG(FIXED_INTNO), &error));
    meet(2);
    meet(2);
    kill(getpid(), SIGKILL);
}

static void survivor(void) {
    sci_map_t map;
    Word *memory;
    sci_sequence_t sequence;
    sci_remote_data_interrupt_t interrupt;
    sci_dma_queue_t queue;
    sci_error_t status;
    void *own;
    sci_local_segment_t local = made(8, BYTES, &own);
    meet(2);
    sci_remote_segment_t segment = connected(8, 7, &map, &memory), again;
    OK(SCIConnectDataInterrupt(opened(), &interrupt, 8, 0, 3, 0, 0, &error));
    OK(SCICreateMapSequence(map, &sequence, 0, &error));
    OK(SCICreateDMAQueue(opened(), &queue, 0, 1, 0, &error));
    SAME(SCI_SEQ_OK, SCIStartSequence(sequence, 0, &error));
    SAME(SCI_SEQ_OK, SCICheckSequence(sequence, 0, &error));
    meet(2);
    // At once, whoever asks is told, when the process is dead.
    while (SCICheckSequence(sequence, 0, &error) == SCI_SEQ_OK) {
    }
    SAME(SCI_SEQ_NOT_RETRIABLE, SCICheckSequence(sequence, 0, &error));
    SAME(SCI_SEQ_NOT_RETRIABLE, SCIStartSequence(sequence, 0, &error));
    GIVES(NOT_CONNECTED, SCITriggerDataInterrupt(interrupt, "x", 1, 0, &error));
    GIVES(NO_SUCH_SEGMENT, SCIConnectSegment(opened(), &again, 8, 7, 0, NULL, NULL, 0, 0, &error));
    OK(SCIStartDmaTransfer(queue, local, segment, 0, BYTES, 0, NULL, NULL, 0, &error));
    SAME(SCI_DMAQUEUE_ERROR, SCIWaitForDMAQueue(queue, 5000, 0, &error));
    SAME(SCI_CB_LOST, SCIWaitForRemoteSegmentEvent(segment, &status, 5000, 0, &error));
    // Soon, its memory reads as ones, all of it, and forgets what is written.
    for (size_t i = 0; i < BYTES / 8; i += 512) {
        while (memory[i] != UINT64_MAX) {
            memory[i] = i;
            rest(1);
        }
    }
    memory[5] = 1;
    while (memory[5] != UINT64_MAX) {
        rest(1);
    }
    OK(SCIMemCpy(NULL, own, map, 0, 4096, 0, &error));
    GIVES(TRANSFER_FAILED, SCIMemCpy(NULL, own, map, 0, 4096, FLAG(ERROR_CHECK), &error));
    OK(SCIMemCpy(NULL, own, map, 0, 4096, FLAG(BLOCK_READ), &error));
    SAME(UINT64_MAX, *(uint64_t *)own);
    OK(SCIRemoveSequence(sequence, 0, &error));
    disconnected(segment, map);
}

static void one_dies(void) {
    may_die(node(8, victim));
    node(4, survivor);
}

CLAIM(a_killed_peer_is_lost_its_memory_reads_as_ones_and_nothing_else_happens) {
    one_dies();
}

CLAIM(so_it_is_in_mode_weak) {
    set("BRIGADE_SISCI_MODE", "weak=4");
    one_dies();
}

// Makes and removes whatever it can until it is killed.
static void busy(void) {
    for (;;) {
        sci_desc_t sd;
        sci_local_segment_t segment;
        sci_remote_segment_t remote;
        sci_local_interrupt_t interrupt;
        unsigned number;
        sci_error_t ignored;
        SCIOpen(&sd, 0, &ignored);
        SCICreateSegment(sd, &segment, 100, 8192, NULL, NULL, FLAG(AUTO_ID), &error);
        if (error != SCI_ERR_OK) {
            continue;
        }
        SCIPrepareSegment(segment, 0, 0, &ignored);
        SCISetSegmentAvailable(segment, 0, 0, &ignored);
        SCICreateInterrupt(sd, &interrupt, 0, &number, NULL, NULL, 0, &ignored);
        SCIConnectSegment(sd, &remote, 4, SCIGetLocalSegmentId(segment), 0, NULL, NULL, 0, 0, &error);
        board[0]++;
        if (error == SCI_ERR_OK) {
            SCIDisconnectSegment(remote, 0, &ignored);
        }
        SCIRemoveInterrupt(interrupt, 0, &ignored);
        SCIRemoveSegment(segment, 0, &ignored);
        SCIClose(sd, 0, &ignored);
    }
}

// A segment, an interrupt: the tables are whole.
static void still_works(void) {
    void *memory;
    sci_map_t map;
    Word *word;
    made(50, 4096, &memory);
    connected(4, 50, &map, &word);
    word[0] = 1;
    for (unsigned i = 0; i < 256; i++) {
        sci_local_interrupt_t interrupt;
        unsigned number;
        OK(SCICreateInterrupt(opened(), &interrupt, 0, &number, NULL, NULL, 0, &error)); // all 256 are free again
    }
}

static void holds_on(void) {
    wait_until(&board[1], 1);
}

CLAIM(processes_may_be_killed_in_the_midst_of_any_change) {
    unsigned rounds = getenv("CLAIMS_QUICK") == NULL ? 60 : 10;
    node(12, holds_on);
    for (unsigned i = 0; i < rounds; i++) {
        board[0] = 0;
        pid_t first = node(4, busy), second = node(4, busy);
        while (board[0] < 20) {
            usleep(100);
        }
        usleep(i * 37 % 1000);
        kill_node(first);
        kill_node(second);
    }
    pid_t last = node(4, still_works);
    await_node(last);
    board[1] = 1;
}

static void waits_for_death(void) {
    void *memory;
    made(7, 4096, &memory);
    meet(2);
    pause();
}

static void meets(void) {
    meet(2);
}

static void nothing(void) {
}

static char tables[128];

static void looks_for_tables(void) {
    CHECK(access(tables, F_OK) != 0);
}

CLAIM(tables_of_killed_processes_are_removed_by_the_next_process_of_any_fabric) {
    snprintf(tables, sizeof tables, "/dev/shm/brigade-sisci-%s", getenv("BRIGADE_SISCI_FABRIC"));
    pid_t only = node(4, waits_for_death);
    bare_node(8, meets);
    while (board[501] == 0) {
        usleep(100);
    }
    kill_node(only);
    char other[64];
    snprintf(other, sizeof other, "claim-%d-other", (int)getpid());
    set("BRIGADE_SISCI_FABRIC", other);
    node(4, looks_for_tables);
}

static void other_fabric(void) {
    meet(2);
    OK(SCIInitialize(0, &error));
    SCITerminate();
    meet(2);
    CHECK(access(tables, F_OK) == 0);
    meet(2);
}

static void lives(void) {
    void *memory;
    made(7, 4096, &memory);
    meet(2);
    meet(2);
    connected(4, 7, NULL, NULL);
    meet(2);
}

CLAIM(tables_of_the_living_stay) {
    snprintf(tables, sizeof tables, "/dev/shm/brigade-sisci-%s", getenv("BRIGADE_SISCI_FABRIC"));
    node(4, lives);
    char other[64];
    snprintf(other, sizeof other, "claim-%d-other", (int)getpid());
    set("BRIGADE_SISCI_FABRIC", other);
    bare_node(4, other_fabric);
}

static void forgets(void) {
    void *memory;
    OK(SCIInitialize(0, &error));
    made(7, 4096, &memory);
}

CLAIM(who_ends_without_SCITerminate_leaves_nothing) {
    bare_node(4, forgets);
}

#ifndef __SANITIZE_THREAD__ // which does not support it
static void forks(void) {
    void *memory;
    made(7, 4096, &memory);
    pid_t child = fork();
    if (child == 0) {
        sci_desc_t sd;
        sci_local_segment_t segment;
        GIVES(NOT_INITIALIZED, SCIOpen(&sd, 0, &error));
        OK(SCIInitialize(0, &error));
        GIVES(SEGMENTID_USED, SCICreateSegment(opened(), &segment, 7, 4096, NULL, NULL, 0, &error));
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    SAME(0, status);
    connected(4, 7, NULL, NULL);
}

CLAIM(a_child_of_fork_begins_anew_and_does_not_disturb_its_parent) {
    node(4, forks);
}
#endif

// Whoever has the segment's id has it alone: all are in the same fabric.
static void joins(void) {
    for (unsigned i = 0; i < 100; i++) {
        sci_local_segment_t segment;
        sci_desc_t sd;
        OK(SCIInitialize(0, &error));
        sd = opened();
        SCICreateSegment(sd, &segment, 7, 4096, NULL, NULL, 0, &error);
        if (error == SCI_ERR_OK) {
            SAME(1, ++board[0]);
            sched_yield();
            board[0]--;
            OK(SCIRemoveSegment(segment, 0, &error));
        } else {
            SAME(SCI_ERR_SEGMENTID_USED, error);
        }
        OK(SCIClose(sd, 0, &error));
        SCITerminate();
    }
}

CLAIM(processes_come_and_go_at_the_same_time) {
    for (unsigned i = 1; i <= 4; i++) {
        bare_node(4, joins);
    }
}

CLAIM(nothing_is_left_even_if_nothing_was_done) {
    node(4, nothing);
}
