#include "reduce.cuh"

LOCATION(f64x2, Pair<double>)
RESIDENT(brigade_resident_f64x2, Reducing)
