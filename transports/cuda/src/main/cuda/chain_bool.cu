#include "chain.cuh"

LOGICAL(bool, i8)
REDUCTION(band, bool, Of<i8 COMMA LogicalAnd>)
REDUCTION(bor, bool, Of<i8 COMMA LogicalOr>)
REDUCTION(bxor, bool, Of<i8 COMMA LogicalXor>)
