package org.brigade.aggregation.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import mpi.spi.Reduction.Operator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.aggregation.AggregationType;
import org.brigade.memory.NativeMemory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever a network does to packets, every member gets every sum once, of everyone's contributions once, in one order.
 */
@Tag("calculation")
@net.jqwik.api.Tag("calculation")
class SlotProtocolTest {
    private static final AggregationType TYPE = AggregationType.FLOAT64;
    private static final int PAYLOAD = 64;
    private static final long TICK = Unanswered.FIRST_NANOS;

    /** A packet on its way: a contribution up, or a sum down. */
    private record Packet(boolean up, int child, int sequence, double value) {
    }

    /**
     * Members below one switch, or below several that are below one, with a network between that delivers any packet
     * under way next, or loses or doubles it. Deterministic by its seed.
     *
     * <pre>
     *   members -> leaf switches -> root            with one switch, that is the root
     * </pre>
     */
    private static final class World {
        final Random random;
        final double loss;
        final double duplicate;
        final boolean ordered;
        final int operations;
        final int slots;
        final List<Runnable> underWay = new ArrayList<>();
        final List<Runnable> ticks = new ArrayList<>();
        final double[][] sums;
        final int[] received;
        long now;
        int losses;

        World(int[] membersOfLeaf, int slots, int operations, double loss, double duplicate, boolean ordered,
            long seed) {
            this.random = new Random(seed);
            this.loss = loss;
            this.duplicate = duplicate;
            this.ordered = ordered;
            this.operations = operations;
            this.slots = slots;
            int members = Arrays.stream(membersOfLeaf).sum();
            sums = new double[members][operations];
            received = new int[members];
            Switch root = membersOfLeaf.length > 1 ? new Switch(membersOfLeaf.length, true) : null;
            int member = 0;
            for (int leaf = 0; leaf < membersOfLeaf.length; leaf++) {
                Switch at = new Switch(membersOfLeaf[leaf], root == null);
                if (root != null) {
                    int number = leaf;
                    at.up = new Unanswered(slots, true, (sequence, type, operator, memory, place, bytes) -> send(root,
                        number, sequence, memory.doubles.get(place >> 3)));
                    root.down[leaf] = (sequence, value) -> at.fromAbove(sequence, value);
                    ticks.add(() -> at.up.tick(now));
                }
                for (int child = 0; child < membersOfLeaf[leaf]; child++) {
                    new Member(member++, at, child);
                }
            }
        }

        interface Down {
            void result(int sequence, double value) throws SlotSwitch.Violation;
        }

        final class Switch implements SlotSwitch.Ports {
            final SlotSwitch slotSwitch;
            final Down[] down;
            Unanswered up;

            Switch(int children, boolean root) {
                slotSwitch = new SlotSwitch(children, slots, PAYLOAD, root, this);
                down = new Down[children];
            }

            void fromBelow(int child, int sequence, double value) throws SlotSwitch.Violation {
                slotSwitch.contribution(child, sequence, TYPE.ordinal(), Operator.SUM.ordinal(), bytes(value), 0, 8);
            }

            void fromAbove(int sequence, double value) throws SlotSwitch.Violation {
                if (up.awaited(sequence) >= 0 && slotSwitch.result(sequence, bytes(value), 0, 8)) {
                    up.answered(sequence);
                }
            }

            @Override
            public void result(int child, int sequence, AggregationType type, Operator operator, NativeMemory memory,
                int at, int bytes) {
                double value = memory.doubles.get(at >> 3);
                carry(() -> down[child].result(sequence, value));
            }

            @Override
            public void contribute(int sequence, AggregationType type, Operator operator, NativeMemory memory, int at,
                int bytes) {
                up.contribute(sequence, type, operator, memory, at, bytes, now);
            }
        }

        final class Member {
            final int number;
            final Unanswered up;
            final NativeMemory memory = NativeMemory.allocate(slots * 8);
            final boolean[] here = new boolean[operations];
            int begun;
            int ended;

            Member(int number, Switch at, int child) {
                this.number = number;
                up = new Unanswered(slots, true, (sequence, type, operator, from, place, bytes) -> send(at, child,
                    sequence, from.doubles.get(place >> 3)));
                at.down[child] = (sequence, value) -> {
                    if (up.awaited(sequence) >= 0) {
                        up.answered(sequence);
                        assertTrue(!here[sequence], "a sum twice");
                        here[sequence] = true;
                        sums[number][sequence] = value;
                        received[number]++;
                    }
                };
                ticks.add(() -> {
                    up.tick(now);
                    while (ended < begun && here[ended]) {
                        ended++;
                    }
                    // Members are not equally fast.
                    while (begun < operations && begun - ended < slots && random.nextInt(3) > 0) {
                        memory.doubles.put(begun & slots - 1, contribution(number, begun));
                        up.contribute(begun, TYPE, Operator.SUM, memory, (begun & slots - 1) * 8, 8, now);
                        begun++;
                    }
                });
            }
        }

        private interface Carried {
            void arrive() throws SlotSwitch.Violation;
        }

        private void send(Switch to, int child, int sequence, double value) {
            carry(() -> to.fromBelow(child, sequence, value));
        }

        private void carry(Carried packet) {
            if (random.nextDouble() < loss) {
                losses++;
                return;
            }
            underWay.add(() -> {
                try {
                    packet.arrive();
                } catch (SlotSwitch.Violation e) {
                    throw new AssertionError("members that keep to the protocol are accused", e);
                }
            });
            if (random.nextDouble() < duplicate) {
                underWay.add(underWay.get(underWay.size() - 1));
            }
        }

        void run() {
            int turns = 0;
            while (Arrays.stream(received).anyMatch(count -> count < operations)) {
                assertTrue(turns++ < 2_000_000,
                    () -> "it does not end: " + Arrays.toString(received) + " of " + operations + " sums received");
                if (underWay.isEmpty() || random.nextInt(4) == 0) {
                    now += TICK / 4;
                    ticks.get(random.nextInt(ticks.size())).run();
                } else {
                    underWay.remove(ordered ? 0 : random.nextInt(underWay.size())).run();
                }
            }
        }
    }

    /** Values whose sum depends on the order in which they are added. */
    private static double contribution(int member, int operation) {
        return member % 3 == 0 ? 1e16 + operation : member % 3 == 1 ? -1e16 : 0.3 * (member + 1) + operation * 0.7;
    }

    private static NativeMemory bytes(double value) {
        NativeMemory memory = NativeMemory.allocate(8);
        memory.doubles.put(0, value);
        return memory;
    }

    /** In order of members within each leaf, then of leaves. */
    private static double expected(int[] membersOfLeaf, int operation) {
        double sum = 0;
        int member = 0;
        for (int leaf = 0; leaf < membersOfLeaf.length; leaf++) {
            double part = 0;
            for (int child = 0; child < membersOfLeaf[leaf]; child++, member++) {
                part = child == 0 ? contribution(member, operation) : part + contribution(member, operation);
            }
            sum = leaf == 0 ? part : sum + part;
        }
        return sum;
    }

    private static void check(int[] membersOfLeaf, World world) {
        world.run();
        for (double[] each : world.sums) {
            for (int operation = 0; operation < world.operations; operation++) {
                assertEquals(Double.doubleToLongBits(expected(membersOfLeaf, operation)),
                    Double.doubleToLongBits(each[operation]), "bits of sum " + operation);
            }
        }
    }

    @Property(tries = 300)
    void lossDuplicatesAndReorderingDoNoHarmBelowOneSwitch(@ForAll @IntRange(min = 1, max = 9) int members,
        @ForAll @IntRange(min = 0, max = 3) int slotBits,
        @ForAll @IntRange(min = 0, max = 40) int lossPercent, @ForAll @IntRange(min = 0, max = 60) int duplicatePercent,
        @ForAll long seed) {
        int[] tree = {members};
        check(tree, new World(tree, 1 << slotBits, 40, lossPercent / 100.0, duplicatePercent / 100.0, false, seed));
    }

    @Property(tries = 200)
    void norInATree(@ForAll @IntRange(min = 2, max = 4) int leaves, @ForAll @IntRange(min = 1, max = 4) int members,
        @ForAll @IntRange(min = 0, max = 3) int slotBits,
        @ForAll @IntRange(min = 0, max = 30) int lossPercent, @ForAll long seed) {
        int[] tree = new int[leaves];
        Arrays.setAll(tree, leaf -> 1 + (members + leaf) % 4);
        check(tree, new World(tree, 1 << slotBits, 30, lossPercent / 100.0, 0.3, false, seed));
    }

    @Property(tries = 50)
    void moreMembersThanAWordHasBits(@ForAll @IntRange(min = 60, max = 140) int members, @ForAll long seed) {
        int[] tree = {members};
        check(tree, new World(tree, 4, 6, 0.1, 0.2, false, seed));
    }

    // ---- every history of a small world ----

    /**
     * Two members, one slot, three operations: all histories of at most {@code depth} events, where an event delivers,
     * loses or doubles a packet, or has a member act. States seen are not gone through again.
     */
    @Test
    void everyHistoryOfTwoMembersAndOneSlotKeepsEveryPromise() {
        Set<String> seen = new HashSet<>();
        explore(new ArrayList<>(), 9, seen);
        assertTrue(seen.size() > 2000, seen.size() + " states");
    }

    private static void explore(List<Integer> history, int depth, Set<String> seen) {
        Small world = new Small();
        for (int event : history) {
            world.act(event);
        }
        if (!seen.add(world.state() + " " + depth) || depth == 0) {
            return;
        }
        for (int event = 0; event < world.events(); event++) {
            history.add(event);
            explore(history, depth - 1, seen);
            history.remove(history.size() - 1);
        }
    }

    private static final class Small implements SlotSwitch.Ports {
        private static final int OPERATIONS = 3;
        private final SlotSwitch slotSwitch = new SlotSwitch(2, 1, PAYLOAD, true, this);
        private final List<Packet> packets = new ArrayList<>();
        /** By member: the operation under way; and whether its sum has come. */
        private final int[] current = {-1, -1};
        private final boolean[] done = {true, true};

        int events() {
            return 2 + 3 * packets.size();
        }

        void act(int event) {
            if (event < 2) {
                // A member goes on, or sends again what is unanswered.
                if (done[event] && current[event] < OPERATIONS - 1) {
                    current[event]++;
                    done[event] = false;
                }
                if (!done[event]) {
                    packets.add(new Packet(true, event, current[event], 10 * current[event] + event));
                }
                return;
            }
            int index = (event - 2) / 3;
            Packet packet = packets.get(index);
            switch ((event - 2) % 3) {
                case 0 -> {
                    packets.remove(index);
                    deliver(packet);
                }
                case 1 -> packets.remove(index);
                default -> deliver(packet); // and it stays under way
            }
        }

        private void deliver(Packet packet) {
            if (packet.up) {
                try {
                    slotSwitch.contribution(packet.child, packet.sequence, TYPE.ordinal(), Operator.SUM.ordinal(),
                        bytes(packet.value), 0, 8);
                } catch (SlotSwitch.Violation e) {
                    throw new AssertionError(e);
                }
            } else if (packet.sequence == current[packet.child] && !done[packet.child]) {
                assertEquals(20 * packet.sequence + 1, packet.value, "the sum of operation " + packet.sequence);
                done[packet.child] = true;
            }
        }

        @Override
        public void result(int child, int sequence, AggregationType type, Operator operator, NativeMemory memory,
            int at, int bytes) {
            assertEquals(20 * sequence + 1, memory.doubles.get(at >> 3),
                "what the switch sends for operation " + sequence);
            packets.add(new Packet(false, child, sequence, memory.doubles.get(at >> 3)));
        }

        @Override
        public void contribute(int sequence, AggregationType type, Operator operator, NativeMemory memory, int at,
            int bytes) {
            throw new AssertionError("a root has nobody above");
        }

        String state() {
            return Arrays.toString(current) + Arrays.toString(done) + packets;
        }
    }

    // ---- who does not keep to it ----

    private static void contribute(SlotSwitch to, int child, int sequence, int type, int operator, int bytes)
        throws SlotSwitch.Violation {
        to.contribution(child, sequence, type, operator, NativeMemory.allocate(PAYLOAD), 0, bytes);
    }

    @Test
    void whatNoHonestMemberSendsIsRefused() throws Exception {
        SlotSwitch.Ports nowhere = new SlotSwitch.Ports() {
            @Override
            public void result(int child, int sequence, AggregationType type, Operator operator, NativeMemory sums,
                int at, int bytes) {
                // nobody is there
            }

            @Override
            public void contribute(int sequence, AggregationType type, Operator operator, NativeMemory sums, int at,
                int bytes) {
                // nobody is there
            }
        };
        SlotSwitch two = new SlotSwitch(2, 2, PAYLOAD, true, nowhere);
        int sum = Operator.SUM.ordinal();
        int type = TYPE.ordinal();
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 0, 7, type, sum, 8), "far ahead");
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 0, 0, 99, sum, 8), "no type");
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 0, 0, AggregationType.UINT32.ordinal(), sum, 8),
            "a type that Java has not");
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 0, 0, type, 77, 8), "no operation");
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 0, 0, type, Operator.BXOR.ordinal(), 8),
            "bits of doubles");
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 0, 0, type, sum, PAYLOAD + 8), "too long");
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 0, 0, type, sum, 12), "half an element");
        contribute(two, 0, 0, type, sum, 8);
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 1, 0, type, sum, 16),
            "another length than the others'");
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 1, 0, type, Operator.MAX.ordinal(), 8),
            "another operation");
        assertThrows(SlotSwitch.Violation.class, () -> contribute(two, 0, 2, type, sum, 8),
            "the slot again, unanswered");
    }
}
