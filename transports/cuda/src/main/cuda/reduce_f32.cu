#include "reduce.cuh"

ARITHMETIC(f32, float)
RESIDENT(brigade_resident_f32, Reducing)
