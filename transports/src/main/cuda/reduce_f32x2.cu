#include "reduce.cuh"

LOCATION(f32x2, Pair<float>)
