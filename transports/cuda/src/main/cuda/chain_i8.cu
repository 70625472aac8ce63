#include "chain.cuh"

ARITHMETIC(i8, i8)
LOGICAL(i8, i8)
BITWISE(i8, i8)
