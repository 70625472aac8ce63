package org.brigade.select;

import org.brigade.setting.Quantity;

/** Numbers of bytes as people write them: {@code 8}, {@code 64K}, {@code 1M}, {@code 2G}; K is 1024. */
public final class ByteSize {
    private ByteSize() {
    }

    /**
     * Bytes of a text such as {@code 64K}.
     *
     * @throws NumberFormatException if it is no such number or exceeds Long.MAX_VALUE; the message says what is
     * expected
     */
    public static long parse(String text) {
        long number = Quantity.parse(text);
        if (number < 0) {
            throw new NumberFormatException(
                "'" + text + "' is no number of bytes; write digits and optionally K, M or G, as in 64K");
        }
        return number;
    }

    /** The shortest text that {@link #parse} reads back: {@code 64K}, {@code 100}. */
    public static String compact(long bytes) {
        return write(bytes, "G", "M", "K", "");
    }

    /** For sentences: {@code 64 KiB}, {@code 100 bytes}. */
    public static String words(long bytes) {
        return write(bytes, " GiB", " MiB", " KiB", bytes == 1 ? " byte" : " bytes");
    }

    private static String write(long bytes, String giga, String mega, String kilo, String one) {
        if (bytes > 0 && (bytes & (1L << 30) - 1) == 0) {
            return (bytes >> 30) + giga;
        }
        if (bytes > 0 && (bytes & (1L << 20) - 1) == 0) {
            return (bytes >> 20) + mega;
        }
        if (bytes > 0 && (bytes & (1L << 10) - 1) == 0) {
            return (bytes >> 10) + kilo;
        }
        return bytes + one;
    }
}
