/*
 * Operations of mpi_bench.c besides messages and collectives: those of package org.brigade.cli.bench.families, which
 * says what each does. An operation is made for one size, called many times and closed.
 */
static int family_bytes;
static char *family_send, *family_recv;
static MPI_Datatype family_type;
static MPI_Win family_win;
static MPI_File family_file;

/* ---- derived types ---- */

enum { WIDTH = 1024, HALF = WIDTH / 2, FILE_PIECE = 4096 };

static void make_type(long room) {
    MPI_Type_commit(&family_type);
    family_send = allocate(room * (long)sizeof(double));
}
static int doubles_of(int bytes) { return bytes / (int)sizeof(double) > 1 ? bytes / (int)sizeof(double) : 1; }

static void make_column(int bytes) {
    int n = doubles_of(bytes);
    MPI_Type_vector(n, 1, WIDTH, MPI_DOUBLE, &family_type);
    make_type((long)n * WIDTH);
    family_bytes = n * (int)sizeof(double);
}
static void make_every_other(int bytes) {
    int n = doubles_of(bytes);
    MPI_Type_vector(n, 1, 2, MPI_DOUBLE, &family_type);
    make_type(2L * n);
    family_bytes = n * (int)sizeof(double);
}
static void make_rows(int bytes) {
    int n = doubles_of(bytes) / HALF > 1 ? doubles_of(bytes) / HALF : 1;
    MPI_Type_vector(n, HALF, WIDTH, MPI_DOUBLE, &family_type);
    make_type((long)n * WIDTH);
    family_bytes = n * HALF * (int)sizeof(double);
}
static void make_indexed(int bytes) {
    int blocks = doubles_of(bytes) / 4 > 1 ? doubles_of(bytes) / 4 : 1, whole = 0;
    int *lengths = malloc(2 * blocks * sizeof *lengths), *starts = lengths + blocks;
    for (int i = 0; i < blocks; i++) {
        lengths[i] = 1 + i % 7;
        starts[i] = 12 * i;
        whole += lengths[i];
    }
    MPI_Type_indexed(blocks, lengths, starts, MPI_DOUBLE, &family_type);
    free(lengths);
    make_type(12L * blocks);
    family_bytes = whole * (int)sizeof(double);
}
static void exchange_type(void) {
    if (rank == 0) {
        MPI_Send(family_send, 1, family_type, 1, TAG, MPI_COMM_WORLD);
        MPI_Recv(family_send, 1, family_type, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(family_send, 1, family_type, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(family_send, 1, family_type, 0, TAG, MPI_COMM_WORLD);
    }
}
static void close_type(void) { MPI_Type_free(&family_type); }

/* ---- windows ---- */

static void make_memory(int bytes) {
    family_bytes = bytes > 1 ? bytes : 1;
    family_send = allocate(family_bytes);
    family_recv = allocate(family_bytes);
}
static void make_window(int bytes) {
    make_memory(bytes);
    MPI_Win_create(family_recv, family_bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &family_win);
}
static void close_window(void) { MPI_Win_free(&family_win); }

static void make_accumulate(int bytes) {
    make_window(doubles_of(bytes) * (int)sizeof(double));
    memset(family_send, 0, family_bytes);
    if (rank == 0) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, family_win);
}
static void accumulate(void) {
    if (rank != 0) return;
    int n = family_bytes / (int)sizeof(long);
    MPI_Accumulate(family_send, n, MPI_LONG, 1, 0, n, MPI_LONG, MPI_SUM, family_win);
    MPI_Win_flush(1, family_win);
}
static void close_accumulate(void) {
    if (rank == 0) MPI_Win_unlock(1, family_win);
    close_window();
}
static void fence_put(void) {
    MPI_Win_fence(0, family_win);
    MPI_Put(family_send, family_bytes, MPI_BYTE, (rank + 1) % ranks, 0, family_bytes, MPI_BYTE, family_win);
    MPI_Win_fence(0, family_win);
}
static void win_create(void) {
    MPI_Win_create(family_recv, family_bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &family_win);
    MPI_Win_fence(0, family_win);
    MPI_Win_fence(0, family_win);
    MPI_Win_free(&family_win);
}

/* ---- files ---- */

static int piece(void) { return family_bytes < FILE_PIECE ? family_bytes : FILE_PIECE; }

static void make_file(int bytes) {
    make_memory(bytes < FILE_PIECE ? bytes : bytes / FILE_PIECE * FILE_PIECE);
    long number = getpid();
    MPI_Bcast(&number, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    char name[4096];
    snprintf(name, sizeof name, "%s/mpi-bench-%ld.data", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", number);
    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
            &family_file) != MPI_SUCCESS) {
        fprintf(stderr, "mpi_bench: %s cannot be opened; set TMPDIR to a folder that you may write to\n", name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_File_write_at_all(family_file, (MPI_Offset)rank * family_bytes, family_send, family_bytes, MPI_BYTE,
        MPI_STATUS_IGNORE);
}
static void close_file(void) { MPI_File_close(&family_file); }

static void write_at_all(void) {
    MPI_File_write_at_all(family_file, (MPI_Offset)rank * family_bytes, family_send, family_bytes, MPI_BYTE,
        MPI_STATUS_IGNORE);
}
static void read_at_all(void) {
    MPI_File_read_at_all(family_file, (MPI_Offset)rank * family_bytes, family_send, family_bytes, MPI_BYTE,
        MPI_STATUS_IGNORE);
}
static void make_view(int bytes) {
    make_file(bytes);
    MPI_Type_vector(family_bytes / piece(), piece(), piece() * ranks, MPI_BYTE, &family_type);
    MPI_Type_commit(&family_type);
    MPI_File_set_view(family_file, (MPI_Offset)rank * piece(), MPI_BYTE, family_type, "native", MPI_INFO_NULL);
}
static void rewind_file(void) { MPI_File_seek(family_file, 0, MPI_SEEK_SET); }
static void close_view(void) {
    close_file();
    close_type();
}
static void write_all(void) {
    MPI_File_write_all(family_file, family_send, family_bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void read_all(void) {
    MPI_File_read_all(family_file, family_send, family_bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void write_at(void) {
    for (int i = 0; i < family_bytes / piece(); i++) {
        MPI_File_write_at(family_file, ((MPI_Offset)i * ranks + rank) * piece(), family_send + (long)i * piece(),
            piece(), MPI_BYTE, MPI_STATUS_IGNORE);
    }
}

/* ---- communicators and processes ---- */

static const char *program;

static void dup_comm(void) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
}
static void split_comm(void) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    MPI_Comm_free(&part);
}
static void spawn(void) {
    MPI_Comm child;
    if (left_out) return;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    left_out = MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child,
        MPI_ERRCODES_IGNORE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (left_out) {
        if (rank == 0) fprintf(stderr, "mpi_bench: spawn is left out: this MPI cannot start a process here\n");
        return;
    }
    MPI_Barrier(child);
    MPI_Comm_disconnect(&child);
}

/* What a spawned process does. */
static void meet_parents(MPI_Comm parents) {
    MPI_Barrier(parents);
    MPI_Comm_disconnect(&parents);
}

/* EXCHANGE: half of there and back; ORIGIN: rank 0's calls; TOGETHER: a call of all, which start together. */
enum timed { EXCHANGE, ORIGIN, TOGETHER };

/* most: bytes beyond which sizes are left out, 0 without sizes. iterations: the most calls for one time. */
static const struct family {
    const char *name;
    enum timed timed;
    long most;
    int iterations;
    void (*make)(int), (*prepare)(void), (*call)(void), (*close)(void);
} FAMILIES[] = {
    {"column", EXCHANGE, 256 << 10, 300, make_column, NULL, exchange_type, close_type},
    {"indexed", EXCHANGE, 64 << 20, 300, make_indexed, NULL, exchange_type, close_type},
    {"every-other", EXCHANGE, 64 << 20, 300, make_every_other, NULL, exchange_type, close_type},
    {"rows", EXCHANGE, 64 << 20, 300, make_rows, NULL, exchange_type, close_type},
    {"accumulate", ORIGIN, 64 << 20, 3000, make_accumulate, NULL, accumulate, close_accumulate},
    {"fence-put", TOGETHER, 64 << 20, 3000, make_window, NULL, fence_put, close_window},
    {"win-create", TOGETHER, 64 << 20, 100, make_memory, NULL, win_create, NULL},
    {"write-at-all", TOGETHER, 256 << 20, 30, make_file, NULL, write_at_all, close_file},
    {"read-at-all", TOGETHER, 256 << 20, 30, make_file, NULL, read_at_all, close_file},
    {"write-all", TOGETHER, 256 << 20, 30, make_view, rewind_file, write_all, close_view},
    {"read-all", TOGETHER, 256 << 20, 30, make_view, rewind_file, read_all, close_view},
    {"write-at", TOGETHER, 256 << 20, 30, make_file, NULL, write_at, close_file},
    {"dup", TOGETHER, 0, 300, NULL, NULL, dup_comm, NULL},
    {"split", TOGETHER, 0, 300, NULL, NULL, split_comm, NULL},
    {"spawn", TOGETHER, 0, 1, NULL, NULL, spawn, NULL},
};

static double time_family(const void *operation, int bytes, int iterations) {
    const struct family *family = operation;
    (void)bytes;
    double spent = 0, start = MPI_Wtime();
    if (family->timed != TOGETHER) {
        for (int i = 0; i < iterations; i++) family->call();
        return (MPI_Wtime() - start) / iterations / (family->timed == EXCHANGE ? 2 : 1);
    }
    for (int i = 0; i < iterations; i++) {
        if (family->prepare) family->prepare();
        MPI_Barrier(MPI_COMM_WORLD);
        start = MPI_Wtime();
        family->call();
        spent += MPI_Wtime() - start;
    }
    return spent / iterations;
}

static void measure_family(const struct family *family, const long *sizes, int n) {
    long none = 0;
    if (family->most == 0) sizes = &none, n = 1;
    for (int i = 0; i < n; i++) {
        if (sizes[i] > family->most) continue;
        left_out = 0;
        family_bytes = 0;
        family_send = family_recv = NULL;
        if (family->make) family->make((int)sizes[i]);
        int iterations = iterations_for(family_bytes);
        iterations = iterations < family->iterations ? iterations : family->iterations;
        for (int warm = 0; family->iterations > 1 && i == 0 && warm < WARM_UPS; warm++) {
            time_family(family, family_bytes, iterations);
        }
        print_median(family->name, family_bytes, family->timed == TOGETHER, time_family, family, iterations);
        if (family->close) family->close();
        free(family_send);
        free(family_recv);
    }
}
