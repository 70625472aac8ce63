#include "reduce.cuh"

ARITHMETIC(bf16, Bfloat)
RESIDENT(brigade_resident_bf16, Reducing)
