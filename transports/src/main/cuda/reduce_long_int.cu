#include "reduce.cuh"

LOCATION(long_int, LongInt)
