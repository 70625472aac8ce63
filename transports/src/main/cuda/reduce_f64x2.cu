#include "reduce.cuh"

LOCATION(f64x2, Pair<double>)
