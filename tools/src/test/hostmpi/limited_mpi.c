// An MPI with limits, for tests, which stands before a real one that it is linked to. It gives threads no more than
// THREAD_LEVEL says (0 MPI_THREAD_SINGLE to 2 MPI_THREAD_SERIALIZED; not set: whatever the real one can), and ends the
// process when it is called as that level forbids: by two threads at once, or, up to MPI_THREAD_FUNNELED, by another
// than the one that began it. The call that HANGS names never comes back; MPI_Test answers for ever that nothing has
// ended. What is a handle in the real one's ABI, an int or a pointer, passes as a long.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int level;
static pthread_t beginner;
static int inside;

static void fail(const char *call, const char *why) {
    fprintf(stderr, "%s is called %s, which MPI_THREAD level %d forbids\n", call, why, level);
    fflush(stderr);
    _exit(70);
}

static int hangs(const char *call) {
    const char *which = getenv("HANGS");
    return which != NULL && strcmp(which, call) == 0;
}

static void enter(const char *call) {
    while (hangs(call)) {
        pause();
    }
    if (level < 2 && !pthread_equal(pthread_self(), beginner)) {
        fail(call, "by another thread than the one that began the MPI");
    }
    if (__atomic_exchange_n(&inside, 1, __ATOMIC_SEQ_CST)) {
        fail(call, "while another thread is in a call");
    }
}

static int leave(int result) {
    __atomic_store_n(&inside, 0, __ATOMIC_SEQ_CST);
    return result;
}

int PMPI_Init_thread(void *arguments, void *values, int required, int *provided);

int MPI_Init_thread(void *arguments, void *values, int required, int *provided) {
    const char *most = getenv("THREAD_LEVEL");
    level = most == NULL ? 2 : atoi(most);
    beginner = pthread_self();
    enter("MPI_Init_thread");
    int result = PMPI_Init_thread(arguments, values, required < level ? required : level, provided);
    if (*provided > level) {
        *provided = level;
    }
    return leave(result);
}

int MPI_Query_thread(int *provided) {
    *provided = level;
    return 0;
}

#define CALL(name, parameters, ...)      \
    int P##name parameters;              \
    int name parameters {                \
        enter(#name);                    \
        return leave(P##name(__VA_ARGS__)); \
    }

CALL(MPI_Finalize, (void))
CALL(MPI_Comm_dup, (long communicator, void *copy), communicator, copy)
CALL(MPI_Comm_split, (long communicator, int part, int key, void *ours), communicator, part, key, ours)
CALL(MPI_Comm_set_errhandler, (long communicator, long handler), communicator, handler)
CALL(MPI_Comm_rank, (long communicator, int *rank), communicator, rank)
CALL(MPI_Comm_size, (long communicator, int *size), communicator, size)
CALL(MPI_Isend, (void *at, int count, long type, int peer, int tag, long communicator, void *request), at, count, type,
    peer, tag, communicator, request)
CALL(MPI_Recv_init, (void *at, int count, long type, int peer, int tag, long communicator, void *request), at, count,
    type, peer, tag, communicator, request)
CALL(MPI_Start, (void *request), request)

int PMPI_Test(void *request, int *flag, void *status);

int MPI_Test(void *request, int *flag, void *status) {
    if (hangs("MPI_Test")) {
        *flag = 0;
        return 0;
    }
    enter("MPI_Test");
    return leave(PMPI_Test(request, flag, status));
}

CALL(MPI_Cancel, (void *request), request)
CALL(MPI_Request_free, (void *request), request)
CALL(MPI_Iallgather, (void *mine, int count, long type, void *all, int theirs, long theirType, long communicator,
        void *request), mine, count, type, all, theirs, theirType, communicator, request)
