package org.brigade.algorithm;

import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Hierarchy;
import org.brigade.pattern.NetworkSpeed;

/**
 * The terms of the algorithms' {@linkplain Algorithm#cost costs}, all for one kind of wires: every rank has one port,
 * which sends and receives at once, and a wire to every other rank. A message of m bytes takes {@code ts + m / B}, and
 * all that time of its sender's port and of its receiver's: a rank serves its children one after another, and a root
 * takes in one message after another. A message waits for its receiver. On device memory ts is a launch. Reducing while
 * receiving costs nothing extra. Good for ratios, not for times.
 *
 * <p>
 * {@linkplain #between Between nodes} three things differ. Most of ts passes on the wire: of a message that has started
 * and waits for its receiver, {@link #queued} is left. Packing takes time. And messages to ranks behind other switches
 * meet on links: static routes give random pairs about half of a fat tree's bandwidth (Hoefler, Schneider, Lumsdaine,
 * "Multistage switches are not crossbars", 2008). The shares and factors of these three are fitted to Brigade's
 * simulator, on fat trees of 64 and 1,024 hosts; no real network was measured.
 *
 * <p>
 * Every schedule's cost is within a factor of 1.5 of its simulated time on such wires; a class whose cost is not says
 * so in its head.
 */
public final class CostModel {
    /** Shorter windows cost more in extra steps than their overlap saves. */
    private static final double LEAST_WINDOW = 4 << 10;
    /** Longer windows gain nothing, and do not fit caches and staging areas. */
    private static final double MOST_WINDOW = 4 << 20;

    /** Slower networks are sockets: half of a message's time is the kernel's on either side. */
    private static final double SLOWEST_ADAPTER = 10_000;
    private static final double SHARE_OF_KERNEL = 0.5;
    /** An adapter's part of a message's time. */
    private static final double SHARE_OF_ADAPTER = 0.2;
    /** Hosts of a switch of 36 ports that has as many links up. */
    private static final int ONE_SWITCH = 18;
    private static final double BETWEEN_SWITCHES = 2;
    /** Pairs of partners meet more often where there are pods of switches. */
    private static final int ONE_POD = ONE_SWITCH * ONE_SWITCH;
    private static final double BETWEEN_PODS = 3;
    /** GB/s of a host that copies. */
    private static final double COPYING = 20;

    private final double start;
    private final double perByte;
    private final double port;
    private final double perByteFar;
    private final double perByteShifted;
    private final double perByteCopied;

    /** @param latencyNanos ts; @param gigabytesPerSecond B */
    public CostModel(double latencyNanos, double gigabytesPerSecond) {
        this(latencyNanos, gigabytesPerSecond, latencyNanos, 1, 1, 0);
    }

    private CostModel(double start, double rate, double port, double far, double shifted, double perByteCopied) {
        this.start = start;
        this.port = port;
        this.perByteCopied = perByteCopied;
        perByte = 1 / rate;
        perByteFar = far / rate;
        perByteShifted = shifted / rate;
    }

    /** Costs of messages over a network that joins so many nodes. */
    public static CostModel between(NetworkSpeed speed, int nodes) {
        double start = speed.latencyNanos();
        return new CostModel(start, speed.gigabytesPerSecond(),
            start * (start < SLOWEST_ADAPTER ? SHARE_OF_ADAPTER : SHARE_OF_KERNEL),
            nodes > ONE_POD ? BETWEEN_PODS : nodes > ONE_SWITCH ? BETWEEN_SWITCHES : 1,
            nodes > ONE_SWITCH ? BETWEEN_SWITCHES : 1, 1 / COPYING);
    }

    /** The same if so many messages share each link at once. */
    public CostModel sharedBy(int messages) {
        return messages == 1 ? this
            : new CostModel(start, 1 / (perByte * messages), port, perByteFar / perByte, perByteShifted / perByte,
                perByteCopied);
    }

    /** ts: nanoseconds of an empty message, or of a launch. */
    public double start() {
        return start;
    }

    /** Nanoseconds of the bytes alone: m / B. */
    public double transfer(double bytes) {
        return bytes * perByte;
    }

    /** {@code ts + m / B}. */
    public double message(double bytes) {
        return start + bytes * perByte;
    }

    /** What a message takes of its receiver's port if it has started before and waited for it. */
    public double queued(double bytes) {
        return port + bytes * perByte;
    }

    /** {@link #transfer} of an exchange of all ranks with partners far away for one half, and near for the other. */
    public double transferFar(double bytes) {
        return bytes * (perByte + perByteFar) / 2;
    }

    /** The same if each rank's partner is as far as every other's, in the same direction. */
    public double transferShifted(double bytes) {
        return bytes * (perByte + perByteShifted) / 2;
    }

    /** Nanoseconds of packing bytes, or unpacking them. */
    public double copy(double bytes) {
        return bytes * perByteCopied;
    }

    /**
     * Equation (5) of Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), {@code
     * (M/C + h - 1)(ts + C/B)}, with the windows counted in whole.
     *
     * @param hops h: ranks that a window passes one after another
     * @param chunk C; 0: one window
     */
    public double pipeline(int hops, long bytes, long chunk) {
        return (windows(bytes, chunk) + hops - 1) * message(chunk == 0 || chunk > bytes ? bytes : chunk);
    }

    /**
     * {@link #pipeline} down two trees at once: a rank sends to two children at the same time, of which the second
     * waits for its port.
     */
    public double trees(int hops, long bytes, long chunk) {
        long window = chunk == 0 || chunk > bytes ? bytes : chunk;
        return (windows(bytes, chunk) + hops - 1) * (message(window) + queued(window)) / 2;
    }

    /**
     * To the root of a k-nomial tree, whose children of a round have all started when the first of them arrives.
     *
     * @param rounds of the tree; @param messages {@link #treeMessages}
     */
    public double collected(int rounds, int messages, long bytes, long chunk) {
        double windows = windows(bytes, chunk);
        return windows * (rounds * message(bytes / windows) + (messages - rounds) * queued(bytes / windows));
    }

    /** So many messages one after another for each window. */
    public double windowed(double messages, long bytes, long chunk) {
        return messages * (windows(bytes, chunk) * start + bytes * perByte);
    }

    /**
     * {@link #pipeline} of two halves at once that share the ranks' ports: a window is no longer than a half.
     *
     * @param wait messages for which the halves wait for each other where they meet
     */
    public double opposite(int hops, int wait, long bytes, long chunk) {
        long half = (bytes + 1) / 2;
        return pipeline(hops + wait, bytes, chunk == 0 ? half : Math.min(half, chunk));
    }

    /**
     * The window that makes a pipeline fastest: the C at which {@link #pipeline} is least, {@code sqrt(M ts B/(h -
     * 1))}, rounded to a power of two and kept within 4 KiB and 4 MiB.
     *
     * @param hops {@link Algorithm#hops}
     * @return bytes; 0 if there are no hops, when the model does not apply
     */
    public long bestChunk(int hops, long bytes) {
        if (hops == 0) {
            return 0;
        }
        double best = hops == 1 ? MOST_WINDOW : Math.sqrt(bytes * start / perByte / (hops - 1));
        double within = Math.max(LEAST_WINDOW, Math.min(MOST_WINDOW, best));
        long power = Long.highestOneBit((long) within);
        return within / power > Math.sqrt(2) ? 2 * power : power;
    }

    /** Number of windows that the bytes are cut into. */
    public static double windows(long bytes, long chunk) {
        return chunk == 0 || bytes <= chunk ? 1 : Math.ceil((double) bytes / chunk);
    }

    public static int floorLog(int ranks) {
        return 31 - Integer.numberOfLeadingZeros(ranks);
    }

    /** Rounds of a tree: the least k with radix^k >= ranks. */
    public static int rounds(int ranks, int radix) {
        int rounds = 0;
        for (long reached = 1; reached < ranks; reached *= radix) {
            rounds++;
        }
        return rounds;
    }

    /**
     * Messages one after another down a k-nomial tree, {@code (k - 1) log_k n} if it is complete: those of its root,
     * which serves the smallest subtrees last.
     */
    public static int treeMessages(int ranks, int radix) {
        int messages = 0;
        for (long run = 1; run < ranks; run *= radix) {
            messages += (int) Math.min(radix - 1, (ranks - 1) / run);
        }
        return messages;
    }

    /** Messages one after another down the trees of all levels. */
    public static int treeMessages(int ranks, int radix, CommunicatorTopology wires) {
        Hierarchy hierarchy = wires.hierarchy(ranks);
        int messages = 0;
        for (int level = 1; level <= hierarchy.depth(); level++) {
            messages += treeMessages(hierarchy.most(level), radix);
        }
        return messages;
    }
}
