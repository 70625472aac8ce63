package mpi.front.objects;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads what {@link WordOutput} has collected. */
public final class WordInput extends InputStream {
    private static final int WINDOW = 8 << 10;

    private final long[] words;
    private final int end;
    private final byte[] window;
    /** The next long that is not in the window. */
    private int next;
    private int at;
    private int filled;

    /**
     * @param from the first long
     * @param length number of longs
     */
    public WordInput(long[] words, int from, int length) {
        this.words = words;
        next = from;
        end = from + length;
        window = new byte[(int) Math.min(WINDOW, (long) length * Long.BYTES)];
    }

    @Override
    public int read() {
        return fill() ? window[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int now = Math.min(length, filled - at);
        System.arraycopy(window, at, bytes, from, now);
        at += now;
        return now;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, filled - at + (long) (end - next) * Long.BYTES);
    }

    /** False at the end. */
    private boolean fill() {
        if (at < filled) {
            return true;
        }
        int now = Math.min(end - next, window.length / Long.BYTES);
        ByteBuffer.wrap(window).order(ByteOrder.nativeOrder()).asLongBuffer().put(words, next, now);
        next += now;
        at = 0;
        filled = now * Long.BYTES;
        return now > 0;
    }
}
