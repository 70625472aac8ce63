#include "reduce.cuh"

LOCATION(float_int, FloatInt)
