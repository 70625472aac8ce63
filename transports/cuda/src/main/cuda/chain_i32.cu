#include "chain.cuh"

ARITHMETIC(i32, int)
LOGICAL(i32, int)
BITWISE(i32, int)
