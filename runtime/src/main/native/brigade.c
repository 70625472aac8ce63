/*
 * libbrigade: what org.brigade.nativ.BrigadeLibrary declares. It is linked against no library, so that one file serves
 * glibc and musl: the process that loads it, a JVM, has memcpy, madvise, prctl, getppid, syscall, sched_yield and
 * clock_gettime.
 */
#include "reductions.h"
#include <errno.h>
#include <jni.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#define METHOD(result, name) JNIEXPORT result JNICALL Java_org_brigade_nativ_BrigadeLibrary_##name

/* The kernel copies fewer than 2 GiB a call. */
#define MOST_BYTES ((size_t)1 << 30)

reduction *const (*brigade_reductions)[OPERATORS] = brigade_reductions_baseline;

#define AVX2 1
#define STREAMS 2

/* Chooses the instructions; the result names them. */
METHOD(jint, prepare)(JNIEnv *env, jclass class) {
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) {
        brigade_reductions = brigade_reductions_avx2;
        return AVX2 | STREAMS;
    }
    return STREAMS;
#else
    return 0;
#endif
}

METHOD(jlong, address)(JNIEnv *env, jclass class, jobject direct) {
    return (jlong)(uintptr_t)(*env)->GetDirectBufferAddress(env, direct);
}

METHOD(void, copy)(JNIEnv *env, jclass class, jlong target, jlong source, jlong bytes) {
    memcpy((void *)(uintptr_t)target, (const void *)(uintptr_t)source, (size_t)bytes);
}

/* CompiledRuns.java has as many. A run is four longs: its first byte, the stride, the bytes of a block, the blocks. */
#define MOST_RUNS 128
#define WORD 8
/* From here on memcpy is faster than words. */
#define WIDE 128

/* One block, to where `unpacks` says. With a constant length the compiler makes moves of it. */
#define BLOCK(bytes) (unpacks ? memcpy(at, next, (bytes)) : memcpy(next, at, (bytes)))
#define RUN(bytes)                                                                                                     \
    for (int64_t i = 0; i < count; i++, at += stride, next += (bytes)) {                                               \
        BLOCK(bytes);                                                                                                  \
    }

static inline __attribute__((always_inline)) char *copy_run(char *next, char *at, int64_t stride, size_t bytes,
                                                            int64_t count, int unpacks) {
    if (bytes == 4) {
        RUN(4)
    } else if (bytes == 8) {
        RUN(8)
    } else if (bytes == 16) {
        RUN(16)
    } else if (bytes >= WIDE || bytes % WORD) {
        RUN(bytes)
    } else {
        for (int64_t i = 0; i < count; i++, at += stride, next += bytes) {
            for (size_t word = 0; word < bytes; word += WORD) {
                char *one = next + word, *other = at + word;
                unpacks ? memcpy(other, one, WORD) : memcpy(one, other, WORD);
            }
        }
    }
    return next;
}

METHOD(void, copyRuns)(JNIEnv *env, jclass class, jlong packed, jlong place, jlongArray runs, jint count,
                       jboolean unpacks) {
    jlong run[4 * MOST_RUNS];
    (*env)->GetLongArrayRegion(env, runs, 0, 4 * count, run);
    char *next = (char *)(uintptr_t)packed;
    for (jlong *each = run; each < run + 4 * count; each += 4) {
        char *at = (char *)(uintptr_t)(place + each[0]);
        next = unpacks ? copy_run(next, at, each[1], (size_t)each[2], each[3], 1)
                       : copy_run(next, at, each[1], (size_t)each[2], each[3], 0);
    }
}

/* The array's elements from a byte on, or the address itself if there is no array. */
static char *open_stretch(JNIEnv *env, jobject array, jlong at) {
    if (!array) {
        return (char *)(uintptr_t)at;
    }
    char *elements = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    return elements ? elements + at : NULL;
}

static void close_stretch(JNIEnv *env, jobject array, char *stretch, jlong at, jint mode) {
    if (array && stretch) {
        (*env)->ReleasePrimitiveArrayCritical(env, array, stretch - at, mode);
    }
}

static inline __attribute__((always_inline)) char *copy_stretches(char *next, char *memory, const jlong *at,
                                                                  const jlong *before, int count, int unpacks) {
    for (int i = 0; i < count; i++) {
        next = copy_run(next, memory + at[i], 0, (size_t)(before[i + 1] - before[i]), 1, unpacks);
    }
    return next;
}

METHOD(jboolean, copyStretches)(JNIEnv *env, jclass class, jlong packed, jobject array, jlong from, jlongArray places,
                                jlongArray befores, jint first, jint end, jboolean unpacks) {
    jlong at[MOST_RUNS], before[MOST_RUNS + 1];
    char *next = (char *)(uintptr_t)packed;
    while (first < end) {
        int count = end - first < MOST_RUNS ? end - first : MOST_RUNS;
        (*env)->GetLongArrayRegion(env, places, first, count, at);
        (*env)->GetLongArrayRegion(env, befores, first, count + 1, before);
        char *memory = open_stretch(env, array, from);
        if (!memory) {
            return JNI_FALSE;
        }
        next = unpacks ? copy_stretches(next, memory, at, before, count, 1)
                       : copy_stretches(next, memory, at, before, count, 0);
        close_stretch(env, array, memory, from, unpacks ? 0 : JNI_ABORT);
        first += count;
    }
    return JNI_TRUE;
}

#ifdef __x86_64__
#define LINE 64

/* Whole cache lines are written past the caches. What is stored after this becomes visible after them. */
static void stream_lines(char *to, const char *from, size_t bytes) {
    size_t head = (size_t)(-(uintptr_t)to & (LINE - 1));
    if (head >= bytes) {
        memcpy(to, from, bytes);
        return;
    }
    memcpy(to, from, head);
    size_t at = head;
    for (; at + LINE <= bytes; at += LINE) {
        const __m128i *source = (const __m128i *)(from + at);
        __m128i *target = (__m128i *)(to + at);
        __m128i first = _mm_loadu_si128(source);
        __m128i second = _mm_loadu_si128(source + 1);
        __m128i third = _mm_loadu_si128(source + 2);
        __m128i fourth = _mm_loadu_si128(source + 3);
        _mm_stream_si128(target, first);
        _mm_stream_si128(target + 1, second);
        _mm_stream_si128(target + 2, third);
        _mm_stream_si128(target + 3, fourth);
    }
    memcpy(to + at, from + at, bytes - at);
    _mm_sfence();
}
#else
#define stream_lines memcpy
#endif

/* False, and nothing copied, as reduce. */
METHOD(jboolean, stream)(JNIEnv *env, jclass class, jlong target, jobject source, jlong source_at, jlong bytes) {
    char *from = open_stretch(env, source, source_at);
    if (!from) {
        return JNI_FALSE;
    }
    stream_lines((char *)(uintptr_t)target, from, (size_t)bytes);
    close_stretch(env, source, from, source_at, JNI_ABORT);
    return JNI_TRUE;
}

/* False if the JVM has no memory for a copy of an array, which a JVM that pins arrays never needs. */
METHOD(jboolean, reduce)(JNIEnv *env, jclass class, jint kind, jint operator, jobject target, jlong target_at,
                         jobject operand, jlong operand_at, jlong incoming, jlong count) {
    /* One array is opened once: were the JVM to give copies of it, two would not agree. */
    int same = target && (*env)->IsSameObject(env, target, operand);
    char *to = open_stretch(env, target, target_at);
    char *from = same ? to - target_at + operand_at : open_stretch(env, operand, operand_at);
    int done = to && from;
    if (done) {
        brigade_reductions[kind][operator](to, from, (const void *)(uintptr_t)incoming, (size_t)count);
    }
    if (!same) {
        close_stretch(env, operand, from, operand_at, JNI_ABORT);
    }
    close_stretch(env, target, to, target_at, done ? 0 : JNI_ABORT);
    return (jboolean)done;
}

/* process_vm_readv or process_vm_writev; 0, or an errno. */
static jint move(long call, jint process, jlong here, jlong there, jlong bytes) {
    for (size_t done = 0; done < (size_t)bytes;) {
        size_t left = (size_t)bytes - done;
        size_t piece = left < MOST_BYTES ? left : MOST_BYTES;
        struct iovec mine = {(char *)(uintptr_t)here + done, piece};
        struct iovec theirs = {(char *)(uintptr_t)there + done, piece};
        long moved = syscall(call, (long)process, &mine, 1L, &theirs, 1L, 0L);
        if (moved <= 0) {
            return moved < 0 ? errno : EIO;
        }
        done += (size_t)moved;
    }
    return 0;
}

METHOD(jint, readProcess)(JNIEnv *env, jclass class, jint process, jlong from, jlong to, jlong bytes) {
    return move(SYS_process_vm_readv, process, to, from, bytes);
}

METHOD(jint, writeProcess)(JNIEnv *env, jclass class, jint process, jlong to, jlong from, jlong bytes) {
    return move(SYS_process_vm_writev, process, from, to, bytes);
}

/* Where Yama restricts ptrace: a process (0: the parent) and its descendants may copy to and from this one. */
METHOD(void, permit)(JNIEnv *env, jclass class, jint process) {
    prctl(PR_SET_PTRACER, (unsigned long)(process ? process : getppid()), 0UL, 0UL, 0UL);
}

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#define MOST_WATCHED 8

/* SIGKILL for this process after so many milliseconds, whatever its threads do then. */
static void kill_self_in(jint millis) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    struct itimerspec when = {.it_value = {millis / 1000, millis % 1000 * 1000000L}};
    int timer; /* the kernel's timer_t */
    if (syscall(SYS_timer_create, (long)CLOCK_MONOTONIC, &event, &timer) == 0) {
        syscall(SYS_timer_settime, (long)timer, 0L, &when, NULL);
    }
}

/* Waits until one of the processes has ended, then sets the timer. 0, or an errno if it cannot wait. */
METHOD(jint, endSoonAfter)(JNIEnv *env, jclass class, jintArray processes, jint millis) {
    jint pids[MOST_WATCHED];
    struct pollfd ends[MOST_WATCHED];
    jsize given = (*env)->GetArrayLength(env, processes);
    jsize count = given < MOST_WATCHED ? given : MOST_WATCHED;
    (*env)->GetIntArrayRegion(env, processes, 0, count, pids);
    int error = 0;
    jsize open = 0;
    while (open < count && !error) {
        long end = syscall(SYS_pidfd_open, (long)pids[open], 0L);
        if (end < 0) {
            error = errno;
        } else {
            ends[open] = (struct pollfd){.fd = (int)end, .events = POLLIN};
            open++;
        }
    }
    if (!error) {
        long ready;
        do {
            ready = syscall(SYS_ppoll, ends, (long)count, NULL, NULL, 0L);
        } while (ready < 0 && errno == EINTR);
        error = ready > 0 ? 0 : errno;
    }
    if (!error || error == ESRCH) {
        kill_self_in(millis);
        error = 0;
    }
    while (open > 0) {
        close(ends[--open].fd);
    }
    return error;
}

METHOD(jboolean, compareAndSet)(JNIEnv *env, jclass class, jlong address, jlong expected, jlong value) {
    int64_t *word = (int64_t *)(uintptr_t)address;
    return __atomic_compare_exchange_n(word, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

METHOD(jint, processor)(JNIEnv *env, jclass class) {
    unsigned number = 0;
    return syscall(SYS_getcpu, &number, NULL, NULL) ? -1 : (jint)number;
}

#define PROCESSORS 1024
#define WORD_BITS (8 * (int)sizeof(unsigned long))

METHOD(jint, moveTo)(JNIEnv *env, jclass class, jint processor) {
    unsigned long before[PROCESSORS / WORD_BITS] = {0}, there[PROCESSORS / WORD_BITS] = {0};
    if (processor < 0 || processor >= PROCESSORS) {
        return EINVAL;
    }
    if (syscall(SYS_sched_getaffinity, 0, sizeof before, before) < 0) {
        return errno;
    }
    unsigned long bit = 1ul << processor % WORD_BITS;
    if (!(before[processor / WORD_BITS] & bit)) {
        return EINVAL;
    }
    there[processor / WORD_BITS] = bit;
    if (syscall(SYS_sched_setaffinity, 0, sizeof there, there)) {
        return errno;
    }
    return syscall(SYS_sched_setaffinity, 0, sizeof before, before) ? errno : 0;
}

/* Where a thread of this process may run from now on; 0: the calling thread. 0, or an errno. */
METHOD(jint, place)(JNIEnv *env, jclass class, jint thread, jlongArray processors) {
    jlong there[PROCESSORS / WORD_BITS] = {0};
    jsize words = (*env)->GetArrayLength(env, processors);
    jsize room = PROCESSORS / WORD_BITS;
    (*env)->GetLongArrayRegion(env, processors, 0, words < room ? words : room, there);
    return syscall(SYS_sched_setaffinity, (long)thread, sizeof there, there) ? errno : 0;
}

METHOD(void, removePages)(JNIEnv *env, jclass class, jlong address, jlong bytes) {
    madvise((void *)(uintptr_t)address, (size_t)bytes, MADV_REMOVE);
}
