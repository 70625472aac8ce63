#include "reduce.cuh"

LOCATION(i16x2, Pair<i16>)
RESIDENT(brigade_resident_i16x2, Reducing)
