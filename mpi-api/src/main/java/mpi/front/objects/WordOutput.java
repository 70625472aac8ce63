package mpi.front.objects;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects bytes, of which there may be more than an array of bytes can hold, and hands them out in an array of longs:
 * every long holds eight of them, in the order of memory.
 */
public final class WordOutput extends OutputStream {
    private static final int FIRST = 256;
    /** Longer pieces would only cost memory while they fill up. */
    private static final int LONGEST = 64 << 20;

    private final List<byte[]> full = new ArrayList<>();
    private byte[] piece = new byte[FIRST];
    private int used;

    @Override
    public void write(int value) {
        if (used == piece.length) {
            next();
        }
        piece[used++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        for (int done = 0; done < length;) {
            if (used == piece.length) {
                next();
            }
            int now = Math.min(length - done, piece.length - used);
            System.arraycopy(bytes, from + done, piece, used, now);
            used += now;
            done += now;
        }
    }

    private void next() {
        full.add(piece);
        piece = new byte[Math.min(2 * piece.length, LONGEST)];
        used = 0;
    }

    /** Number of longs that the bytes so far take. */
    public long words() {
        long bytes = used;
        for (byte[] each : full) {
            bytes += each.length;
        }
        return bytes + Long.BYTES - 1 >> 3;
    }

    /** The bytes, with zeros up to a whole long. There must be fewer longs than an array can hold. */
    public long[] toWords() {
        long[] words = new long[(int) words()];
        LongBuffer target = LongBuffer.wrap(words);
        for (byte[] each : full) {
            target.put(longs(each));
        }
        target.put(longs(piece).limit(target.remaining()));
        return words;
    }

    private static LongBuffer longs(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer();
    }
}
