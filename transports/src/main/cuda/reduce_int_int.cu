#include "reduce.cuh"

LOCATION(int_int, Pair<int>)
