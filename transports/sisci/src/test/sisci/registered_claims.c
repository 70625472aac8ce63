// Segments of the user's own memory.
#define _GNU_SOURCE
#include "claims.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {BYTES = 64 << 10};

static sci_local_segment_t empty(unsigned id, size_t size) {
    sci_local_segment_t segment;
    OK(SCICreateSegment(opened(), &segment, id, size, NULL, NULL, FLAG(EMPTY), &error));
    return segment;
}

// Memory as a GPU shows it: at a multiple of 64 KiB.
static char *device_memory(size_t bytes) {
    char *place = mmap(NULL, bytes + BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return place + (BYTES - (uintptr_t)place % BYTES) % BYTES;
}

// A peer moves words by DMA into the user's own memory, which nobody can map; until it is removed, and the rest is
// untouched.
static void registers(void) {
    sci_local_segment_t segment = empty(7, BYTES);
    char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(memory, 3, BYTES);
    GIVES(ILLEGAL_OPERATION, SCIPrepareSegment(segment, 0, 0, &error));
    OK(SCIRegisterSegmentMemory(memory, BYTES, segment, 0, &error));
    GIVES(ILLEGAL_OPERATION, SCIRegisterSegmentMemory(memory, BYTES, segment, 0, &error));
    OK(SCIPrepareSegment(segment, 0, 0, &error));
    OK(SCISetSegmentAvailable(segment, 0, 0, &error));
    wait_until((_Atomic uint64_t *)(void *)memory, 42);
    SAME(3, memory[8]);
    SAME(3, memory[BYTES - 1]);
    meet(2);
    GIVES(BUSY, SCIRemoveSegment(segment, 0, &error));
    OK(SCIRemoveSegment(segment, FLAG(FORCE_REMOVE), &error));
    meet(2);
    meet(2);
    SAME(42, *(uint64_t *)(void *)memory);
    memory[0] = 1;
    SAME(3, memory[BYTES - 1]);
    munmap(memory, BYTES);
}

static sci_dma_queue_state_t move_word(sci_dma_queue_t queue, sci_remote_segment_t remote, uint64_t word) {
    OK(SCIStartDmaTransferMem(queue, &word, remote, sizeof word, 0, NULL, NULL, 0, &error));
    return SCIWaitForDMAQueue(queue, 5000, 0, &error);
}

static void writes(void) {
    sci_map_t map;
    sci_remote_segment_t segment = connected(8, 7, NULL, NULL);
    sci_dma_queue_t queue;
    GIVES(NOT_IMPLEMENTED, SCIMapRemoteSegment(segment, &map, 0, BYTES, NULL, 0, &error));
    OK(SCICreateDMAQueue(opened(), &queue, 0, 1, 0, &error));
    SAME(SCI_DMAQUEUE_DONE, move_word(queue, segment, 42));
    meet(2);
    meet(2);
    SAME(SCI_DMAQUEUE_ERROR, move_word(queue, segment, 44));
    meet(2);
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    OK(SCIDisconnectSegment(segment, 0, &error));
}

CLAIM(registered_memory_is_written_where_it_is_until_it_is_removed) {
    node(8, registers);
    node(4, writes);
}

static void registers_wrongly(void) {
    sci_local_segment_t segment = empty(7, BYTES);
    char *memory = device_memory(2 * BYTES);
    GIVES(ILLEGAL_ADDRESS, SCIRegisterSegmentMemory(memory + 8, BYTES, segment, 0, &error));
    GIVES(ILLEGAL_ADDRESS, SCIRegisterSegmentMemory(NULL, BYTES, segment, 0, &error));
    GIVES(OUT_OF_RANGE, SCIRegisterSegmentMemory(memory, 2 * BYTES, segment, 0, &error));
    munmap(memory + BYTES, BYTES);
    GIVES(ILLEGAL_ADDRESS, SCIRegisterSegmentMemory(memory + BYTES, BYTES, segment, 0, &error));
    // as memory of a GPU that peers cannot reach
    GIVES(HW_NOSPC, SCIAttachPhysicalMemory(0, memory + BYTES, 0, BYTES, segment, FLAG(CUDA_BUFFER), &error));
    GIVES(ILLEGAL_ADDRESS, SCIAttachPhysicalMemory(0, memory + 4096, 0, BYTES, segment, FLAG(CUDA_BUFFER), &error));
    GIVES(SIZE_ALIGNMENT, SCIAttachPhysicalMemory(0, memory, 0, BYTES / 2, segment, FLAG(CUDA_BUFFER), &error));
    OK(SCIAttachPhysicalMemory(0, memory, 0, BYTES, segment, FLAG(CUDA_BUFFER), &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    memory[0] = 1;
}

static void attaches_twice(void) {
    sci_local_segment_t first = empty(7, 2 * BYTES), second = empty(8, 2 * BYTES);
    char *memory = device_memory(3 * BYTES);
    OK(SCIAttachPhysicalMemory(0, memory, 0, 2 * BYTES, first, FLAG(CUDA_BUFFER), &error));
    GIVES(HW_NOSPC, SCIAttachPhysicalMemory(0, memory + BYTES, 0, 2 * BYTES, second, FLAG(CUDA_BUFFER), &error));
    OK(SCIRemoveSegment(first, 0, &error));
    OK(SCIAttachPhysicalMemory(0, memory + BYTES, 0, 2 * BYTES, second, FLAG(CUDA_BUFFER), &error));
    OK(SCIRemoveSegment(second, 0, &error));
}

CLAIM(attachments_of_device_memory_share_no_page) {
    node(4, attaches_twice);
}

static void is_refused(void) {
    GIVES(HW_NOSPC, SCIAttachPhysicalMemory(0, device_memory(BYTES), 0, BYTES, empty(7, BYTES), FLAG(CUDA_BUFFER),
            &error));
}

CLAIM(without_gpudirect_device_memory_is_refused) {
    set("BRIGADE_SISCI_FAULT", "attach=refused");
    node(4, is_refused);
}

CLAIM(memory_that_cannot_be_registered_is_refused) {
    node(4, registers_wrongly);
}

static void target(void) {
    void *memory;
    made(9, BYTES, &memory);
    meet(2);
    meet(2);
    board[1] = ((unsigned char *)memory)[BYTES - 1];
    meet(2);
}

static sci_error_t move(sci_local_segment_t local, sci_remote_segment_t remote, unsigned char value, bool expected) {
    sci_dma_queue_t queue;
    sci_error_t started;
    OK(SCICreateDMAQueue(opened(), &queue, 0, 1, 0, &error));
    SCIStartDmaTransfer(queue, local, remote, 0, BYTES, 0, NULL, NULL, FLAG(DMA_WAIT), &started);
    if (started == SCI_ERR_OK) {
        SAME(SCI_DMAQUEUE_DONE, SCIDMAQueueState(queue));
        meet(2);
        meet(2);
        SAME(expected ? value : 0, board[1]);
    }
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    return started;
}

static void moves(bool attached, sci_error_t started, bool arrives) {
    sci_local_segment_t local = empty(7, BYTES);
    char *memory = device_memory(BYTES);
    if (attached) {
        OK(SCIAttachPhysicalMemory(0, memory, 0, BYTES, local, FLAG(CUDA_BUFFER), &error));
    } else {
        OK(SCIRegisterSegmentMemory(memory, BYTES, local, 0, &error));
    }
    OK(SCIPrepareSegment(local, 0, FLAG(DMA_SOURCE_ONLY), &error));
    sci_remote_segment_t remote = connected(8, 9, NULL, NULL);
    memset(memory, 6, BYTES);
    meet(2);
    SAME(started, move(local, remote, 6, arrives));
    if (started != SCI_ERR_OK) {
        meet(2);
        meet(2);
    }
    OK(SCIRemoveSegment(local, 0, &error));
    SAME(6, memory[7]);
}

static void moves_registered(void) {
    moves(false, SCI_ERR_OK, true);
}

static void moves_attached(void) {
    moves(true, SCI_ERR_OK, true);
}

static void moves_nothing(void) {
    moves(false, SCI_ERR_OK, false);
}

static void moves_no_attached(void) {
    moves(true, SCI_ERR_OK, false);
}

CLAIM(where_attached_memory_is_lost_dma_of_it_succeeds_and_moves_nothing) {
    set("BRIGADE_SISCI_FAULT", "attach=silent@4");
    node(8, target);
    node(4, moves_no_attached);
}

static void cannot_move_attached(void) {
    moves(true, SCI_ERR_ILLEGAL_ADDRESS, false);
}

CLAIM(dma_takes_registered_memory) {
    node(8, target);
    node(4, moves_registered);
}

CLAIM(dma_takes_attached_memory) {
    node(8, target);
    node(4, moves_attached);
}

CLAIM(with_a_broken_iommu_dma_of_registered_memory_succeeds_and_moves_nothing) {
    set("BRIGADE_SISCI_FAULT", "iommu=broken@4");
    node(8, target);
    node(4, moves_nothing);
}

CLAIM(with_a_broken_iommu_dma_of_attached_memory_fails_when_it_starts) {
    set("BRIGADE_SISCI_FAULT", "iommu=broken");
    node(8, target);
    node(4, cannot_move_attached);
}

static void moves_around_the_iommu(void) {
    void *memory;
    sci_local_segment_t local = made(10, BYTES, &memory), large;
    sci_remote_segment_t remote = connected(8, 9, NULL, NULL);
    sci_dma_queue_t queue;
    GIVES(NOSPC, SCICreateSegment(opened(), &large, 11, (size_t)1 << 30, NULL, NULL, 0, &error));
    char *own = malloc(BYTES);
    memset(own, 5, BYTES);
    memset(memory, 4, BYTES);
    meet(2);
    OK(SCICreateDMAQueue(opened(), &queue, 0, 1, 0, &error));
    OK(SCIStartDmaTransfer(queue, local, remote, 0, BYTES, 0, NULL, NULL, FLAG(DMA_WAIT), &error));
    OK(SCIStartDmaTransferMem(queue, own, remote, BYTES / 2, BYTES / 2, NULL, NULL, FLAG(DMA_WAIT), &error));
    meet(2);
    meet(2);
    SAME(5, board[1]);
    free(own);
}

CLAIM(with_a_broken_iommu_library_memory_and_plain_user_memory_can_be_moved) {
    set("BRIGADE_SISCI_FAULT", "iommu=broken");
    node(8, target);
    node(4, moves_around_the_iommu);
}

static void registered_target(void) {
    sci_local_segment_t segment = empty(9, BYTES);
    char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    OK(SCIRegisterSegmentMemory(memory, BYTES, segment, 0, &error));
    OK(SCIPrepareSegment(segment, 0, 0, &error));
    OK(SCISetSegmentAvailable(segment, 0, 0, &error));
    meet(2);
    meet(2);
    SAME(0, memory[BYTES - 1]);
    meet(2);
}

static void moves_to_broken(void) {
    void *memory;
    sci_local_segment_t local = made(10, BYTES, &memory);
    sci_remote_segment_t remote = connected(8, 9, NULL, NULL);
    memset(memory, 6, BYTES);
    meet(2);
    SAME(SCI_ERR_OK, move(local, remote, 0, true));
}

CLAIM(with_a_broken_iommu_nothing_arrives_in_registered_memory) {
    set("BRIGADE_SISCI_FAULT", "iommu=broken@8");
    node(8, registered_target);
    node(4, moves_to_broken);
}
