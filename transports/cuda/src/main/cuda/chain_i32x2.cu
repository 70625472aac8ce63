#include "chain.cuh"

LOCATION(i32x2, Pair<int>)
