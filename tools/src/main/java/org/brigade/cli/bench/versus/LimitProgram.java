package org.brigade.cli.bench.versus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLongArray;
import org.brigade.cli.shared.SizeList;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Libc;

/**
 * Measures the machine without any library for messages. Prints rows as benchmarks do: {@code round-trip} is the time
 * in which a cache line goes to another thread and back; {@code copy} is the time in which each of several threads
 * copies that many bytes in memory of its own, all at once. Arguments: sizes, threads, bytes to rotate over or 0.
 */
public final class LimitProgram {
    static final String ROUND_TRIP = "round-trip";
    static final String COPY = "copy";
    /** Messages below this are limited by the round trip. */
    static final int LEAST_COPY = 4096;

    private static final int LINE_LONGS = 16;
    private static final int ROUNDS = 200;
    private static final int BATCHES = 500;
    private static final long COPY_NANOS = 20_000_000;
    private static final int COPY_TRIES = 3;
    private static final long MOST_COPY = 1 << 30;

    private final int threads;
    private final int room;
    /** Two of each thread, from and to. */
    private final List<NativeMemory> memories = new ArrayList<>();

    private LimitProgram(int threads, int room) {
        this.threads = threads;
        this.room = room;
        for (int i = 0; i < 2 * threads; i++) {
            NativeMemory memory = NativeMemory.allocate(room);
            memories.add(memory);
            for (int at = 0; at < room; at += LEAST_COPY) {
                Libc.copy(memory.address() + at, memories.get(0).address(), 1); // touches the page
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        long fresh = Long.parseLong(arguments[2]);
        print(ROUND_TRIP, 2, 64, roundTrip());
        List<Long> sizes = SizeList.parse(arguments[0]).stream()
            .filter(bytes -> bytes >= LEAST_COPY && bytes <= MOST_COPY).toList();
        long most = sizes.stream().max(Long::compare).orElse(0L);
        if (most > 0) {
            int threads = Integer.parseInt(arguments[1]);
            LimitProgram program = new LimitProgram(threads, (int) Math.min(MOST_COPY, Math.max(most, fresh / 2)));
            for (long bytes : sizes) {
                print(COPY, threads, bytes, program.copy(bytes, fresh > 0));
            }
        }
    }

    private static void print(String what, int threads, long bytes, double nanos) {
        System.out.println(what + "," + threads + "," + bytes + ","
            + String.format(Locale.ROOT, "%.4f", nanos / 1000));
    }

    /** Nanoseconds, of the fastest batch. */
    private static double roundTrip() throws InterruptedException {
        // Each word has a line, and the one that the hardware fetches beside it, of its own.
        AtomicLongArray words = new AtomicLongArray(4 * LINE_LONGS);
        Thread other = new Thread(() -> {
            for (long i = 1; i <= (long) ROUNDS * BATCHES; i++) {
                await(words, LINE_LONGS, i);
                words.lazySet(3 * LINE_LONGS, i);
            }
        }, "round-trip");
        other.setDaemon(true);
        other.start();
        double best = Double.POSITIVE_INFINITY;
        long i = 0;
        for (int batch = 0; batch < BATCHES; batch++) {
            long begin = System.nanoTime();
            for (int round = 0; round < ROUNDS; round++) {
                words.lazySet(LINE_LONGS, ++i);
                await(words, 3 * LINE_LONGS, i);
            }
            best = Math.min(best, (System.nanoTime() - begin) / (double) ROUNDS);
        }
        other.join();
        return best;
    }

    private static void await(AtomicLongArray words, int at, long wanted) {
        for (int turn = 0; words.getAcquire(at) < wanted; turn++) {
            if (turn > 1000) {
                Thread.yield(); // the other thread may wait for this processor
            }
        }
    }

    /** Nanoseconds of one copy while all threads copy; the fastest of several tries. */
    private double copy(long bytes, boolean rotates) throws InterruptedException {
        int slots = rotates ? (int) (room / bytes) : 1;
        double best = Double.POSITIVE_INFINITY;
        for (int attempt = 0; attempt < COPY_TRIES; attempt++) {
            double[] each = new double[threads];
            CyclicBarrier together = new CyclicBarrier(threads);
            CountDownLatch done = new CountDownLatch(threads);
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                Thread copier = new Thread(() -> {
                    each[number] =
                        copies(memories.get(2 * number), memories.get(2 * number + 1), bytes, slots, together);
                    done.countDown();
                }, "copy");
                copier.setDaemon(true);
                copier.start();
            }
            done.await();
            double sum = 0;
            for (double time : each) {
                sum += time;
            }
            best = Math.min(best, sum / threads);
        }
        return best;
    }

    private static double copies(NativeMemory from, NativeMemory to, long bytes, int slots, CyclicBarrier together) {
        try {
            together.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
        long made = 0;
        long begin = System.nanoTime();
        long now;
        do {
            long at = made++ % slots * bytes;
            Libc.copy(to.address() + at, from.address() + at, bytes);
            now = System.nanoTime();
        } while (now - begin < COPY_NANOS);
        return (now - begin) / (double) made;
    }
}
