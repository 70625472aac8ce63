#include "reduce.cuh"

LOCATION(i32x2, Pair<int>)
