#include "chain.cuh"

LOCATION(int_int, Pair<int>)
