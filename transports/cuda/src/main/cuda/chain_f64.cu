#include "chain.cuh"

ARITHMETIC(f64, double)
