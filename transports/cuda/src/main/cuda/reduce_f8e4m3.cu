#include "reduce.cuh"

REDUCTION(sum, f8e4m3, Of<E4m3 COMMA Sum>)
RESIDENT(brigade_resident_f8e4m3, Reducing)
