#include "chain.cuh"

LOCATION(f64x2, Pair<double>)
