// The kernels for large messages run as threads: all ranks and blocks in this process, sizes, in place, several calls one behind the other on the same scratch.
//   g++ -std=c++20 -O1 -pthread -I. -I../../../main/cuda -DBRIGADE_SOFTWARE -o /tmp/bandwidth_threads bandwidth_threads.cpp && /tmp/bandwidth_threads
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "bandwidth_move.cuh"
#include "bandwidth_reduce.cuh"
#include "../sum_float.cuh"

enum { TWO_PHASE, RING, TWO_PHASE_SCATTER, RING_SCATTER, RING_GATHER, BCAST, CHAIN, KERNELS };
static const char *NAMES[] = {"push-two-phase", "ring", "push-two-phase reduce-scatter", "ring reduce-scatter", "ring allgather", "scatter-allgather", "chain"};
static volatile u32 aborted = 0;

int main() {
  int failures = 0, done = 0;
  for (int n = 2; n <= 5; n++) {
    std::vector<char *> scratch;
    for (int r = 0; r < n; r++) scratch.push_back((char *)calloc(1, SCRATCH_BYTES));
    u32 seed = 1;
    for (i64 count : {1, 5, 37, 1000, 50003}) for (i64 chunk : {128, 4096, 65536}) for (int kernel = 0; kernel < KERNELS; kernel++)
      for (int inPlace = 0; inPlace < 2; inPlace++) {
        if (count / (chunk / 4) > 100) continue;
        bool scatter = kernel == TWO_PHASE_SCATTER || kernel == RING_SCATTER, gather = kernel == RING_GATHER, bcast = kernel == BCAST || kernel == CHAIN;
        if (inPlace && (scatter || bcast)) continue;
        seed++;
        int root = seed % n, grid = kernel <= RING_SCATTER ? 6 : 3;
        i64 block = (count + 3) / 4 * 4, floats = scatter || gather ? block * n : count;
        std::vector<float *> send(n), recv(n);
        std::vector<u64> finished(n, 0);
        for (int r = 0; r < n; r++) {
          send[r] = (float *)aligned_alloc(128, (floats * 4 + 256) / 128 * 128);
          recv[r] = (float *)aligned_alloc(128, (floats * 4 + 256) / 128 * 128);
          memset(recv[r], 0xff, floats * 4 + 16);
          for (i64 i = 0; i < floats; i++) send[r][i] = valueOf(seed, r, i);
          if (bcast && r == root) memcpy(recv[r], send[r], floats * 4);
          if (inPlace && gather) memcpy(recv[r] + block * r, send[r], count * 4);
          else if (inPlace) memcpy(recv[r], send[r], floats * 4);
        }
        if (getenv("VERBOSE")) fprintf(stderr, "%s n=%d count=%lld chunk=%lld inPlace=%d\n", NAMES[kernel], n, count, chunk, inPlace);
        std::vector<std::thread> threads;
        for (int r = 0; r < n; r++) {
          Call c{};
          c.rank = r, c.ranks = n, c.root = bcast ? root : -1, c.flags = (inPlace ? IN_PLACE : 0) | (scatter ? REDUCE_SCATTER : 0);
          c.recv = (char *)recv[r];
          c.send = inPlace ? (gather ? (char *)(recv[r] + block * r) : c.recv) : (char *)send[r];
          for (int p = 0; p < n; p++) {
            c.scratch[p] = scratch[p], c.peerRecv[p] = (char *)recv[p];
            c.sendAt[p] = scatter ? p * block * 4 : 0, c.sendBytes[p] = scatter ? count * 4 : floats * 4;
            c.recvAt[p] = gather ? p * block * 4 : 0, c.recvBytes[p] = gather ? count * 4 : floats * 4;
          }
          c.abort = &aborted, c.finished = &finished[r], c.ticket = seed, c.bytes = count * 4, c.chunk = chunk;
          for (int b = 0; b < grid; b++) threads.emplace_back([=] {
            blockIdx.x = b, gridDim.x = grid;
            switch (kernel) {
              case TWO_PHASE: case TWO_PHASE_SCATTER: pushTwoPhase<SumFloat>(c); break;
              case RING: case RING_SCATTER: ring<SumFloat>(c); break;
              case RING_GATHER: ringGather(c); break;
              case BCAST: scatterAllgather(c); break;
              default: chain(c);
            }
          });
        }
        for (auto &t : threads) t.join();
        i64 wrong = 0;
        for (int r = 0; r < n; r++) {
          if (finished[r] != seed) wrong++;
          i64 results = scatter ? count : floats;
          for (i64 i = 0; i < results; i++) {
            float expected;
            if (bcast) expected = valueOf(seed, root, i);
            else if (gather) {
              if (i % block >= count) continue;
              expected = valueOf(seed, i / block, i % block);
            } else {
              i64 at = scatter ? r * block + i : i;
              int first = 0;
              if (kernel == RING || kernel == RING_SCATTER) {
                int p = r;
                if (!scatter) for (p = 0; p < n; p++) { Span s = part({0, count * 4}, p, n); if (i * 4 >= s.at && i * 4 < s.at + s.bytes) break; }
                first = (p + 1) % n;
              }
              expected = valueOf(seed, first, at);
              for (int s = 1; s < n; s++) expected += valueOf(seed, (first + s) % n, at);
            }
            if (recv[r][i] != expected) wrong++;
          }
          if (!gather && *(u32 *)&recv[r][results] != ~0u) wrong++;
        }
        done++;
        if (wrong) {
          failures++;
          printf("FAILED %s n=%d count=%lld chunk=%lld inPlace=%d root=%d: %lld wrong\n", NAMES[kernel], n, count, chunk, inPlace, root, wrong);
        }
        for (int r = 0; r < n; r++) free(send[r]), free(recv[r]);
      }
    for (char *s : scratch) free(s);
  }
  printf("%d checks, %d failures\n", done, failures);
  return failures != 0;
}
