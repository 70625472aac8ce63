// Half precision, as far as conversions.
#pragma once

#include "software.h"

struct __half { uint16_t bits; };
typedef __half half;

inline float __half2float(__half value) {
    _Float16 narrow;
    memcpy(&narrow, &value, 2);
    return (float) narrow;
}

inline __half __float2half_rn(float value) {
    _Float16 narrow = (_Float16) value;
    __half half;
    memcpy(&half, &narrow, 2);
    return half;
}

inline __half __float2half(float value) { return __float2half_rn(value); }
inline uint16_t __half_as_ushort(__half value) { return value.bits; }
inline __half __ushort_as_half(uint16_t bits) { return {bits}; }
