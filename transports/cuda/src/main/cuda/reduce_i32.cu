#include "reduce.cuh"

ARITHMETIC(i32, int)
LOGICAL(i32, int)
BITWISE(i32, int)
RESIDENT(brigade_resident_i32, Reducing)
