// What the kernels for large messages share: spans, windows and the words that count them. See bandwidth_move.cuh and bandwidth_reduce.cuh for the algorithms.
//
// The pipelines' part of a scratch. A word is written by the peer that it tells of and read by the scratch's owner:
//     PIPELINES_AT  words [kind][block][peer], 16 bytes each: the call's flag << 32 | a count
//     WINDOWS_AT    windows, laid out by each algorithm
// Words only grow, and are compared by difference: what an earlier call left satisfies no wait of this one, and a peer that is a call ahead satisfies all. A wait for 0 is none.
// When a call of these has ended on a rank, whatever it has put into windows has been taken. So where all have met (MET) the next may begin without asking. Where they have not, a peer may
// still be in an earlier call, with windows from others that are laid out in another way: then whoever is stored to first says that it has begun (STARTED).
#pragma once

#include "device.cuh"

enum Kind { STARTED, ARRIVED, TAKEN, ENDED, KINDS };
constexpr i64 WINDOWS_AT = PIPELINES_AT + 16ll * KINDS * MAX_BLOCKS * MAX_RANKS;
constexpr i64 WINDOWS_BYTES = SCRATCH_BYTES - WINDOWS_AT;
/** Slices and stretches begin at multiples of what a link carries in one packet. */
constexpr i64 GRAIN = 128;

struct Span {
    i64 at, bytes;
};

/** Part `index` of `parts` of a span, as equal as the grain allows; the last ones may be short or empty. */
DEVICE Span part_of(Span whole, int index, int parts) {
    i64 size = ((whole.bytes + parts - 1) / parts + GRAIN - 1) / GRAIN * GRAIN, at = size * index;
    if (at >= whole.bytes) {
        return {whole.at + whole.bytes, 0};
    }
    return {whole.at + at, at + size < whole.bytes ? size : whole.bytes - at};
}

/** The same of a stretch cut into windows of `chunk` bytes. */
DEVICE Span window_of(Span stretch, i64 chunk, i64 index) {
    i64 at = chunk * index;
    if (at >= stretch.bytes) {
        return {stretch.at + stretch.bytes, 0};
    }
    return {stretch.at + at, at + chunk < stretch.bytes ? chunk : stretch.bytes - at};
}

DEVICE i64 windows_in(Span stretch, i64 chunk) { return (stretch.bytes + chunk - 1) / chunk; }

/** A thread's part in a pipeline. Its block moves window by window, with two barriers for each: behind the waits, and before it tells. */
struct Pipeline {
    Member member;
    const Call &call;
    int rank, ranks;
    i64 chunk;
    u64 base;
    volatile int *lost;  // shared by the block: a wait of it has been given up

    DEVICE Pipeline(const Call &c, int *shared) : member(c), call(c), rank(c.rank), ranks(c.ranks), chunk(c.chunk), base((u64)member.flag() << 32), lost(shared) {
        if (threadIdx.x == 0) {
            *lost = 0;
        }
        __syncthreads();
    }

    DEVICE char *word(int at, Kind kind, int lane, int from) const { return call.scratch[at] + PIPELINES_AT + 16ll * ((kind * MAX_BLOCKS + lane) * MAX_RANKS + from); }
    DEVICE char *window_at(int at, i64 offset) const { return call.scratch[at] + WINDOWS_AT + offset; }
    DEVICE int next(int p) const { return p + 1 < ranks ? p + 1 : 0; }
    DEVICE int previous(int p) const { return p > 0 ? p - 1 : ranks - 1; }

    /** One thread: until a peer has told this rank so much. */
    DEVICE void poll(Kind kind, int lane, int from, i64 count) {
        if (count == 0) {
            return;
        }
        const char *at = word(rank, kind, lane, from);
        while ((i64)(load_acquire_long(at) - (base + count)) < 0) {
            if (!member.again()) {
                *lost = 1;
                return;
            }
        }
    }

    /** All threads, behind their polls; false: a peer is lost, go to the end. */
    DEVICE bool ready() {
        __syncthreads();
        return *lost == 0;
    }

    DEVICE bool await(Kind kind, int lane, int from, i64 count) {
        if (threadIdx.x == 0) {
            poll(kind, lane, from, count);
        }
        return ready();
    }

    /** Of all peers but `without` (-1: of all). */
    DEVICE bool await_all(Kind kind, int lane, i64 count, int without = -1) {
        for (int p = threadIdx.x; p < ranks; p += blockDim.x) {
            if (p != rank && p != without) {
                poll(kind, lane, p, count);
            }
        }
        return ready();
    }

    /** One thread, behind a barrier: all that the block has stored is there, all that it has read may be written. */
    DEVICE void tell(int peer, Kind kind, int lane, i64 count) { store_release_long(word(peer, kind, lane, rank), base + count); }

    DEVICE void tell_all(Kind kind, int lane, i64 count, int without = -1) {
        for (int p = threadIdx.x; p < ranks; p += blockDim.x) {
            if (p != rank && p != without) {
                tell(p, kind, lane, count);
            }
        }
    }

    DEVICE void finish() {
        __syncthreads();
        if (*lost) {
            member.alone = true;
        }
        member.finish();
    }
};

/** Whether addresses, or-ed, are multiples of what loads and stores move at once. */
DEVICE bool in_units(u64 addresses) { return (addresses & 15) == 0; }

/** The block's copy to every target: in 16-byte units, or slowly if these are not aligned in all. */
DEVICE void spread(const char *source, char *const *targets, int count, i64 bytes) {
    constexpr int DEEP = 8;
    u64 addresses = (u64)source;
    for (int t = 0; t < count; t++) {
        addresses |= (u64)targets[t];
    }
    i64 units = in_units(addresses) ? bytes >> 4 : 0, step = blockDim.x, at = threadIdx.x;
    for (; at + (DEEP - 1) * step < units; at += DEEP * step) {
        Bits<16> held[DEEP];
        #pragma unroll
        for (int i = 0; i < DEEP; i++) {
            held[i] = load_peer(source + 16 * (at + i * step));
        }
        for (int t = 0; t < count; t++) {
            #pragma unroll
            for (int i = 0; i < DEEP; i++) {
                *(Bits<16> *)(targets[t] + 16 * (at + i * step)) = held[i];
            }
        }
    }
    for (; at < units; at += step) {
        Bits<16> held = load_peer(source + 16 * at);
        for (int t = 0; t < count; t++) {
            *(Bits<16> *)(targets[t] + 16 * at) = held;
        }
    }
    for (i64 rest = bytes - 16 * at; rest > 0; at += step, rest -= 16 * step) {
        Bits<16> held = gather<16>(source + 16 * at, rest);
        for (int t = 0; t < count; t++) {
            scatter<16>(targets[t] + 16 * at, held, rest);
        }
    }
}
