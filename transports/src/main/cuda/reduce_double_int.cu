#include "reduce.cuh"

LOCATION(double_int, DoubleInt)
