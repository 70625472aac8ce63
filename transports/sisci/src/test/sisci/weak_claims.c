// Mode weak: what a caller may not rely on, and what he may.
#define _GNU_SOURCE
#include "claims.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {BYTES = 256 << 10};

static unsigned rounds(unsigned all) {
    return getenv("CLAIMS_QUICK") == NULL ? all : all / 10;
}

static _Atomic uint64_t *own_memory(void) {
    void *memory;
    made(7, BYTES, &memory);
    return memory;
}

// The owner's memory is told by the board: what word number board[1] holds, whenever board[0] asks for another.
static void answers(void) {
    _Atomic uint64_t *memory = own_memory();
    uint64_t turn = 0;
    while (board[2] == 0) {
        if (board[0] != turn) {
            board[3] = memory[board[1]];
            turn = board[0];
            board[4] = turn;
        }
    }
}

static uint64_t ask(uint64_t word) {
    board[1] = word;
    uint64_t turn = ++board[0];
    wait_until(&board[4], turn);
    return board[3];
}

static sci_map_t map;
static Word *memory;
static sci_remote_segment_t segment;

static void reads_poison(void) {
    segment = connected(8, 7, &map, &memory);
    CHECK(memory[0] != 0 && memory[1000] != 0 && memory[0] != memory[1]);
    memory[0] = 5;
    SCIFlush(NULL, 0);
    CHECK(memory[0] != 5 && memory[0] != 0);
    SAME(5, ask(0));
    uint64_t real;
    OK(SCIMemCpy(NULL, &real, map, 0, 8, FLAG(BLOCK_READ), &error));
    SAME(5, real);
    board[2] = 1;
    disconnected(segment, map);
}

CLAIM(reads_through_a_map_return_poison_and_block_reads_the_truth) {
    set("BRIGADE_SISCI_MODE", "weak=1");
    node(8, answers);
    node(4, reads_poison);
}

static void flushes(void) {
    sci_sequence_t sequence;
    uint64_t value = 99;
    segment = connected(8, 7, &map, &memory);
    OK(SCICreateMapSequence(map, &sequence, 0, &error));
    SAME(SCI_SEQ_OK, SCIStartSequence(sequence, 0, &error));
    bool late = false;
    for (uint64_t i = 1; i <= rounds(2000); i++) {
        uint64_t word = i * 977 % (BYTES / 8);
        memory[word] = i;
        late |= ask(word) != i;
        switch (i % 4) {
            case 0: SCIFlush(NULL, 0); break;
            case 1: SCIStoreBarrier(sequence, 0); break;
            case 2: SAME(SCI_SEQ_OK, SCICheckSequence(sequence, 0, &error)); break;
            default: OK(SCIMemCpy(NULL, &value, map, word == 0 ? 8 : 0, 8, 0, &error)); break;
        }
        SAME(i, ask(word));
    }
    CHECK(late); // without it, some store was not there yet
    memory[9] = 1234; // and without anything, it comes some time
    while (ask(9) != 1234) {
    }
    board[2] = 1;
}

CLAIM(stores_arrive_by_flush_barrier_check_and_copy_or_some_time) {
    set("BRIGADE_SISCI_MODE", "weak=2");
    node(8, answers);
    node(4, flushes);
}

// Word 0 is the flag, the payload is anywhere else. The reader counts how often the flag came before it; a sender who
// wants to see that ends with the first time, as it takes a look between the two.
static void watches(void) {
    _Atomic uint64_t *words = own_memory();
    uint64_t early = 0;
    for (uint64_t i = 1; i <= board[5]; i++) {
        wait_until(&words[0], i);
        early += words[100 + i % 50 * 8] != i;
        board[7] = early;
        board[6] = i;
    }
    meet(2);
}

static void sends(bool flush) {
    segment = connected(8, 7, &map, &memory);
    for (uint64_t i = 1; i <= board[5]; i++) {
        if (!flush && board[7] > 0) {
            board[5] = i;
        }
        memory[100 + i % 50 * 8] = i;
        if (flush) {
            SCIFlush(NULL, FLAG(FLUSH_CPU_BUFFERS_ONLY));
        }
        memory[0] = i;
        // what nobody flushes arrives line by line, with milliseconds between: even a busy machine sees that
        if (flush || i % 2 == 0) {
            SCIFlush(NULL, FLAG(FLUSH_CPU_BUFFERS_ONLY));
        }
        wait_until(&board[6], i);
    }
    meet(2);
    CHECK(flush ? board[7] == 0 : board[7] > 0);
}

static void sends_in_order(void) {
    sends(true);
}

static void sends_carelessly(void) {
    sends(false);
}

CLAIM(a_flag_may_overtake_its_data) {
    set("BRIGADE_SISCI_MODE", "weak=3");
    board[5] = 10000000;
    node(8, watches);
    node(4, sends_carelessly);
}

CLAIM(no_flag_overtakes_what_was_flushed_before) {
    set("BRIGADE_SISCI_MODE", "weak=3");
    board[5] = rounds(5000);
    node(8, watches);
    node(4, sends_in_order);
}

// Eight bytes, twice the same four.
static void finds_no_halves(void) {
    _Atomic uint64_t *words = own_memory();
    while (board[2] == 0) {
        for (unsigned i = 0; i < 64; i++) {
            uint64_t word = words[i];
            SAME(word >> 32, word & 0xffffffffu);
        }
    }
}

static void stores_whole_words(void) {
    segment = connected(8, 7, &map, &memory);
    for (uint64_t i = 1; i <= rounds(200000); i++) {
        memory[i % 64] = i << 32 | i;
    }
    board[2] = 1;
}

CLAIM(an_aligned_store_of_eight_bytes_arrives_whole) {
    set("BRIGADE_SISCI_MODE", "weak=4");
    node(8, finds_no_halves);
    node(4, stores_whole_words);
}

static void stores_half(void) {
    segment = connected(8, 7, &map, &memory);
    memory[3] = 0x1111111122222222u;
    SCIFlush(NULL, 0);
    ((volatile _Atomic uint32_t *)memory)[7] = 0x33333333;
    SCIFlush(NULL, 0);
    SAME(0x3333333322222222u, ask(3));
    ((volatile _Atomic uint32_t *)memory)[6] = 0x44444444;
    SCIFlush(NULL, 0);
    SAME(0x3333333344444444u, ask(3));
    board[2] = 1;
}

CLAIM(an_aligned_store_of_four_bytes_leaves_its_neighbours) {
    set("BRIGADE_SISCI_MODE", "weak=5");
    node(8, answers);
    node(4, stores_half);
}

static void clears(void) {
    _Atomic uint64_t *words = own_memory();
    for (unsigned i = 0; i < rounds(1000); i++) {
        wait_until(&words[17], 1);
        words[17] = 0;
        board[6] = i + 1;
    }
}

static void repeats(void) {
    segment = connected(8, 7, &map, &memory);
    for (unsigned i = 0; i < rounds(1000); i++) {
        memory[17] = 1;
        SCIFlush(NULL, 0);
        wait_until(&board[6], i + 1);
    }
}

CLAIM(the_same_value_stored_again_arrives_again) {
    set("BRIGADE_SISCI_MODE", "weak=6");
    node(8, clears);
    node(4, repeats);
}

static _Atomic unsigned writing;

// Every word some times; the last counts.
static void *stores_of_a_thread(void *argument) {
    for (uint64_t i = (uint64_t)(uintptr_t)argument; i < BYTES / 8; i += 2) {
        for (uint64_t value = 4; value > 0; value--) {
            memory[i] = i + value;
        }
    }
    writing--;
    return NULL;
}

static void stores_by_two(void) {
    segment = connected(8, 7, &map, &memory);
    uint64_t *copy = malloc(BYTES);
    for (unsigned round = 0; round < rounds(100); round++) {
        pthread_t one, other;
        memset(copy, 0, BYTES);
        OK(SCIMemCpy(NULL, copy, map, 0, BYTES, 0, &error));
        writing = 2;
        pthread_create(&one, NULL, stores_of_a_thread, (void *)0);
        pthread_create(&other, NULL, stores_of_a_thread, (void *)1);
        while (writing > 0) {
            SCIFlush(NULL, 0);
        }
        pthread_join(one, NULL);
        pthread_join(other, NULL);
        SCIFlush(NULL, 0);
        OK(SCIMemCpy(NULL, copy, map, 0, BYTES, FLAG(BLOCK_READ), &error));
        for (uint64_t i = 0; i < BYTES / 8; i++) {
            SAME(i + 1, copy[i]);
        }
    }
    free(copy);
    board[2] = 1;
}

CLAIM(stores_of_one_thread_are_not_lost_by_flushes_of_another) {
    set("BRIGADE_SISCI_MODE", "weak=7");
    node(8, answers);
    node(4, stores_by_two);
}

static void dma_and_stores(void) {
    sci_local_segment_t local;
    sci_map_t own;
    sci_dma_queue_t queue;
    bool late = false;
    segment = connected(8, 7, &map, &memory);
    OK(SCICreateSegment(opened(), &local, 8, 4096, NULL, NULL, 0, &error));
    OK(*(uint64_t *)SCIMapLocalSegment(local, &own, 0, 4096, NULL, 0, &error) = 0);
    OK(SCIPrepareSegment(local, 0, 0, &error));
    OK(SCICreateDMAQueue(opened(), &queue, 0, 1, 0, &error));
    for (uint64_t i = 1; i <= 300 && !late; i++) {
        memory[0] = i;
        OK(SCIStartDmaTransfer(queue, local, segment, 0, 64, 128, NULL, NULL, FLAG(DMA_WAIT), &error));
        late |= ask(0) != i;
    }
    CHECK(late);
    board[2] = 1;
}

CLAIM(a_dma_does_not_bring_stores_along) {
    set("BRIGADE_SISCI_MODE", "weak=8");
    node(8, answers);
    node(4, dma_and_stores);
}

static void large_map(void) {
    sci_local_segment_t large;
    OK(SCICreateSegment(opened(), &large, 7, 32 << 20, NULL, NULL, 0, &error));
    sci_map_t own;
    _Atomic uint64_t *words;
    OK(words = SCIMapLocalSegment(large, &own, 0, 32 << 20, NULL, 0, &error));
    OK(SCIPrepareSegment(large, 0, 0, &error));
    OK(SCISetSegmentAvailable(large, 0, 0, &error));
    meet(2);
    for (uint64_t i = 0; i < 32; i++) {
        SAME(i + 1, words[i * 131072 + i]);
    }
    SAME(0, words[77]);
}

static void stores_all_over(void) {
    segment = connected(8, 7, &map, &memory);
    for (uint64_t i = 0; i < 32; i++) {
        memory[i * 131072 + i] = i + 1;
    }
    OK(SCIUnmapSegment(map, 0, &error)); // posted is posted
    meet(2);
}

CLAIM(stores_anywhere_in_a_large_map_arrive_and_unmapping_loses_none) {
    set("BRIGADE_SISCI_MODE", "weak=9");
    node(8, large_map);
    node(4, stores_all_over);
}
