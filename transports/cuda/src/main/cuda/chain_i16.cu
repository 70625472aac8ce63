#include "chain.cuh"

ARITHMETIC(i16, i16)
LOGICAL(i16, i16)
BITWISE(i16, i16)
