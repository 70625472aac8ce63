package org.brigade.jmh;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.function.LongSupplier;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import org.brigade.engine.node.HostAccess;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.Affinity;
import org.brigade.nativ.ProcessMemory;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;

/**
 * Measures the figures of a machine file's lines {@code shared-memory} (docs/machines.md) by the operations that
 * straight-line code does: two threads, each bound to a processor, take turns. The fastest of many turns, as other
 * programs only make them slower.
 *
 * <p>
 * {@code java -cp jmh/target/benchmarks.jar org.brigade.jmh.SharedMemoryFigures [PROCESSOR PROCESSOR]}
 */
public final class SharedMemoryFigures {
    private static final int[] SIZES = {256 << 10, 16 << 20};
    private static final int PIECE = 64 << 10;
    private static final int LINES = 128;
    private static final int PINGS = 20_000;
    private static final int TURNS = 41;
    private static final int SHORT_TURNS = 20_001;

    /** One of the two threads, with memory of its own. */
    private static final class Side {
        private final HostAccess access = new HostAccess();
        private final ByteBuffer ownBytes = ByteBuffer.allocateDirect(SIZES[SIZES.length - 1]);
        private final NativeMemory own = new NativeMemory(ownBytes);
        private final Region region = new Region().wrap(ownBytes, 0);
    }

    private final NativeMemory flags = NativeMemory.allocate(2 * LINES);
    private final NativeMemory shared = NativeMemory.allocate(SIZES[SIZES.length - 1]);
    private final Side first = new Side();
    private final Side second = new Side();
    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private final int[] processors;

    private SharedMemoryFigures(int[] processors) {
        this.processors = processors;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int[] processors = arguments.length == 2 ? Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray()
            : new int[] {0, 1};
        new SharedMemoryFigures(processors).run();
    }

    private void run() throws InterruptedException {
        Thread other = new Thread(() -> side(1), "other side");
        other.start();
        side(0);
        other.join();
    }

    private void side(int number) {
        BitSet one = new BitSet();
        one.set(processors[number]);
        Affinity.set(one);
        boolean prints = number == 0;
        double round = pings(number);
        if (prints) {
            print("line, one way", round / 2, "ns");
        }
        for (int bytes : SIZES) {
            turns(number, bytes);
        }
        if (prints) {
            alone();
        }
    }

    private double pings(int number) {
        double least = Double.MAX_VALUE;
        for (int set = 0; set < TURNS; set++) {
            meet();
            long begin = System.nanoTime();
            for (long ping = set * (long) PINGS + 1; ping <= (set + 1L) * PINGS; ping++) {
                if (number == 0) {
                    flags.putLongRelease(0, ping);
                }
                while (flags.getLongAcquire(number == 0 ? LINES : 0) < ping) {
                    Thread.onSpinWait();
                }
                if (number == 1) {
                    flags.putLongRelease(LINES, ping);
                }
            }
            least = Math.min(least, (System.nanoTime() - begin) / (double) PINGS);
        }
        return least;
    }

    /** One side stores a vector, piece by piece; then the other one copies it out. */
    private void turns(int number, int bytes) {
        Side side = number == 0 ? first : second;
        double[] times = new double[TURNS];
        double[] past = new double[TURNS];
        for (int turn = 0; turn < 2 * TURNS; turn++) {
            boolean goPast = turn >= TURNS;
            meet();
            if (number == 0) {
                (goPast ? past : times)[turn % TURNS] = nanos(() -> {
                    for (int at = 0; at < bytes; at += PIECE) {
                        if (goPast) {
                            side.access.copyInPast(side.region, at, shared, at, PIECE);
                        } else {
                            side.access.copyIn(side.region, at, shared, at, PIECE);
                        }
                    }
                    return bytes;
                });
            }
            meet();
            if (number == 1) {
                (goPast ? past : times)[turn % TURNS] = nanos(() -> {
                    for (int at = 0; at < bytes; at += PIECE) {
                        side.access.copyOut(shared, at, side.region, at, PIECE);
                    }
                    return bytes;
                });
            }
            meet();
        }
        String what = number == 0 ? "store" : "fetch";
        print(what + ", " + (bytes >> 10) + " KiB", bytes / least(times), "GB/s");
        print(what + ", " + (bytes >> 10) + " KiB, stored past the caches", bytes / least(past), "GB/s");
        meet();
    }

    /** What one rank does in its own memory. */
    private void alone() {
        Combiner sum = Combiners.of(TypeLayout.of("MPI.FLOAT", ElementKind.FLOAT, 1),
            Reduction.predefined(Operator.SUM), false);
        NativeMemory target = NativeMemory.allocate(SIZES[SIZES.length - 1]);
        ProcessMemory memory = new ProcessMemory((int) ProcessHandle.current().pid());
        for (int bytes : SIZES) {
            print("own, " + (bytes >> 10) + " KiB",
                rate(bytes, at -> first.access.copyIn(first.region, at, target, at, PIECE)), "GB/s");
            print("reduce, " + (bytes >> 10) + " KiB",
                rate(bytes, at -> sum.combine(target, at, PIECE, first.region, at, first.region, at)), "GB/s");
            print("read, " + (bytes >> 10) + " KiB",
                rate(bytes, at -> memory.read(first.own.address() + at, target.address() + at, PIECE)), "GB/s");
        }
        print("operation", shortTime(() -> {
            first.access.copyIn(first.region, 0, target, 0, Long.BYTES);
            return 1;
        }), "ns");
        for (int bytes = Long.BYTES; bytes <= SIZES[0]; bytes *= 8) {
            int length = bytes;
            print("read of " + length + " B",
                shortTime(() -> memory.read(first.own.address(), target.address(), length)),
                "ns");
        }
    }

    private interface Piece {
        void at(int at);
    }

    private static double rate(int bytes, Piece piece) {
        double[] times = new double[TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            times[turn] = nanos(() -> {
                for (int at = 0; at < bytes; at += PIECE) {
                    piece.at(at);
                }
                return bytes;
            });
        }
        return bytes / least(times);
    }

    private static double shortTime(LongSupplier body) {
        double[] times = new double[TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            times[turn] = nanos(() -> {
                long sum = 0;
                for (int i = 0; i < SHORT_TURNS; i++) {
                    sum += body.getAsLong();
                }
                return sum;
            }) / SHORT_TURNS;
        }
        return least(times);
    }

    private static double nanos(LongSupplier body) {
        long begin = System.nanoTime();
        if (body.getAsLong() == Long.MIN_VALUE) {
            throw new IllegalStateException("impossible");
        }
        return System.nanoTime() - begin;
    }

    private static double least(double[] times) {
        return Arrays.stream(times).min().orElseThrow();
    }

    private void meet() {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException("the other side has ended", e);
        }
    }

    private static synchronized void print(String what, double value, String unit) {
        System.out.printf(Locale.ROOT, "%-40s %8.2f %s%n", what, value, unit);
    }
}
