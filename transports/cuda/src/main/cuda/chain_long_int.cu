#include "chain.cuh"

LOCATION(long_int, LongInt)
