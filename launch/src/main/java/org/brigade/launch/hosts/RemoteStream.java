package org.brigade.launch.hosts;

import java.io.InputStream;
import java.util.ArrayDeque;

/** A stream of a rank on another host, read here. */
final class RemoteStream extends InputStream {
    /** Is told what has been read. */
    interface Reader {
        void taken(int bytes);
    }

    private final ArrayDeque<byte[]> parts = new ArrayDeque<>();
    private final Reader reader;
    private int at;
    private int waiting;
    private int untold;
    private boolean ended;

    RemoteStream(Reader reader) {
        this.reader = reader;
    }

    synchronized void add(byte[] bytes) {
        if (bytes.length > 0) {
            parts.add(bytes);
            waiting += bytes.length;
        }
        notifyAll();
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int most) {
        int count;
        int told = 0;
        synchronized (this) {
            while (waiting == 0 && !ended) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return -1;
                }
            }
            if (waiting == 0) {
                return -1;
            }
            byte[] first = parts.peek();
            count = Math.min(most, first.length - at);
            System.arraycopy(first, at, to, from, count);
            at += count;
            waiting -= count;
            untold += count;
            if (at == first.length) {
                parts.remove();
                at = 0;
            }
            if (untold >= AgentFrames.WINDOW / 8) {
                told = untold;
                untold = 0;
            }
        }
        if (told > 0) {
            reader.taken(told);
        }
        return count;
    }

    @Override
    public synchronized int available() {
        return waiting;
    }
}
