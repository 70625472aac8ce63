// The kernels and copies for large messages, on GPUs: checked with fresh data and poison, then timed as a blocking call (launch, then the host spins on the word that the end writes).
// One process a GPU, forked here.
//   nvcc -std=c++20 -O3 -fmad=false -arch=sm_90 -cudart static -I../../main/cuda -o bandwidth_check bandwidth_check.cu
//   ./bandwidth_check GPUS [sweep|best|check] [max_bytes]
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "bandwidth_move.cuh"
#include "bandwidth_reduce.cuh"
#include "sum_float.cuh"

#define CUDA(call) do { cudaError_t code_ = (call); if (code_) { fprintf(stderr, "rank %d line %d: %s: %s\n", rank, __LINE__, #call, cudaGetErrorString(code_)); _exit(1); } } while (0)
#define DRIVER(call) do { CUresult code_ = (call); if (code_) { fprintf(stderr, "rank %d line %d: %s: %d\n", rank, __LINE__, #call, code_); _exit(1); } } while (0)

extern "C" {
__global__ void __launch_bounds__(512, 1) two_phase(const Call call) { pushTwoPhase<SumFloat>(call); }
__global__ void __launch_bounds__(512, 1) rings(const Call call) { ring<SumFloat>(call); }
__global__ void __launch_bounds__(512, 1) ring_gather(const Call call) { ringGather(call); }
__global__ void __launch_bounds__(512, 1) scatter_allgather(const Call call) { scatterAllgather(call); }
__global__ void __launch_bounds__(512, 1) chains(const Call call) { chain(call); }
}

__global__ void fill(float *to, i64 count, u32 seed, int rank) {
  for (i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x; i < count; i += (i64)gridDim.x * blockDim.x) to[i] = valueOf(seed, rank, i);
}
enum Expect { REDUCED, RINGED, GATHERED, SENT };
__global__ void check(const float *got, i64 from, i64 count, u32 seed, int n, int how, int root, i64 block, i64 total, u64 *wrong) {
  for (i64 i = blockIdx.x * (i64)blockDim.x + threadIdx.x; i < count; i += (i64)gridDim.x * blockDim.x) {
    i64 at = from + i;
    float expected;
    if (how == SENT) expected = valueOf(seed, root, at);
    else if (how == GATHERED) expected = valueOf(seed, (int)(at / block), at % block);
    else {
      int first = 0;
      if (how == RINGED) {
        i64 slice = block ? block * 4 : part({0, total * 4}, 0, n).bytes;
        first = (int)(at * 4 / slice + 1) % n;
      }
      expected = valueOf(seed, first, at);
      for (int s = 1; s < n; s++) expected += valueOf(seed, (first + s) % n, at);
    }
    if (!(got[i] == expected)) (*(volatile u64 *)wrong)++;  // some of them: zero or not is what counts
  }
}

constexpr i64 POOL = 64ll << 20;
struct Shared {
  std::atomic<int> arrived, generation;
  cudaIpcMemHandle_t handles[8][3];
  double times[8];
  u64 wrong[8];
};
struct Words {                     // pinned, shared by all
  struct { volatile u32 value; u32 pad[15]; } stripe, taken[8], copied[8], gathered[8];
};

static Shared *shared;
static char *pinned;  // Words, then the pool of the host stripe
static int rank, n;
static void together() {
  int generation = shared->generation.load();
  if (shared->arrived.fetch_add(1) == n - 1) shared->arrived.store(0), shared->generation.store(generation + 1);
  else while (shared->generation.load() == generation) {}
}

enum Algorithm { TWO_PHASE, RING, TWO_PHASE_SCATTER, RING_SCATTER, RING_GATHER, BCAST, CHAIN, CE_BCAST, CE_GATHER, TWO_PHASE_CE, RING_CE, ALGORITHMS };
static const char *NAMES[] = {"allreduce push-two-phase", "allreduce ring", "reduce-scatter push", "reduce-scatter ring", "allgather ring", "bcast scatter-allgather", "bcast chain", "bcast copy-engine",
                              "allgather copy-engine ring", "allreduce push + CE ring", "allreduce ring + CE ring"};
struct Setup {
  Algorithm algorithm;
  i64 bytes;
  int grid, threads;
  i64 chunk;
  int flags;
  double stripe = 0;  // share that goes over the host
  i64 stripeChunk = 4 << 20;
};

static char *buffers[3], *mapped[8][3];  // send, recv, scratch
static cudaStream_t stream, side;
static volatile u64 *finished;
static volatile u32 *aborted;
static u64 ticket = 0;
static u32 stripes = 0, copies = 0, gathers = 0;
static PFN_cuStreamWriteValue32_v8000 writeValue;
static PFN_cuStreamWaitValue32_v8000 waitValue;
static Words *words, *deviceWords;

static void setWord(cudaStream_t s, volatile u32 *deviceWord, u32 value) { DRIVER(writeValue(s, (CUdeviceptr)deviceWord, value, 0)); }
static void waitWord(cudaStream_t s, volatile u32 *deviceWord, u32 value) { DRIVER(waitValue(s, (CUdeviceptr)deviceWord, value, CU_STREAM_WAIT_VALUE_GEQ)); }

// The host stripe: root to pinned memory, every receiver from it, chunk by chunk; only stream operations.
static u32 beginStripe(int root, char *buffer, i64 bytes, i64 chunk) {
  i64 slots = POOL / chunk, count = (bytes + chunk - 1) / chunk;
  char *pool = pinned + 4096;
  for (i64 c = 0; c < count; c++) {
    i64 at = c * chunk, length = std::min(chunk, bytes - at);
    char *slot = pool + c % slots * chunk;
    if (rank == root) {
      if (c >= slots) for (int r = 0; r < n; r++) if (r != root) waitWord(side, &deviceWords->taken[r].value, stripes + c - slots + 1);
      CUDA(cudaMemcpyAsync(slot, buffer + at, length, cudaMemcpyDeviceToHost, side));
      setWord(side, &deviceWords->stripe.value, stripes + c + 1);
    } else {
      waitWord(side, &deviceWords->stripe.value, stripes + c + 1);
      CUDA(cudaMemcpyAsync(buffer + at, slot, length, cudaMemcpyHostToDevice, side));
      setWord(side, &deviceWords->taken[rank].value, stripes + c + 1);
    }
  }
  return stripes += count;
}

static bool spin(const std::function<bool()> &there) {
  auto begin = std::chrono::steady_clock::now();
  for (u64 i = 1; !there(); i++) {
    if ((i & 0xffff) == 0 && std::chrono::steady_clock::now() - begin > std::chrono::seconds(3)) {
      *aborted = 1;
      fprintf(stderr, "rank %d gives up: %s\n", rank, cudaGetErrorString(cudaStreamQuery(stream)));
      return false;
    }
  }
  return true;
}

static void launch(const Setup &s, int root, bool inPlace, i64 bytes) {
  Call c{};
  bool scatter = s.algorithm == TWO_PHASE_SCATTER || s.algorithm == RING_SCATTER, gather = s.algorithm == RING_GATHER;
  i64 block = bytes / n / 16 * 16;
  c.rank = rank, c.ranks = n, c.root = root, c.flags = s.flags | (inPlace ? IN_PLACE : 0) | (scatter ? REDUCE_SCATTER : 0);
  if (s.algorithm == TWO_PHASE_CE || s.algorithm == RING_CE) c.flags |= OWN_SLICE;
  c.recv = buffers[1];
  c.send = inPlace ? c.recv + (gather ? block * rank : 0) : buffers[0];
  for (int p = 0; p < n; p++) {
    c.scratch[p] = mapped[p][2], c.peerRecv[p] = mapped[p][1], c.peerSend[p] = inPlace ? mapped[p][1] : mapped[p][0];
    c.sendAt[p] = scatter ? p * block : 0, c.sendBytes[p] = scatter ? block : bytes;
    c.recvAt[p] = gather ? p * block : 0, c.recvBytes[p] = gather ? block : bytes;
  }
  c.abort = aborted, c.finished = finished, c.ticket = ++ticket, c.bytes = bytes, c.chunk = s.chunk;
  switch (s.algorithm) {
    case TWO_PHASE: case TWO_PHASE_SCATTER: case TWO_PHASE_CE: two_phase<<<s.grid, s.threads, 0, stream>>>(c); break;
    case RING: case RING_SCATTER: case RING_CE: rings<<<s.grid, s.threads, 0, stream>>>(c); break;
    case RING_GATHER: ring_gather<<<s.grid, s.threads, 0, stream>>>(c); break;
    case BCAST: scatter_allgather<<<s.grid, s.threads, 0, stream>>>(c); break;
    default: chains<<<s.grid, s.threads, 0, stream>>>(c);
  }
  CUDA(cudaGetLastError());
}

// Slices go round the ring by the copy engine: own, then what came from the left; words in pinned memory say how many have come.
static u32 copyRound(const std::function<Span(int)> &slice) {
  int right = (rank + 1) % n;
  for (int s = 0; s < n - 1; s++) {
    Span w = slice((rank - s + n) % n);
    if (s > 0) waitWord(stream, &deviceWords->gathered[rank].value, gathers + s);
    CUDA(cudaMemcpyAsync(mapped[right][1] + w.at, buffers[1] + w.at, w.bytes, cudaMemcpyDeviceToDevice, stream));
    setWord(stream, &deviceWords->gathered[right].value, gathers + s + 1);
  }
  return gathers += n - 1;
}

static bool once(const Setup &s, int root, bool inPlace) {
  i64 host = s.stripe > 0 ? (i64)(s.bytes * s.stripe) / 256 * 256 : 0, bytes = s.bytes - host;
  u32 stripeEnd = 0;
  if (s.algorithm == CE_BCAST) {
    copies++;
    if (rank == root) {
      int peer = 1 - root;
      CUDA(cudaMemcpyAsync(mapped[peer][1], buffers[1], bytes, cudaMemcpyDeviceToDevice, stream));
      setWord(stream, &deviceWords->copied[peer].value, copies);
    }
    if (host) stripeEnd = beginStripe(root, buffers[1] + bytes, host, s.stripeChunk);
    return spin([&] { return words->copied[1 - root].value == copies && (!host || (rank == root ? words->stripe.value == stripeEnd : words->taken[rank].value == stripeEnd)); });
  }
  if (s.algorithm == CE_GATHER) {
    i64 block = bytes / n / 16 * 16;
    CUDA(cudaMemcpyAsync(buffers[1] + block * rank, buffers[0], block, cudaMemcpyDeviceToDevice, side));
    int right = (rank + 1) % n;
    for (int k = 0; k < n - 1; k++) {
      int p = (rank - k + n) % n;
      if (k > 0) waitWord(stream, &deviceWords->gathered[rank].value, gathers + k);
      CUDA(cudaMemcpyAsync(mapped[right][1] + block * p, k == 0 ? buffers[0] : buffers[1] + block * p, block, cudaMemcpyDeviceToDevice, stream));
      setWord(stream, &deviceWords->gathered[right].value, gathers + k + 1);
    }
    u32 end = gathers += n - 1;
    setWord(side, &deviceWords->copied[rank].value, ++copies);
    return spin([&] { return words->gathered[rank].value == end && words->gathered[right].value == end && words->copied[rank].value == copies; });
  }
  launch(s, root, inPlace, bytes);
  if (s.algorithm == TWO_PHASE_CE || s.algorithm == RING_CE) {
    u32 end = copyRound([&](int p) { return part({0, bytes}, p, n); });
    int right = (rank + 1) % n;
    return spin([&] { return *finished == ticket && words->gathered[rank].value == end && words->gathered[right].value == end; });
  }
  if (host) stripeEnd = beginStripe(root, buffers[1] + bytes, host, s.stripeChunk);
  return spin([&] { return *finished == ticket && (!host || (rank == root ? words->stripe.value == stripeEnd : words->taken[rank].value == stripeEnd)); });
}

static u64 *wrong;
static int failures = 0, checks = 0;
static void verify(Setup s, bool inPlace, u32 seed) {
  int root = seed % n;
  bool bcast = s.algorithm == BCAST || s.algorithm == CHAIN || s.algorithm == CE_BCAST, gather = s.algorithm == RING_GATHER || s.algorithm == CE_GATHER;
  bool scatter = s.algorithm == TWO_PHASE_SCATTER || s.algorithm == RING_SCATTER;
  i64 floats = s.bytes / 4, block = s.bytes / n / 16 * 4;
  CUDA(cudaMemset(buffers[1], 0xff, s.bytes + 4096));
  CUDA(cudaMemset(buffers[0], 0xff, s.bytes + 4096));
  float *from = (float *)(inPlace || bcast ? buffers[1] : buffers[0]);
  if (!bcast || rank == root) fill<<<264, 512>>>(from + (gather && inPlace ? block * rank : 0), gather ? block : floats, seed, rank);
  CUDA(cudaDeviceSynchronize());
  together();
  if (!once(s, root, inPlace)) _exit(3);
  CUDA(cudaMemsetAsync(wrong, 0, 8, stream));
  bool ring = s.algorithm == RING || s.algorithm == RING_SCATTER || s.algorithm == RING_CE;
  int how = bcast ? SENT : gather ? GATHERED : ring ? RINGED : REDUCED;
  check<<<264, 512, 0, stream>>>((float *)buffers[1], scatter ? block * rank : 0, scatter ? block : gather ? block * n : floats, seed, n, how, root, gather || scatter ? block : 0, floats, wrong);
  CUDA(cudaStreamSynchronize(stream));
  CUDA(cudaMemcpy(&shared->wrong[rank], wrong, 8, cudaMemcpyDeviceToHost));
  together();
  checks++;
  for (int r = 0; r < n; r++) if (shared->wrong[r]) {
    failures++;
    if (rank == 0) printf("FAILED %s n=%d bytes=%lld grid=%d chunk=%lld flags=%d inPlace=%d root=%d: rank %d has %llu wrong\n", NAMES[s.algorithm], n, s.bytes, s.grid, s.chunk, s.flags, inPlace, root, r, shared->wrong[r]);
  }
  together();
}

static double timed(const Setup &s, bool print = true) {
  int rounds = s.bytes <= 1 << 20 ? 60 : s.bytes <= 64 << 20 ? 24 : 7;
  bool bcast = s.algorithm == BCAST || s.algorithm == CHAIN || s.algorithm == CE_BCAST;
  std::vector<double> waits;
  for (int i = 0; i < rounds + 3; i++) {
    together();
    auto begin = std::chrono::steady_clock::now();
    if (!once(s, 0, bcast)) _exit(3);
    double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    if (i >= 3) waits.push_back(us);
  }
  std::sort(waits.begin(), waits.end());
  shared->times[rank] = waits[waits.size() / 2];
  together();
  double worst = *std::max_element(shared->times, shared->times + n);
  together();
  bool allreduce = s.algorithm == TWO_PHASE || s.algorithm == RING || s.algorithm == TWO_PHASE_CE || s.algorithm == RING_CE;
  double factor = bcast ? 1 : allreduce ? 2.0 * (n - 1) / n : double(n - 1) / n;
  if (rank == 0 && print) {
    printf("%-27s n=%d %10lld grid %3d x %4d chunk %7lld flags %2d stripe %4.1f%% /%5lldK: %8.1f us %6.1f GB/s\n", NAMES[s.algorithm], n, s.bytes, s.grid, s.threads, s.chunk, s.flags, s.stripe * 100,
           s.stripe > 0 ? s.stripeChunk >> 10 : 0ll, worst, s.bytes * factor / worst / 1e3);
    fflush(stdout);
  }
  return worst;
}

// Times all, prints the best few of each (algorithm, bytes).
static void sweep(std::vector<Setup> setups, int keep) {
  std::vector<std::pair<double, Setup>> results;
  for (auto &s : setups) results.push_back({timed(s, false), s});
  std::stable_sort(results.begin(), results.end(), [](auto &a, auto &b) { return std::tuple(a.second.algorithm, a.second.bytes, a.first) < std::tuple(b.second.algorithm, b.second.bytes, b.first); });
  int same = 0;
  for (size_t i = 0; i < results.size(); i++) {
    auto &s = results[i].second;
    same = i && results[i - 1].second.algorithm == s.algorithm && results[i - 1].second.bytes == s.bytes ? same + 1 : 0;
    if (same < keep) timed(s);
  }
}

#include "bandwidth_plan.cuh"

static void runRank(int gpus, const char *what, i64 max) {
  CUDA(cudaSetDevice(rank));
  i64 sizes[3] = {max + 8192, max + 8192, SCRATCH_BYTES};
  for (int b = 0; b < 3; b++) {
    CUDA(cudaMalloc(&buffers[b], sizes[b]));
    CUDA(cudaMemset(buffers[b], b == 2 ? 0 : 0x3b, sizes[b]));
    CUDA(cudaIpcGetMemHandle(&shared->handles[rank][b], buffers[b]));
  }
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaHostRegister(pinned, POOL + 4096, cudaHostRegisterMapped));
  words = (Words *)pinned;
  CUDA(cudaHostGetDevicePointer(&deviceWords, pinned, 0));
  u64 *own;
  CUDA(cudaHostAlloc(&own, 4096, cudaHostAllocMapped));
  memset(own, 0, 4096);
  finished = own, aborted = (u32 *)(own + 16);
  CUDA(cudaMalloc(&wrong, 8));
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  cudaDriverEntryPointQueryResult found;
  CUDA(cudaGetDriverEntryPointByVersion("cuStreamWriteValue32", (void **)&writeValue, 12000, cudaEnableDefault, &found));
  CUDA(cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", (void **)&waitValue, 12000, cudaEnableDefault, &found));
  together();
  for (int r = 0; r < n; r++) for (int b = 0; b < 3; b++) {
    if (r == rank) mapped[r][b] = buffers[b];
    else CUDA(cudaIpcOpenMemHandle((void **)&mapped[r][b], shared->handles[r][b], cudaIpcMemLazyEnablePeerAccess));
  }
  together();
  if (strcmp(what, "best")) checkAll(max);
  if (strcmp(what, "check")) timeAll(max, !strcmp(what, "sweep"));
  if (rank == 0) printf("n=%d: %d checks, %d failures\n", n, checks, failures);
  fflush(stdout);
  together();
  _exit(failures != 0);
}

int main(int argc, char **argv) {
  n = argc > 1 ? atoi(argv[1]) : 2;
  const char *what = argc > 2 ? argv[2] : "sweep";
  i64 max = argc > 3 ? atoll(argv[3]) : 1ll << 30;
  shared = (Shared *)mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pinned = (char *)mmap(nullptr, POOL + 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  memset(pinned, 0, POOL + 4096);
  for (int r = 0; r < n; r++) if (fork() == 0) {
    rank = r;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
    runRank(n, what, max);
  }
  int failed = 0, status;
  for (int r = 0; r < n; r++) {
    wait(&status);
    if (status) failed = 1;
    if (WIFEXITED(status) && WEXITSTATUS(status) > 1) exit((fprintf(stderr, "a rank failed\n"), 1));
  }
  return failed;
}
