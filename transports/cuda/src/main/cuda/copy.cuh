// Copies of user memory, however it lies, shared by thread blocks.
#pragma once

#include "device.cuh"

/** A thread block's part of a copy that several share: part number `at` of so many; of 0: none. */
struct Part { u32 at, of; };

/**
 * The part of one of so many thread blocks. A rank's own block is every second one's, if the others have links to fill
 * meanwhile: were all to copy some of it, the links would be idle until the last part is done.
 */
DEVICE Part part_of_copy(u32 block, u32 blocks, bool own, bool links) {
    if (!own || !links || blocks == 1) {
        return {block, blocks};
    }
    return (block & 1) != 0 ? Part{block / 2, blocks / 2} : Part{0, 0};
}

/** One part's share of a copy, in accesses of T, DEEP of them in flight; count of them. */
template <class T> DEVICE void copy_units(T *target, const T *source, i64 count, Part part) {
    constexpr int DEEP = 8;
    i64 stride = (i64)part.of * blockDim.x;
    i64 at = (i64)part.at * blockDim.x + threadIdx.x;
    for (; at + (DEEP - 1) * stride < count; at += DEEP * stride) {
        T held[DEEP];
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            held[i] = source[at + i * stride];
        }
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            target[at + i * stride] = held[i];
        }
    }
    for (; at < count; at += stride) {
        target[at] = source[at];
    }
}

/** This thread block's part of a copy, in the widest accesses that both ends allow. */
DEVICE void copy_block(char *target, const char *source, i64 bytes, Part part) {
    if (part.of == 0) {
        return;
    }
    u64 apart = (u64)target ^ (u64)source;
    int width = (apart & 15) == 0 ? 16 : (apart & 7) == 0 ? 8 : (apart & 3) == 0 ? 4 : (apart & 1) == 0 ? 2 : 1;
    // Up to the first multiple of the width, then as many as fit, then the rest.
    i64 head = (i64)(-(u64)target & (u64)(width - 1));
    head = head < bytes ? head : bytes;
    i64 count = (bytes - head) / width, tail = head + count * width;
    if (part.at == 0) {
        for (int i = threadIdx.x; i < head; i += blockDim.x) {
            target[i] = source[i];
        }
        for (i64 i = tail + threadIdx.x; i < bytes; i += blockDim.x) {
            target[i] = source[i];
        }
    }
    target += head;
    source += head;
    switch (width) {
        case 16: copy_units((Bits<16> *)target, (const Bits<16> *)source, count, part); break;
        case 8: copy_units((u64 *)target, (const u64 *)source, count, part); break;
        case 4: copy_units((u32 *)target, (const u32 *)source, count, part); break;
        case 2: copy_units((u16 *)target, (const u16 *)source, count, part); break;
        default: copy_units((u8 *)target, (const u8 *)source, count, part);
    }
}
