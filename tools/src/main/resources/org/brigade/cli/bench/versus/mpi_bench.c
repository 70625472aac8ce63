/*
 * The benchmark of brigade bench for any C MPI. brigade bench --vs openmpi compiles and runs it by itself. By hand:
 *
 *   mpicc -O3 -o mpi_bench mpi_bench.c     (mpi_families.h beside it)
 *   brigade bench --np 2 --vs "mpirun --bind-to core -np 2 ./mpi_bench {sizes} {ops} {fresh}"
 *
 * mpi_bench SIZES [OPERATIONS] [fresh=BYTES|cold=CALLS]: comma lists, sizes in bytes. Prints
 * operation,ranks,bytes,microseconds.
 * Operations, buffers, iterations and the way of timing are those of BenchCalls.java and BenchRank.java: a barrier
 * between iterations outside the clock, the mean over ranks of the mean over iterations, the median of five such times
 * after a warm-up. Operations not known here are left out.
 *
 * With fresh=BYTES each call has other buffers, which rotate over that many bytes, and the one to send is rewritten
 * before the call, outside the clock (BenchCalls.java does the same).
 *
 * With cold=CALLS nothing is warmed up. It prints operation,ranks,bytes,calls,,microseconds as ColdCalls.java does.
 */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 5, WINDOW = 64, TAG = 1, WARM_UPS = 4, PATTERN = 97, PAGE = 4096, LINE = 64, MOST_SLOTS = 16384,
    EDGES = 2 };

static int rank, ranks;
static char *send_buffer, *recv_buffer;
static int *counts, *places, *shares;

/* ---- fresh buffers: slots in one large buffer each, taken in turn ---- */

static long fresh, send_stride, recv_stride, rewritten;
static long slots, turn;
static char *sends, *recvs, *pattern;

/* Takes the next buffers and rewrites the one to send, if buffers are to be fresh. */
static void next(void) {
    if (!fresh) return;
    turn++;
    send_buffer = sends + turn % slots * send_stride;
    recv_buffer = recvs + turn % slots * recv_stride;
    memcpy(send_buffer, pattern + turn % PATTERN * sizeof(float), rewritten);
}

/* The buffers of k calls ago. */
static char *sent(int k) { return fresh ? sends + (turn - k + slots * WINDOW) % slots * send_stride : send_buffer; }
static char *received(int k) { return fresh ? recvs + (turn - k + slots * WINDOW) % slots * recv_stride : recv_buffer; }

/* An empty message from rank 1 to rank 0. */
static void answer(void) {
    if (rank == 0) MPI_Recv(recv_buffer, 0, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else MPI_Send(send_buffer, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

/* Ranks 0 and 1 wait for each other. */
static void meet(void) {
    answer();
    if (rank == 1) MPI_Recv(recv_buffer, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else MPI_Send(send_buffer, 0, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
}

/* ---- one call of each collective; bytes as brigade bench counts them ---- */

static void barrier(int bytes) { (void)bytes; MPI_Barrier(MPI_COMM_WORLD); }
static void bcast(int bytes) { MPI_Bcast(send_buffer, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void reduce(int bytes) {
    MPI_Reduce(send_buffer, recv_buffer, bytes / 4, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void allreduce(int bytes) {
    MPI_Allreduce(send_buffer, recv_buffer, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
static void scan(int bytes) { MPI_Scan(send_buffer, recv_buffer, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }
static void exscan(int bytes) { MPI_Exscan(send_buffer, recv_buffer, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }
static void gather(int bytes) {
    MPI_Gather(send_buffer, bytes, MPI_BYTE, recv_buffer, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void gatherv(int bytes) {
    MPI_Gatherv(send_buffer, bytes, MPI_BYTE, recv_buffer, counts, places, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void scatter(int bytes) {
    MPI_Scatter(send_buffer, bytes, MPI_BYTE, recv_buffer, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void scatterv(int bytes) {
    MPI_Scatterv(send_buffer, counts, places, MPI_BYTE, recv_buffer, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void allgather(int bytes) {
    MPI_Allgather(send_buffer, bytes, MPI_BYTE, recv_buffer, bytes, MPI_BYTE, MPI_COMM_WORLD);
}
static void allgatherv(int bytes) {
    MPI_Allgatherv(send_buffer, bytes, MPI_BYTE, recv_buffer, counts, places, MPI_BYTE, MPI_COMM_WORLD);
}
static void reduce_scatter(int bytes) {
    (void)bytes;
    MPI_Reduce_scatter(send_buffer, recv_buffer, shares, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
static void alltoall(int bytes) {
    MPI_Alltoall(send_buffer, bytes, MPI_BYTE, recv_buffer, bytes, MPI_BYTE, MPI_COMM_WORLD);
}
static void alltoallv(int bytes) {
    (void)bytes;
    MPI_Alltoallv(send_buffer, counts, places, MPI_BYTE, recv_buffer, counts, places, MPI_BYTE, MPI_COMM_WORLD);
}

/* Ranks on a ring, with an edge to the left and one to the right. */
static MPI_Comm ring(void) {
    static MPI_Comm made = MPI_COMM_NULL;
    int periodic = 1;
    if (made == MPI_COMM_NULL) MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &made);
    return made;
}
static void neighbor_allgather(int bytes) {
    MPI_Neighbor_allgatherv(send_buffer, bytes, MPI_BYTE, recv_buffer, counts, places, MPI_BYTE, ring());
}
static void neighbor_alltoall(int bytes) {
    (void)bytes;
    MPI_Neighbor_alltoallv(send_buffer, counts, places, MPI_BYTE, recv_buffer, counts, places, MPI_BYTE, ring());
}

/* ---- the clock around them: seconds of one message or call on this rank ---- */

static double time_collective(void (*call)(int), int bytes, int iterations) {
    double spent = 0;
    for (int i = 0; i < iterations; i++) {
        next();
        if (fresh) MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        call(bytes);
        spent += MPI_Wtime() - start;
        if (!fresh) MPI_Barrier(MPI_COMM_WORLD);
    }
    return spent / iterations;
}

static double time_latency(int bytes, int iterations) {
    if (rank > 1) return 0;
    double start = MPI_Wtime(), outside = 0;
    for (int i = 0; i < iterations; i++) {
        if (fresh) {
            double pause = MPI_Wtime();
            next();
            meet();
            outside += MPI_Wtime() - pause;
        }
        if (rank == 0) MPI_Send(send_buffer, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(recv_buffer, bytes, MPI_BYTE, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(send_buffer, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start - outside) / iterations / 2;
}

static double time_bandwidth(int bytes, int iterations, int both) {
    if (rank > 1) return 0;
    MPI_Request requests[2 * WINDOW];
    int peer = 1 - rank, n = 0;
    iterations = iterations / 16 > 0 ? iterations / 16 : 1;
    double start = MPI_Wtime(), outside = 0;
    for (int i = 0; i < iterations; i++) {
        if (fresh) {
            double pause = MPI_Wtime();
            for (int k = 0; k < WINDOW && k < slots; k++) next();
            meet();
            outside += MPI_Wtime() - pause;
        }
        n = 0;
        for (int k = 0; k < WINDOW && (both || rank == 1); k++) {
            MPI_Irecv(received(k), bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &requests[n++]);
        }
        for (int k = 0; k < WINDOW && (both || rank == 0); k++) {
            MPI_Isend(sent(k), bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &requests[n++]);
        }
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        answer();
    }
    return (MPI_Wtime() - start - outside) / iterations / n;
}

/* A message goes round all ranks; each tests its receive until the message has come. From one rank to the next. */
static double time_polling(int bytes, int iterations) {
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    double start = MPI_Wtime(), outside = 0;
    for (int i = 0; i < iterations; i++) {
        if (fresh) {
            double pause = MPI_Wtime();
            next();
            MPI_Barrier(MPI_COMM_WORLD);
            outside += MPI_Wtime() - pause;
        }
        MPI_Request token;
        int came = 0;
        MPI_Irecv(recv_buffer, bytes, MPI_BYTE, left, TAG, MPI_COMM_WORLD, &token);
        if (rank == 0) MPI_Send(send_buffer, bytes, MPI_BYTE, right, TAG, MPI_COMM_WORLD);
        while (!came) MPI_Test(&token, &came, MPI_STATUS_IGNORE);
        if (rank != 0) MPI_Send(send_buffer, bytes, MPI_BYTE, right, TAG, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start - outside) / iterations / ranks;
}

/* Rank 0 writes rank 1's memory, or reads it, each time to the end. */
static double time_access(int bytes, int iterations, int puts) {
    MPI_Win window;
    MPI_Win_create(recvs, fresh ? slots * recv_stride : bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    double start = MPI_Wtime(), outside = 0;
    int opens = rank == 0 || (rank == 1 && fresh); /* rank 1 needs an epoch to tell of its stores */
    if (opens) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    for (int i = 0; i < iterations && rank < (fresh ? 2 : 1); i++) {
        if (fresh) {
            double pause = MPI_Wtime();
            next();
            if (rank == 1 && !puts) {
                memcpy(recv_buffer, pattern + turn % PATTERN * sizeof(float), bytes);
                MPI_Win_sync(window);
            }
            meet();
            outside += MPI_Wtime() - pause;
        }
        if (rank != 0) continue;
        MPI_Aint place = recv_buffer - recvs;
        if (puts) MPI_Put(send_buffer, bytes, MPI_BYTE, 1, place, bytes, MPI_BYTE, window);
        else MPI_Get(send_buffer, bytes, MPI_BYTE, 1, place, bytes, MPI_BYTE, window);
        MPI_Win_flush(1, window);
    }
    double time = (MPI_Wtime() - start - outside) / iterations;
    if (opens) MPI_Win_unlock(1, window);
    MPI_Win_free(&window);
    return time;
}

enum kind { LATENCY, BW, BIBW, POLLING, PUT, GET, COLLECTIVE };

/* send, recv: messages that a buffer holds, -1 for one of each rank. */
static const struct operation {
    const char *name;
    enum kind kind;
    void (*call)(int);
    int floats, send, recv;
} OPERATIONS[] = {
    {"latency", LATENCY, NULL, 0, 1, 1}, {"bw", BW, NULL, 0, 1, 1}, {"bibw", BIBW, NULL, 0, 1, 1},
    {"polling", POLLING, NULL, 0, 1, 1}, {"put", PUT, NULL, 0, 1, 1}, {"get", GET, NULL, 0, 1, 1},
    {"barrier", COLLECTIVE, barrier, 0, 0, 0}, {"bcast", COLLECTIVE, bcast, 0, 1, 0},
    {"reduce", COLLECTIVE, reduce, 1, 1, 1},
    {"allreduce", COLLECTIVE, allreduce, 1, 1, 1}, {"scan", COLLECTIVE, scan, 1, 1, 1},
    {"exscan", COLLECTIVE, exscan, 1, 1, 1},
    {"gather", COLLECTIVE, gather, 0, 1, -1}, {"gatherv", COLLECTIVE, gatherv, 0, 1, -1},
    {"scatter", COLLECTIVE, scatter, 0, -1, 1},
    {"scatterv", COLLECTIVE, scatterv, 0, -1, 1}, {"allgather", COLLECTIVE, allgather, 0, 1, -1},
    {"allgatherv", COLLECTIVE, allgatherv, 0, 1, -1},
    {"reduce-scatter", COLLECTIVE, reduce_scatter, 1, 1, 1}, {"alltoall", COLLECTIVE, alltoall, 0, -1, -1},
    {"alltoallv", COLLECTIVE, alltoallv, 0, -1, -1},
    {"neighbor-allgather", COLLECTIVE, neighbor_allgather, 0, 1, EDGES},
    {"neighbor-alltoall", COLLECTIVE, neighbor_alltoall, 0, EDGES, EDGES},
};

static double time_once(const void *what, int bytes, int iterations) {
    const struct operation *operation = what;
    switch (operation->kind) {
    case LATENCY: return time_latency(bytes, iterations);
    case BW: return time_bandwidth(bytes, iterations, 0);
    case BIBW: return time_bandwidth(bytes, iterations, 1);
    case POLLING: return time_polling(bytes, iterations);
    case PUT: return time_access(bytes, iterations, 1);
    case GET: return time_access(bytes, iterations, 0);
    default: return time_collective(operation->call, bytes, iterations);
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whether the present operation cannot run here, and has said so. */
static int left_out;

/* Seconds of one message or call of an operation on this rank. */
typedef double (*timer)(const void *operation, int bytes, int iterations);

/* Of all ranks' times the mean, or rank 0's; of several such times, after one that warms up, the median. */
static void print_median(const char *name, long bytes, int mean, timer time, const void *operation, int iterations) {
    double times[REPEATS];
    for (int repeat = 0; repeat < REPEATS + 1; repeat++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double mine = time(operation, (int)bytes, iterations), sum = 0;
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (repeat > 0) times[repeat - 1] = mean ? sum / ranks : mine;
    }
    qsort(times, REPEATS, sizeof *times, ascending);
    if (rank == 0 && !left_out) {
        printf("%s,%d,%ld,%.3f\n", name, ranks, bytes, times[REPEATS / 2] * 1e6), fflush(stdout);
    }
}

/* BRIGADE_BENCH_ITERATIONS, for slow networks: calls a time at most. */
static int iterations_for(long bytes) {
    int most = getenv("BRIGADE_BENCH_ITERATIONS") ? atoi(getenv("BRIGADE_BENCH_ITERATIONS")) : 3000;
    int iterations = bytes <= 8192 ? 3000 : bytes <= 1 << 20 ? 300 : 30;
    return iterations < most ? iterations : most;
}

static char *allocate(long bytes) {
    char *memory = malloc(bytes < 64 ? 64 : bytes);
    if (!memory) {
        fprintf(stderr, "mpi_bench: no %ld bytes of memory; take smaller sizes or fewer ranks\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (long i = 0; i + 4 <= (bytes < 64 ? 64 : bytes); i += 4) *(float *)(memory + i) = (float)(i / 4 % 97) / 97;
    return memory;
}

#include "mpi_families.h"

/* From one slot to the next: a page and a line at least, so that slots do not meet in one set of a cache. */
static long stride(long bytes) { return ((bytes < PAGE ? PAGE : bytes) + LINE - 1) / LINE * LINE + LINE; }

/* The room for the slots of one side: half of the bytes that may be rotated, and at least two slots. */
static long room(long bytes) { return 2 * stride(bytes) > fresh / 2 ? 2 * stride(bytes) : fresh / 2; }

/* What v-forms and reduce-scatter need. */
static void prepare(long bytes) {
    for (int peer = 0; peer < (ranks < EDGES ? EDGES : ranks); peer++) {
        counts[peer] = (int)bytes;
        places[peer] = (int)(peer * bytes);
        shares[peer] = (int)(bytes / 4 / ranks + (peer < bytes / 4 % ranks));
    }
}

static void measure(const struct operation *operation, const long *sizes, int n) {
    long most = 0, none = 0;
    if (operation->call == barrier) sizes = &none, n = 1;
    for (int i = 0; i < n; i++) most = sizes[i] > most ? sizes[i] : most;
    long to_send = most * (operation->send < 0 ? ranks : operation->send),
        to_recv = most * (operation->recv < 0 ? ranks : operation->recv);
    long room_send = fresh ? room(to_send) : to_send, room_recv = fresh ? room(to_recv) : to_recv;
    sends = send_buffer = allocate(room_send);
    recvs = recv_buffer = allocate(room_recv);
    pattern = allocate(fresh ? to_send + PATTERN * (long)sizeof(float) : 0);
    for (int i = 0; i < n; i++) {
        long bytes = operation->floats ? (sizes[i] < 4 ? 4 : sizes[i] / 4 * 4) : sizes[i];
        prepare(bytes);
        if (fresh) {
            rewritten = bytes * (operation->send < 0 ? ranks : operation->send);
            send_stride = stride(rewritten);
            recv_stride = stride(bytes * (operation->recv < 0 ? ranks : operation->recv));
            slots = room_send / send_stride < room_recv / recv_stride ? room_send / send_stride
                : room_recv / recv_stride;
            slots = slots < MOST_SLOTS ? slots : MOST_SLOTS;
        }
        int iterations = iterations_for(bytes);
        for (int warm = 0; i == 0 && warm < WARM_UPS; warm++) time_once(operation, (int)bytes, iterations);
        print_median(operation->name, bytes, operation->kind == COLLECTIVE, time_once, operation, iterations);
    }
    free(sends);
    free(recvs);
    free(pattern);
}

/* ---- the first calls of a process: those of ColdCalls.java ---- */

static double init_seconds;

static void print_cold(const char *name, long bytes, const char *calls, double mine) {
    double slowest = 0;
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%s,%d,%ld,%s,,%.3f\n", name, ranks, bytes, calls, slowest * 1e6), fflush(stdout);
}

static void measure_cold(const struct operation *operation, long bytes, int calls) {
    static const int LASTS[] = {1, 2, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000, 300000, 1000000};
    bytes = operation->call == barrier ? 0 : operation->floats ? (bytes < 4 ? 4 : bytes / 4 * 4) : bytes;
    prepare(bytes);
    sends = send_buffer = allocate(bytes * (operation->send < 0 ? ranks : operation->send));
    recvs = recv_buffer = allocate(bytes * (operation->recv < 0 ? ranks : operation->recv));
    double *times = malloc(calls * sizeof *times), total = 0;
    for (int i = 0; i < calls; i++) {
        double start = MPI_Wtime();
        if (operation->kind == LATENCY) times[i] = time_latency((int)bytes, 1);
        else operation->call((int)bytes), times[i] = MPI_Wtime() - start;
        total += times[i];
    }
    print_cold(operation->name, bytes, "init", init_seconds);
    for (int span = 0, from = 0; from < calls; span++) {
        int to = LASTS[span] < calls ? LASTS[span] : calls;
        double sum = 0;
        char name[32];
        for (int i = from; i < to; i++) sum += times[i];
        if (to == from + 1) snprintf(name, sizeof name, "%d", to);
        else snprintf(name, sizeof name, "%d-%d", from + 1, to);
        print_cold(operation->name, bytes, name, sum / (to - from));
        from = to;
    }
    print_cold(operation->name, bytes, "total", total);
    free(times);
    free(sends);
    free(recvs);
}

static int listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0)) return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    MPI_Init(&argc, &argv);
    clock_gettime(CLOCK_MONOTONIC, &after);
    init_seconds = after.tv_sec - before.tv_sec + (after.tv_nsec - before.tv_nsec) / 1e9;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm parents;
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL) {
        meet_parents(parents);
        MPI_Finalize();
        return 0;
    }
    program = argv[0];
    if (argc < 2) {
        if (rank == 0) {
            fprintf(stderr,
                "mpi_bench SIZES [OPERATIONS] [fresh=BYTES|cold=CALLS]:"
                " for instance mpi_bench 8,1024,1048576 latency,bcast\n");
        }
        MPI_Finalize();
        return 2;
    }
    long *sizes = malloc((strlen(argv[1]) + 1) * sizeof *sizes);
    int n = 0;
    for (char *at = argv[1]; *at;) {
        char *end;
        sizes[n++] = strtol(at, &end, 10);
        if (end == at || (*end && *end != ',') || sizes[n - 1] < 0 || sizes[n - 1] > INT_MAX) {
            if (rank == 0) {
                fprintf(stderr,
                    "mpi_bench: '%s' is no comma list of bytes, of which a message has at most 2147483647\n", argv[1]);
            }
            MPI_Finalize();
            return 2;
        }
        at = *end ? end + 1 : end;
    }
    int cold = argc > 3 && strncmp(argv[3], "cold=", 5) == 0 ? atoi(argv[3] + 5) : 0;
    if (argc > 3 && cold <= 0 && (strncmp(argv[3], "fresh=", 6) != 0 || (fresh = atol(argv[3] + 6)) <= 0)) {
        if (rank == 0) {
            fprintf(stderr, "mpi_bench: '%s' is not understood; write fresh=BYTES or cold=CALLS, as in cold=3000\n",
                argv[3]);
        }
        MPI_Finalize();
        return 2;
    }
    int blocks = ranks < EDGES ? EDGES : ranks;
    counts = malloc(3 * blocks * sizeof *counts);
    places = counts + blocks;
    shares = places + blocks;
    if (rank == 0) printf("operation,ranks,bytes,%smicroseconds\n", cold > 0 ? "calls,algorithm," : "");
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++) {
        if (listed(argc > 2 ? argv[2] : "latency,bcast,allreduce", OPERATIONS[i].name)
            && (ranks > 1 || OPERATIONS[i].kind == COLLECTIVE)) {
            if (cold > 0) measure_cold(&OPERATIONS[i], sizes[0], cold);
            else measure(&OPERATIONS[i], sizes, n);
        }
    }
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES && cold <= 0; i++) {
        if (argc > 2 && listed(argv[2], FAMILIES[i].name) && (ranks > 1 || FAMILIES[i].timed == TOGETHER)) {
            measure_family(&FAMILIES[i], sizes, n);
        }
    }
    MPI_Finalize();
    return 0;
}
