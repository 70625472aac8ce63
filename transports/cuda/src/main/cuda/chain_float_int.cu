#include "chain.cuh"

LOCATION(float_int, FloatInt)
