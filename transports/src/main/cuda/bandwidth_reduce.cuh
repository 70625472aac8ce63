// Large messages that are reduced. Every buffer 16-byte aligned, slices at multiples of 16 bytes, a whole number of elements in 16 bytes. In place or not. The flag REDUCE_SCATTER
// makes a reduce-scatter of either: slice p is the block for p (sendAt, sendBytes), and its owner's result goes to the begin of recv (then not in place: a block would write what another
// has still to send). The flag OWN_SLICE leaves out the allgather of an allreduce: each rank has its slice of the result in its place, in place or not, and others pass it on.
//
// push-two-phase: a reduce-scatter and an allgather of which both only store (loads over a link cost requests in the other direction: 337 against 362 GB/s where both directions
//     are busy). Blocks come in pairs, a pair has a stretch of every slice. The even block stores windows of each peer's slice into that peer's scratch; the odd block folds those of
//     its own slice, in rank order, as soon as all are there, and stores the result into every receive buffer. So both directions of all links are busy from the first window to
//     the last, and a window stays in L2. 2 (n-1)/n of the vector over each link; results as by a fold in rank order, the same everywhere.
// ring: every block is a ring of its own over its stretch of all slices (Patarasu and Yuan, 2009): n-1 steps of fold and store into the right neighbour's scratch, the last fold goes
//     to the receive buffers of owner and neighbour, n-2 steps of passing on. The same bytes, but only between neighbours: links carry 362 GB/s in a ring against 349 all to all.
//     Slice p is folded in the order p+1, p+2, ..., p, and rounded at every step: the same everywhere and in every run, but not rank order.
//
// A Fold has: Wide, the sum of a vector's elements in the making; widen(Vector), fold(Wide &, Vector), narrow(Wide).
#pragma once
#include "bandwidth.cuh"

// Folds n sources, in order, into every target; the whole block.
template <class Fold>
__device__ inline void foldInto(const char *const *sources, int n, char *const *targets, int count, i64 bytes) {
  constexpr int DEEP = sizeof(typename Fold::Wide) > 16 ? 2 : 4;
  i64 vectors = bytes >> 4, step = blockDim.x, i = threadIdx.x;
  for (; i + (DEEP - 1) * step < vectors; i += DEEP * step) {
    Vector first[DEEP], next[DEEP];
    typename Fold::Wide sum[DEEP];
#pragma unroll
    for (int u = 0; u < DEEP; u++) first[u] = loadVector(sources[0] + 16 * (i + u * step));
    for (int s = 1; s < n; s++) {
#pragma unroll
      for (int u = 0; u < DEEP; u++) next[u] = loadVector(sources[s] + 16 * (i + u * step));
      if (s == 1) {
#pragma unroll
        for (int u = 0; u < DEEP; u++) sum[u] = Fold::widen(first[u]);
      }
#pragma unroll
      for (int u = 0; u < DEEP; u++) Fold::fold(sum[u], next[u]);
    }
#pragma unroll
    for (int u = 0; u < DEEP; u++) first[u] = Fold::narrow(sum[u]);
    for (int t = 0; t < count; t++) {
#pragma unroll
      for (int u = 0; u < DEEP; u++) storeVector(targets[t] + 16 * (i + u * step), first[u]);
    }
  }
  for (; i < vectors; i += step) {
    typename Fold::Wide sum = Fold::widen(loadVector(sources[0] + 16 * i));
    for (int s = 1; s < n; s++) Fold::fold(sum, loadVector(sources[s] + 16 * i));
    Vector v = Fold::narrow(sum);
    for (int t = 0; t < count; t++) storeVector(targets[t] + 16 * i, v);
  }
  int rest = (int)(bytes & 15);
  if (rest && threadIdx.x == 0) {  // a vector whose last elements nobody keeps
    i64 at = vectors << 4;
    union { Vector v; byte_t b[16]; } one;
    typename Fold::Wide sum;
    for (int s = 0; s < n; s++) {
      for (int b = 0; b < 16; b++) one.b[b] = b < rest ? loadByte(sources[s] + at + b) : 0;
      if (s == 0) sum = Fold::widen(one.v);
      else Fold::fold(sum, one.v);
    }
    one.v = Fold::narrow(sum);
    for (int t = 0; t < count; t++)
      for (int b = 0; b < rest; b++) targets[t][at + b] = (char)one.b[b];
  }
}

__device__ inline Span sliceOf(const Call &call, int peer) {
  if (call.flags & REDUCE_SCATTER) return {call.sendAt[peer], call.sendBytes[peer]};
  return part({0, call.bytes}, peer, call.ranks);
}

template <class Fold>
__device__ inline void pushTwoPhase(const Call &call) {
  __shared__ int lost;
  Stage stage(call, &lost);
  int n = stage.ranks, rank = stage.rank, lanes = gridDim.x / 2, lane = blockIdx.x / 2;
  bool scatter = call.flags & (REDUCE_SCATTER | OWN_SLICE), going = true;
  i64 chunk = stage.chunk;
  // windows in scratch: [lane][from][slot]
  i64 slots = WINDOWS_BYTES / ((i64)lanes * (n - 1) * chunk);
  auto slotAt = [&](int at, int from, i64 k) { return stage.windowAt(at, (((i64)lane * (n - 1) + from - (from > at)) * slots + k % slots) * chunk); };
  auto stretchOf = [&](int peer) { return part(sliceOf(call, peer), lane, lanes); };
  if (lane >= lanes) {  // the odd one out
    stage.end();
    return;
  }
  if (blockIdx.x % 2 == 0) {
    i64 rounds = 0;
    for (int p = 0; p < n; p++) {
      i64 w = windows(stretchOf(p).bytes, chunk);
      if (p != rank && w > rounds) rounds = w;
    }
    for (i64 k = 0; k < rounds && going; k++) {
      if (k >= slots) {
        for (int p = threadIdx.x; p < n; p += blockDim.x)
          if (p != rank && window(stretchOf(p), chunk, k).bytes) stage.poll(TAKEN, lane, p, k - slots + 1);
        going = stage.ready();
        if (!going) break;
      }
      for (int j = 1; j < n; j++) {
        int p = (rank + j) % n;
        Span w = window(stretchOf(p), chunk, k);
        char *target = slotAt(p, rank, k);
        if (w.bytes) copy(stage, call.send + w.at, &target, 1, w.bytes);
      }
      __syncthreads();
      stage.tellAll(ARRIVED, lane, k + 1);
    }
    if (scatter && going) {  // nobody's result tells us that our windows are taken
      for (int p = threadIdx.x; p < n; p += blockDim.x)
        if (p != rank) stage.poll(TAKEN, lane, p, windows(stretchOf(p).bytes, chunk));
    }
  } else {
    Span stretch = stretchOf(rank), slice = sliceOf(call, rank);
    i64 rounds = windows(stretch.bytes, chunk);
    const char *sources[MAX_RANKS];
    char *targets[MAX_RANKS];
    for (i64 k = 0; k < rounds && going; k++) {
      going = stage.awaitAll(ARRIVED, lane, k + 1);
      if (!going) break;
      Span w = window(stretch, chunk, k);
      for (int p = 0; p < n; p++) sources[p] = p == rank ? call.send + w.at : slotAt(rank, p, k);
      int count = 0;
      if (scatter) targets[count++] = call.recv + (call.flags & REDUCE_SCATTER ? w.at - slice.at : w.at);
      else {
        for (int j = 1; j < n; j++) targets[count++] = call.peerRecv[(rank + j) % n] + w.at;
        targets[count++] = call.recv + w.at;
      }
      foldInto<Fold>(sources, n, targets, count, w.bytes);
      if (scatter || rounds > slots) {
        __syncthreads();
        stage.tellAll(TAKEN, lane, k + 1);
      }
    }
    __syncthreads();
    if (!scatter && going) {
      stage.tellAll(ENDED, lane, 1);
      stage.awaitAll(ENDED, lane, 1);
    }
  }
  stage.end();
}

template <class Fold>
__device__ inline void ring(const Call &call) {
  __shared__ int lost;
  Stage stage(call, &lost);
  int n = stage.ranks, rank = stage.rank, lane = blockIdx.x, left = (rank - 1 + n) % n, right = (rank + 1) % n;
  bool scatter = call.flags & (REDUCE_SCATTER | OWN_SLICE), going = true;
  i64 chunk = stage.chunk, slots = WINDOWS_BYTES / ((i64)gridDim.x * chunk), rounds = 0;
  auto stretchOf = [&](int peer) { return part(sliceOf(call, peer), lane, gridDim.x); };
  auto slotAt = [&](int at, i64 message) { return stage.windowAt(at, ((i64)lane * slots + message % slots) * chunk); };
  for (int p = 0; p < n; p++) {
    i64 w = windows(stretchOf(p).bytes, chunk);
    if (w > rounds) rounds = w;
  }
  if (!scatter) {
    if (threadIdx.x == 0) stage.tell(left, STARTED, lane, 1);
    going = stage.await(STARTED, lane, right, 1);
  }
  // To the right go messages of two kinds, each counted by itself: sums in the making into its scratch (ARRIVED, given back by TAKEN), and results into its recv (ENDED).
  i64 sums = 0, results = 0, taken = 0, placed = 0;
  const char *sources[2];
  char *targets[2];
  for (i64 k = 0; k < rounds && going; k++) {
    for (int s = 0; s < n && going; s++) {
      int p = (rank - 1 - s + 2 * n) % n;
      Span w = window(stretchOf(p), chunk, k);
      if (s < n - 1 && sums >= slots) {
        if (threadIdx.x == 0) stage.poll(TAKEN, lane, right, sums - slots + 1);
        if (s == 0) going = stage.ready();
      }
      if (s > 0) going = stage.await(ARRIVED, lane, left, taken + 1);
      if (!going) break;
      int count = 0;
      if (s < n - 1) targets[count++] = slotAt(right, sums);
      else {
        if (!scatter) targets[count++] = call.peerRecv[right] + w.at;
        targets[count++] = call.recv + (call.flags & REDUCE_SCATTER ? w.at - call.sendAt[rank] : w.at);
      }
      if (s == 0) copy(stage, call.send + w.at, targets, count, w.bytes);
      else {
        sources[0] = slotAt(rank, taken);
        sources[1] = call.send + w.at;
        foldInto<Fold>(sources, 2, targets, count, w.bytes);
      }
      __syncthreads();
      if (s > 0) taken++;
      if (s < n - 1) sums++;
      else results++;
      if (threadIdx.x == 0) {
        if (s < n - 1) stage.tell(right, ARRIVED, lane, sums);
        else if (!scatter) stage.tell(right, ENDED, lane, results);
        if (s > 0) stage.tell(left, TAKEN, lane, taken);
      }
    }
    for (int s = 0; s < n - 1 && going && !scatter; s++) {
      int p = (rank - 1 - s + 2 * n) % n;
      Span w = window(stretchOf(p), chunk, k);
      going = stage.await(ENDED, lane, left, ++placed);
      if (!going || s == n - 2) break;
      targets[0] = call.peerRecv[right] + w.at;
      copy(stage, call.recv + w.at, targets, 1, w.bytes);
      __syncthreads();
      if (threadIdx.x == 0) stage.tell(right, ENDED, lane, ++results);
      else results++;
    }
  }
  if (scatter && going && threadIdx.x == 0) stage.poll(TAKEN, lane, right, sums);
  stage.end();
}
