#include "reduce.cuh"

LOCATION(i64x2, Pair<i64>)
RESIDENT(brigade_resident_i64x2, Reducing)
