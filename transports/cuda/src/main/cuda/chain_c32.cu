#include "chain.cuh"

REDUCTION(sum, c32, Of<Complex<float> COMMA Sum>)
REDUCTION(prod, c32, Of<Complex<float> COMMA Product>)
