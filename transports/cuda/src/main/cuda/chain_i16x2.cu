#include "chain.cuh"

LOCATION(i16x2, Pair<i16>)
