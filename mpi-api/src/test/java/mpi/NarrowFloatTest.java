package mpi;

import static mpi.NarrowFloat.BFLOAT16;
import static mpi.NarrowFloat.FLOAT16;
import static mpi.NarrowFloat.FLOAT8_E4M3;
import static mpi.NarrowFloat.FLOAT8_E5M2;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every number of every format, against the formats' definitions in doubles. */
class NarrowFloatTest {
    private static int exponentBits(NarrowFloat format) {
        return switch (format) {
            case FLOAT16, FLOAT8_E5M2 -> 5;
            case BFLOAT16 -> 8;
            case FLOAT8_E4M3 -> 4;
        };
    }

    private static int sign(NarrowFloat format) {
        return 1 << 8 * format.bytes - 1;
    }

    /** What bits mean, from the definitions of IEEE 754 and of OCP's 8-bit formats: sign, exponent, fraction. */
    private static double meaning(NarrowFloat format, int bits) {
        int exponentBits = exponentBits(format);
        int fractionBits = 8 * format.bytes - 1 - exponentBits;
        int exponent = bits >> fractionBits & (1 << exponentBits) - 1;
        int fraction = bits & (1 << fractionBits) - 1;
        int bias = (1 << exponentBits - 1) - 1;
        double magnitude;
        if (exponent == (1 << exponentBits) - 1 && format != FLOAT8_E4M3) {
            magnitude = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        } else if (format == FLOAT8_E4M3 && (bits & 0x7f) == 0x7f) {
            magnitude = Double.NaN;
        } else if (exponent == 0) {
            magnitude = Math.scalb((double) fraction, 1 - bias - fractionBits);
        } else {
            magnitude = Math.scalb((double) (fraction | 1 << fractionBits), exponent - bias - fractionBits);
        }
        return (bits & sign(format)) != 0 ? -magnitude : magnitude;
    }

    /** The bits of the largest finite number. */
    private static int largest(NarrowFloat format) {
        int bits = sign(format) - 1;
        while (!Double.isFinite(meaning(format, bits))) {
            bits--;
        }
        return bits;
    }

    @ParameterizedTest
    @EnumSource
    void everyNumberHasItsValueAndComesBack(NarrowFloat format) {
        for (int bits = 0; bits < 1 << 8 * format.bytes; bits++) {
            float value = format.toFloat(bits);
            String name = format + " 0x" + Integer.toHexString(bits);
            assertEquals(meaning(format, bits), value, 0.0, name);
            int signed = format.bytes == 1 ? (byte) bits : (short) bits;
            assertEquals(Float.floatToIntBits(value), Float.floatToIntBits(format.toFloat(signed)), name);
            int back = format.fromFloat(value);
            if (value != value) {
                assertTrue(Double.isNaN(meaning(format, back)), name + " became a number");
            } else if (Float.isInfinite(value) && format.bytes == 1) {
                assertEquals(largest(format) | bits & 0x80, back, name + " is beyond the largest");
            } else {
                assertEquals(bits, back, name);
            }
        }
    }

    /** Between every two neighbours: the middle goes to the even one, what is beside it to the nearer. */
    @ParameterizedTest
    @EnumSource
    void roundingIsToNearestEven(NarrowFloat format) {
        int largest = largest(format);
        for (int low = 0; low < largest; low++) {
            double a = meaning(format, low);
            double b = meaning(format, low + 1);
            float middle = (float) ((a + b) / 2);
            String where = format + " above 0x" + Integer.toHexString(low);
            if ((a + b) / 2 == middle) { // not among the smallest of BFLOAT16, whose halves no float has
                int even = (low & 1) == 0 ? low : low + 1;
                assertEquals(even, format.fromFloat(middle), "half way " + where);
                assertEquals(even | sign(format), format.fromFloat(-middle), "half way below zero " + where);
                assertEquals(low, format.fromFloat(Math.nextDown(middle)), "just below half way " + where);
                assertEquals(low + 1, format.fromFloat(Math.nextUp(middle)), "just beyond half way " + where);
            }
        }
    }

    @Test
    void whatIsTooLargeIsInfiniteInSixteenBitsAndTheLargestNumberInEight() {
        assertEquals(0x7bff, FLOAT16.fromFloat(Math.nextDown(65520f)));
        assertEquals(0x7c00, FLOAT16.fromFloat(65520f));
        assertEquals(0xfc00, FLOAT16.fromFloat(Float.NEGATIVE_INFINITY));
        assertEquals(0x7f80, BFLOAT16.fromFloat(Float.MAX_VALUE));
        for (float large : new float[] {449, 479, 480, 481, 1e30f, Float.MAX_VALUE, Float.POSITIVE_INFINITY}) {
            assertEquals(448, FLOAT8_E4M3.toFloat(FLOAT8_E4M3.fromFloat(large)), large + " as E4M3");
            assertEquals(-448, FLOAT8_E4M3.toFloat(FLOAT8_E4M3.fromFloat(-large)), -large + " as E4M3");
        }
        for (float large : new float[] {61439, 61440, 65536, Float.MAX_VALUE, Float.POSITIVE_INFINITY}) {
            assertEquals(57344, FLOAT8_E5M2.toFloat(FLOAT8_E5M2.fromFloat(large)), large + " as E5M2");
        }
    }

    @Test
    void anyFloatGoesToTheNearestNumber() {
        Random random = new Random(5);
        for (int i = 0; i < 250_000; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            for (NarrowFloat format : NarrowFloat.values()) {
                int found = format.fromFloat(value);
                double number = meaning(format, found);
                if (value != value) {
                    assertTrue(number != number, () -> "a NaN became " + number);
                } else if (!Double.isInfinite(number)) {
                    double error = Math.abs(number - value);
                    for (int other : new int[] {found - 1, found + 1}) {
                        double otherNumber = meaning(format, other);
                        if ((other & sign(format)) == (found & sign(format)) && Double.isFinite(otherNumber)) {
                            assertTrue(error <= Math.abs(otherNumber - value),
                                () -> value + " became " + number + ", and " + otherNumber + " is nearer");
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void arraysAreConvertedAsSingleNumbersAre(NarrowFloat format) {
        int count = 1 << 8 * format.bytes;
        float[] floats = new float[count + 1];
        short[] shorts = new short[count + 2];
        byte[] bytes = new byte[count + 2];
        for (int i = 0; i < count; i++) {
            shorts[i + 2] = (short) i;
            bytes[i + 2] = (byte) i;
        }
        if (format.bytes == 2) {
            short[] back = new short[count];
            format.toFloats(shorts, 2, floats, 1, count);
            format.fromFloats(floats, 1, back, 0, count);
            for (int i = 0; i < count; i++) {
                assertEquals((short) format.fromFloat(format.toFloat(i)), back[i], format + " " + i);
            }
            assertThrows(MPIException.class, () -> format.toFloats(bytes, 0, floats, 0, 1));
            assertThrows(MPIException.class, () -> format.fromFloats(floats, 0, bytes, 0, 1));
        } else {
            byte[] back = new byte[count];
            byte[] expected = new byte[count];
            format.toFloats(bytes, 2, floats, 1, count);
            format.fromFloats(floats, 1, back, 0, count);
            for (int i = 0; i < count; i++) {
                expected[i] = (byte) format.fromFloat(format.toFloat(i));
            }
            assertArrayEquals(expected, back);
            assertThrows(MPIException.class, () -> format.toFloats(shorts, 0, floats, 0, 1));
            assertThrows(MPIException.class, () -> format.fromFloats(floats, 0, shorts, 0, 1));
        }
        for (int i = 0; i < count; i++) {
            assertEquals(Float.floatToIntBits(format.toFloat(i)), Float.floatToIntBits(floats[i + 1]),
                format + " " + i);
        }
    }
}
