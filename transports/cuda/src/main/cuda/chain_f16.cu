#include "chain.cuh"

ARITHMETIC(f16, Half)
