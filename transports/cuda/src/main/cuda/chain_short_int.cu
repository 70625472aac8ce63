#include "chain.cuh"

LOCATION(short_int, ShortInt)
