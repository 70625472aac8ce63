/*
 * One loop for each operation and element type. The results are those of the loops in Java, bit for bit: integers wrap
 * around, products and sums are not contracted, MAX and MIN of floating point numbers are Math.max and Math.min (NaN
 * where either value is NaN, -0 less than +0). bin/natives compiles this file once for each set of instructions.
 */
#include "reductions.h"
#include <stdint.h>
#include <string.h>

#ifndef TABLE
#define TABLE brigade_reductions_baseline
#endif

/* GCC may not know that equal pointers are harmless here: ivdep says that no turn of the loop needs another's. */
#define LOOP(name, type, expression)                                                                              \
    static void name##_##type(void *target, const void *operand, const void *incoming, size_t count) {            \
        type *t = target;                                                                                         \
        const type *left = operand, *right = incoming;                                                            \
        _Pragma("GCC ivdep") for (size_t i = 0; i < count; i++) {                                                 \
            type a = left[i], b = right[i];                                                                       \
            t[i] = (type)(expression);                                                                            \
        }                                                                                                         \
    }

#define INTEGER(type)                   \
    LOOP(max, type, a > b ? a : b)      \
    LOOP(min, type, a < b ? a : b)      \
    LOOP(sum, type, a + b)              \
    LOOP(prod, type, a * b)             \
    LOOP(land, type, (a != 0) & (b != 0)) \
    LOOP(band, type, a & b)             \
    LOOP(lor, type, (a | b) != 0)       \
    LOOP(bor, type, a | b)              \
    LOOP(lxor, type, (a != 0) != (b != 0)) \
    LOOP(bxor, type, a ^ b)

INTEGER(int8_t)
INTEGER(uint16_t)
INTEGER(int16_t)
INTEGER(int32_t)
INTEGER(int64_t)

/* Equal values differ at most in the sign of a zero. Of NaNs b wins a comparison, so only a is asked for. */
#define FLOATING(type, bits)                                                                                      \
    static inline type bits_and_##type(type a, type b) {                                                          \
        bits x, y;                                                                                                \
        memcpy(&x, &a, sizeof x);                                                                                 \
        memcpy(&y, &b, sizeof y);                                                                                 \
        x &= y;                                                                                                   \
        memcpy(&a, &x, sizeof x);                                                                                 \
        return a;                                                                                                 \
    }                                                                                                             \
    static inline type bits_or_##type(type a, type b) {                                                           \
        bits x, y;                                                                                                \
        memcpy(&x, &a, sizeof x);                                                                                 \
        memcpy(&y, &b, sizeof y);                                                                                 \
        x |= y;                                                                                                   \
        memcpy(&a, &x, sizeof x);                                                                                 \
        return a;                                                                                                 \
    }                                                                                                             \
    LOOP(max, type, a != a ? a : a == b ? bits_and_##type(a, b) : a > b ? a : b)                                  \
    LOOP(min, type, a != a ? a : a == b ? bits_or_##type(a, b) : a < b ? a : b)                                   \
    LOOP(sum, type, a + b)                                                                                        \
    LOOP(prod, type, a * b)

FLOATING(float, uint32_t)
FLOATING(double, uint64_t)

#define INTEGER_ROW(type) \
    {max_##type, min_##type, sum_##type, prod_##type, land_##type, \
     band_##type, lor_##type, bor_##type, lxor_##type, bxor_##type}
#define FLOATING_ROW(type) {max_##type, min_##type, sum_##type, prod_##type}

reduction *const TABLE[KINDS][OPERATORS] = {
    [BYTE] = INTEGER_ROW(int8_t),
    [CHAR] = INTEGER_ROW(uint16_t),
    [SHORT] = INTEGER_ROW(int16_t),
    [INT] = INTEGER_ROW(int32_t),
    [LONG] = INTEGER_ROW(int64_t),
    [FLOAT] = FLOATING_ROW(float),
    [DOUBLE] = FLOATING_ROW(double),
};
