#include "reduce.cuh"

ARITHMETIC(i8, i8)
LOGICAL(i8, i8)
BITWISE(i8, i8)
RESIDENT(brigade_resident_i8, Reducing)
