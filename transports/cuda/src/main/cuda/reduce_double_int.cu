#include "reduce.cuh"

LOCATION(double_int, DoubleInt)
RESIDENT(brigade_resident_double_int, Reducing)
