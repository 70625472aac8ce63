#include "reduce.cuh"

ARITHMETIC(bf16, Bfloat)
