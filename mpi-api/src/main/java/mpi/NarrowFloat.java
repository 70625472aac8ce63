package mpi;

/**
 * Floating-point formats of 8 and 16 bits, which Java has no types for, and their conversions from and to float. Not in
 * MPI's standard.
 *
 * <p>
 * A conversion to float is exact. One from float rounds to the nearest number, ties to the even one, as processors and
 * GPUs do. NaN stays NaN. Numbers beyond a format's largest become infinite in 16 bits. In 8 bits they become the
 * largest number, infinities too, as CUDA's conversions and NCCL have it.
 *
 * <pre>
 *                sign  exponent  fraction   largest
 * FLOAT16          1       5        10       65504   IEEE 754 binary16
 * BFLOAT16         1       8         7     3.39e38   the upper half of a float
 * FLOAT8_E4M3      1       4         3         448   OCP 8-bit floating point; no infinities, NaN is all ones
 * FLOAT8_E5M2      1       5         2       57344   OCP 8-bit floating point
 * </pre>
 */
public enum NarrowFloat {
    /** Of {@link MPI#FLOAT16}. */
    FLOAT16(2, 10, 15, 0x7c00, 0x7e00),
    /** Of {@link MPI#BFLOAT16}. */
    BFLOAT16(2, 7, 127, 0x7f80, 0x7fc0),
    /** Of {@link MPI#FLOAT8_E4M3}. */
    FLOAT8_E4M3(1, 3, 7, 0x7e, 0x7f),
    /** Of {@link MPI#FLOAT8_E5M2}. */
    FLOAT8_E5M2(1, 2, 15, 0x7b, 0x7f);

    private static final int FLOAT_FRACTION = 23;
    private static final int FLOAT_BIAS = 127;
    private static final int FLOAT_INFINITY = 0x7f80_0000;

    /** Bytes of a number. */
    public final int bytes;
    private final int fraction;
    /** Bits of a float's fraction that this format lacks. */
    private final int shift;
    /** The difference of the exponents' biases, where the exponent lies in this format. */
    private final int biasDifference;
    /** Bits of the largest magnitude that a conversion gives: infinity with 16 bits, the largest number with 8. */
    private final int most;
    /** Bits of the NaN that a conversion gives. */
    private final int nan;
    private final int sign;
    /** One unit of the numbers below the least normal one. */
    private final float unit;

    NarrowFloat(int bytes, int fraction, int bias, int most, int nan) {
        this.bytes = bytes;
        this.fraction = fraction;
        this.most = most;
        this.nan = nan;
        shift = 23 - fraction;
        biasDifference = 127 - bias << fraction;
        sign = 1 << 8 * bytes - 1;
        unit = Math.scalb(1f, 1 - bias - fraction);
    }

    /**
     * The value of a number.
     *
     * @param bits the number; bits above its {@link #bytes} are ignored, so that a byte or short may be passed
     */
    public float toFloat(int bits) {
        int magnitude = bits & sign - 1;
        float value;
        if (magnitude < 1 << fraction) {
            value = magnitude * unit;
        } else if (isFinite(magnitude)) {
            value = Float.intBitsToFloat(magnitude + biasDifference << shift);
        } else {
            value = Float.intBitsToFloat(FLOAT_INFINITY | magnitude << shift & (1 << FLOAT_FRACTION) - 1);
        }
        return (bits & sign) != 0 ? -value : value;
    }

    private boolean isFinite(int magnitude) {
        return this == FLOAT8_E4M3 ? magnitude != nan : magnitude < (bytes == 1 ? most + 1 : most);
    }

    /** The bits of the nearest number, without those above its {@link #bytes}. */
    public int fromFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        int magnitude = bits & 0x7fff_ffff;
        int negative = bits >>> 31 << 8 * bytes - 1;
        if (magnitude > FLOAT_INFINITY) {
            return negative | nan;
        }
        int leastNormal = (biasDifference >>> fraction) + 1;
        int exponent = magnitude >>> FLOAT_FRACTION;
        int rounded;
        if (exponent >= leastNormal || biasDifference == 0) {
            rounded = rounded(magnitude, shift) - biasDifference;
        } else {
            // Below the least normal number the fraction has its leading one, and moves right by what the exponent
            // lacks.
            int drop = shift + leastNormal - exponent;
            int significand = magnitude & (1 << FLOAT_FRACTION) - 1 | 1 << FLOAT_FRACTION;
            rounded = drop > FLOAT_FRACTION + 1 ? 0 : rounded(significand, drop);
        }
        return negative | Math.min(rounded, most);
    }

    /** Drops low bits, rounding to nearest even; a carry into the exponent is correct. */
    private static int rounded(int bits, int drop) {
        int odd = bits >>> drop & 1;
        return bits + (1 << drop - 1) - 1 + odd >>> drop;
    }

    /**
     * Converts {@code count} numbers of 16 bits to floats.
     *
     * @throws MPIException ERR_ARG if this is a format of 8 bits
     */
    public void toFloats(short[] from, int at, float[] to, int toAt, int count) throws MPIException {
        require(2, "short[]");
        if (this == BFLOAT16) {
            for (int i = 0; i < count; i++) {
                to[toAt + i] = Float.intBitsToFloat(from[at + i] << 16);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            to[toAt + i] = toFloat(from[at + i]);
        }
    }

    /**
     * Converts {@code count} numbers of 8 bits to floats.
     *
     * @throws MPIException ERR_ARG if this is a format of 16 bits
     */
    public void toFloats(byte[] from, int at, float[] to, int toAt, int count) throws MPIException {
        require(1, "byte[]");
        for (int i = 0; i < count; i++) {
            to[toAt + i] = toFloat(from[at + i]);
        }
    }

    /**
     * Converts {@code count} floats to numbers of 16 bits.
     *
     * @throws MPIException ERR_ARG if this is a format of 8 bits
     */
    public void fromFloats(float[] from, int at, short[] to, int toAt, int count) throws MPIException {
        require(2, "short[]");
        if (this == BFLOAT16) {
            for (int i = 0; i < count; i++) {
                float value = from[at + i];
                int bits = Float.floatToRawIntBits(value);
                to[toAt + i] = (short) (bits >>> 31 << 15 | (value != value ? nan : rounded(bits & 0x7fff_ffff, 16)));
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            to[toAt + i] = (short) fromFloat(from[at + i]);
        }
    }

    /**
     * Converts {@code count} floats to numbers of 8 bits.
     *
     * @throws MPIException ERR_ARG if this is a format of 16 bits
     */
    public void fromFloats(float[] from, int at, byte[] to, int toAt, int count) throws MPIException {
        require(1, "byte[]");
        for (int i = 0; i < count; i++) {
            to[toAt + i] = (byte) fromFloat(from[at + i]);
        }
    }

    private void require(int wanted, String array) throws MPIException {
        if (bytes != wanted) {
            throw ErrorClass.ARG.in("NarrowFloat." + this,
                array + " holds no numbers of " + bytes + " bytes; pass " + (bytes == 1 ? "byte[]" : "short[]"));
        }
    }
}
