#include "reduce.cuh"

LOCATION(int_int, Pair<int>)
RESIDENT(brigade_resident_int_int, Reducing)
