// What differs between a GPU and the software device of the tests: memory accesses with an ordering, fences, waiting, conversions. All PTX of Brigade is here. Built with BRIGADE_SOFTWARE
// the same kernels are C++ for a processor; software.h then gives threadIdx, blockIdx, blockDim, gridDim (.x), __syncthreads() and software_yield(), which lets other threads run.
#pragma once

#include "call.cuh"

typedef unsigned short u16;
typedef short i16;
typedef signed char i8;
typedef unsigned char u8;

#ifdef BRIGADE_SOFTWARE
#include <cstring>
#include <ctime>
#include "software.h"
#define DEVICE inline
#define KERNEL(threads) extern "C" void
#else
#define DEVICE __device__ __forceinline__
#define KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads, 1)
#endif

/** Of a line: what other GPUs see at once, and what of it is data; a flag is behind. */
constexpr int LINE_BYTES = 128, LINE_DATA = 112;

/** So many bytes in registers. */
template <int BYTES> struct alignas(BYTES < 16 ? BYTES : 16) Bits { u32 w[BYTES / 4]; };

// --- accesses that other GPUs see --------------------------------------------------------------------------------------------------------------------------------------

#ifdef BRIGADE_SOFTWARE

DEVICE u32 load_relaxed(const void *at) { return __atomic_load_n((const u32 *)at, __ATOMIC_RELAXED); }
DEVICE u32 load_acquire(const void *at) { return __atomic_load_n((const u32 *)at, __ATOMIC_ACQUIRE); }
DEVICE void store_relaxed(void *at, u32 value) { __atomic_store_n((u32 *)at, value, __ATOMIC_RELAXED); }
DEVICE void store_release(void *at, u32 value) { __atomic_store_n((u32 *)at, value, __ATOMIC_RELEASE); }
DEVICE u64 load_acquire_long(const void *at) { return __atomic_load_n((const u64 *)at, __ATOMIC_ACQUIRE); }
DEVICE void store_release_long(void *at, u64 value) { __atomic_store_n((u64 *)at, value, __ATOMIC_RELEASE); }
DEVICE void store_relaxed_long(void *at, u64 value) { __atomic_store_n((u64 *)at, value, __ATOMIC_RELAXED); }
DEVICE void fence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
DEVICE void fence_device() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
DEVICE u32 count_up(void *at) { return __atomic_fetch_add((u32 *)at, 1u, __ATOMIC_ACQ_REL); }
DEVICE void add(void *at, u64 value) { __atomic_fetch_add((u64 *)at, value, __ATOMIC_ACQ_REL); }
DEVICE void other_threads() { software_yield(); }

DEVICE u64 nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

DEVICE Bits<16> load_packet(const void *at) {
    Bits<16> packet;
    for (int half = 0; half < 2; half++) {
        u64 both = __atomic_load_n((const u64 *)at + half, __ATOMIC_RELAXED);
        memcpy(&packet.w[2 * half], &both, 8);
    }
    return packet;
}

DEVICE void store_packet(void *at, Bits<16> packet) {
    for (int half = 0; half < 2; half++) {
        u64 both;
        memcpy(&both, &packet.w[2 * half], 8);
        __atomic_store_n((u64 *)at + half, both, __ATOMIC_RELAXED);
    }
}

DEVICE Bits<16> load_peer(const void *at) { return *(const Bits<16> *)at; }

// A line is one thread's: there are no warps.
constexpr int WARP = 1, LINE_LANES = 1, LINE_UNITS = 7;

DEVICE void store_line(char *at, int, const Bits<16> *units, u32 flag, bool wanted, bool) {
    for (int u = 0; u < LINE_UNITS && wanted; u++) {
        store_packet(at + 16 * u, units[u]);
    }
    if (wanted) {
        store_release(at + LINE_DATA, flag);
    }
}

DEVICE void load_line(const char *at, int, Bits<16> *units) {
    for (int u = 0; u < LINE_UNITS; u++) {
        units[u] = load_packet(at + 16 * u);
    }
}

template <class Again> DEVICE void await_line(const char *at, int lane, Bits<16> *units, u32 flag, bool wanted, bool, Again again) {
    while (wanted && load_acquire(at + LINE_DATA) != flag && again()) {
    }
    if (wanted) {
        load_line(at, lane, units);
    }
}

/** The same with a number beside the flag, for lines that are used several times in a call. */
DEVICE void store_numbered_line(char *at, int, const Bits<16> *units, u32 flag, u32 number, bool wanted, bool) {
    for (int u = 0; u < LINE_UNITS && wanted; u++) {
        store_packet(at + 16 * u, units[u]);
    }
    if (wanted) {
        store_release_long(at + LINE_DATA, (u64)number << 32 | flag);
    }
}

template <class Again> DEVICE void await_numbered_line(const char *at, int lane, Bits<16> *units, u32 flag, u32 number, bool wanted, bool, Again again) {
    while (wanted && load_acquire_long(at + LINE_DATA) != ((u64)number << 32 | flag) && again()) {
    }
    if (wanted) {
        load_line(at, lane, units);
    }
}

/** Most groups of a block's threads that can wait for each other by themselves. */
constexpr int GROUPS = 2;
DEVICE void sync_group(int group, int threads) {
    static thread_local struct { int waiting; u32 turn; } barriers[GROUPS];
    auto &barrier = barriers[group];
    u32 turn = barrier.turn;
    if (++barrier.waiting == threads) {
        barrier.waiting = 0;
        barrier.turn++;
    }
    while (barrier.turn == turn) {
        software_yield();
    }
}

DEVICE float float_of_half(u16 bits) {
    u32 sign = (u32)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ff, result;
    if (exponent == 0) {
        float magnitude = (float)fraction / 16777216.0f;  // 2^-24, exact
        return sign ? -magnitude : magnitude;
    }
    result = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
    float value;
    memcpy(&value, &result, 4);
    return value;
}

/** To the nearest, ties to even. */
DEVICE u16 half_of_float(float value) {
    u32 bits;
    memcpy(&bits, &value, 4);
    u16 sign = (u16)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;
    if (bits > 0x7f800000u) {
        return 0x7fff;
    }
    if (bits >= 0x47800000u) {  // 65536 and more
        return sign | 0x7c00;
    }
    int shift = bits < 0x38800000u ? 126 - (int)(bits >> 23) : 13;  // below 2^-14 the result is subnormal
    if (shift > 24) {
        return sign;
    }
    u32 fraction = bits < 0x38800000u ? (bits & 0x7fffff) | 0x800000 : bits - 0x38000000u;
    u32 kept = fraction >> shift, rest = fraction & ((1u << shift) - 1), tie = 1u << (shift - 1);
    return sign | (u16)(kept + (rest > tie || (rest == tie && (kept & 1))));
}

#else

DEVICE u32 load_relaxed(const void *at) {
    u32 value;
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

DEVICE u32 load_acquire(const void *at) {
    u32 value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

DEVICE void store_relaxed(void *at, u32 value) { asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory"); }
DEVICE void store_release(void *at, u32 value) { asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory"); }
DEVICE u64 load_acquire_long(const void *at) {
    u64 value;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}

DEVICE void store_release_long(void *at, u64 value) { asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory"); }
DEVICE void store_relaxed_long(void *at, u64 value) { asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory"); }
/** Orders what came before, also what other threads did and this one has seen, before what comes behind: not more, as __threadfence_system does. */
DEVICE void fence_system() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }
DEVICE void fence_device() { __threadfence(); }
DEVICE u32 count_up(void *at) { return atomicAdd((u32 *)at, 1u); }
/** Waits for no answer. */
DEVICE void add(void *at, u64 value) { atomicAdd((u64 *)at, value); }
DEVICE void other_threads() {}

DEVICE u64 nanoseconds() {
    u64 now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

/** A packet, whose halves never tear. */
DEVICE Bits<16> load_packet(const void *at) {
    Bits<16> p;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(p.w[0]), "=r"(p.w[1]), "=r"(p.w[2]), "=r"(p.w[3]) : "l"(at) : "memory");
    return p;
}

DEVICE void store_packet(void *at, Bits<16> p) {
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(p.w[0]), "r"(p.w[1]), "r"(p.w[2]), "r"(p.w[3]) : "memory");
}

/** User data of a peer, past the caches of this GPU that may hold what was there before. */
DEVICE Bits<16> load_peer(const void *at) {
    Bits<16> p;
    asm volatile("ld.relaxed.sys.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(p.w[0]), "=r"(p.w[1]), "=r"(p.w[2]), "=r"(p.w[3]) : "l"(at));
    return p;
}

// A line is eight lanes', 16 bytes each; the last one has the flag.
constexpr int WARP = 32, LINE_LANES = 8, LINE_UNITS = 1;

/** For all threads of a warp together. whole: who sees the flag has the data; else a fence lies between. */
DEVICE void store_line(char *at, int lane, const Bits<16> *units, u32 flag, bool wanted, bool whole) {
    bool flags = lane == LINE_LANES - 1;
    char *place = at + 16 * lane;
    __syncwarp();
    if (whole) {
        Bits<16> unit = flags ? Bits<16>{{flag, flag, flag, flag}} : units[0];
        if (wanted) {
            store_packet(place, unit);
        }
        return;
    }
    if (wanted && !flags) {
        store_packet(place, units[0]);
    }
    __syncwarp();
    if (wanted && flags) {
        fence_system();
        store_packet(place, {{flag, flag, flag, flag}});
    }
}

DEVICE void load_line(const char *at, int lane, Bits<16> *units) { units[0] = load_packet(at + 16 * lane); }

/** For all threads of a warp together: until the flags of all lines that are wanted are there, or again() says not to look again. units: what load_line has found before. */
template <class Again> DEVICE void await_line(const char *at, int lane, Bits<16> *units, u32 flag, bool wanted, bool whole, Again again) {
    bool looks = wanted && lane == LINE_LANES - 1, missing = looks && units[0].w[0] != flag;
    while (__any_sync(0xffffffffu, missing)) {
        if (wanted) {
            load_line(at, lane, units);
        }
        missing = looks && units[0].w[0] != flag && again();
    }
    if (!whole) {
        if (looks) {
            fence_system();
        }
        __syncwarp();
        if (wanted) {
            load_line(at, lane, units);
        }
    }
}

/** The same with a number beside the flag, for lines that are used several times in a call. */
DEVICE void store_numbered_line(char *at, int lane, const Bits<16> *units, u32 flag, u32 number, bool wanted, bool whole) {
    bool flags = lane == LINE_LANES - 1;
    Bits<16> unit = flags ? Bits<16>{{flag, number, flag, flag}} : units[0];
    __syncwarp();
    if (wanted && (whole || !flags)) {
        store_packet(at + 16 * lane, unit);
    }
    if (!whole) {
        __syncwarp();
        if (wanted && flags) {
            fence_system();
            store_packet(at + 16 * lane, unit);
        }
    }
}

template <class Again>
DEVICE void await_numbered_line(const char *at, int lane, Bits<16> *units, u32 flag, u32 number, bool wanted, bool whole, Again again) {
    bool looks = wanted && lane == LINE_LANES - 1, missing = looks && (units[0].w[0] != flag || units[0].w[1] != number);
    while (__any_sync(0xffffffffu, missing)) {
        if (wanted) {
            load_line(at, lane, units);
        }
        missing = looks && (units[0].w[0] != flag || units[0].w[1] != number) && again();
    }
    if (!whole) {
        if (looks) {
            fence_system();
        }
        __syncwarp();
        if (wanted) {
            load_line(at, lane, units);
        }
    }
}

/** Most groups of a block's threads that can wait for each other by themselves. */
constexpr int GROUPS = 4;
DEVICE void sync_group(int group, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "r"(threads) : "memory"); }

DEVICE float float_of_half(u16 bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

DEVICE u16 half_of_float(float value) {
    u16 bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}

#endif

DEVICE u32 bits_of(float value) {
#ifdef BRIGADE_SOFTWARE
    u32 bits;
    memcpy(&bits, &value, 4);
    return bits;
#else
    return __float_as_uint(value);
#endif
}

DEVICE float float_of(u32 bits) {
#ifdef BRIGADE_SOFTWARE
    float value;
    memcpy(&value, &bits, 4);
    return value;
#else
    return __uint_as_float(bits);
#endif
}

DEVICE float float_of_bfloat(u16 bits) { return float_of((u32)bits << 16); }

/** To the nearest, ties to even. In integers, as the instruction is younger than the oldest GPU. */
DEVICE u16 bfloat_of_float(float value) {
    u32 bits = bits_of(value);
    return (u16)(value != value ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/** Drops low bits, rounding to the nearest, ties to even; a carry into the exponent is right. */
DEVICE u32 rounded(u32 bits, u32 drop) { return (bits + (1u << (drop - 1)) - 1 + (bits >> drop & 1)) >> drop; }

/** An 8-bit number with so many bits of fraction; MOST is the largest one, and what is beyond is infinite or NaN. In integers, as the instructions are younger than most GPUs. */
template <int FRACTION, int BIAS, u32 MOST> DEVICE float float_of_octet(u8 octet) {
    u32 sign = (u32)(octet & 0x80) << 24, magnitude = octet & 0x7f;
    if (magnitude < (1u << FRACTION)) {
        return float_of(sign | bits_of((float)magnitude * float_of((u32)(128 - BIAS - FRACTION) << 23)));  // exact
    }
    if (magnitude > MOST) {
        return float_of(sign | 0x7f800000u | (magnitude << (23 - FRACTION) & 0x7fffffu));
    }
    return float_of(sign | (magnitude + ((u32)(127 - BIAS) << FRACTION)) << (23 - FRACTION));
}

/** To the nearest, ties to even; what is too large, also if it is infinite, becomes the largest number. */
template <int FRACTION, int BIAS, u32 MOST> DEVICE u8 octet_of_float(float value) {
    u32 bits = bits_of(value), sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffffu, exponent = magnitude >> 23, kept = 0;
    if (magnitude > 0x7f800000u) {
        return (u8)(sign | 0x7f);
    }
    if (exponent >= 128 - BIAS) {
        kept = rounded(magnitude, 23 - FRACTION) - ((u32)(127 - BIAS) << FRACTION);
    } else {  // below the least normal number
        u32 drop = 23 - FRACTION + 128 - BIAS - exponent;
        kept = drop > 24 ? 0 : rounded((magnitude & 0x7fffffu) | 0x800000u, drop);
    }
    return (u8)(sign | (kept < MOST ? kept : MOST));
}

// --- user memory at any alignment --------------------------------------------------------------------------------------------------------------------------------------

/** Up to BYTES bytes of whole, aligned words, past the caches as load_peer; the others are zeros. All loads are under way at once. */
template <int BYTES> DEVICE Bits<BYTES> load_words(const char *at, i64 length) {
    Bits<BYTES> bits;
    #pragma unroll
    for (int i = 0; i < BYTES / 4; i++) {
        bits.w[i] = 4 * i < length ? ((const volatile u32 *)at)[i] : 0;
    }
    return bits;
}

template <int BYTES> DEVICE void store_words(char *at, const Bits<BYTES> &bits, i64 length) {
    #pragma unroll
    for (int i = 0; i < BYTES / 4; i++) {
        if (4 * i < length) {
            ((volatile u32 *)at)[i] = bits.w[i];
        }
    }
}

/** Whether up to BYTES bytes here are whole, aligned words. */
template <int BYTES> DEVICE bool in_words(u64 addresses, i64 length) { return (addresses & 3) == 0 && (length >= BYTES || (length & 3) == 0); }

/** Up to BYTES bytes, however they lie, past the caches as load_peer; the others are zeros. Quick enough where they are whole, aligned words. */
template <int BYTES> DEVICE Bits<BYTES> gather(const char *at, i64 length) {
    constexpr int WORDS = BYTES / 4;
    if (in_words<BYTES>((u64)at, length)) {
        return load_words<BYTES>(at, length);
    }
    Bits<BYTES> bits;
    int count = length < BYTES ? (int)length : BYTES;
    int step = (((u64)at | (u64)count) & 1) == 0 ? 2 : 1;
    #pragma unroll
    for (int i = 0; i < WORDS; i++) {
        bits.w[i] = 0;
    }
    // From the last to the first, each pushing the others up.
    #pragma unroll 1
    for (int from = count - step; from >= 0; from -= step) {
        #pragma unroll
        for (int i = WORDS - 1; i >= 0; i--) {
            bits.w[i] = bits.w[i] << 8 * step | (i > 0 ? bits.w[i - 1] >> (32 - 8 * step) : 0);
        }
        bits.w[0] |= step == 2 ? *(const volatile u16 *)(at + from) : *(const volatile u8 *)(at + from);
    }
    return bits;
}

template <int BYTES> DEVICE void scatter(char *at, Bits<BYTES> bits, i64 length) {
    constexpr int WORDS = BYTES / 4;
    if (in_words<BYTES>((u64)at, length)) {
        store_words<BYTES>(at, bits, length);
        return;
    }
    int count = length < BYTES ? (int)length : BYTES;
    int step = (((u64)at | (u64)count) & 1) == 0 ? 2 : 1;
    #pragma unroll 1
    for (int to = 0; to < count; to += step) {
        if (step == 2) {
            *(volatile u16 *)(at + to) = (u16)bits.w[0];
        } else {
            *(volatile u8 *)(at + to) = (u8)bits.w[0];
        }
        #pragma unroll
        for (int i = 0; i < WORDS; i++) {
            bits.w[i] = bits.w[i] >> 8 * step | (i < WORDS - 1 ? bits.w[i + 1] << (32 - 8 * step) : 0);
        }
    }
}

template <int BYTES> DEVICE bool is_aligned(u64 addresses) { return (addresses & (BYTES - 1)) == 0; }

template <int BYTES> DEVICE Bits<BYTES> load_own(const char *at, i64 length) {
    return is_aligned<BYTES>((u64)at) && length >= BYTES ? *(const Bits<BYTES> *)at : gather<BYTES>(at, length);
}

template <int BYTES> DEVICE void store_own(char *at, Bits<BYTES> bits, i64 length) {
    if (is_aligned<BYTES>((u64)at) && length >= BYTES) {
        *(Bits<BYTES> *)at = bits;
    } else {
        scatter<BYTES>(at, bits, length);
    }
}

// --- waiting, beginning, ending ------------------------------------------------------------------------------------------------------------------------------------------

/** A thread's part in the running call. */
struct Member {
#ifdef BRIGADE_SOFTWARE
    static constexpr u32 SELDOM = 15;
#else
    static constexpr u32 SELDOM = 1023;
#endif
    const Call &call;
    char *own;    // scratch
    u32 epoch;    // calls that have ended; the calls of 2^32 wrap around
    u32 block, blocks;  // of those that this call is for
    bool resident;      // the kernel goes on after the call
    u32 polls = 0, seldom = SELDOM;
    bool alone = false;  // a peer is lost: no wait waits any more, what is computed is of no use, all threads still come to the end

    DEVICE explicit Member(const Call &c) : call(c), own(c.scratch[c.rank]), epoch(load_relaxed(own + EPOCH_AT)), block(blockIdx.x), blocks(gridDim.x), resident(false) {
    }

    /** In a resident kernel: block 0 alone, or all blocks. */
    DEVICE Member(const Call &c, u32 e, bool one) : call(c), own(c.scratch[c.rank]), epoch(e), block(blockIdx.x), blocks(one ? 1 : gridDim.x), resident(true) {
    }

    static constexpr u32 LAST_EPOCH = 0xfffffffeu;

    /** The epoch behind one. So that no flag is ever 0, and parity goes on in turn. */
    static DEVICE u32 after(u32 epoch) { return epoch == LAST_EPOCH ? 1 : epoch + 1; }

    /** This thread's place among those of the call, and their number. */
    DEVICE int first() const { return block * blockDim.x + threadIdx.x; }
    DEVICE int stride() const { return blocks * blockDim.x; }

    /** The mark of this call in flags and words: never 0, and what a word held before is another. */
    DEVICE u32 flag() const { return epoch + 1; }

    /** Between two looks at a word that is not there yet; false: do not look again. Short, as it stands in every wait, and a kernel's code is fetched anew with each launch. */
    DEVICE bool again() {
#ifdef BRIGADE_SOFTWARE
        software_yield();
#endif
        return (++polls & seldom) != 0 || !is_alone();
    }

    /** Looks at the host's memory, which takes as long as some polls. */
    DEVICE bool is_alone() {
        if (!alone && *call.abort != 0) {
            alone = true;
            seldom = 0;
        }
        return alone;
    }

    DEVICE void await(const char *word, u32 value) {
        while (load_acquire(word) != value && again()) {
        }
    }

    /** Waits until a peer has ended all calls before the previous one, so that what this call's parity has there may be written. First a load of acknowledged(p), early. */
    DEVICE void await_parity(int p, u32 known) {
        while ((int)(known - (epoch - 1)) < 0 && again()) {
            known = acknowledged(p);
        }
    }

    DEVICE u32 acknowledged(int p) const { return load_relaxed(own + ACKNOWLEDGED_AT + 64 * p); }
    DEVICE char *start_packet(int at, int block, int from) const { return call.scratch[at] + START_AT + 16 * (block * MAX_RANKS + from); }
    /** Where a start packet has a flag, too: what an earlier one left there is another call's flag, and never data that happens to look like this one's. */
    DEVICE char *start_word(int at, int block, int from) const { return start_packet(at, block, from) + 4; }
    DEVICE char *end_word(int at, int block, int from) const { return call.scratch[at] + END_AT + 16 * (block * MAX_RANKS + from); }

    /** One thread: tells the peers how many calls have ended here. */
    DEVICE void acknowledge(u32 ended) {
        for (int p = 0; p < call.ranks; p++) {
            if (p != call.rank) {
                store_relaxed(call.scratch[p] + ACKNOWLEDGED_AT + 64 * call.rank, ended);
            }
        }
    }

    /** Whether the epoch is counted up by parts, as no host waits and none of the last epochs is there. */
    DEVICE bool adds_parts() const { return call.finished == nullptr && epoch != LAST_EPOCH; }

    /** A block of a call for which no host waits has ended. All blocks' parts are 2^32, which the last one carries into the epoch: none asks whether it is the last, and waits for the answer. */
    DEVICE void add_part() {
        u64 part = blocks == 1 ? 1ull << 32 : 0xffffffffu / blocks;
        add(own + PARTS_AT, block == 0 && blocks > 1 ? (1ull << 32) - part * (blocks - 1) : part);
    }

    /**
     * The end of every kernel that meets its peers in scratch, for all its threads: the last block opens the next epoch, and tells the host and the peers if the host waits. What it waits for
     * must be seen by whatever runs on this GPU from then on, so a fence of the device will do: what is for other GPUs has been told to them already, behind a fence of its own or by
     * packet. If no host waits, the end of the kernel is soon enough, and costs nothing; the peers are then told by the next call that they may have to wait for (send_packets).
     */
    DEVICE void finish() {
        if (alone) {
            store_relaxed(own + STATUS_AT, STATUS_PEER_LOST);
        }
        __syncthreads();
        if (threadIdx.x != 0) {
            return;
        }
        if (adds_parts()) {
            add_part();
            return;
        }
        bool waited = call.finished != nullptr;
        if (blocks > 1) {
            if (waited) {
                fence_device();
            }
            if (count_up(own + BLOCKS_AT) != blocks - 1) {
                return;
            }
            store_relaxed(own + BLOCKS_AT, 0);
        }
        u32 next = after(epoch);
        if (!resident) {
            store_relaxed(own + EPOCH_AT, next);
        }
        if (waited) {
            fence_device();
            *call.finished = call.ticket;
            acknowledge(next);
        }
        if (resident && blocks > 1) {
            store_release(own + EPOCH_AT, next);  // block 0 waits for it (Doorman::served)
        } else if (resident) {
            store_relaxed(own + EPOCH_AT, next);
        }
    }
};

/** The end of a kernel that waits for nobody (Call.told), for all its threads: the last block tells the hosts of the members in `whom`, a bit each. Scratch has no part in the call. */
DEVICE void tell_hosts(const Call &call, u32 whom) {
    __syncthreads();
    if (threadIdx.x != 0) {
        return;
    }
    fence_system();
    if (gridDim.x > 1) {
        char *blocks = call.scratch[call.rank] + BLOCKS_AT;
        if (count_up(blocks) != gridDim.x - 1) {
            return;
        }
        store_relaxed(blocks, 0);
        fence_device();
    }
    for (int p = 0; p < call.ranks; p++) {
        if (whom >> p & 1) {
            *(volatile u64 *)(call.told + TOLD_BYTES * (p * MAX_RANKS + call.rank)) = call.ticket;
        }
    }
}
