#include "reduce.cuh"

REDUCTION(sum, c64, Of<Complex<double> COMMA Sum>)
REDUCTION(prod, c64, Of<Complex<double> COMMA Product>)
RESIDENT(brigade_resident_c64, Reducing)
