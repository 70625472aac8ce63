#include "chain.cuh"

LOCATION(i64x2, Pair<i64>)
