package org.brigade.op;

/**
 * The two 16-bit floating point formats, as bits in a short, and their conversions from and to float. Rounding is to
 * nearest, ties to even, as processors and devices do it; NaN stays NaN.
 *
 * <pre>
 *            sign  exponent  fraction
 * FLOAT16      1       5        10        IEEE 754 binary16, subnormal numbers included
 * BFLOAT16     1       8         7        the upper half of a float
 * </pre>
 */
final class Half {
    private static final int FLOAT_FRACTION = 23;
    private static final int FRACTION = 10;
    private static final int SHIFT = FLOAT_FRACTION - FRACTION;
    /** Difference of the exponents' biases, 127 and 15. */
    private static final int BIAS_DIFFERENCE = 127 - 15 << FRACTION;
    private static final int INFINITY = 0x7c00;
    private static final int QUIET = 0x0200;
    /** 2 to the power of -24: one unit of a subnormal FLOAT16. */
    private static final float UNIT = 0x1p-24f;
    /** The least float that rounds to infinity: half a unit above the largest FLOAT16, 65504. */
    private static final float TOO_LARGE = 65520f;
    /** The least normal FLOAT16. */
    private static final float LEAST_NORMAL = 0x1p-14f;

    private Half() {
    }

    /** The value of a FLOAT16. */
    static float float16(short bits) {
        int magnitude = bits & 0x7fff;
        float value;
        if (magnitude >= INFINITY) {
            value = Float.intBitsToFloat(0x7f80_0000 | magnitude << SHIFT);
        } else if (magnitude >= 1 << FRACTION) {
            value = Float.intBitsToFloat(magnitude + BIAS_DIFFERENCE << SHIFT);
        } else {
            value = magnitude * UNIT;
        }
        return bits < 0 ? -value : value;
    }

    /** The nearest FLOAT16. */
    static short toFloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 16 & 0x8000;
        float magnitude = Math.abs(value);
        int half;
        if (magnitude != magnitude) {
            half = INFINITY | QUIET | bits >>> SHIFT & 0x3ff;
        } else if (magnitude >= TOO_LARGE) {
            half = INFINITY;
        } else if (magnitude >= LEAST_NORMAL) {
            half = roundedShift(bits & 0x7fff_ffff, SHIFT) - BIAS_DIFFERENCE;
        } else {
            half = (int) Math.rint(magnitude / UNIT); // the division by a power of two is exact
        }
        return (short) (sign | half);
    }

    /** The value of a BFLOAT16. */
    static float bfloat16(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /** The nearest BFLOAT16. */
    static short toBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (value != value) {
            return (short) (bits >>> 16 | 0x40);
        }
        return (short) ((bits >>> 31) << 15 | roundedShift(bits & 0x7fff_ffff, 16));
    }

    /** Drops low bits, rounding to nearest even; a carry into the exponent is correct. */
    private static int roundedShift(int bits, int shift) {
        int odd = bits >>> shift & 1;
        return bits + (1 << shift - 1) - 1 + odd >>> shift;
    }
}
