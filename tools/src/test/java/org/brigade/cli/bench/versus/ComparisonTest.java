package org.brigade.cli.bench.versus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private final List<String> order = new ArrayList<>();

    private PeerBenchmark peer(String name, double... times) {
        return new PeerBenchmark() {
            private int run;

            @Override
            public String name() {
                return name;
            }

            @Override
            public String version() {
                return name + " 1";
            }

            @Override
            public String binding() {
                return "";
            }

            @Override
            public void run(Consumer<BenchRow> sink) {
                order.add(name);
                sink.accept(new BenchRow("bcast", 2, 8, "", times[run++]));
            }
        };
    }

    private Comparison.OurSide ours(double... times) {
        return sink -> {
            order.add("ours");
            sink.accept(new BenchRow("bcast", 2, 8, "direct", times[order.size() % times.length]));
            return 0;
        };
    }

    @Test
    void sidesRunInTurnAndTheFastestPeerCounts() {
        int[] measured = new int[1];
        Comparison comparison = new Comparison(List.of(peer("slow", 9, 8, 7), peer("fast", 4, 2, 3)), null);
        assertEquals(0, comparison.run(ours(1), 3, () -> measured[0]++));
        assertEquals(List.of("ours", "slow", "fast", "ours", "slow", "fast", "ours", "slow", "fast"), order);
        assertEquals(9, measured[0], "rows of all sides move the bar");
        MeasuredRow row = comparison.rows().get(0);
        assertEquals("fast", row.best().peer());
        assertEquals(3, row.ratio());
        assertEquals(8, row.of("slow").microseconds());
        assertEquals(Samples.of(4, 2, 3), row.of("fast").samples());
        assertEquals(Samples.of(1, 1, 1), row.samples());
    }

    @Test
    void ourFailureEndsTheRuns() {
        assertEquals(3, new Comparison(List.of(peer("a", 1)), null).run(sink -> 3, 5, order::clear));
        assertEquals(List.of(), order);
    }

    @Test
    void quartilesLieBetweenRuns() {
        assertEquals(2, Samples.of(3, 1, 2).median());
        assertEquals(1, Samples.of(3, 1, 2).interquartile());
        assertEquals(2.5, Samples.of(1, 2, 3, 4).median());
        assertEquals(0, Samples.of(7).interquartile());
        assertTrue(Double.isNaN(Samples.NONE.median()));
    }

    @Test
    void aRowIsUnsteadyIfEitherSidesRunsDiffer() {
        assertFalse(Samples.of(10, 10, 12).areUnsteady());
        assertTrue(Samples.of(10, 10, 30).areUnsteady());
        assertFalse(Samples.of(5).areUnsteady());
        Comparison steady = new Comparison(List.of(peer("a", 1, 1, 3)), null);
        steady.run(ours(1), 3, order::size);
        assertTrue(steady.rows().get(0).isUnsteady(), "the peer's runs differ");
    }

    @Test
    void theFewestCopiesOfEachOperation() {
        assertEquals(1, MachineLimit.copies("latency", 4));
        assertEquals(3, MachineLimit.copies("bcast", 4));
        assertEquals(4, MachineLimit.copies("allreduce", 4));
        assertEquals(2.5, MachineLimit.copies("reduce-scatter", 4));
        assertEquals(16, MachineLimit.copies("alltoall", 4));
        assertTrue(Double.isNaN(MachineLimit.copies("put", 4)));
    }

    @Test
    void theLimitIsTheLineOrTheCopies() {
        MachineLimit limit = InventedLimit.make(0.2, new long[] {4096, 1 << 20}, 1e-4); // two threads: 20 GB/s
        assertEquals(0.1, limit.microseconds("allreduce", 2, 8), 1e-9);
        assertEquals(0.1, limit.microseconds("barrier", 2, 0), 1e-9);
        assertEquals((1 << 20) / 20e3, limit.microseconds("latency", 2, 1 << 20), 1e-3);
        assertEquals(2 * (1 << 20) / 20e3, limit.microseconds("allreduce", 2, 1 << 20), 1e-3);
        assertTrue(Double.isNaN(limit.microseconds("bw", 2, 8)));
        assertTrue(Double.isNaN(limit.microseconds("get", 2, 1 << 20)));
    }

    @Test
    void theWordForFreshBuffersIsReadBack() {
        assertEquals(4096, BenchJob.freshBytes(new BenchJob("bcast", "8", 2, 4096).word()));
        assertEquals(0, BenchJob.freshBytes(new BenchJob("bcast", "8", 2, 0).word()));
        assertThrows(IllegalArgumentException.class, () -> BenchJob.freshBytes("fresh=0"));
    }
}
