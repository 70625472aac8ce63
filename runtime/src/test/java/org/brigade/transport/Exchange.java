package org.brigade.transport;

import java.util.SplittableRandom;
import org.brigade.memory.Region;

/**
 * One side of an exchange of random messages in both directions at once: both sides draw the same messages from the
 * same seed.
 */
public final class Exchange {
    private static final int LONGEST = 20_000;
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private Exchange() {
    }

    /** Sends so many messages and receives as many, and compares them. */
    public static void run(Link link, int messages, long seed) {
        SplittableRandom sizesOut = new SplittableRandom(seed);
        SplittableRandom sizesIn = new SplittableRandom(seed);
        byte[] sending = new byte[LONGEST];
        byte[] receiving = new byte[LONGEST];
        Region source = new Region().wrap(sending, 0);
        Region target = new Region().wrap(receiving, 0);
        int out = 0;
        int in = 0;
        int size = next(sizesOut);
        fill(sending, size, out);
        int expected = next(sizesIn);
        long sent = 0;
        long taken = 0;
        long moved = System.nanoTime();
        while (out < messages || in < messages) {
            boolean progress = false;
            if (out < messages) {
                long now = link.trySend(out & 0xff, out, source, 0, size, sent);
                progress = now != Link.REFUSED;
                sent += Math.max(0, now);
                if (progress && sent == size) {
                    out++;
                    size = next(sizesOut);
                    fill(sending, size, out);
                    sent = 0;
                }
            }
            if (in < messages && link.poll()) {
                if (link.key() != in || link.kind() != (in & 0xff) || link.bytes() != expected) {
                    throw new AssertionError("message " + in + " of " + expected + " bytes: got key " + link.key()
                        + ", kind " + link.kind() + ", bytes " + link.bytes());
                }
                long now = link.tryRecv(target, taken);
                taken += now;
                progress |= now > 0;
                if (taken == expected) {
                    check(receiving, expected, in);
                    in++;
                    expected = next(sizesIn);
                    taken = 0;
                    progress = true;
                }
            }
            if (progress) {
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved > PATIENCE_NANOS) {
                throw new AssertionError("no progress for a minute: " + out + " sent, " + in + " received");
            } else {
                Thread.yield();
            }
        }
    }

    private static int next(SplittableRandom random) {
        return random.nextInt(1 + (LONGEST >> random.nextInt(13)));
    }

    private static void fill(byte[] content, int bytes, int message) {
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (message + i * 7);
        }
    }

    private static void check(byte[] content, int bytes, int message) {
        for (int i = 0; i < bytes; i++) {
            if (content[i] != (byte) (message + i * 7)) {
                throw new AssertionError("message " + message + " of " + bytes + " bytes: byte " + i + " is "
                    + content[i] + ", was sent as " + (byte) (message + i * 7));
            }
        }
    }
}
