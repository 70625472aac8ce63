#include "chain.cuh"

ARITHMETIC(u16, u16)
LOGICAL(u16, u16)
BITWISE(u16, u16)
