package org.brigade.simulate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.Lane;
import org.brigade.schedule.Loop;
import org.brigade.schedule.Node;
import org.brigade.schedule.Opcode;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;
import org.brigade.schedule.Step;
import org.brigade.simulate.wiring.FatTreeWiring;
import org.brigade.simulate.wiring.IdealWiring;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.simulate.wiring.SharedResources;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("calculation")
class SimulatorTest {
    private static final double RATE = 1e9;
    private static final double STARTUP = 1e-6;

    /** Ports for the bytes alone: a start-up occupies its sender's lane, and may be over when the receiver comes. */
    private static RoutingModel senderStarts(int ranks, double copyRate) {
        RoutingModel ports = new IdealWiring(ranks, RATE, 0, copyRate);
        double[] capacities = new double[ports.resources()];
        java.util.Arrays.fill(capacities, RATE);
        return new SharedResources(capacities) {
            @Override
            public int ranks() {
                return ranks;
            }

            @Override
            public Route route(int from, int to, long bytes) {
                return Route.through(Double.POSITIVE_INFINITY, STARTUP, 0, 2 * from, 2 * to + 1);
            }

            @Override
            public Route copy(int rank, long bytes) {
                return ports.copy(rank, bytes);
            }
        };
    }

    private static ScheduledAlgorithm find(Collective collective, String name) {
        return (ScheduledAlgorithm) Catalogue.find(collective, name);
    }

    /** A collective whose schedule a test writes. */
    private static ScheduledAlgorithm written(Collective collective, BiConsumer<Geometry, ScheduleBuilder> text) {
        return new CollectiveAlgorithm(collective, "written", Restrictions.NONE) {
            @Override
            public boolean pipelined() {
                return true;
            }

            @Override
            public void build(Geometry geometry, ScheduleBuilder schedule) {
                text.accept(geometry, schedule);
            }
        };
    }

    private static Slice data(ScheduleBuilder schedule) {
        return schedule.recv(Index.of(0), 1);
    }

    /** What one rank sends, loops unrolled: messages, and bytes. */
    private static long[] sent(Schedule schedule, CallSizes sizes) {
        long[] sum = new long[2];
        for (Lane lane : schedule.lanes()) {
            unroll(lane.body(), schedule, sizes, 0, -1, sum);
        }
        return sum;
    }

    private static void unroll(List<Node> body, Schedule schedule, CallSizes sizes, int round, int window, long[] sum) {
        for (Node node : body) {
            if (node instanceof Loop loop) {
                for (int i = 0; i < (loop.overWindows() ? sizes.windows() : loop.rounds()); i++) {
                    unroll(loop.body(), schedule, sizes, loop.overWindows() ? round : i,
                        loop.overWindows() ? i : window, sum);
                }
            } else if (node instanceof Step step && step.opcode() == Opcode.SEND) {
                long bytes =
                    step.source() == null ? 0 : sizes.of(step.source(), schedule.geometry().rank(), round, window);
                if (step.source() == null || bytes > 0) {
                    sum[0]++;
                    sum[1] += bytes;
                }
            }
        }
    }

    private static List<SimulatedCall> calls(int mostRanks) {
        List<SimulatedCall> calls = new ArrayList<>();
        for (Algorithm algorithm : Catalogue.all()) {
            for (int ranks = 1; ranks <= mostRanks && algorithm instanceof ScheduledAlgorithm scheduled; ranks++) {
                if (algorithm.restrictions().violatedBy(ranks, 1, true) != null
                    || algorithm.wireUse() == WireUse.NETWORK) {
                    continue;
                }
                for (int radix : algorithm.radixed() ? new int[] {2, 3, 4} : new int[] {2}) {
                    // 5 bytes: fewer than blocks, now and then; 1000 in chunks of 64: several windows, the last one
                    // short.
                    for (long bytes : new long[] {5, 1000}) {
                        calls.add(new SimulatedCall(scheduled, ranks, algorithm.collective().rooted ? ranks / 2 : 0,
                            bytes, 64, radix));
                    }
                }
            }
        }
        return calls;
    }

    @Test
    void everyAlgorithmEndsAndSendsWhatItsUnrolledSchedulesSay() {
        for (SimulatedCall call : calls(9)) {
            long messages = 0;
            Simulation simulation = new Simulator(senderStarts(call.ranks(), Double.POSITIVE_INFINITY)).run(call);
            for (int rank = 0; rank < call.ranks(); rank++) {
                Schedule schedule = call.schedule(rank);
                long[] sent = sent(schedule, new CallSizes(call.algorithm().collective(), schedule.blocks(),
                    call.ranks(), call.bytes(), call.window()));
                messages += sent[0];
                assertEquals(sent[1], simulation.carried(2 * rank), call + ": bytes out of rank " + rank);
            }
            assertEquals(messages, simulation.messages(), call.toString());
            assertTrue(call.ranks() == 1 || simulation.seconds() >= STARTUP, call.toString());
        }
    }

    @Test
    void theRoughNumberOfMessagesIsOfTheRightSize() {
        for (SimulatedCall call : calls(9)) {
            if (call.ranks() == 9) {
                long messages = new Simulator(new IdealWiring(9, RATE, STARTUP)).run(call).messages();
                assertTrue(call.roughMessages() < 4 * messages + 9 && 6 * call.roughMessages() > messages,
                    call + ": " + messages + ", roughly " + call.roughMessages());
            }
        }
    }

    @Test
    void theSameCallTakesTheSameTimeToTheLastBit() {
        for (SimulatedCall call : calls(5)) {
            RoutingModel wiring = new FatTreeWiring(Math.max(call.ranks(), 8), 3, 4);
            Simulation one = new Simulator(wiring).run(call);
            Simulation other = new Simulator(wiring).run(call);
            for (int rank = 0; rank < call.ranks(); rank++) {
                assertEquals(one.seconds(rank), other.seconds(rank), 0, call.toString());
            }
            for (int resource = 0; resource < wiring.resources(); resource++) {
                assertEquals(one.carried(resource), other.carried(resource), 0, call.toString());
            }
        }
    }

    @Test
    void creditNeverDeadlocksAndChangesNoBytes() {
        for (SimulatedCall call : calls(6)) {
            RoutingModel wiring = new IdealWiring(call.ranks(), RATE, STARTUP);
            Simulation patient = new Simulator(wiring).run(call);
            for (long credit : new long[] {1, 64, 1 << 20}) {
                Simulation eager = new Simulator(wiring).eager(credit).run(call);
                assertEquals(patient.messages(), eager.messages(), call.toString());
                for (int resource = 0; resource < wiring.resources(); resource++) {
                    assertEquals(patient.carried(resource), eager.carried(resource), 1e-6, call.toString());
                }
            }
        }
    }

    @Test
    void aMessageWaitsForItsReceiverUnlessItFitsTheCredit() {
        // Rank 1 first waits for rank 2, which is late by two messages; rank 0 could have sent long before.
        ScheduledAlgorithm late = written(Collective.BCAST, (geometry, schedule) -> {
            switch (geometry.rank()) {
                case 0 -> {
                    schedule.send(1, data(schedule));
                    schedule.send(3, data(schedule));
                }
                case 1 -> {
                    schedule.receive(2, data(schedule));
                    schedule.receive(0, data(schedule));
                }
                case 2 -> {
                    schedule.send(4, data(schedule));
                    schedule.send(1, data(schedule));
                }
                case 3 -> schedule.receive(0, data(schedule));
                default -> schedule.receive(2, data(schedule));
            }
        });
        SimulatedCall call = new SimulatedCall(late, 5, 1000, 0, 2);
        RoutingModel wiring = senderStarts(5, Double.POSITIVE_INFINITY);
        Simulation waiting = new Simulator(wiring).run(call);
        assertEquals(4e-6, waiting.seconds(2), 1e-15);
        assertEquals(5e-6, waiting.seconds(1), 1e-15, "the start-up was over long before");
        assertEquals(7e-6, waiting.seconds(3), 1e-15);
        Simulation eager = new Simulator(wiring).eager(1000).run(call);
        assertEquals(4e-6, eager.seconds(1), 1e-15, "it had come when it was looked for");
        assertEquals(4e-6, eager.seconds(3), 1e-15);
        assertEquals(7e-6, new Simulator(wiring).eager(999).run(call).seconds(3), 1e-15,
            "a byte too long for the credit");
    }

    @Test
    void creditIsOfAllMessagesThatWaitTogether() {
        // Two messages to a rank that does not look before its own long one has gone.
        ScheduledAlgorithm two = written(Collective.ALLTOALL, (geometry, schedule) -> {
            Slice block = schedule.recv(Index.of(0), 1);
            if (geometry.rank() == 0) {
                schedule.send(1, schedule.send(Index.of(0), 1));
                schedule.send(1, schedule.send(Index.of(1), 1));
            } else {
                schedule.copy(block, schedule.send(Index.of(0), 1));
                schedule.receive(0, block);
                schedule.receive(0, block);
            }
        });
        RoutingModel slowCopies = senderStarts(2, 1e8);
        SimulatedCall call = new SimulatedCall(two, 2, 1000, 0, 2);
        assertEquals(13e-6, new Simulator(slowCopies).run(call).seconds(0), 1e-14,
            "copy 10 us, a message 1 us, the next one's start-up 1 us behind that, 1 us");
        assertEquals(4e-6, new Simulator(slowCopies).eager(2000).run(call).seconds(0), 1e-14);
        assertEquals(11e-6, new Simulator(slowCopies).eager(1999).run(call).seconds(0), 1e-14,
            "the second waits for the receive, its start-up over");
    }

    /** Ranks with a slow reduction, and a link that lags. */
    private static RoutingModel reducing(double rate, double startup, double latency) {
        return new SharedResources(RATE, rate) {
            @Override
            public Route route(int from, int to, long bytes) {
                return Route.through(Double.POSITIVE_INFINITY, STARTUP, latency, 0);
            }

            @Override
            public Route reduction(int rank, long bytes) {
                return Route.through(Double.POSITIVE_INFINITY, startup, 0, 1);
            }
        };
    }

    private static final ScheduledAlgorithm SUM = written(Collective.REDUCE, (geometry, schedule) -> {
        Slice result = data(schedule);
        Slice input = schedule.send(Index.of(0), 1);
        if (geometry.rank() == 0) {
            schedule.receiveReduce(1, result, input, false);
        } else {
            schedule.send(0, input);
        }
    });

    @Test
    void whatIsReducedAsItArrivesTakesTheSlowerOfTheTwo() {
        SimulatedCall call = new SimulatedCall(SUM, 2, 1000, 0, 2);
        Simulation slowReduction = new Simulator(reducing(RATE / 4, 0, 0)).run(call);
        assertEquals(5e-6, slowReduction.seconds(0), 1e-15);
        assertEquals(5e-6, slowReduction.seconds(1), 1e-15, "the sender is held up, too");
        assertEquals(1000, slowReduction.carried(1));
        assertEquals(2e-6, new Simulator(reducing(4 * RATE, 0, 0)).run(call).seconds(), 1e-15);
        Simulation lagging = new Simulator(reducing(4 * RATE, 3e-6, 5e-6)).run(call);
        assertEquals(2e-6, lagging.seconds(1), 1e-15, "the sender is free when its bytes have left");
        assertEquals(10e-6, lagging.seconds(0), 1e-15, "latency, and the reduction's start-up behind the last byte");
    }

    @Test
    void whatHasArrivedBeforeItsReductionIsReducedThen() {
        ScheduledAlgorithm busyFirst = written(Collective.REDUCE, (geometry, schedule) -> {
            Slice result = data(schedule);
            Slice input = schedule.send(Index.of(0), 1);
            if (geometry.rank() == 0) {
                schedule.reduce(result, input, true);
                schedule.receiveReduce(1, result, result, false);
            } else {
                schedule.send(0, input);
            }
        });
        // The first reduction takes 4 us, the message is there after 2: the second takes 4 more.
        SimulatedCall call = new SimulatedCall(busyFirst, 2, 1000, 0, 2);
        assertEquals(8e-6, new Simulator(reducing(RATE / 4, 0, 0)).eager(1000).run(call).seconds(0), 1e-15);
        assertEquals(2e-6, new Simulator(reducing(RATE / 4, 0, 0)).eager(1000).run(call).seconds(1), 1e-15);
        assertEquals(8e-6, new Simulator(reducing(RATE / 4, 0, 0)).run(call).seconds(1), 1e-15,
            "without credit it moves as it is reduced");
    }

    @Test
    void theWayMayDependOnTheSize() {
        // Up to 1000 bytes the processor writes, with 1 us of start-up; more go by DMA, with 5.
        RoutingModel two = new SharedResources(RATE) {
            @Override
            public Route route(int from, int to, long bytes) {
                return Route.through(Double.POSITIVE_INFINITY, bytes <= 1000 ? 1e-6 : 5e-6, 0, 0);
            }
        };
        assertEquals(5e-6 + 1.5e-6 + 1e-6 + 0.5e-6, new Simulator(two)
            .run(new SimulatedCall(find(Collective.BCAST, "pipelined-chain"), 2, 2000, 1500, 2)).seconds(), 1e-15);
    }

    /** The start-up of a message is of both ports, so those of many senders come one after another too. */
    @Test
    void theIdealReceiverIsChargedAsTheSenderIs() {
        SimulatedCall gather = new SimulatedCall(find(Collective.GATHER, "direct"), 5, 1000, 0, 2);
        assertEquals(4 * 2e-6, new Simulator(new IdealWiring(5, RATE, STARTUP)).run(gather).seconds(), 1e-14);
    }

    @Test
    void manySendersShareTheirReceiver() {
        Simulation gather = new Simulator(new IdealWiring(5, RATE, 0))
            .run(new SimulatedCall(written(Collective.ALLREDUCE, (geometry, schedule) -> {
                // All four senders' messages are awaited at once: each by its own step, so one after another; sent
                // ahead, they share the port.
                schedule.split(1);
                if (geometry.rank() == 0) {
                    for (int rank = 1; rank < 5; rank++) {
                        schedule.receive(rank, schedule.scratch(rank - 1, Index.of(0), 1));
                    }
                } else {
                    schedule.send(0, schedule.send(Index.of(0), 1));
                }
            }), 5, 1000, 0, 2));
        assertEquals(4e-6, gather.seconds(), 1e-15);
        assertEquals(1e-6, gather.seconds(1), 1e-15);
        assertEquals(1, gather.share(1), 1e-9, "the root's port is busy all the time");
        assertArrayEquals(new int[] {1, 2}, gather.busiest(2));
        assertEquals(4e-6, gather.busySeconds(1), 1e-15);
    }

    @Test
    void aTimelineAddsUpToWhatWasCarried() {
        RoutingModel wiring = new FatTreeWiring(24, 3, 8);
        SimulatedCall call = new SimulatedCall(find(Collective.BCAST, "pipelined-chain"), 24, 1 << 22, 4096, 2);
        Simulation plain = new Simulator(wiring).run(call);
        int[] busiest = plain.busiest(10);
        Timeline timeline = new Timeline(wiring, busiest);
        assertEquals(plain.seconds(), new Simulator(wiring).trace(timeline).run(call).seconds(), 0,
            "who listens changes nothing");
        assertTrue(timeline.stretches() > 256 && timeline.stretches() <= 512, timeline.stretches() + " stretches");
        assertTrue(timeline.stretches() * timeline.stretchSeconds() >= plain.busySeconds(busiest[0]));
        for (int row = 0; row < timeline.rows(); row++) {
            double sum = 0;
            for (int i = 0; i < timeline.stretches(); i++) {
                assertTrue(timeline.share(row, i) >= 0 && timeline.share(row, i) <= 1 + 1e-6,
                    "row " + row + ": " + timeline.share(row, i));
                sum += timeline.share(row, i) * timeline.stretchSeconds() * wiring.capacity(timeline.resource(row));
            }
            assertEquals(plain.carried(timeline.resource(row)), sum, 1e-6 * sum + 0.1 * 1024);
        }
    }

    @Test
    void schedulesThatDoNotFitEndWithASentence() {
        ScheduledAlgorithm crossed = written(Collective.BCAST, (geometry, schedule) -> {
            if (geometry.rank() == 0) {
                schedule.receive(1, data(schedule));
            } else {
                schedule.receive(0, data(schedule));
            }
        });
        String deadlock = assertThrows(IllegalStateException.class,
            () -> new Simulator(new IdealWiring(2, RATE, STARTUP)).run(new SimulatedCall(crossed, 2, 8, 0, 2)))
            .getMessage();
        assertEquals(
            "bcast/written of 8 bytes on 2 ranks: deadlock: rank 0 waits in step 0 (RECV with rank 1) in round 0,"
                + " window 0; brigade verify shows what is wrong with the schedule",
            deadlock);
        ScheduledAlgorithm uneven = written(Collective.ALLGATHER, (geometry, schedule) -> {
            if (geometry.rank() == 0) {
                schedule.send(1, schedule.send(Index.of(0), 1));
            } else {
                schedule.receive(0, schedule.recv(Index.of(0), 2));
            }
        });
        String mismatch = assertThrows(IllegalStateException.class,
            () -> new Simulator(new IdealWiring(2, RATE, STARTUP)).run(new SimulatedCall(uneven, 2, 8, 0, 2)))
            .getMessage();
        assertTrue(mismatch.startsWith("rank 0 sends 8 bytes where rank 1 expects 16"), mismatch);
        String tooMany = assertThrows(IllegalArgumentException.class,
            () -> new Simulator(new IdealWiring(2, RATE, STARTUP))
                .run(new SimulatedCall(find(Collective.BCAST, "chain"), 3, 8, 0, 2)))
            .getMessage();
        assertTrue(tooMany.contains("has places for 2 only"), tooMany);
        String tooLong = assertThrows(IllegalArgumentException.class,
            () -> new Simulator(new IdealWiring(2, 1, STARTUP))
                .run(new SimulatedCall(find(Collective.BCAST, "chain"), 2, 1L << 40, 0, 2)))
            .getMessage();
        assertTrue(tooLong.contains("106 days"), tooLong);
        String windows = assertThrows(IllegalArgumentException.class,
            () -> new Simulator(new IdealWiring(2, RATE, STARTUP))
                .run(new SimulatedCall(find(Collective.BCAST, "pipelined-chain"), 2, 1L << 40, 1, 2)))
            .getMessage();
        assertTrue(windows.contains("take a longer chunk"), windows);
    }
}
