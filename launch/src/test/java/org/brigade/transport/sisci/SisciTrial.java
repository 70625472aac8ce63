package org.brigade.transport.sisci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.SisciSettings;

/**
 * Messages of all sizes between two processes, on nodes of their own, in the modes of the software library, each
 * compared byte by byte. {@link #main} is the long form: a million messages over 20 seeds.
 */
final class SisciTrial {
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final int LANES = 2;
    private static final int MOST_UNDER_WAY = 64;

    private final SisciEnd end;
    private final SplittableRandom random;
    private final int longest;
    private final long crossover;
    private int inline;
    private int copied;
    private int byDma;
    private long bytes;

    /** How many messages went which way, there and back each, and their bytes one way. */
    record Tally(int inline, int copied, int byDma, long bytes) {
    }

    private SisciTrial(SisciEnd end, long seed, int longest, long crossover) {
        this.crossover = crossover;
        this.end = end;
        this.random = new SplittableRandom(seed);
        this.longest = longest;
    }

    /**
     * Has messages echoed by a peer.
     *
     * @param longest bits of the longest message's length
     * @param crossover from how many bytes on DMA carries messages, on both sides
     * @throws AssertionError if one does not come back as it went
     */
    static Tally run(String mode, String fault, long seed, int messages, int longest, int ringBytes, long crossover)
        throws IOException {
        Emulated.begin(mode, fault);
        try (EchoPeer peer = EchoPeer.start(mode, fault, ringBytes, crossover)) {
            SisciEnd end =
                peer.connect(new SisciSettings(ringBytes, 4, 20_000_000_000L, 30_000_000_000L, crossover, false,
                    EchoPeer.RENDEZVOUS, false));
            try {
                SisciTrial trial = new SisciTrial(end, seed, longest, crossover);
                trial.exchange(messages);
                return new Tally(trial.inline, trial.copied, trial.byDma, trial.bytes);
            } finally {
                peer.process.destroyForcibly();
                end.close();
            }
        }
    }

    /** A lane's messages: those to be sent, and those that are to come back. */
    private static final class Stream {
        Link link;
        int unsent;
        byte[] sending;
        long sent;
        final ArrayDeque<byte[]> underWay = new ArrayDeque<>();
        ByteBuffer receiving;
        long taken;
        int number;
        final Region source = new Region();
        final Region target = new Region();
    }

    private void exchange(int messages) {
        Stream[] streams = new Stream[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            streams[lane] = new Stream();
            streams[lane].link = end.link(1, lane == 0 ? Endpoint.COLLECTIVE : Endpoint.POINT_TO_POINT);
            streams[lane].unsent = messages / LANES;
        }
        long moved = System.nanoTime();
        boolean done = false;
        while (!done) {
            boolean progress = false;
            done = true;
            for (Stream stream : streams) {
                progress |= send(stream) | receive(stream);
                done &= stream.unsent == 0 && stream.underWay.isEmpty();
            }
            if (progress) {
                moved = System.nanoTime();
            } else if (System.nanoTime() - moved > PATIENCE_NANOS || end.lost(1) != null) {
                throw new AssertionError("no progress: " + streams[0].unsent + " and " + streams[1].unsent
                    + " messages are not sent; lost: " + end.lost(1));
            } else {
                Thread.yield();
            }
        }
    }

    private boolean send(Stream stream) {
        if (stream.unsent == 0 || stream.underWay.size() > MOST_UNDER_WAY) {
            return false;
        }
        if (stream.sending == null) {
            stream.sending = new byte[random.nextInt(1 << random.nextInt(longest + 1))];
            random.nextBytes(stream.sending);
            int length = stream.sending.length;
            bytes += length;
            if (length <= InboxDescriptor.INLINE_BYTES) {
                inline++;
            } else if (length < crossover) {
                copied++;
            } else {
                byDma++;
            }
            stream.sent = -1;
        }
        long now = stream.link.trySend(stream.unsent & 0xff, stream.unsent, stream.source.wrap(stream.sending, 0), 0,
            stream.sending.length, Math.max(0, stream.sent));
        if (now < 0) {
            return false;
        }
        if (stream.sent < 0) {
            stream.underWay.add(stream.sending);
            stream.sent = 0;
        }
        stream.sent += now;
        if (stream.sent == stream.sending.length) {
            stream.sending = null;
            stream.unsent--;
        }
        return true;
    }

    private static boolean receive(Stream stream) {
        Link link = stream.link;
        if (!link.poll()) {
            return false;
        }
        byte[] expected = stream.underWay.peek();
        if (stream.receiving == null) {
            if (expected == null || link.bytes() != expected.length) {
                throw new AssertionError("message " + stream.number + " came back with " + link.bytes()
                    + " bytes, and went with " + (expected == null ? "none" : expected.length + " bytes"));
            }
            stream.receiving = expected.length >= EchoPeer.RENDEZVOUS && stream.number % 2 == 0
                ? ByteBuffer.allocateDirect(expected.length) : ByteBuffer.allocate(expected.length);
            stream.taken = 0;
        }
        long now = link.tryRecv(stream.target.wrap(stream.receiving, 0), stream.taken);
        stream.taken += now;
        if (stream.taken < expected.length) {
            return now > 0;
        }
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != stream.receiving.get(i)) {
                throw new AssertionError("message " + stream.number + " of " + expected.length + " bytes: byte " + i
                    + " went as " + expected[i] + " and came back as " + stream.receiving.get(i));
            }
        }
        stream.underWay.remove();
        stream.receiving = null;
        stream.number++;
        return true;
    }

    /** {@code SisciTrial [messages [seeds]]}: in mode weak, with checks that fail now and then. */
    public static void main(String[] arguments) throws IOException {
        int messages = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        int seeds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        Tally all = new Tally(0, 0, 0, 0);
        for (int seed = 1; seed <= seeds; seed++) {
            long begin = System.nanoTime();
            String mode = "weak=" + seed + (seed % 2 == 0 ? ",shifted" : "");
            String fault = seed % 3 == 0 ? "sequence=retriable@" + (3 + seed) : null;
            Tally now = run(mode, fault, seed, messages / seeds, seed % 4 == 0 ? 19 : 15, InboxDescriptor.SMALLEST_RING,
                12 << 10);
            all = new Tally(all.inline + now.inline, all.copied + now.copied, all.byDma + now.byDma,
                all.bytes + now.bytes);
            System.out.printf(
                "%-16s %-22s %d messages there and back in %.1f s: %d as words, %d copied, %d by DMA, %.1f MB%n", mode,
                fault == null ? "" : fault, messages / seeds,
                (System.nanoTime() - begin) / 1e9, now.inline, now.copied, now.byDma, now.bytes / 1e6);
        }
        System.out.printf("all: %d as words, %d copied, %d by DMA, %.1f MB, none lost, none changed%n", all.inline,
            all.copied, all.byDma, all.bytes / 1e6);
    }
}
