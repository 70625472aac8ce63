#include "chain.cuh"

REDUCTION(sum, c64, Of<Complex<double> COMMA Sum>)
REDUCTION(prod, c64, Of<Complex<double> COMMA Product>)
