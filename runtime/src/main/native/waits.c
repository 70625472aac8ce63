/*
 * Looks of a wait at a word that another process stores (org.brigade.nativ.AwaitedWord), for a bounded time. The JVM's
 * collector runs meanwhile, as no array is held.
 */
#include "waits.h"
#include <jni.h>

/* Pauses between two looks at the clock. */
#define PAUSES 8
/* What a look reads ahead, and the bytes of a cache line. */
#define AHEAD 512
#define LINE 64

static inline int is_there(const int64_t *word, int64_t mask, int64_t least, int64_t most) {
    if (!word) {
        return 0;
    }
    int64_t value = __atomic_load_n(word, __ATOMIC_ACQUIRE) & mask;
    return value >= least && value <= most;
}

static inline void read_ahead(const volatile char *lines) {
    if (lines) {
        for (int at = 0; at < AHEAD; at += LINE) {
            (void)lines[at];
        }
    }
}

/*
 * True as soon as the word, as far as the mask goes, is from `least` to `most`: after so many looks, and then for so
 * many nanoseconds of pauses or yields. A null word never is.
 */
JNIEXPORT jboolean JNICALL Java_org_brigade_nativ_BrigadeLibrary_look(JNIEnv *env, jclass class, jlong address,
                                                                      jlong mask, jlong least, jlong most, jlong ahead,
                                                                      jint looks, jint nanos, jboolean yields) {
    const int64_t *word = (const int64_t *)(uintptr_t)address;
    for (jint look = 0; look < looks; look++) {
        if (is_there(word, mask, least, most)) {
            return JNI_TRUE;
        }
        read_ahead((const char *)(uintptr_t)ahead);
    }
    int64_t end = nanos > 0 ? now() + nanos : 0;
    while (nanos > 0) {
        for (int pauses = yields ? 1 : PAUSES; pauses > 0; pauses--) {
            if (is_there(word, mask, least, most)) {
                return JNI_TRUE;
            }
            pause_between_looks();
        }
        if (yields) {
            sched_yield();
        }
        if (now() >= end) {
            break;
        }
    }
    return (jboolean)is_there(word, mask, least, most);
}
