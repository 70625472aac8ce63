package org.brigade.select.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Properties;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import mpi.spi.Collective;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.select.MemorySpace;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WayTrialTest {
    private static final CostModel COSTS =
        Selector.of(MemorySpace.DEVICE, new Settings(new Properties(), Map.of())).table().costs();
    private static final long MIB = 1 << 20;

    private static Way way(Collective collective, String algorithm, long chunk, int blocks, int share) {
        return new Way(DeviceCatalogue.find(collective, algorithm), chunk, blocks, share);
    }

    private static SizeClass reductions(boolean anyOrder, long bytes) {
        return SizeClass.of(Collective.ALLREDUCE, Placement.ALIGNED, anyOrder, bytes,
            way(Collective.ALLREDUCE, "two-shot", 0, 0, 0));
    }

    /** Runs calls until the trial is over; returns the ways that ran. */
    private static Set<Way> run(WayTrial trial, long bytes, ToLongFunction<Way> nanos) {
        Set<Way> ran = new HashSet<>();
        for (int call = 0; !trial.isOver(); call++) {
            assertTrue(call < 200_000, "it never ends");
            Way next = trial.next(bytes);
            trial.sees(bytes);
            Way way = next != null ? next : trial.best(bytes);
            ran.add(way);
            trial.took(way, bytes, nanos.applyAsLong(way));
        }
        return ran;
    }

    @Test
    void theFastestIsKeptWithItsBestParameters() {
        WayTrial trial = new WayTrial(reductions(true, 64 * MIB), 4, 64 * MIB, COSTS);
        run(trial, 64 * MIB, way -> way.algorithm().name().equals("paired")
            ? 500_000 + (way.share() == 20 ? 0 : 50_000) + (way.chunk() == 4 * MIB ? 0 : 50_000) : 1_000_000);
        MeasuredWay found = trial.result();
        assertEquals(way(Collective.ALLREDUCE, "paired", 4 * MIB, 0, 20), found.kept());
        assertEquals("two-shot", found.tried().get(0).way().algorithm().name());
        assertEquals(found, MeasuredWay.parse(found.toString()));
    }

    /** Whatever is fast: sums of doubles among 4 ranks keep to rank order, and to the ring if that is shipped. */
    @ParameterizedTest
    @CsvSource({"two-shot, packets lines two-shot push-two-phase", "ring, ring", "paired, paired"})
    void onlyWhatGivesTheSameBitsIsTried(String shipped, String allowed) {
        SizeClass where = SizeClass.of(Collective.ALLREDUCE, Placement.ALIGNED, false, MIB,
            way(Collective.ALLREDUCE, shipped, 0, 0, 0));
        for (Way way : run(new WayTrial(where, 4, MIB, COSTS), MIB, way -> way.algorithm().name().length())) {
            assertTrue(Set.of(allowed.split(" ")).contains(way.algorithm().name()), way::toString);
        }
    }

    @Test
    void whichReductionsAreExactInAnyOrder() {
        TypeLayout ints = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
        TypeLayout doubles = TypeLayout.of("MPI.DOUBLE", ElementKind.DOUBLE, 1);
        TypeLayout halves = TypeLayout.of("half", ElementKind.SHORT, 1, TypeLayout.Numbers.FLOAT16);
        Reduction sum = Reduction.predefined(Reduction.Operator.SUM);
        Reduction max = Reduction.predefined(Reduction.Operator.MAX);
        Reduction average = Reduction.predefined(Reduction.Operator.AVG);
        assertTrue(SameBits.always(null, doubles, 4) && SameBits.always(sum, ints, 4));
        assertFalse(SameBits.always(sum, doubles, 4) || SameBits.always(sum, halves, 3)
            || SameBits.always(average, ints, 4) || SameBits.always(max, doubles, 2));
        assertTrue(SameBits.always(sum, doubles, 2));
    }

    /** All ways but the shipped one are a hundred times slower: the calls take little longer for it. */
    @Test
    void tryingCostsATwentiethOfTheTime() {
        WayTrial trial = new WayTrial(reductions(true, MIB), 4, MIB, COSTS);
        long[] total = new long[2];
        int[] since = {0};
        run(trial, MIB, way -> {
            long nanos = way.equals(reductions(true, MIB).shipped()) ? 20_000 : 2_000_000;
            total[0] += nanos;
            total[1] += nanos - 20_000;
            since[0] = nanos == 20_000 ? since[0] + 1 : 0;
            return nanos;
        });
        // The last one's debt is paid after the end.
        assertTrue(total[1] - 2 * 1_980_000 <= total[0] / 20, total[1] + " of " + total[0]);
        assertEquals(reductions(true, MIB).shipped(), trial.result().kept());
    }

    @Test
    void callsOfOtherSizesAreServedAndDoNotCount() {
        WayTrial trial = new WayTrial(reductions(true, MIB), 4, MIB, COSTS);
        for (int call = 0; call < 200; call++) {
            long bytes = MIB + 16 * (call % 3);
            Way next = trial.next(bytes);
            assertTrue(next == null || bytes == MIB);
            trial.sees(bytes);
            trial.took(next != null ? next : trial.best(bytes), bytes, bytes == MIB ? 10_000 : 1);
        }
        for (int call = 0; call < WayTrial.FIRST_CALLS + 64; call++) {
            trial.sees(MIB + 32);
            trial.took(trial.best(MIB + 32), MIB + 32, 10_000);
        }
        assertNotNull(trial.next(MIB + 32), "the size that comes is not the one that is measured");
    }

    @Test
    void whatAMemberRefusesIsPassedOver() {
        WayTrial trial = new WayTrial(reductions(true, MIB), 4, MIB, COSTS);
        while (!trial.isOver()) {
            if (trial.next(MIB) != null) {
                trial.refused();
            } else {
                trial.took(trial.best(MIB), MIB, 1000);
            }
        }
        assertEquals(1, trial.result().tried().size());
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "999", "13800", "565000", "3999999999", "99999999999"})
    void timesTravelIn13Bits(long nanos) {
        int code = ToldTime.code(nanos);
        assertTrue(code > ToldTime.NONE && code < ToldTime.REFUSED);
        double told = ToldTime.nanos(code);
        double there = Math.max(1, Math.min(nanos, 4_271_000_000L));
        assertTrue(Math.abs(told - there) <= 1 + 0.004 * there, told + " for " + nanos);
    }

    @Test
    void aLineThatIsNoneIsNotRead() {
        WayTrial trial = new WayTrial(reductions(false, MIB), 4, MIB, COSTS);
        run(trial, MIB, way -> 1000);
        String line = trial.result().toString();
        assertNotNull(MeasuredWay.parse(line));
        for (String other : new String[] {"", "|", line.replace("two-shot", "three-shot"), line.replace(" 20 ", " 19 "),
            line.replace("ALIGNED", "ASTRAY"), line.replace(" | 1048576 | two-shot", " | 1048576 | ring"),
            line.substring(0, line.length() - 5), line + " | x", line.replace("share 0", "share 77")}) {
            assertNull(MeasuredWay.parse(other), other);
        }
    }
}
