package org.brigade.launch;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.brigade.process.Platform;

/**
 * One of the launcher's own streams. All ranks write to it by turns, a line at a time. Bytes are passed on unchanged;
 * on request every line begins with its rank: {@code [2] line}.
 */
final class SharedStream implements LineReader.Target {
    /** How long a rank that has written half a line may block the others. */
    private static final long TURN_MILLIS = 250;

    private final FileOutputStream out;
    private final boolean tagged;
    /** The rank whose line has begun and not ended; null between lines. */
    private LineReader open;
    private long opened;
    /** Whether the reader of the stream is gone: that must not block ranks. */
    private boolean gone;

    SharedStream(FileDescriptor descriptor, boolean tagged) {
        this.out = new FileOutputStream(descriptor);
        this.tagged = tagged;
    }

    /** Whether standard output and standard error go to the same place, so that their order matters. */
    static boolean areOne() {
        String out = Platform.here().stream(1);
        return !out.isEmpty() && out.equals(Platform.here().stream(2));
    }

    @Override
    public synchronized void take(LineReader from, byte[] bytes, int length, boolean ends) {
        if (length == 0) {
            close(from);
            return;
        }
        boolean goesOn = awaitTurn(from);
        if (tagged) {
            tag(from, goesOn, bytes, length);
        } else {
            write(bytes, 0, length);
        }
        open = ends ? null : from;
        opened = System.nanoTime();
        notifyAll();
    }

    /** Writes a line of the launcher's own. */
    synchronized void say(String text) {
        awaitTurn(null);
        byte[] line = (text + "\n").getBytes(Charset.defaultCharset());
        write(line, 0, line.length);
    }

    /** Whether this rank continues its own line; gives up another rank's unfinished line after a while. */
    private boolean awaitTurn(LineReader from) {
        boolean interrupted = false;
        while (open != null && open != from && !interrupted) {
            long left = TURN_MILLIS - (System.nanoTime() - opened) / 1_000_000;
            if (left <= 0) {
                break;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (open != null && open != from) {
            if (tagged || from == null) {
                write(new byte[] {'\n'}, 0, 1);
            }
            open = null;
        }
        return open != null;
    }

    /** The stream of a rank has ended: with tags, so has its line. */
    private void close(LineReader from) {
        if (open == from) {
            if (tagged) {
                write(new byte[] {'\n'}, 0, 1);
            }
            open = null;
            notifyAll();
        }
    }

    private void tag(LineReader from, boolean goesOn, byte[] bytes, int length) {
        byte[] tag = ("[" + from.name + "] ").getBytes(StandardCharsets.US_ASCII);
        boolean begins = !goesOn;
        for (int at = 0; at < length;) {
            int end = at;
            while (end < length && bytes[end] != '\n') {
                end++;
            }
            end = Math.min(end + 1, length);
            if (begins) {
                write(tag, 0, tag.length);
            }
            write(bytes, at, end - at);
            begins = true;
            at = end;
        }
    }

    private void write(byte[] bytes, int from, int length) {
        try {
            if (!gone) {
                out.write(bytes, from, length);
            }
        } catch (IOException closed) {
            gone = true;
        }
    }
}
