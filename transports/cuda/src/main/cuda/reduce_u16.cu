#include "reduce.cuh"

ARITHMETIC(u16, u16)
LOGICAL(u16, u16)
BITWISE(u16, u16)
RESIDENT(brigade_resident_u16, Reducing)
