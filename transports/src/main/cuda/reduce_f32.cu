#include "reduce.cuh"

ARITHMETIC(f32, float)
