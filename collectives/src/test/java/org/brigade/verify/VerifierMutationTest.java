package org.brigade.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.schedule.Await;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.Lane;
import org.brigade.schedule.Opcode;
import org.brigade.schedule.Role;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.Slice;
import org.brigade.schedule.Step;
import org.junit.jupiter.api.Test;

/** The verifier must see each kind of fault and say where it is. */
class VerifierMutationTest {
    /** For algorithms that follow them. */
    private static final CommunicatorTopology WIRES = new CommunicatorTopology(Order.of(new int[] {2, 0, 4, 1, 3}),
        new Levels(new int[][] {{0, 1, 0, 1, 2}, {0, 0, 0, 0, 1}}), null);

    private static Schedule[] build(Collective collective, String name, int ranks, int root, boolean inPlace) {
        return Verifier.build((ScheduledAlgorithm) Catalogue.find(collective, name), ranks, root, inPlace, 2);
    }

    private static boolean commutative(Collective collective, String name) {
        return Catalogue.find(collective, name).restrictions().commutative();
    }

    private static Step step(Schedule schedule, int id) {
        for (Step step : Mutation.steps(schedule)) {
            if (step.id() == id) {
                return step;
            }
        }
        throw new AssertionError("no step " + id + " in " + SchedulePrinter.print(schedule));
    }

    private static void assertFails(Optional<Failure> failure, String... words) {
        assertTrue(failure.isPresent(), "the verifier has not seen the fault");
        for (String word : words) {
            assertTrue(failure.get().text().contains(word), "'" + word + "' is missing in: " + failure.get());
        }
    }

    @Test
    void seesASwappedChunk() {
        Schedule[] good = build(Collective.ALLREDUCE, "ring", 4, 0, false);
        Step send = step(good[2], 0);
        assertEquals("SEND[2]", send.source().toString());
        Schedule[] bad =
            Mutation.change(good, 2, send.id(), s -> Mutation.withSource(s, new Slice(Role.SEND, 0, Index.of(1), 1)));
        assertFails(Verifier.verify(bad, true), "rank 0 RECV block 2: expected a0+a1+a2+a3, got", "a2[1]");
    }

    @Test
    void seesAMissingAwaitAsARace() {
        Schedule[] good = build(Collective.ALLREDUCE, "recursive-doubling", 2, 0, true);
        Step reduce = step(good[1], 2);
        assertEquals(1, reduce.awaits().size());
        Schedule[] bad = Mutation.change(good, 1, 2, s -> Mutation.withAwaits(s, List.of()));
        assertFails(Verifier.verify(bad, false), "rank 1: race on RECV block 0", "step 0 (SEND with rank 0)",
            "step 2 (REDUCE)");
    }

    @Test
    void seesAMissingAwaitBetweenAReceiveAndTheSendOfItsData() {
        Schedule[] bad = Mutation.change(build(Collective.BCAST, "chain", 3, 0, false), 1, 1,
            s -> Mutation.withAwaits(s, List.of()));
        assertFails(Verifier.verify(bad, false), "rank 1: race on RECV block 0", "which writes it", "which reads it");
    }

    @Test
    void acceptsAMissingAwaitThatMessagesMakeUp() {
        // Rank 0 is folded away: what it receives at the end is made of what it has sent.
        Schedule[] good = build(Collective.ALLREDUCE, "recursive-doubling", 5, 0, true);
        assertEquals(List.of(new Await(0, 0, false)), step(good[0], 1).awaits());
        Schedule[] same = Mutation.change(good, 0, 1, s -> Mutation.withAwaits(s, List.of()));
        Program program = new Program(same[0], Sizes.ONE);
        String race = new Races(program).find(Races.local(program));
        assertTrue(race != null && race.startsWith("rank 0: race on RECV block 0"),
            "lanes and waits alone give no order, but found: " + race);
        assertEquals(Optional.empty(), Verifier.verify(same, false));
    }

    @Test
    void seesAWrongPeer() {
        Schedule[] bad =
            Mutation.change(build(Collective.BCAST, "binomial", 4, 0, false), 0, 0, s -> Mutation.withPeer(s, 3));
        assertFails(Verifier.verify(bad, false), "deadlock", "rank 2, lane receive, step 0 (RECV with rank 0)");
    }

    @Test
    void seesADroppedStep() {
        Schedule[] bad = Mutation.change(build(Collective.REDUCE, "binomial", 4, 0, false), 0, 1, s -> null);
        assertFails(Verifier.verify(bad, false), "deadlock", "rank 2, lane send");
    }

    @Test
    void seesADroppedLocalStep() {
        Schedule[] bad = Mutation.change(build(Collective.GATHER, "direct", 3, 1, false), 1, 0, s -> null);
        assertFails(Verifier.verify(bad, false), "rank 1 RECV block 1: expected a1[0], got nothing");
    }

    @Test
    void seesAContributionCountedTwice() {
        Schedule[] good = build(Collective.REDUCE, "direct", 3, 0, false);
        Step second = Mutation.reduceAgain(step(good[0], 0), 9);
        assertFails(Verifier.verify(Mutation.repeat(good, 0, 0, 1, second), true),
            "rank 0 RECV block 0: expected a0+a1+a2, got");
    }

    @Test
    void seesTheWrongOrderOfOperandsUnlessTheyCommute() {
        Schedule[] good = build(Collective.REDUCE, "binomial", 3, 1, false);
        Step first = step(good[1], 0);
        Schedule[] bad = Mutation.change(good, 1, 0, s -> Mutation.withOrder(s, !first.incomingFirst()));
        assertFails(Verifier.verify(bad, false),
            "rank 1 RECV block 0: expected a0+a1+a2, got (a1+a0)+a2 (lane receive, step 1)");
        assertTrue(Verifier.verify(bad, true).isEmpty(), "a+b is b+a for commutative operations");
    }

    @Test
    void seesRanksWhoseResultsAreNotTheSameTerm() {
        Schedule[] good = build(Collective.ALLREDUCE, "direct-exchange", 4, 0, false);
        // Rank 3 takes the messages of ranks 0 and 1 in the other order: a1+a0 is the same, but with the third term it
        // is not.
        Schedule[] bad = Mutation.swap(good, 0, 0, 0, 2);
        assertTrue(Verifier.verify(bad, true).isPresent());
    }

    @Test
    void seesAnOverwriteThatComesTooEarly() {
        Schedule[] good = build(Collective.ALLREDUCE, "recursive-doubling", 4, 0, false);
        Step first = step(good[0], 1);
        assertEquals(Opcode.RECV_REDUCE, first.opcode());
        // Round 1 writes what round 1 sends.
        Schedule[] bad = Mutation.change(good, 0, 3, s -> Mutation.withTarget(s, first.target()));
        assertFails(Verifier.verify(bad, false), "rank 0");
    }

    @Test
    void seesADeadlockBySwappedOrder() {
        Schedule[] bad = Mutation.swap(build(Collective.REDUCE, "direct", 3, 0, false), 0, 0, 0, 1);
        // The messages come from other channels, so nothing stands still here ...
        assertFails(Verifier.verify(bad, false),
            "rank 0, lane receive, step 1 (RECV_REDUCE with rank 2): reads RECV block 0, which was never written");
        // ... while two ranks that each wait for the other before they answer stand still.
        Schedule[] exchange = build(Collective.ALLREDUCE, "recursive-doubling", 2, 0, false);
        for (int rank = 0; rank < 2; rank++) {
            exchange = Mutation.change(exchange, rank, 0, s -> Mutation.withAwaits(s, List.of(new Await(1, 0, false))));
        }
        assertFails(Verifier.verify(exchange, false), "deadlock",
            "rank 0, lane receive, step 1 (RECV_REDUCE with rank 1) waits for a message",
            "rank 0, lane send, step 0 (SEND with rank 1) waits for lane receive, step 1");
    }

    @Test
    void seesASendThatOnlyBufferingWouldSave() {
        Schedule[] bad = build(Collective.ALLREDUCE, "recursive-doubling", 2, 0, false);
        for (int rank = 0; rank < 2; rank++) {
            bad = Mutation.change(bad, rank, 1, s -> Mutation.withAwaits(s, List.of(new Await(0, 0, false))));
        }
        assertFails(Verifier.run(bad, false, Sizes.ONE, 0), "deadlock", "waits for its message to be taken");
        assertTrue(Verifier.run(bad, false, Sizes.ONE, 1).isEmpty(),
            "a channel with room for a message lets both go on");
    }

    @Test
    void seesABarrierThatOneMayLeaveEarly() {
        Schedule[] good = build(Collective.BARRIER, "dissemination", 5, 0, false);
        for (Step step : Mutation.steps(good[1])) {
            if (!step.awaits().isEmpty()) {
                Schedule[] bad = Mutation.change(good, 1, step.id(), s -> Mutation.withAwaits(s, List.of()));
                assertFails(Verifier.verify(bad, false), "may leave the barrier before rank");
                return;
            }
        }
        throw new AssertionError("no signal waits for another");
    }

    @Test
    void seesTwoLanesOnOneEndOfAChannel() {
        Geometry geometry = new Geometry(Collective.BCAST, 2, 0, 0, false, 2);
        Slice data = new Slice(Role.RECV, 0, Index.of(0), 1);
        Step first = new Step(0, Opcode.SEND, Index.of(1), null, data, false, List.of());
        Step second = new Step(1, Opcode.SEND, Index.of(1), null, data, false, List.of());
        Step one = new Step(0, Opcode.RECV, Index.of(0), data, null, false, List.of());
        Step other = new Step(1, Opcode.RECV, Index.of(0), data, null, false, List.of());
        Schedule[] sends = {
            new Schedule("bad", geometry, 1, 0, 2,
                List.of(new Lane("send 0", List.of(first)), new Lane("send 1", List.of(second)))),
            new Schedule("bad", geometry.of(1), 1, 0, 2,
                List.of(new Lane("receive 0", List.of(one, other)), new Lane("send 0", List.of())))};
        assertFails(Verifier.verify(sends, false), "rank 0, lane send 1, step 1 (SEND with rank 1)",
            "lane send 0 has messages with rank 1", "order is undefined");
        Schedule[] receives = {
            new Schedule("bad", geometry, 1, 0, 2,
                List.of(new Lane("send 0", List.of(first, second)), new Lane("send 1", List.of()))),
            new Schedule("bad", geometry.of(1), 1, 0, 2,
                List.of(new Lane("receive 0", List.of(one)), new Lane("receive 1", List.of(other))))};
        assertFails(Verifier.verify(receives, false), "rank 1, lane receive 1, step 1 (RECV with rank 0)",
            "lane receive 0 has messages with rank 0", "order is undefined");
    }

    @Test
    void seesAWriteToSend() {
        Schedule[] good = build(Collective.ALLREDUCE, "rabenseifner", 2, 0, false);
        Step reduce = step(good[0], 1);
        Schedule[] bad = Mutation.change(good, 0, 1,
            s -> Mutation.withTarget(s, new Slice(Role.SEND, 0, reduce.target().first(), 1)));
        assertTrue(Verifier.verify(bad, false).isPresent());
    }

    @Test
    void seesAMessageOfTheWrongLength() {
        Schedule[] good = build(Collective.ALLGATHER, "recursive-doubling", 4, 0, false);
        Step last = Mutation.steps(good[0]).get(Mutation.steps(good[0]).size() - 1);
        assertEquals(2, last.source().blocks());
        Schedule[] bad =
            Mutation.change(good, 0, last.id(), s -> Mutation.withSource(s, new Slice(Role.RECV, 0, Index.of(0), 1)));
        assertFails(Verifier.verify(bad, false), "expects 2 elements, gets 1 elements");
    }

    /**
     * For every algorithm: each step dropped, each operand moved, each pair of operands turned round is a fault that is
     * seen.
     */
    @Test
    void seesEveryMutationOfEveryAlgorithm() {
        List<String> missed = new ArrayList<>();
        int mutations = 0;
        for (Algorithm entry : Catalogue.all()) {
            if (!(entry instanceof ScheduledAlgorithm algorithm) || algorithm.restrictions().powerOfTwo()) {
                continue;
            }
            int root = algorithm.collective().rooted ? 1 : 0;
            Schedule[] good =
                Verifier.build(algorithm, new Geometry(algorithm.collective(), 5, root, root, false, 2, WIRES));
            boolean commutative = algorithm.restrictions().commutative();
            for (int rank = 0; rank < 5; rank++) {
                for (Step step : Mutation.steps(good[rank])) {
                    int id = step.id();
                    mutations += check(Mutation.change(good, rank, id, s -> null), commutative,
                        entry + " rank " + rank + " without " + step, missed);
                    if (step.peer() != null) {
                        int wrong = (step.peer().at(0) + 1) % 5 == rank ? (step.peer().at(0) + 2) % 5
                            : (step.peer().at(0) + 1) % 5;
                        mutations +=
                            check(Mutation.change(good, rank, id, s -> Mutation.withPeer(s, wrong)), commutative,
                                entry + " rank " + rank + " wrong peer in " + step, missed);
                    }
                    boolean reduction = step.opcode() == Opcode.RECV_REDUCE || step.opcode() == Opcode.REDUCE;
                    if (reduction && !commutative) {
                        mutations += check(
                            Mutation.change(good, rank, id, s -> Mutation.withOrder(s, !s.incomingFirst())), false,
                            entry + " rank " + rank + " other order in " + step, missed);
                    }
                }
            }
        }
        assertTrue(mutations > 500, "only " + mutations + " mutations");
        assertTrue(missed.isEmpty(), missed.size() + " of " + mutations + " not seen: " + missed);
    }

    /**
     * For every algorithm: each step without its waits. Some waits are made up for by messages that come back by way of
     * other ranks, so not every one is missed; most are.
     */
    @Test
    void seesMostMissingAwaitsOfEveryAlgorithm() {
        List<String> missed = new ArrayList<>();
        int mutations = 0;
        for (Algorithm entry : Catalogue.all()) {
            if (!(entry instanceof ScheduledAlgorithm algorithm) || algorithm.restrictions().powerOfTwo()) {
                continue;
            }
            boolean inPlace = algorithm.collective() == Collective.ALLREDUCE;
            Schedule[] good =
                Verifier.build(algorithm, new Geometry(algorithm.collective(), 5, 0, 0, inPlace, 2, WIRES));
            for (int rank = 0; rank < 5; rank++) {
                for (Step step : Mutation.steps(good[rank])) {
                    if (!step.awaits().isEmpty()) {
                        mutations +=
                            check(Mutation.change(good, rank, step.id(), s -> Mutation.withAwaits(s, List.of())),
                                algorithm.restrictions().commutative(),
                                entry + " rank " + rank + " without waits in " + step, missed);
                    }
                }
            }
        }
        assertTrue(10 * missed.size() < 2 * mutations, missed.size() + " of " + mutations + " not seen: " + missed);
    }

    private static int check(Schedule[] bad, boolean commutative, String what, List<String> missed) {
        if (Verifier.verify(bad, commutative).isEmpty()) {
            missed.add(what + "\n");
        }
        return 1;
    }
}
