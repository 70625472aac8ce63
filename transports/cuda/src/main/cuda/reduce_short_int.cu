#include "reduce.cuh"

LOCATION(short_int, ShortInt)
RESIDENT(brigade_resident_short_int, Reducing)
