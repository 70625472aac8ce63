// Large messages that are only moved. Every buffer 16-byte aligned, blocks of an allgather at multiples of 16 bytes; nothing goes through scratch: the data is stored straight
// into the peers' receive buffers, windows of `chunk` bytes are counted by words in scratch.
//
// scatter-allgather (bcast): van de Geijn's (Barnett et al., 1994), fused: the root stores piece p into peer p, which stores each window on into all other peers as soon as it is
//     there. Out of the root: the vector once; out of the others (n-2)/(n-1) of it. Two links deep.
// chain (bcast): root, root + 1, ...: each stores every window on. In and out of every link: the vector once. n-1 links deep.
// ring (allgather): own block to the right neighbour, then whatever comes from the left. (n-1)/n of the result over each link.
#pragma once
#include "bandwidth.cuh"

__device__ inline void scatterAllgather(const Call &call) {
  __shared__ int lost;
  Stage stage(call, &lost);
  int n = stage.ranks, lane = blockIdx.x;
  Span whole = {0, call.bytes};
  // ranks in order behind the root own the pieces
  auto pieceOf = [&](int peer) { return part(part(whole, (peer - call.root - 1 + n) % n, n - 1), lane, gridDim.x); };
  if (stage.rank != call.root) {
    for (int p = threadIdx.x; p < n; p += blockDim.x) if (p != stage.rank) stage.tell(p, STARTED, lane, 1);
  }
  bool going = true;
  if (stage.rank == call.root) {
    // Every receiver must have come to this call before its buffer is written.
    going = stage.awaitAll(STARTED, lane, 1);
    i64 rounds = windows(pieceOf((call.root + 1) % n).bytes, stage.chunk);
    for (i64 k = 0; k < rounds && going; k++) {
      for (int j = 1; j < n; j++) {
        int p = (stage.rank + j) % n;
        Span w = window(pieceOf(p), stage.chunk, k);
        char *target = call.peerRecv[p] + w.at;
        if (w.bytes) copy(stage, call.recv + w.at, &target, 1, w.bytes);
      }
      __syncthreads();
      stage.tellAll(ARRIVED, lane, k + 1);
    }
    stage.tellAll(ENDED, lane, 1);
  } else {
    for (int p = threadIdx.x; p < n; p += blockDim.x) if (p != stage.rank && p != call.root) stage.poll(STARTED, lane, p, 1);
    going = stage.ready();
    Span piece = pieceOf(stage.rank);
    char *targets[MAX_RANKS];
    i64 rounds = windows(piece.bytes, stage.chunk);
    for (i64 k = 0; k < rounds && going; k++) {
      going = stage.await(ARRIVED, lane, call.root, k + 1);
      if (!going) break;
      Span w = window(piece, stage.chunk, k);
      int count = 0;
      for (int j = 1; j < n; j++) {
        int p = (stage.rank + j) % n;
        if (p != call.root) targets[count++] = call.peerRecv[p] + w.at;
      }
      if (count) copy(stage, call.recv + w.at, targets, count, w.bytes);
    }
    __syncthreads();
    if (going) {
      for (int p = threadIdx.x; p < n; p += blockDim.x) if (p != stage.rank && p != call.root) stage.tell(p, ENDED, lane, 1);
      stage.awaitAll(ENDED, lane, 1);
    }
  }
  stage.end();
}

__device__ inline void chain(const Call &call) {
  __shared__ int lost;
  Stage stage(call, &lost);
  int n = stage.ranks, lane = blockIdx.x, place = (stage.rank - call.root + n) % n;
  int before = (stage.rank - 1 + n) % n, behind = (stage.rank + 1) % n;
  Span stretch = part({0, call.bytes}, lane, gridDim.x);
  if (place > 0 && threadIdx.x == 0) stage.tell(before, STARTED, lane, 1);
  bool going = place == n - 1 || stage.await(STARTED, lane, behind, 1);
  i64 rounds = windows(stretch.bytes, stage.chunk);
  for (i64 k = 0; k < rounds && going; k++) {
    if (place > 0) {
      going = stage.await(ARRIVED, lane, before, place == n - 1 ? rounds : k + 1);
      if (!going || place == n - 1) break;
    }
    Span w = window(stretch, stage.chunk, k);
    char *target = call.peerRecv[behind] + w.at;
    copy(stage, call.recv + w.at, &target, 1, w.bytes);
    __syncthreads();
    if (threadIdx.x == 0) stage.tell(behind, ARRIVED, lane, k + 1);
  }
  stage.end();
}

__device__ inline void ringGather(const Call &call) {
  __shared__ int lost;
  Stage stage(call, &lost);
  int n = stage.ranks, lane = blockIdx.x, left = (stage.rank - 1 + n) % n, right = (stage.rank + 1) % n;
  auto stretchOf = [&](int peer) { return part({call.recvAt[peer], call.recvBytes[peer]}, lane, gridDim.x); };
  if (threadIdx.x == 0) stage.tell(left, STARTED, lane, 1);
  bool going = stage.await(STARTED, lane, right, 1);
  i64 sent = 0, got = 0;
  for (int s = 0; s < n - 1 && going; s++) {
    int p = (stage.rank - s + n) % n;
    Span stretch = stretchOf(p);
    i64 rounds = windows(stretch.bytes, stage.chunk);
    for (i64 k = 0; k < rounds && going; k++) {
      if (s > 0) going = stage.await(ARRIVED, lane, left, ++got);
      if (!going) break;
      Span w = window(stretch, stage.chunk, k);
      char *targets[2] = {call.peerRecv[right] + w.at, call.recv + w.at};
      bool own = s == 0, place = own && !(call.flags & IN_PLACE);
      copy(stage, own ? call.send + (w.at - call.recvAt[stage.rank]) : call.recv + w.at, targets, place ? 2 : 1, w.bytes);
      __syncthreads();
      if (threadIdx.x == 0) stage.tell(right, ARRIVED, lane, ++sent);
    }
  }
  if (going) stage.await(ARRIVED, lane, left, got + windows(stretchOf(right).bytes, stage.chunk));
  stage.end();
}
