#include "chain.cuh"

LOCATION(f32x2, Pair<float>)
