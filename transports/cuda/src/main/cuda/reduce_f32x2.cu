#include "reduce.cuh"

LOCATION(f32x2, Pair<float>)
RESIDENT(brigade_resident_f32x2, Reducing)
