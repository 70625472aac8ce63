#include "chain.cuh"

LOCATION(double_int, DoubleInt)
