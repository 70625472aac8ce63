#include "reduce.cuh"

ARITHMETIC(f16, Half)
