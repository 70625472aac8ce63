#include "chain.cuh"

ARITHMETIC(i64, i64)
LOGICAL(i64, i64)
BITWISE(i64, i64)
