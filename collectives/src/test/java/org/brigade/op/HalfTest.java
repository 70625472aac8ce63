package org.brigade.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The 16-bit formats, against their definitions in doubles. */
class HalfTest {
    /** What 16 bits mean, from the definition of IEEE 754: sign, exponent, fraction. */
    private static double meaning(int bits, int exponentBits) {
        int fractionBits = 15 - exponentBits;
        int exponent = bits >> fractionBits & (1 << exponentBits) - 1;
        int fraction = bits & (1 << fractionBits) - 1;
        int bias = (1 << exponentBits - 1) - 1;
        double magnitude;
        if (exponent == (1 << exponentBits) - 1) {
            magnitude = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        } else if (exponent == 0) {
            magnitude = Math.scalb((double) fraction, 1 - bias - fractionBits);
        } else {
            magnitude = Math.scalb((double) (fraction | 1 << fractionBits), exponent - bias - fractionBits);
        }
        return (bits & 0x8000) != 0 ? -magnitude : magnitude;
    }

    private static float value(int bits, int exponentBits) {
        return exponentBits == 5 ? Half.float16((short) bits) : Half.bfloat16((short) bits);
    }

    private static int bits(float value, int exponentBits) {
        return (exponentBits == 5 ? Half.toFloat16(value) : Half.toBfloat16(value)) & 0xffff;
    }

    @Test
    void everyNumberHasItsValueAndComesBack() {
        for (int exponentBits : new int[] {5, 8}) {
            for (int bits = 0; bits < 1 << 16; bits++) {
                float value = value(bits, exponentBits);
                assertEquals(meaning(bits, exponentBits), value, 0.0, "value of 0x" + Integer.toHexString(bits));
                int back = bits(value, exponentBits);
                assertTrue(value != value ? meaning(back, exponentBits) != meaning(back, exponentBits) : back == bits,
                    "0x" + Integer.toHexString(bits) + " came back as 0x" + Integer.toHexString(back));
            }
        }
    }

    /** Between every two neighbours: the middle goes to the even one, what is beside it to the nearer. */
    @Test
    void roundingIsToNearestEven() {
        for (int exponentBits : new int[] {5, 8}) {
            int infinity = (1 << exponentBits) - 1 << 15 - exponentBits;
            for (int low = 0; low < infinity; low++) {
                double a = meaning(low, exponentBits);
                double b =
                    low + 1 == infinity ? 2 * a - meaning(low - 1, exponentBits) : meaning(low + 1, exponentBits);
                float middle = (float) ((a + b) / 2);
                String where = "above 0x" + Integer.toHexString(low);
                if ((a + b) / 2 == middle) { // not among the smallest of BFLOAT16, whose halves no float has
                    assertEquals((low & 1) == 0 ? low : low + 1, bits(middle, exponentBits), "half way " + where);
                    assertEquals((low & 1) == 0 ? low : low + 1, bits(-middle, exponentBits) & 0x7fff,
                        "half way below zero " + where);
                    assertEquals(low, bits(Math.nextDown(middle), exponentBits), "just below half way " + where);
                    assertEquals(low + 1, bits(Math.nextUp(middle), exponentBits), "just beyond half way " + where);
                }
            }
            assertEquals(infinity, bits(Float.POSITIVE_INFINITY, exponentBits));
            assertEquals(infinity, bits(Float.MAX_VALUE, exponentBits),
                "the largest float is beyond both formats' largest number by more than half a unit");
        }
    }

    @Test
    void anyFloatGoesToTheNearestNumber() {
        Random random = new Random(5);
        for (int i = 0; i < 1_000_000; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            for (int exponentBits : new int[] {5, 8}) {
                int found = bits(value, exponentBits);
                double number = meaning(found, exponentBits);
                if (value != value) {
                    assertTrue(number != number, "a NaN became " + number);
                } else if (!Double.isInfinite(number)) {
                    double error = Math.abs(number - value);
                    for (int other : new int[] {found - 1, found + 1}) {
                        if ((other & 0x8000) == (found & 0x8000) && !Double.isInfinite(meaning(other, exponentBits))) {
                            assertTrue(error <= Math.abs(meaning(other, exponentBits) - value),
                                value + " became " + number + ", and " + meaning(other, exponentBits) + " is nearer");
                        }
                    }
                }
            }
        }
    }
}
