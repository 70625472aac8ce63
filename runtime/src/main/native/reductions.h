/*
 * Predefined reductions on stretches of memory: target[i] = operand[i] op incoming[i]. Any two of the three stretches may
 * be one and the same; otherwise they must not overlap. Addresses are multiples of the element's size.
 */
#ifndef BRIGADE_REDUCTIONS_H
#define BRIGADE_REDUCTIONS_H

#include <stddef.h>

/* In the order of org.brigade.nativ.CompiledReductions. */
enum { BYTE, CHAR, SHORT, INT, LONG, FLOAT, DOUBLE, KINDS };
enum { MAX, MIN, SUM, PROD, LAND, BAND, LOR, BOR, LXOR, BXOR, OPERATORS };

typedef void reduction(void *target, const void *operand, const void *incoming, size_t count);

/* NULL where MPI does not define the operation. One table for each set of instructions that reductions.c is compiled for. */
extern reduction *const brigade_reductions_baseline[KINDS][OPERATORS];
extern reduction *const brigade_reductions_avx2[KINDS][OPERATORS];

/* The one that this processor runs; JNI's prepare chooses it. */
extern reduction *const (*brigade_reductions)[OPERATORS];

#endif
