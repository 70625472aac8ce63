package org.brigade.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads one stream of one rank to its end and passes on whole lines. Parts of lines are passed on in two cases: the
 * part is longer than the buffer, or nothing more comes for a moment, as a person may have to answer a prompt.
 */
final class LineReader extends Thread {
    /** Receives the lines. */
    interface Target {
        /**
         * Takes a rank's next bytes; any thread.
         *
         * @param ends whether a line ends here
         */
        void take(LineReader from, byte[] bytes, int length, boolean ends);
    }

    private static final int FIRST_BYTES = 1 << 10;
    private static final int MOST_BYTES = 1 << 16;
    /** How long the rest of a line may take before its beginning is passed on alone. */
    private static final long PAUSE_MILLIS = 40;
    /** If no byte comes for so long, a process that the rank has left behind holds the stream open. */
    private static final long QUIET_MILLIS = 500;

    final int rank;
    /** The rank, for people. */
    final String name;
    final boolean error;
    private final InputStream stream;
    private final Target target;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;
    private volatile boolean passing;
    private volatile long reads;

    LineReader(int rank, String name, boolean error, InputStream stream, Target target) {
        super("output of rank " + name);
        this.rank = rank;
        this.name = name;
        this.error = error;
        this.stream = stream;
        this.target = target;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            while (true) {
                if (length > 0 && !more()) {
                    pass(length, false);
                }
                int read = stream.read(bytes, length, bytes.length - length);
                if (read < 0) {
                    break;
                }
                reads++;
                length += read;
                passLines(length - read);
            }
            if (length > 0) {
                pass(length, false);
            }
        } catch (IOException e) {
            if (length > 0) {
                pass(length, false); // the rank was ended and its stream was closed: its output has been read
            }
        } catch (RuntimeException | Error e) {
            System.err.println("mpjrun: the rest of the output of rank " + name + " is lost: " + e);
            drain();
        } finally {
            target.take(this, bytes, 0, true);
        }
    }

    /** A rank whose output nobody reads would wait for ever in its next line. */
    private void drain() {
        try {
            while (stream.read(bytes) >= 0) {
                reads++;
            }
        } catch (IOException ended) {
            // As at the end of the stream.
        }
    }

    /** Passes on whole lines; no line ends before {@code from}. */
    private void passLines(int from) {
        int end = length;
        while (end > from && bytes[end - 1] != '\n') {
            end--;
        }
        if (end > from) {
            pass(end, true);
        } else if (length == MOST_BYTES) {
            pass(length, false);
        } else if (length == bytes.length) {
            grow();
        }
    }

    private void grow() {
        try {
            bytes = Arrays.copyOf(bytes, Math.min(2 * length, MOST_BYTES));
        } catch (OutOfMemoryError e) {
            pass(length, false);
        }
    }

    private void pass(int count, boolean ends) {
        passing = true;
        target.take(this, bytes, count, ends);
        passing = false;
        length -= count;
        System.arraycopy(bytes, count, bytes, 0, length);
    }

    /** Waits a moment for the rest of a line. */
    private boolean more() throws IOException {
        long deadline = System.nanoTime() + PAUSE_MILLIS * 1_000_000;
        while (stream.available() == 0) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                return false;
            }
        }
        return true;
    }

    /** After the rank has ended: waits until all its output is passed on, however long the reader takes. */
    void finish() throws InterruptedException {
        long seen = -1;
        while (isAlive() && (passing || reads != seen)) {
            seen = reads;
            join(QUIET_MILLIS);
        }
    }
}
