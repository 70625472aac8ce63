package org.brigade.communicator;

import mpi.spi.ElementKind;
import mpi.spi.TypeLayout;

/** Bytes that tell whose they are: a wrong place, a wrong message or a torn one shows. */
public final class Payloads {
    public static final TypeLayout BYTE = TypeLayout.of("MPI.BYTE", ElementKind.BYTE, 1);

    private Payloads() {
    }

    public static byte[] of(long seed, int bytes) {
        byte[] all = new byte[bytes];
        long state = seed * 0x9E3779B97F4A7C15L + 1;
        for (int i = 0; i < bytes; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            all[i] = (byte) (state >>> 56);
        }
        return all;
    }

    /** Throws unless the first bytes are those of the seed. */
    public static void check(String what, long seed, int bytes, byte[] got) {
        byte[] expected = of(seed, bytes);
        for (int i = 0; i < bytes; i++) {
            if (got[i] != expected[i]) {
                throw new AssertionError(
                    what + ": byte " + i + " of " + bytes + " is " + got[i] + " and should be " + expected[i]);
            }
        }
    }
}
