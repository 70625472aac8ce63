#include "reduce.cuh"

ARITHMETIC(i64, i64)
LOGICAL(i64, i64)
BITWISE(i64, i64)
RESIDENT(brigade_resident_i64, Reducing)
