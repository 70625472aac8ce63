package org.brigade.memory;

import java.nio.ByteBuffer;

/**
 * Bulk copies between a region and an array of bytes. The classes of the other types come from src/main/templates.
 * Bytes have no order and need no alignment. The region may be an array of booleans.
 */
public final class ByteElements {
    private ByteElements() {
    }

    /** {@code to[index + i] = region[at + i]}; false if not possible in one copy. */
    public static boolean get(Region region, long at, byte[] to, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case Region.BYTES -> System.arraycopy(region.base(), (int) position, to, index, count);
            case Region.BYTE_BUFFER -> ((ByteBuffer) region.base()).get((int) position, to, index, count);
            case Region.BOOLEANS -> {
                boolean[] from = (boolean[]) region.base();
                for (int i = 0; i < count; i++) {
                    to[index + i] = (byte) (from[(int) position + i] ? 1 : 0);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** {@code region[at + i] = from[index + i]}; false if not possible in one copy. */
    public static boolean put(Region region, long at, byte[] from, int index, int count) {
        long position = region.offset() + at;
        switch (region.form()) {
            case Region.BYTES -> System.arraycopy(from, index, region.base(), (int) position, count);
            case Region.BYTE_BUFFER -> ((ByteBuffer) region.base()).put((int) position, from, index, count);
            case Region.BOOLEANS -> {
                boolean[] to = (boolean[]) region.base();
                for (int i = 0; i < count; i++) {
                    to[(int) position + i] = from[index + i] != 0;
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }
}
