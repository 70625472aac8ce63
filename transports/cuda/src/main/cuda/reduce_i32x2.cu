#include "reduce.cuh"

LOCATION(i32x2, Pair<int>)
RESIDENT(brigade_resident_i32x2, Reducing)
