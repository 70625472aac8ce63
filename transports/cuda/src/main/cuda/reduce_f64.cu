#include "reduce.cuh"

ARITHMETIC(f64, double)
RESIDENT(brigade_resident_f64, Reducing)
