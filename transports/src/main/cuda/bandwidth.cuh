// What the kernels for large messages share: words that count windows, waits that can be given up, copies by threads or by the bulk copy unit.
//
// The pipelines' part of a scratch (see call.cuh). A word is written by the peer that it is about, and read by the scratch's owner:
//     PIPELINES_AT  words [kind][block][peer], 16 bytes each: epoch << 32 | windows
//     WINDOWS_AT    windows, laid out by each algorithm
// Words grow for ever (compared by difference), so a value of an earlier call can satisfy no wait of this one, and a peer that is a call ahead satisfies all.
#pragma once
#include "call.cuh"

#ifdef BRIGADE_SOFTWARE
#include "software.cuh"
#else
typedef uint4 Vector;
__device__ __forceinline__ u64 loadAcquire(const u64 *word) {
  u64 value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
__device__ __forceinline__ void storeRelease(u64 *word, u64 value) { asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory"); }
// Past L1, which does not see what a peer or another block has written.
__device__ __forceinline__ Vector loadVector(const void *at) {
  Vector v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at) : "memory");
  return v;
}
__device__ __forceinline__ void storeVector(void *at, Vector v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}
__device__ __forceinline__ byte_t loadByte(const void *at) { return *(volatile const byte_t *)at; }
__device__ __forceinline__ void relax() {}
#endif

constexpr int REDUCE_SCATTER = 2;  // flags: the slices are the blocks of a reduce-scatter, nobody gets another's
constexpr int OWN_SLICE = 8;       // flags: the first half of an allreduce: only the owner of a slice gets its result
constexpr int BULK = 4;            // flags: copies by the bulk copy unit (sm_90); others ignore it

constexpr i64 PIPELINES_AT = (256ll << 10) + 2ll * MAX_RANKS * (512 << 10);
enum Kind { STARTED, ARRIVED, TAKEN, ENDED, KINDS };
constexpr i64 WINDOWS_AT = PIPELINES_AT + 16ll * KINDS * MAX_BLOCKS * MAX_RANKS;
constexpr i64 WINDOWS_BYTES = SCRATCH_BYTES - WINDOWS_AT;
constexpr i64 GRAIN = 128;  // slices and stretches begin at multiples of this: a link's packet

struct Span {
  i64 at, bytes;
};

__host__ __device__ inline i64 roundUp(i64 value, i64 unit) { return (value + unit - 1) / unit * unit; }

// Part `index` of `parts` of a span: as equal as the grain allows; the last may be short or empty.
__host__ __device__ inline Span part(Span whole, int index, int parts) {
  i64 size = roundUp((whole.bytes + parts - 1) / parts, GRAIN), at = size * index;
  if (at >= whole.bytes) return {whole.at + whole.bytes, 0};
  return {whole.at + at, at + size < whole.bytes ? size : whole.bytes - at};
}

__device__ inline Span window(Span stretch, i64 chunk, i64 index) {
  i64 at = chunk * index;
  if (at >= stretch.bytes) return {stretch.at + stretch.bytes, 0};
  return {stretch.at + at, at + chunk < stretch.bytes ? chunk : stretch.bytes - at};
}

__device__ inline i64 windows(i64 bytes, i64 chunk) { return (bytes + chunk - 1) / chunk; }

// A block's share of a call.
struct Stage {
  const Call &call;
  int rank, ranks;
  i64 chunk;
  u64 number; // of this call; the epoch when it has ended
  u64 base;   // number << 32
  int *lost;  // shared by the block: not zero as soon as a wait was given up
  u32 moved;  // bulk copies begun by this block (thread 0's count)

  __device__ Stage(const Call &c, int *lostWord) : call(c), rank(c.rank), ranks(c.ranks), chunk(c.chunk), lost(lostWord), moved(0) {
    number = *(volatile u64 *)c.scratch[rank] + 1;
    base = number << 32;
    if (threadIdx.x == 0) *lost = 0;
    __syncthreads();
  }

  __device__ u64 *word(int at, Kind kind, int lane, int from) const { return (u64 *)(call.scratch[at] + PIPELINES_AT + 16ll * ((kind * MAX_BLOCKS + lane) * MAX_RANKS + from)); }
  __device__ char *windowAt(int at, i64 offset) const { return call.scratch[at] + WINDOWS_AT + offset; }

  // One thread: until the peer's word says `count`; 0 is always there.
  __device__ void poll(Kind kind, int lane, int from, i64 count) {
    if (count == 0) return;
    const u64 *word = this->word(rank, kind, lane, from);
    u64 want = base + count;
    for (u32 turns = 1; (i64)(loadAcquire(word) - want) < 0; turns++) {
      relax();
      if ((turns & 1023) == 0 && *call.abort) {
        *(volatile int *)lost = 1;
        return;
      }
    }
  }
  // The block: false if the call is given up.
  __device__ bool ready() {
    __syncthreads();
    return *(volatile int *)lost == 0;
  }
  __device__ bool await(Kind kind, int lane, int from, i64 count) {
    if (threadIdx.x == 0) poll(kind, lane, from, count);
    return ready();
  }
  // Of all peers.
  __device__ bool awaitAll(Kind kind, int lane, i64 count) {
    for (int p = threadIdx.x; p < ranks; p += blockDim.x) if (p != rank) poll(kind, lane, p, count);
    return ready();
  }
  // One thread, behind a barrier of the block: what the block has written and read is behind it.
  __device__ void tell(int peer, Kind kind, int lane, i64 count) { storeRelease(word(peer, kind, lane, rank), base + count); }
  __device__ void tellAll(Kind kind, int lane, i64 count) {
    for (int p = threadIdx.x; p < ranks; p += blockDim.x) if (p != rank) tell(p, kind, lane, count);
  }

  // The last thing a block does: the last block of all ends the call.
  __device__ void end() {
    __syncthreads();
    if (threadIdx.x != 0) return;
    u32 *ended = (u32 *)(call.scratch[rank] + 64);
    if (*(volatile int *)lost) *(volatile u32 *)(call.scratch[rank] + 128) = 1;
    __threadfence();
    if (atomicAdd(ended, 1u) != (u32)gridDim.x - 1) return;
    *(volatile u32 *)ended = 0;
    *(volatile u64 *)call.scratch[rank] = number;
    __threadfence_system();
    if (call.finished) *call.finished = call.ticket;
  }
};

// Copies bytes to every target, all from the same source; the whole block; 16-byte aligned on both sides. Not complete before a barrier and a release.
constexpr int UNROLL = 8;
__device__ inline void copyByThreads(const char *source, char *const *targets, int count, i64 bytes) {
  i64 vectors = bytes >> 4, step = blockDim.x, i = threadIdx.x;
  for (; i + (UNROLL - 1) * step < vectors; i += UNROLL * step) {
    Vector v[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) v[u] = loadVector(source + 16 * (i + u * step));
    for (int t = 0; t < count; t++) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) storeVector(targets[t] + 16 * (i + u * step), v[u]);
    }
  }
  for (; i < vectors; i += step) {
    Vector v = loadVector(source + 16 * i);
    for (int t = 0; t < count; t++) storeVector(targets[t] + 16 * i, v);
  }
  for (i64 b = (vectors << 4) + threadIdx.x; b < bytes; b += step) {
    byte_t v = loadByte(source + b);
    for (int t = 0; t < count; t++) targets[t][b] = (char)v;
  }
}

#if !defined(BRIGADE_SOFTWARE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define BRIGADE_BULK
constexpr int PIECE = 8 << 10, PIECES = 5;  // of shared memory: 40 KiB
struct BulkMemory {
  alignas(128) char piece[PIECES][PIECE];
  alignas(8) u64 full[PIECES];
};
__device__ __forceinline__ u32 sharedAddress(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ inline void bulkLoad(BulkMemory &m, u32 number, const char *source, u32 bytes) {
  u32 full = sharedAddress(&m.full[number % PIECES]), piece = sharedAddress(m.piece[number % PIECES]);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(piece), "l"(source), "r"(bytes), "r"(full) : "memory");
}
__device__ inline void bulkWait(BulkMemory &m, u32 number) {
  u32 full = sharedAddress(&m.full[number % PIECES]), parity = number / PIECES & 1, done;
  do {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(full), "r"(parity) : "memory");
  } while (!done);
}
// By one thread; complete when it returns. Whole vectors only.
__device__ inline void copyInBulk(BulkMemory &m, u32 &moved, const char *source, char *const *targets, int count, i64 bytes) {
  if (moved == 0) {
    for (int s = 0; s < PIECES; s++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&m.full[s])) : "memory");
  }
  asm volatile("fence.proxy.async;" ::: "memory");  // what was acquired is seen by the copy unit too
  i64 pieces = (bytes + PIECE - 1) / PIECE;
  auto length = [&](i64 i) { return (u32)(i + 1 < pieces ? PIECE : bytes - i * PIECE); };
  u32 first = moved;
  for (i64 i = 0; i < PIECES - 1 && i < pieces; i++) bulkLoad(m, first + (u32)i, source + i * PIECE, length(i));
  for (i64 i = 0; i < pieces; i++) {
    u32 number = first + (u32)i;
    bulkWait(m, number);
    for (int t = 0; t < count; t++)
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(targets[t] + i * PIECE), "r"(sharedAddress(m.piece[number % PIECES])), "r"(length(i)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    i64 next = i + PIECES - 1;
    if (next < pieces) {
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
      bulkLoad(m, first + (u32)next, source + next * PIECE, length(next));
    }
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  moved = first + (u32)pieces;
}
#endif

__device__ inline void copy(Stage &stage, const char *source, char *const *targets, int count, i64 bytes) {
#ifdef BRIGADE_BULK
  if (stage.call.flags & BULK) {
    __shared__ BulkMemory memory;
    i64 whole = bytes & ~15ll;
    if (threadIdx.x == 0 && whole) copyInBulk(memory, stage.moved, source, targets, count, whole);
    for (i64 b = whole + threadIdx.x; b < bytes; b += blockDim.x)
      for (int t = 0; t < count; t++) targets[t][b] = (char)loadByte(source + b);
    return;
  }
#endif
  copyByThreads(source, targets, count, bytes);
}
