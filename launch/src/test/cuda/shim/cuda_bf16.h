// The upper half of a float, as far as conversions.
#pragma once

#include "software.h"

struct __nv_bfloat16 { uint16_t bits; };

inline float __bfloat162float(__nv_bfloat16 value) { return software_bits<float>((unsigned) value.bits << 16); }

/** To the nearest, ties to even; a NaN is 0x7fff as on the device. */
inline __nv_bfloat16 __float2bfloat16_rn(float value) {
    unsigned bits = software_bits<unsigned>(value);
    if ((bits & 0x7fffffff) > 0x7f800000) {
        return {0x7fff};
    }
    return {(uint16_t) ((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

inline __nv_bfloat16 __float2bfloat16(float value) { return __float2bfloat16_rn(value); }
inline uint16_t __bfloat16_as_ushort(__nv_bfloat16 value) { return value.bits; }
inline __nv_bfloat16 __ushort_as_bfloat16(uint16_t bits) { return {bits}; }
