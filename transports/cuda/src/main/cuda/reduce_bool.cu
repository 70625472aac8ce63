// Booleans are bytes 0 and 1: their bits are their truth.
#include "reduce.cuh"

LOGICAL(bool, i8)
REDUCTION(band, bool, Of<i8 COMMA LogicalAnd>)
REDUCTION(bor, bool, Of<i8 COMMA LogicalOr>)
REDUCTION(bxor, bool, Of<i8 COMMA LogicalXor>)
RESIDENT(brigade_resident_bool, Reducing)
