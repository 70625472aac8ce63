#include "chain.cuh"

ARITHMETIC(bf16, Bfloat)
