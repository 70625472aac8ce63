#include "reduce.cuh"

REDUCTION(sum, c32, Of<Complex<float> COMMA Sum>)
REDUCTION(prod, c32, Of<Complex<float> COMMA Product>)
RESIDENT(brigade_resident_c32, Reducing)
