#include "reduce.cuh"

ARITHMETIC(f64, double)
