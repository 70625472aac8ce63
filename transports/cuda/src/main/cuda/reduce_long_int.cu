#include "reduce.cuh"

LOCATION(long_int, LongInt)
RESIDENT(brigade_resident_long_int, Reducing)
