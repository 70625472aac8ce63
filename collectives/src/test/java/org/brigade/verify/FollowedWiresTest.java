package org.brigade.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import mpi.spi.Collective;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Schedule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schedules over wires of any kind. */
class FollowedWiresTest {
    @Property(tries = 150)
    void anyScheduleIsRightWhateverTheWires(@ForAll("algorithms") ScheduledAlgorithm algorithm,
        @ForAll @IntRange(min = 1, max = 30) int ranks, @ForAll @IntRange(max = 29) int root,
        @ForAll boolean inPlace, @ForAll @IntRange(min = 2, max = 9) int radix, @ForAll @IntRange(max = 3) int levels,
        @ForAll int seed) {
        Random random = new Random(seed);
        int at = algorithm.collective().rooted ? root % ranks : 0;
        int[] order = new int[ranks];
        int[][] groups = new int[levels][ranks];
        for (int rank = 0; rank < ranks; rank++) {
            int other = random.nextInt(rank + 1);
            order[rank] = order[other];
            order[other] = rank;
            for (int level = levels - 1; level >= 0; level--) {
                groups[level][rank] =
                    (level == levels - 1 ? 0 : groups[level + 1][rank] * 64) + random.nextInt(1 + random.nextInt(4));
            }
        }
        CommunicatorTopology wires = new CommunicatorTopology(Order.of(order), new Levels(groups), null);
        Optional<Failure> failure =
            Verifier.verify(algorithm, new Geometry(algorithm.collective(), ranks, at, at, inPlace, radix, wires));
        assertTrue(failure.isEmpty(), () -> failure.get().toString());
    }

    @Provide
    Arbitrary<ScheduledAlgorithm> algorithms() {
        return Arbitraries.of(Catalogue.all().stream()
            .filter(each -> each instanceof ScheduledAlgorithm && each.wireUse() != WireUse.NONE)
            .map(ScheduledAlgorithm.class::cast).toList());
    }

    @Test
    void schedulesThatDoNotFollowWiresAreTheSameWithThem() {
        CommunicatorTopology wires =
            new CommunicatorTopology(Order.of(new int[] {3, 1, 4, 0, 2}), new Levels(new int[][] {{0, 1, 0, 1, 0}}),
                root -> Order.of(new int[] {4, 3, 2, 1, 0}));
        for (Algorithm algorithm : Catalogue.all()) {
            if (algorithm instanceof ScheduledAlgorithm scheduled && algorithm.wireUse() == WireUse.NONE
                && algorithm.restrictions().violatedBy(5, 0, true) == null) {
                Schedule[] with =
                    Verifier.build(scheduled, new Geometry(algorithm.collective(), 5, 0, 0, false, 2, wires));
                Schedule[] without = Verifier.build(scheduled, 5, 0, false, 2);
                for (int rank = 0; rank < 5; rank++) {
                    assertEquals(SchedulePrinter.print(without[rank]), SchedulePrinter.print(with[rank]));
                }
            }
        }
    }

    /**
     * Sockets {0, 1} and {2, 3}, as the machine of Temucin et al. (2021) has them: members to leaders, leaders to each
     * other, and back, each at its own pace.
     */
    @Test
    void withOneLevelTheHierarchicalAllreduceHasThreeStages() {
        CommunicatorTopology wires = new CommunicatorTopology(null, new Levels(new int[][] {{0, 0, 1, 1}}), null);
        ScheduledAlgorithm algorithm = (ScheduledAlgorithm) Catalogue.find(Collective.ALLREDUCE, "hierarchical");
        Schedule[] schedules = Verifier.build(algorithm, new Geometry(Collective.ALLREDUCE, 4, 0, 0, false, 2, wires));
        assertEquals("""
            allreduce/hierarchical, rank 2 of 4: 4 steps
              lane receive 0
                for every window
                  0: RECV[0] = SEND[0] op message from 3
              lane send 1
                for every window
                  1: send RECV[0] to 0   after 0
              lane send 2
                for every window
                  3: send RECV[0] to 3   after 2
              lane receive 3
                for every window
                  2: receive RECV[0] from 0   after 1
            """, SchedulePrinter.print(schedules[2]));
    }

    @Test
    void aChainOverLevelsBringsEachNodeTheDataOnce() {
        CommunicatorTopology wires = new CommunicatorTopology(null, new Levels(new int[][] {{0, 1, 0, 1, 0, 1}}), null);
        ScheduledAlgorithm algorithm = (ScheduledAlgorithm) Catalogue.find(Collective.BCAST, "hierarchical");
        Schedule[] schedules = Verifier.build(algorithm, new Geometry(Collective.BCAST, 6, 0, 0, false, 2, wires));
        assertEquals(3, schedules.length / 2);
        assertTrue(SchedulePrinter.print(schedules[0]).contains("send RECV[0] to 1"),
            SchedulePrinter.print(schedules[0]));
        assertTrue(SchedulePrinter.print(schedules[1]).contains("receive RECV[0] from 0"),
            SchedulePrinter.print(schedules[1]));
        assertTrue(SchedulePrinter.print(schedules[3]).contains("receive RECV[0] from 1"),
            SchedulePrinter.print(schedules[3]));
    }

    /** The order 3, 1, 4, 0, 2 around the root: rank 1 is the last but one. */
    @ParameterizedTest
    @CsvSource({"true, 3, 4", "false, 0, 2"})
    void aChainOfSumsFollowsTheOrderIfTheOperationCommutes(boolean commutes, int from, int to) {
        CommunicatorTopology wires = new CommunicatorTopology(Order.of(new int[] {3, 1, 4, 0, 2}), Levels.NONE, null);
        Geometry commuting = new Geometry(Collective.REDUCE, 5, 4, 4, false, 2, wires);
        ScheduledAlgorithm chain = (ScheduledAlgorithm) Catalogue.find(Collective.REDUCE, "pipelined-chain");
        Schedule[] schedules = Verifier.build(chain, commutes ? commuting : commuting.ordered());
        String printed = SchedulePrinter.print(schedules[1]);
        assertTrue(printed.contains(" from " + from) && printed.contains(" to " + to), printed);
    }

    /**
     * Six nodes of three ranks each, which are dealt out to them in turn: two leaders are folded away, or three rounds
     * of six.
     */
    @ParameterizedTest
    @CsvSource({"ALLREDUCE,leader-doubling,12", "BARRIER,leader-dissemination,18"})
    void leadersAloneSendBetweenNodes(Collective collective, String name, int expected) {
        CommunicatorTopology wires =
            CommunicatorTopology.ofNodes(null, IntStream.range(0, 18).map(rank -> rank % 6).toArray());
        Schedule[] schedules = Verifier.build((ScheduledAlgorithm) Catalogue.find(collective, name),
            new Geometry(collective, 18, 0, 0, false, 4, wires));
        int between = 0;
        int all = 0;
        for (int rank = 0; rank < 18; rank++) {
            Matcher sends = Pattern.compile("send .*to (\\d+)").matcher(SchedulePrinter.print(schedules[rank]));
            while (sends.find()) {
                all++;
                between += Integer.parseInt(sends.group(1)) % 6 == rank % 6 ? 0 : 1;
            }
        }
        assertEquals(expected, between);
        assertEquals(expected + 2 * 12, all, "each of the others sends once and is sent to once");
    }
}
