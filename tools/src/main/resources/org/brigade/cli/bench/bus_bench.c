/*
 * What brigade bench --metrics nccl measures, for a C MPI: bus_bench SIZES OPERATIONS, comma lists, sizes in bytes.
 * Prints operation,ranks,bytes,algorithm,microseconds,cpu, algorithm empty. Operations, sizes, iterations and the clock
 * are those of BusBenchRank.java: calls back to back, the slowest rank's time, its median of three; cpu is user and
 * system time of all ranks over their wall time.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { REPEATS = 3, MOST_ITERATIONS = 2000, MOST_TENSORS = 4096 };
static const double SPAN = 0.04, LONG = 0.5; /* seconds: of a measurement; calls that are not warmed up */

static int rank, ranks;
static char *send_buffer, *recv_buffer;
static int tensors[MOST_TENSORS], tensor_count;

static void allreduce(long bytes) {
    MPI_Allreduce(send_buffer, recv_buffer, (int)(bytes / 4), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
static void bcast(long bytes) { MPI_Bcast(send_buffer, (int)(bytes / 4), MPI_FLOAT, 0, MPI_COMM_WORLD); }
static void reduce(long bytes) {
    MPI_Reduce(send_buffer, recv_buffer, (int)(bytes / 4), MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}
static void allgather(long bytes) {
    int share = (int)(bytes / 4 / ranks);
    MPI_Allgather(send_buffer, share, MPI_FLOAT, recv_buffer, share, MPI_FLOAT, MPI_COMM_WORLD);
}
static void reduce_scatter(long bytes) {
    MPI_Reduce_scatter_block(send_buffer, recv_buffer, (int)(bytes / 4 / ranks), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
static void exchange(long bytes) {
    char *at = send_buffer;
    (void)bytes;
    for (int i = 0; i < tensor_count; i++) {
        MPI_Allreduce(MPI_IN_PLACE, at, tensors[i], MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        at += 4L * tensors[i];
    }
}

static const struct operation {
    const char *name;
    void (*call)(long);
    int shared, recv; /* whether bytes are of all ranks together; whether there is a receive buffer */
} OPERATIONS[] = {
    {"allreduce", allreduce, 0, 1}, {"bcast", bcast, 0, 0}, {"reduce", reduce, 0, 1}, {"allgather", allgather, 1, 1},
    {"reduce-scatter", reduce_scatter, 1, 1},
};

static double cpu_seconds(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return use.ru_utime.tv_sec + use.ru_stime.tv_sec + 1e-6 * (use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static double highest(double mine) {
    double most;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static double one_call(void (*call)(long), long bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    call(bytes);
    return highest(MPI_Wtime() - start);
}

/* Prints a row. Returns the seconds of a call; expected is what it will take at least. */
static double measure(const char *name, void (*call)(long), long bytes, double expected) {
    double once = expected;
    for (double spent = 0; expected < LONG && spent < SPAN; spent += once) once = one_call(call, bytes);
    int iterations = once <= 0 || once > SPAN ? 1 : SPAN / once < MOST_ITERATIONS ? (int)(SPAN / once)
        : MOST_ITERATIONS;
    int repeats = once < LONG ? REPEATS : 1;
    double times[REPEATS], shares[REPEATS];
    for (int repeat = 0; repeat < repeats; repeat++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime(), mine[2] = {cpu_seconds(), 0}, all[2];
        for (int i = 0; i < iterations; i++) call(bytes);
        mine[1] = MPI_Wtime() - start;
        mine[0] = cpu_seconds() - mine[0];
        MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double time = highest(mine[1]) / iterations, share = all[0] / all[1];
        int at = repeat;
        for (; at > 0 && times[at - 1] > time; at--) times[at] = times[at - 1], shares[at] = shares[at - 1];
        times[at] = time, shares[at] = share;
    }
    if (rank == 0) {
        printf("%s,%d,%ld,,%.3f,%.3f\n", name, ranks, bytes, times[repeats / 2] * 1e6, shares[repeats / 2]),
            fflush(stdout);
    }
    return times[repeats / 2];
}

static char *allocate(long bytes) {
    char *memory = malloc(bytes < 64 ? 64 : bytes);
    if (!memory) {
        fprintf(stderr, "bus_bench: no %ld bytes of memory; take smaller sizes or fewer ranks\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (long i = 0; i < (bytes < 64 ? 64 : bytes) / 4; i++) ((float *)memory)[i] = 0;
    return memory;
}

static void over_sizes(const struct operation *operation, const long *sizes, int n) {
    long most = 0, unit = operation->shared ? 4L * ranks : 4;
    for (int i = 0; i < n; i++) most = sizes[i] > most ? sizes[i] : most;
    most = most < unit ? unit : most;
    send_buffer = allocate(most);
    recv_buffer = operation->recv ? allocate(most) : NULL;
    double expected = 0;
    for (int i = 0; i < n; i++) {
        long bytes = sizes[i] < unit ? unit : sizes[i] / unit * unit;
        expected = measure(operation->name, operation->call, bytes, i > 0 && sizes[i] > sizes[i - 1] ? expected : 0);
    }
    free(send_buffer);
    free(recv_buffer);
}

static int is(const char *word, size_t length, const char *name) {
    return strlen(name) == length && strncmp(word, name, length) == 0;
}

static int wrong(const char *what) {
    if (rank == 0) {
        fprintf(stderr,
            "bus_bench: '%s' cannot be read; bus_bench SIZES OPERATIONS, as in bus_bench 8,1024 allreduce,bcast or"
            " bus_bench 8 exchange=1000,64,64\n", what);
    }
    MPI_Finalize();
    return 2;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 3) return wrong("the command line");
    long *sizes = malloc((strlen(argv[1]) + 1) * sizeof *sizes);
    int n = 0;
    for (char *at = argv[1], *end; *at; at = *end ? end + 1 : end) {
        sizes[n++] = strtol(at, &end, 10);
        if (end == at || (*end && *end != ',') || sizes[n - 1] < 0) return wrong(argv[1]);
    }
    for (char *at = argv[2]; *at;) {
        size_t length = strcspn(at, ",");
        char *equals = memchr(at, '=', length);
        if (equals) { /* NAME=TENSOR:TENSOR...: the floats of each */
            long bytes = 0;
            tensor_count = 0;
            for (char *number = equals, *end; number < at + length && tensor_count < MOST_TENSORS; number = end) {
                tensors[tensor_count] = (int)strtol(number + 1, &end, 10);
                bytes += 4L * tensors[tensor_count++];
            }
            *equals = 0;
            send_buffer = allocate(bytes);
            measure(at, exchange, bytes, 0);
            free(send_buffer);
        } else {
            size_t i = 0;
            while (i < sizeof OPERATIONS / sizeof *OPERATIONS && !is(at, length, OPERATIONS[i].name)) i++;
            if (i == sizeof OPERATIONS / sizeof *OPERATIONS) return wrong(at);
            over_sizes(&OPERATIONS[i], sizes, n);
        }
        at += length + (at[length] == ',');
    }
    MPI_Finalize();
    return 0;
}
