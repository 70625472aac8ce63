#include "reduce.cuh"

LOCATION(float_int, FloatInt)
RESIDENT(brigade_resident_float_int, Reducing)
