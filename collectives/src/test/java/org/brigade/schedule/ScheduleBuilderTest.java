package org.brigade.schedule;

import mpi.spi.Collective;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.pattern.Order;
import org.junit.jupiter.api.Test;

class ScheduleBuilderTest {
    private static Geometry geometry(Collective collective, boolean inPlace) {
        return new Geometry(collective, 4, 1, 0, inPlace, 2);
    }

    private static ScheduleBuilder builder(Collective collective) {
        return new ScheduleBuilder("test", geometry(collective, false));
    }

    private static Step step(List<Node> body, int id) {
        for (Node node : body) {
            if (node instanceof Step step && step.id() == id) {
                return step;
            }
            if (node instanceof Loop loop) {
                Step found = step(loop.body(), id);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static List<Await> awaits(Schedule schedule, int id) {
        for (Lane lane : schedule.lanes()) {
            Step step = step(lane.body(), id);
            if (step != null) {
                return step.awaits();
            }
        }
        throw new AssertionError("no step " + id);
    }

    private static void assertRefuses(Runnable misuse, String... words) {
        String message = assertThrows(IllegalStateException.class, misuse::run).getMessage();
        for (String word : words) {
            assertTrue(message.contains(word), "'" + word + "' is missing in: " + message);
        }
    }

    @Test
    void aSendWaitsForTheReceiveOfItsData() {
        ScheduleBuilder builder = builder(Collective.BCAST);
        builder.receive(0, builder.recv(Index.of(0), 1));
        builder.send(2, builder.recv(Index.of(0), 1));
        Schedule schedule = builder.finish();
        assertEquals(List.of(), awaits(schedule, 0));
        assertEquals(List.of(new Await(0, 0, false)), awaits(schedule, 1));
        assertEquals("receive", schedule.lanes().get(0).name());
        assertEquals("send", schedule.lanes().get(1).name());
    }

    @Test
    void aReceiveWaitsForTheLatestSendOfWhatItOverwrites() {
        ScheduleBuilder builder = builder(Collective.BCAST);
        builder.split(3);
        builder.send(0, builder.recv(Index.of(0), 1));
        builder.send(2, builder.recv(Index.of(1), 2));
        builder.send(3, builder.recv(Index.of(2), 1));
        builder.receive(0, builder.recv(Index.of(0), 2));
        assertEquals(List.of(new Await(1, 0, false)), awaits(builder.finish(), 3));
    }

    @Test
    void independentStepsDoNotWait() {
        ScheduleBuilder builder = builder(Collective.ALLREDUCE);
        builder.send(2, builder.send(Index.of(0), 1));
        builder.receiveReduce(2, builder.recv(Index.of(0), 1), builder.send(Index.of(0), 1), false);
        Schedule schedule = builder.finish();
        assertEquals(List.of(), awaits(schedule, 0));
        assertEquals(List.of(), awaits(schedule, 1));
    }

    @Test
    void inPlaceSendAndRecvAreTheSameBytes() {
        ScheduleBuilder builder = new ScheduleBuilder("test", geometry(Collective.ALLREDUCE, true));
        builder.copy(builder.recv(Index.of(0), 1), builder.send(Index.of(0), 1));
        builder.send(2, builder.send(Index.of(0), 1));
        builder.receiveReduce(2, builder.recv(Index.of(0), 1), builder.send(Index.of(0), 1), false);
        Schedule schedule = builder.finish();
        assertEquals(2, schedule.steps(), "a copy onto itself vanishes");
        assertEquals(List.of(new Await(0, 0, false)), awaits(schedule, 1));
    }

    @Test
    void aLoopWaitsForItsOwnEarlierRoundsAtTheSmallestDistance() {
        ScheduleBuilder builder = builder(Collective.ALLGATHER);
        builder.rounds(3, round -> {
            builder.send(2, builder.recv(round, 1));
            builder.receive(0, builder.recv(round.plus(1), 1));
        });
        assertEquals(List.of(new Await(1, 1, false)), awaits(builder.finish(), 0));
    }

    @Test
    void stepsOfDifferentLoopsWaitForTheLastRound() {
        ScheduleBuilder builder = builder(Collective.ALLGATHER);
        builder.rounds(3, round -> builder.receive(0, builder.recv(round, 1)));
        builder.send(2, builder.recv(Index.of(1), 1));
        assertEquals(List.of(new Await(0, 0, true)), awaits(builder.finish(), 1));
    }

    @Test
    void windowsOfOneBlockAreApart() {
        ScheduleBuilder builder = builder(Collective.BCAST);
        builder.windows(() -> {
            builder.receive(0, builder.recv(Index.of(0), 1));
            builder.send(2, builder.recv(Index.of(0), 1));
        });
        Schedule schedule = builder.finish();
        assertEquals(List.of(), awaits(schedule, 0), "the next window overwrites nothing");
        assertEquals(List.of(new Await(0, 0, false)), awaits(schedule, 1));
        assertTrue(((Loop) schedule.lanes().get(0).body().get(0)).overWindows());
    }

    @Test
    void aSignalWaitsForTheSignalsAwaitedBefore() {
        ScheduleBuilder builder = builder(Collective.BARRIER);
        builder.awaitSignal(2);
        builder.awaitSignal(3);
        builder.signal(0);
        builder.awaitSignal(0);
        Schedule schedule = builder.finish();
        assertEquals(List.of(new Await(1, 0, false)), awaits(schedule, 2));
        assertEquals(List.of(), awaits(schedule, 3), "waiting for a signal never waits for one sent");
    }

    @Test
    void oneRoundIsNoLoop() {
        ScheduleBuilder builder = builder(Collective.ALLGATHER);
        builder.rounds(1, round -> builder.send(2, builder.recv(round.plus(1), 1)));
        builder.rounds(0, round -> builder.send(3, builder.recv(round, 1)));
        assertEquals(1, builder.finish().lanes().get(1).body().size());
    }

    @Test
    void misuseIsNamed() {
        assertRefuses(() -> builder(Collective.BCAST).send(1, builder(Collective.BCAST).recv(Index.of(0), 1)),
            "bcast/test, rank 1 of 4", "step 0 (SEND)", "peer 1 is not another rank");
        assertRefuses(() -> builder(Collective.BCAST).receive(0, builder(Collective.BCAST).recv(Index.of(1), 1)),
            "outside the 1 blocks of RECV");
        assertRefuses(() -> builder(Collective.BCAST).send(0, builder(Collective.BCAST).send(Index.of(0), 1)),
            "outside the 0 blocks of SEND");
        assertRefuses(
            () -> builder(Collective.ALLREDUCE).receive(0, builder(Collective.ALLREDUCE).send(Index.of(0), 1)),
            "never written");
        assertRefuses(() -> builder(Collective.ALLGATHERV).send(0, builder(Collective.ALLGATHERV).recv(Index.of(0), 2)),
            "one at a time");
        assertRefuses(() -> builder(Collective.BCAST).split(0), "split(0)");
        ScheduleBuilder rounds = builder(Collective.ALLGATHER);
        assertRefuses(() -> rounds.rounds(2, outer -> rounds.rounds(2, inner -> {})), "one loop of the other kind");
        ScheduleBuilder five = builder(Collective.ALLGATHER);
        assertRefuses(() -> five.rounds(5, round -> five.receive(0, five.recv(round, 1))),
            "RECV[i] in round 4 is outside the 4 blocks");
    }

    @Test
    void aLoopOverWindowsRefusesSlicesWhoseWindowsWouldMeet() {
        ScheduleBuilder builder = builder(Collective.ALLGATHER);
        assertRefuses(() -> builder.windows(() -> {
            builder.send(2, builder.recv(Index.of(1), 1));
            builder.receive(0, builder.recv(Index.of(0), 2));
        }), "RECV[0 +2] in a loop over windows", "one block at a time");
    }

    @Test
    void aDependencyBetweenInnerLoopsIsRefused() {
        ScheduleBuilder builder = builder(Collective.BCAST);
        builder.rounds(2, round -> {
            builder.windows(() -> builder.receive(0, builder.recv(Index.of(0), 1)));
            builder.windows(() -> builder.send(2, builder.recv(Index.of(0), 1)));
        });
        assertRefuses(builder::finish, "join the inner loops");
    }

    @Test
    void stagesHaveLanesOfTheirOwnAndWaitForEachOther() {
        ScheduleBuilder builder = builder(Collective.ALLREDUCE);
        Slice sum = builder.recv(Index.of(0), 1);
        builder.stages(2);
        builder.stage(0);
        builder.receiveReduce(0, sum, builder.send(Index.of(0), 1), false);
        builder.stage(1);
        builder.receiveReduce(2, sum, sum, false);
        builder.send(3, sum);
        builder.stage(0);
        builder.receive(0, sum);
        Schedule schedule = builder.finish();
        assertEquals(List.of("receive 0", "send 0", "receive 1", "send 1"),
            schedule.lanes().stream().map(Lane::name).toList());
        assertEquals(List.of(), awaits(schedule, 0));
        assertEquals(List.of(new Await(0, 0, false)), awaits(schedule, 1),
            "it reads and overwrites what another lane wrote");
        assertEquals(List.of(new Await(1, 0, false)), awaits(schedule, 2));
        assertEquals(List.of(new Await(2, 0, false)), awaits(schedule, 3),
            "it overwrites what was read, and who read it has waited for its writer");
    }

    @Test
    void whatTwoLanesReadIsOverwrittenAfterBoth() {
        ScheduleBuilder builder = builder(Collective.BCAST);
        Slice data = builder.recv(Index.of(0), 1);
        builder.stages(3);
        builder.receive(0, data);
        builder.stage(1);
        builder.send(2, data);
        builder.stage(2);
        builder.send(3, data);
        builder.stage(0);
        builder.receive(0, data);
        assertEquals(List.of(new Await(1, 0, false), new Await(2, 0, false)), awaits(builder.finish(), 3));
    }

    @Test
    void messagesToOnePeerAreOfOneStage() {
        ScheduleBuilder builder = builder(Collective.BCAST);
        builder.stages(2);
        builder.send(2, builder.recv(Index.of(0), 1));
        builder.receive(2, builder.recv(Index.of(0), 1));
        builder.stage(1);
        builder.receive(3, builder.recv(Index.of(0), 1));
        assertRefuses(() -> builder.send(2, builder.recv(Index.of(0), 1)), "of stage 1", "rank 2 are of stage 0",
            "one ordered stream");
        assertRefuses(() -> builder.stage(2), "stage(2)", "there are 2");
        assertRefuses(() -> builder.stages(3), "call it first");
    }

    @Test
    void blocksMayBeLookedUpInAnOrder() {
        Order order = Order.of(new int[] {2, 0, 3, 1});
        Index index = Index.ROUND.times(-1).plus(1).mod(4).in(order);
        assertEquals(0, index.at(0));
        assertEquals(2, index.at(1));
        assertEquals(1, index.at(2));
        assertEquals("rank at (1-i)%4", index.toString());
        assertEquals(Index.of(3), Index.of(2).in(order));
        assertEquals(Index.ROUND.mod(4), Index.ROUND.mod(4).in(Order.identity(4)), "rank order leaves no trace");
    }
}
