/*
 * The whole of a small call among ranks that publish their blocks in shared memory (org.brigade.engine.FusedPull).
 * Layout, tags and the order of sums are those of the code in Java, so ranks with and without this library serve one
 * call.
 */
#include "reductions.h"
#include "waits.h"
#include <jni.h>
#include <stdint.h>
#include <string.h>

/* As in org.brigade.nativ.CompiledExchange. */
enum { DONE, UNFINISHED, NO_ARRAY, LATE };
enum { NOTHING, GATHER, NEAR_FIRST, FAR_FIRST, RANK_ORDER };
#define ENDS 0xff
#define KIND_SHIFT 8
#define OPERATOR_SHIFT 16
#define PUBLISHED (1 << 24)
#define YIELDS (1 << 25)

/* As in org.brigade.engine.node.PullSlots. */
#define TAG 0
#define WHAT 8
#define DATA 16

/* As in org.brigade.waiting.FlightRecorder. */
#define CALLS 32
#define ENTRY_WORDS 3
#define TIME_SHIFT 24
#define BYTES_MASK ((1LL << 37) - 1)

/* Looks without a pause: a block is usually a cache line away. */
#define QUICK_LOOKS 512

struct members {
    int64_t rank, ranks;
    char *scratch; /* room for ranks + 1 results */
    char *calls;   /* the entries of org.brigade.waiting.FlightRecorder, and the node's time */
    int64_t *time;
    int64_t *begun; /* where the members see how many calls this rank has begun; null if nowhere */
    char *slots[];
};

static inline int64_t *word(char *slot, jint block, int at) {
    return (int64_t *)(slot + block + at);
}

/* The elements of an array from a byte on, copied out; 0 if the JVM has no memory for that. */
static int copy_in(JNIEnv *env, char *to, jobject array, jlong at, size_t bytes) {
    char *elements = array ? (*env)->GetPrimitiveArrayCritical(env, array, NULL) : NULL;
    if (array && !elements) {
        return 0;
    }
    memcpy(to, array ? elements + at : (char *)(uintptr_t)at, bytes);
    if (array) {
        (*env)->ReleasePrimitiveArrayCritical(env, array, elements, JNI_ABORT);
    }
    return 1;
}

/* The same into an array. */
static int copy_out(JNIEnv *env, jobject array, jlong at, const char *from, size_t bytes) {
    char *elements = array ? (*env)->GetPrimitiveArrayCritical(env, array, NULL) : NULL;
    if (array && !elements) {
        return 0;
    }
    memcpy(array ? elements + at : (char *)(uintptr_t)at, from, bytes);
    if (array) {
        (*env)->ReleasePrimitiveArrayCritical(env, array, elements, 0);
    }
    return 1;
}

/*
 * The first rank whose block is not there after so many looks, and then so many nanoseconds of pauses or yields; all
 * ranks if none is missing.
 */
static int64_t first_missing(struct members *all, jint block, jlong tag, jint looks, jint nanos, int yields) {
    jint vain = 0;
    int64_t end = 0;
    for (int64_t peer = 0; peer < all->ranks; peer++) {
        int64_t *there = word(all->slots[peer], block, TAG);
        while (__atomic_load_n(there, __ATOMIC_ACQUIRE) != tag) {
            if (++vain < looks) {
                if (vain > QUICK_LOOKS) {
                    pause_between_looks();
                }
                continue;
            }
            if (nanos == 0 || (end && now() >= end)) {
                return peer;
            }
            end = end ? end : now() + nanos;
            if (yields) {
                sched_yield();
            } else {
                pause_between_looks();
            }
            vain = looks; /* of many more */
        }
    }
    return all->ranks;
}

static int all_alike(struct members *all, jint block, jlong what) {
    for (int64_t peer = 0; peer < all->ranks; peer++) {
        if (*word(all->slots[peer], block, WHAT) != what) {
            return 0;
        }
    }
    return 1;
}

/* Where recursive doubling (its first step joins neighbours) puts a core number. */
static unsigned reversed(unsigned number, unsigned core) {
    unsigned result = 0;
    for (; core > 1; core >>= 1, number >>= 1) {
        result = result << 1 | (number & 1);
    }
    return result;
}

/* As FusedPull.reduce; the result is at the beginning of the scratch memory. */
static void sum_up(struct members *all, jint block, size_t from, size_t bytes, int far_first, reduction *add,
                   size_t size) {
    char *sums = all->scratch;
    size_t stride = (bytes + 7) & -(size_t)8, count = bytes / size;
    unsigned ranks = (unsigned)all->ranks, core = 1;
    while (2 * core <= ranks) {
        core *= 2;
    }
    unsigned extra = ranks - core;
    for (unsigned number = 0; number < core; number++) {
        char *to = sums + (far_first ? number : reversed(number, core)) * stride;
        unsigned first = number < extra ? 2 * number : number + extra;
        const char *values = all->slots[first] + block + DATA + from;
        if (number < extra) {
            add(to, values, all->slots[first + 1] + block + DATA + from, count);
        } else {
            memcpy(to, values, bytes);
        }
    }
    for (unsigned half = core / 2; half > 0; half /= 2) {
        if (stride == bytes) {
            add(sums, sums, sums + half * stride, half * count);
        } else {
            for (unsigned number = 0; number < half; number++) {
                add(sums + number * stride, sums + number * stride, sums + (half + number) * stride, count);
            }
        }
    }
}

/* As FusedPull.reduceInOrder; the result is at the beginning of the scratch memory. */
static void sum_in_order(struct members *all, jint block, size_t bytes, reduction *add, size_t size) {
    const char *sum = all->slots[0] + block + DATA;
    for (int64_t peer = 1; peer < all->ranks; peer++) {
        add(all->scratch, sum, all->slots[peer] + block + DATA, bytes / size);
        sum = all->scratch;
    }
}

static void gather(struct members *all, jint block, char *to, size_t bytes) {
    for (int64_t peer = 0; peer < all->ranks; peer++) {
        memcpy(to + (size_t)peer * bytes, all->slots[peer] + block + DATA, bytes);
    }
}

static jint exchange(JNIEnv *env, struct members *all, jint block, jlong tag, jlong what, jint how, jobject send,
                     jlong send_at, jobject recv, jlong recv_at, jint from, jint length, jint looks, jint nanos) {
    static const size_t sizes[KINDS] = {1, 2, 2, 4, 8, 4, 8};
    if (!(how & PUBLISHED)) {
        char *own = all->slots[all->rank];
        size_t bytes = (size_t)(what & 0xffffffff);
        if (bytes && !copy_in(env, own + block + DATA, send, send_at, bytes)) {
            return NO_ARRAY;
        }
        *word(own, block, WHAT) = what;
        __atomic_store_n(word(own, block, TAG), tag, __ATOMIC_RELEASE);
    }
    int64_t missing = first_missing(all, block, tag, looks, nanos, how & YIELDS);
    if (missing < all->ranks) {
        return LATE + (jint)missing;
    }
    if (!all_alike(all, block, what)) {
        return UNFINISHED;
    }
    int end = how & ENDS;
    if (end == NOTHING || length == 0) {
        return DONE;
    }
    if (end != GATHER) {
        int kind = how >> KIND_SHIFT & 0xff, operator = how >> OPERATOR_SHIFT & 0xff;
        reduction *add = brigade_reductions[kind][operator];
        if (end == RANK_ORDER) {
            sum_in_order(all, block, (size_t)length, add, sizes[kind]);
        } else {
            sum_up(all, block, (size_t)from, (size_t)length, end == FAR_FIRST, add, sizes[kind]);
        }
    } else if (recv) {
        gather(all, block, all->scratch, (size_t)length); /* an array is held only once the blocks are near */
        length *= (jint)all->ranks;
    } else {
        gather(all, block, (char *)(uintptr_t)recv_at, (size_t)length);
        return DONE;
    }
    return copy_out(env, recv, recv_at, all->scratch, (size_t)length) ? DONE : UNFINISHED;
}

/* Notes a call that is done, as FlightRecorder does: the key of a call is its tag less 1. */
static void note(struct members *all, jlong tag, jlong call, jint number) {
    int64_t *entries = (int64_t *)all->calls, *entry = entries + ENTRY_WORDS * (number & (CALLS - 1));
    entry[0] = call;
    entry[1] = tag - 1;
    entry[2] = *all->time << TIME_SHIFT | (int64_t)number << 1 | 1;
    if ((call & BYTES_MASK) != BYTES_MASK) {
        entries[ENTRY_WORDS * CALLS] += call & BYTES_MASK;
    }
}

JNIEXPORT jint JNICALL Java_org_brigade_nativ_BrigadeLibrary_exchange(
    JNIEnv *env, jclass class, jlong members, jint block, jlong tag, jlong what, jint how, jobject send, jlong send_at,
    jobject recv, jlong recv_at, jint from, jint length, jint looks, jint nanos, jlong call, jint number, jlong begun) {
    struct members *all = (struct members *)(uintptr_t)members;
    if (begun && all->begun) {
        __atomic_store_n(all->begun, begun, __ATOMIC_RELEASE);
    }
    jint state = exchange(env, all, block, tag, what, how, send, send_at, recv, recv_at, from, length, looks,
                          nanos);
    if (state == DONE && number >= 0) {
        note(all, tag, call, number);
    }
    return state;
}
