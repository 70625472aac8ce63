#include "chain.cuh"

ARITHMETIC(f32, float)
