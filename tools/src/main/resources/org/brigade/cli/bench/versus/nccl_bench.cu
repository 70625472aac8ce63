/*
 * NCCL beside brigade bench --space device: one process per GPU, forked from this one. To build it, where NCCL is
 * installed, or with pip's NCCL (nvidia-nccl-cu12, nvidia-nccl-cu13):
 *
 *   nvcc -O2 -std=c++17 -o nccl_bench nccl_bench.cu -lnccl
 *
 *   NC=$(python3 -c "import nvidia.nccl; print(nvidia.nccl.__path__[0])")
 *   nvcc -O2 -std=c++17 -I$NC/include -o nccl_bench nccl_bench.cu -Xlinker $NC/lib/libnccl.so.2,-rpath=$NC/lib
 *
 * To run it, alone or in turn with Brigade (NVLS, multicast in the switch, is off because Brigade does not use it
 * either):
 *
 *   NCCL_NVLS_ENABLE=0 ./nccl_bench 4 symmetric 1048576 allreduce,alltoall
 *   NCCL_NVLS_ENABLE=0 brigade bench --space device --np 4 \
 *       --vs "./nccl_bench {np} {max} {ops} && ./nccl_bench {np} symmetric {max} {ops}"
 *
 * nccl_bench GPUS [symmetric] [MAX-BYTES] [OPERATIONS]: sizes are 16, 64, 256 and so on up to MAX-BYTES (default 1
 * GiB). OPERATIONS is a comma list; those not known here are left out. With "symmetric" buffers are symmetric windows,
 * for which NCCL has faster kernels (NCCL 2.27 and later).
 *
 * Prints operation,variant,gpus,bytes,blocking_us,stream_us,graph_us,busbw_GBps. Each time is the slowest rank's:
 *   blocking   one call and a spinning wait for its stream, by the host's clock; ranks start together; the median
 *   stream     the mean of calls back to back on a stream, by the GPU's clock
 *   graph      the mean of 5 launches of a CUDA graph of 20 calls, by the GPU's clock
 *   busbw      the bus bandwidth of nccl-tests, for the less of stream and graph
 * Bytes are the vector, or all that is gathered, scattered or exchanged: each rank's block is a GPUS-th of them. Bcast
 * is in place.
 *
 * What NCCL has no call for is a group of its sends and receives, as NCCL's users write it: the calls with counts, and
 * those among neighbours, which are the two beside a rank in a ring of all (with two GPUs both are the other one).
 *
 * Latency is half a round trip between GPUs 0 and 1, as in BenchCalls.java: its blocking time is the mean of round
 * trips back to back, with a wait after each send and each receive. On a stream and in a graph nothing waits in
 * between.
 */
#include <cuda_runtime.h>
#include <nccl.h>
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
#include <vector>

enum { MOST_GPUS = 64, LEAST_BYTES = 16, WARM_UPS = 5, CAPTURED = 20, LAUNCHES = 5, SMALL_FLOATS = 0x3c };
enum { BLOCKING, STREAM, GRAPH, CLOCKS };

/* What the ranks share: pages that all of them have inherited. */
static struct Shared {
    std::atomic<long> arrived;
    ncclUniqueId id;
    double times[MOST_GPUS][CLOCKS];
} *shared;

static int rank, gpus;
static char *sent, *received;
static ncclComm_t comm;
static cudaStream_t stream;
static cudaEvent_t begun, ended;

/* ---- errors: the rank says what failed and ends, and with it all ---- */

static void failed(const char *call, const char *why, const char *more) {
    fprintf(stderr, "nccl_bench: rank %d: %s: %s%s\n", rank, call, why, more);
    _exit(1);
}
static void check(cudaError_t code, const char *call) {
    if (code != cudaSuccess) failed(call, cudaGetErrorString(code), "");
}
static void check(ncclResult_t code, const char *call) {
    if (code != ncclSuccess) failed(call, ncclGetErrorString(code), ncclGetLastError(nullptr));
}
#define TRY(call) check((call), #call)

/* ---- one call of each operation, put on the stream ---- */

/* Floats of one rank's block: one at least, as in DeviceBenchRank.java. */
static size_t share(size_t floats) { return std::max<size_t>(1, floats / gpus); }

static void allreduce(size_t floats) { TRY(ncclAllReduce(sent, received, floats, ncclFloat, ncclSum, comm, stream)); }
static void bcast(size_t floats) { TRY(ncclBroadcast(sent, sent, floats, ncclFloat, 0, comm, stream)); }
static void reduce(size_t floats) { TRY(ncclReduce(sent, received, floats, ncclFloat, ncclSum, 0, comm, stream)); }
static void allgather(size_t floats) { TRY(ncclAllGather(sent, received, share(floats), ncclFloat, comm, stream)); }
static void reduce_scatter(size_t floats) {
    TRY(ncclReduceScatter(sent, received, share(floats), ncclFloat, ncclSum, comm, stream));
}
static void alltoall(size_t floats) {
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
    TRY(ncclAlltoAll(sent, received, share(floats), ncclFloat, comm, stream));
#else
    TRY(ncclGroupStart());
    for (int peer = 0; peer < gpus; peer++) {
        size_t place = peer * share(floats) * sizeof(float);
        TRY(ncclSend(sent + place, share(floats), ncclFloat, peer, comm, stream));
        TRY(ncclRecv(received + place, share(floats), ncclFloat, peer, comm, stream));
    }
    TRY(ncclGroupEnd());
#endif
}

/* A block to and from a place among the blocks of a peer, in a group. */
static void put(size_t block, size_t floats, int peer) {
    TRY(ncclSend(sent + block * floats * sizeof(float), floats, ncclFloat, peer, comm, stream));
}
static void take(size_t block, size_t floats, int peer) {
    TRY(ncclRecv(received + block * floats * sizeof(float), floats, ncclFloat, peer, comm, stream));
}

/* Rank 0's own block is a message to itself, too, as in NCCL's examples. */
static void gatherv(size_t floats) {
    TRY(ncclGroupStart());
    put(0, share(floats), 0);
    for (int peer = 0; peer < gpus && rank == 0; peer++) take(peer, share(floats), peer);
    TRY(ncclGroupEnd());
}
static void scatterv(size_t floats) {
    TRY(ncclGroupStart());
    for (int peer = 0; peer < gpus && rank == 0; peer++) put(peer, share(floats), peer);
    take(0, share(floats), 0);
    TRY(ncclGroupEnd());
}
static void gather(size_t floats) {
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
    TRY(ncclGather(sent, received, share(floats), ncclFloat, 0, comm, stream));
#else
    gatherv(floats);
#endif
}
static void scatter(size_t floats) {
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
    TRY(ncclScatter(sent, received, share(floats), ncclFloat, 0, comm, stream));
#else
    scatterv(floats);
#endif
}
static void allgatherv(size_t floats) {
    TRY(ncclGroupStart());
    for (int peer = 0; peer < gpus; peer++) put(0, share(floats), peer), take(peer, share(floats), peer);
    TRY(ncclGroupEnd());
}
static void alltoallv(size_t floats) {
    TRY(ncclGroupStart());
    for (int peer = 0; peer < gpus; peer++) put(peer, share(floats), peer), take(peer, share(floats), peer);
    TRY(ncclGroupEnd());
}

/* From the left comes what it has sent to its right. */
static void neighbours(size_t floats, int to_right) {
    int left = (rank + gpus - 1) % gpus, right = (rank + 1) % gpus;
    TRY(ncclGroupStart());
    put(0, share(floats), left), put(to_right, share(floats), right);
    take(1, share(floats), right), take(0, share(floats), left);
    TRY(ncclGroupEnd());
}
static void neighbor_allgather(size_t floats) { neighbours(floats, 0); }
static void neighbor_alltoall(size_t floats) { neighbours(floats, 1); }

/* One way of a round trip. Ranks beyond 1 have no part in it. */
static void message(int from, size_t floats) {
    if (rank > 1) return;
    if (rank == from) TRY(ncclSend(sent, floats, ncclFloat, 1 - rank, comm, stream));
    else TRY(ncclRecv(received, floats, ncclFloat, 1 - rank, comm, stream));
}
static void latency(size_t floats) { message(0, floats), message(1, floats); }

/* What a link carries for each byte: nccl-tests' factor between bandwidth and bus bandwidth. */
static double once(int) { return 1; }
static double without_own(int n) { return (n - 1.0) / n; }
static double there_and_back(int n) { return 2 * (n - 1.0) / n; }
static double two_blocks(int n) { return 2.0 / n; }

static const struct Operation {
    const char *name;
    void (*call)(size_t floats);
    double (*traffic)(int gpus);
} OPERATIONS[] = {
    {"allreduce", allreduce, there_and_back}, {"bcast", bcast, once}, {"reduce", reduce, once},
    {"allgather", allgather, without_own},
    {"reduce_scatter", reduce_scatter, without_own}, {"alltoall", alltoall, without_own}, {"latency", latency, once},
    {"gather", gather, without_own}, {"scatter", scatter, without_own},
    {"gatherv", gatherv, without_own}, {"scatterv", scatterv, without_own},
    {"allgatherv", allgatherv, without_own}, {"alltoallv", alltoallv, without_own},
    {"neighbor_allgather", neighbor_allgather, two_blocks}, {"neighbor_alltoall", neighbor_alltoall, two_blocks},
};

/* ---- the clocks around them: microseconds of all that is called, on this rank ---- */

/* A barrier of all ranks on the host. */
static void together() {
    static long due = 0;
    due += gpus;
    shared->arrived.fetch_add(1);
    while (shared->arrived.load() < due) {}
}

static void wait_for_stream() { TRY(cudaStreamSynchronize(stream)); }

template <class Calls> static double host_clock(Calls calls) {
    together();
    auto start = std::chrono::steady_clock::now();
    calls();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

template <class Calls> static double gpu_clock(Calls calls) {
    float milliseconds;
    together();
    TRY(cudaEventRecord(begun, stream));
    calls();
    TRY(cudaEventRecord(ended, stream));
    wait_for_stream();
    TRY(cudaEventElapsedTime(&milliseconds, begun, ended));
    return milliseconds * 1e3;
}

static double blocking(const Operation &operation, size_t floats, int iterations) {
    if (operation.call == latency) {
        return host_clock([&] { for (int i = 0; i < 2 * iterations; i++) message(i % 2, floats), wait_for_stream(); })
            / iterations;
    }
    std::vector<double> times;
    for (int i = 0; i < iterations; i++) {
        times.push_back(host_clock([&] { operation.call(floats), wait_for_stream(); }));
    }
    std::sort(times.begin(), times.end());
    return times[iterations / 2];
}

static double in_graph(const Operation &operation, size_t floats) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < CAPTURED; i++) operation.call(floats);
    TRY(cudaStreamEndCapture(stream, &graph));
    TRY(cudaGraphInstantiate(&executable, graph, 0));
    TRY(cudaGraphLaunch(executable, stream)); /* warms up */
    wait_for_stream();
    double time = gpu_clock([&] { for (int i = 0; i < LAUNCHES; i++) TRY(cudaGraphLaunch(executable, stream)); });
    TRY(cudaGraphExecDestroy(executable));
    TRY(cudaGraphDestroy(graph));
    return time / (CAPTURED * LAUNCHES);
}

static void measure(const Operation &operation, const char *variant, size_t bytes) {
    size_t floats = bytes / sizeof(float);
    int iterations = bytes <= 1 << 20 ? 200 : bytes <= 64 << 20 ? 40 : 12, ways = operation.call == latency ? 2 : 1;
    for (int i = 0; i < WARM_UPS; i++) operation.call(floats);
    wait_for_stream();
    double *mine = shared->times[rank], worst[CLOCKS] = {};
    mine[BLOCKING] = blocking(operation, floats, iterations) / ways;
    mine[STREAM] = gpu_clock([&] { for (int i = 0; i < iterations; i++) operation.call(floats); }) / iterations / ways;
    mine[GRAPH] = in_graph(operation, floats) / ways;
    together(); /* all times are there */
    for (int r = 0; r < gpus; r++) {
        for (int clock = 0; clock < CLOCKS; clock++) worst[clock] = std::max(worst[clock], shared->times[r][clock]);
    }
    together(); /* all have read them */
    if (rank > 0) return;
    printf("%s,%s,%d,%zu,%.2f,%.2f,%.2f,%.1f\n", operation.name, variant, gpus, bytes, worst[BLOCKING], worst[STREAM],
        worst[GRAPH],
           bytes / std::min(worst[STREAM], worst[GRAPH]) / 1e3 * operation.traffic(gpus));
    fflush(stdout);
}

/* ---- the ranks ---- */

static char *allocate(size_t bytes, bool symmetric) {
    char *memory = nullptr;
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 27, 0)
    ncclWindow_t window;
    if (symmetric) TRY(ncclMemAlloc((void **)&memory, bytes));
    if (symmetric) TRY(ncclCommWindowRegister(comm, memory, bytes, &window, NCCL_WIN_COLL_SYMMETRIC));
#else
    if (symmetric) failed("symmetric", "needs NCCL 2.27 or later", "");
#endif
    if (!symmetric) TRY(cudaMalloc((void **)&memory, bytes));
    TRY(cudaMemset(memory, SMALL_FLOATS, bytes));
    return memory;
}

static void run_rank(const std::vector<Operation> &operations, bool symmetric, size_t most) {
    TRY(cudaSetDevice(rank));
    TRY(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    if (rank == 0) {
        int version;
        TRY(ncclGetVersion(&version));
        TRY(ncclGetUniqueId(&shared->id));
        printf("# NCCL %d.%d.%d, one process per GPU\n", version / 10000, version / 100 % 100, version % 100);
        printf("operation,variant,gpus,bytes,blocking_us,stream_us,graph_us,busbw_GBps\n");
    }
    together(); /* the id is there */
    TRY(ncclCommInitRank(&comm, gpus, shared->id, rank));
    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    TRY(cudaEventCreate(&begun));
    TRY(cudaEventCreate(&ended));
    sent = allocate(std::max(most, gpus * sizeof(float)), symmetric);
    received = allocate(std::max(most, gpus * sizeof(float)), symmetric);
    TRY(cudaDeviceSynchronize());
    for (const Operation &operation : operations) {
        for (size_t bytes = LEAST_BYTES; bytes <= most; bytes *= 4) {
            measure(operation, symmetric ? "symmetric" : "plain", bytes);
        }
    }
    _exit(0); /* the driver frees everything */
}

/* Whether the name is in a comma list, in which reduce-scatter may have its hyphen. */
static bool listed(char *list, const char *name) {
    size_t length = strlen(name);
    std::replace(list, list + strlen(list), '-', '_');
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : nullptr) {
        if (!strncmp(at, name, length) && (at[length] == ',' || at[length] == 0)) return true;
    }
    return false;
}

int main(int count, char **arguments) {
    gpus = count > 1 ? atoi(arguments[1]) : 0;
    int at = 2;
    bool symmetric = at < count && !strcmp(arguments[at], "symmetric");
    at += symmetric;
    size_t most = 1 << 30;
    char *end = nullptr; /* of the number */
    if (at < count && *arguments[at] >= '0' && *arguments[at] <= '9') most = strtoull(arguments[at++], &end, 10);
    std::vector<Operation> operations;
    for (const Operation &operation : OPERATIONS) {
        bool alone = operation.call != latency && operation.traffic != two_blocks;
        if ((at >= count || listed(arguments[at], operation.name)) && (alone || gpus > 1)) {
            operations.push_back(operation);
        }
    }
    if (gpus < 1 || gpus > MOST_GPUS || operations.empty() || at + 1 < count || (end && *end)) {
        fprintf(stderr, "nccl_bench GPUS [symmetric] [MAX-BYTES] [OPERATIONS]: for instance nccl_bench 2 1048576"
                        " reduce,alltoall. GPUS is 1 to %d, MAX-BYTES a plain number; OPERATIONS are of:", MOST_GPUS);
        for (const Operation &operation : OPERATIONS) fprintf(stderr, " %s", operation.name);
        fprintf(stderr, "\n");
        return 2;
    }
    shared = (Shared *)mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return perror("nccl_bench: no shared memory"), 1;
    pid_t ranks[MOST_GPUS], first = getpid();
    for (rank = 0; rank < gpus; rank++) {
        ranks[rank] = fork();
        if (ranks[rank] < 0) return perror("nccl_bench: a rank cannot be started"), 1;
        if (ranks[rank] > 0) continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* ranks end with the first process, whatever ends it */
        if (getppid() == first) run_rank(operations, symmetric, most);
        _exit(1);
    }
    int code = 0, status;
    for (int left = gpus; left > 0; left--) {
        pid_t *gone = std::find(ranks, ranks + gpus, wait(&status));
        *gone = 0;
        if (status == 0 || code != 0) continue;
        if (WIFSIGNALED(status)) {
            fprintf(stderr, "nccl_bench: rank %d: ended by signal %d\n", (int)(gone - ranks), WTERMSIG(status));
        }
        for (int r = 0; r < gpus; r++) if (ranks[r] > 0) kill(ranks[r], SIGKILL);
        code = 1;
    }
    return code;
}
