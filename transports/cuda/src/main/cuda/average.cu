// Averages of all types, in a module of their own: a jar whose kernels are older goes without.
#include "reduce.cuh"

AVERAGE(f16, Half)
AVERAGE(bf16, Bfloat)
AVERAGE(f8e4m3, E4m3)
AVERAGE(f8e5m2, E5m2)
AVERAGE(f32, float)
AVERAGE(f64, double)
