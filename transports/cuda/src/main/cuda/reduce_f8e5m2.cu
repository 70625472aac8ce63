#include "reduce.cuh"

REDUCTION(sum, f8e5m2, Of<E5m2 COMMA Sum>)
RESIDENT(brigade_resident_f8e5m2, Reducing)
