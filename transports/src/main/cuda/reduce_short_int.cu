#include "reduce.cuh"

LOCATION(short_int, ShortInt)
