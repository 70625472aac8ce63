#include "reduce.cuh"

ARITHMETIC(f16, Half)
RESIDENT(brigade_resident_f16, Reducing)
