package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.PullAlgorithm;
import org.brigade.bootstrap.CoreShare;
import org.brigade.engine.node.HostAccess;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.engine.node.SharedAccess;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.CompiledExchange;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.RecordedCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small calls as compiled code, beside the code in Java: the same bits, and both in one call. */
@Timeout(300)
class CompiledPullTest {
    private static final Operator[] OPERATORS = {Operator.MAX, Operator.MIN, Operator.SUM, Operator.PROD, Operator.LAND,
        Operator.BAND, Operator.LOR, Operator.BOR, Operator.LXOR, Operator.BXOR};
    private static final double[] SPECIAL = {Double.NaN, 0.0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE, 1e30, -1e-30, 1 / 3.0};

    /** Of every call, the same on all ranks. */
    private record Trial(Collective collective, TypeLayout type, Operator op, int[] counts, boolean inPlace,
        boolean outside, boolean inRankOrder, int before) {
        int total() {
            return Arrays.stream(counts).sum();
        }
    }

    private static FusedPull inJava(FusedMembers.Member member, PulledBlocks blocks) {
        return new FusedPull(new MemberWait(member.progress(), member.membership(), member.messages().messages()),
            member.rank(), member.ranks(), blocks);
    }

    private static Trial trial(Random random, int ranks) {
        Collective[] those = {Collective.ALLREDUCE, Collective.ALLREDUCE, Collective.REDUCE_SCATTER,
            Collective.ALLGATHER, Collective.BARRIER};
        Collective collective = those[random.nextInt(those.length)];
        ElementKind kind = ElementKind.values()[random.nextInt(ElementKind.values().length)];
        TypeLayout type = TypeLayout.of("type", kind, 1);
        Operator op;
        do {
            op = OPERATORS[random.nextInt(OPERATORS.length)];
        } while (!Combiners.supports(type, op));
        int most = PullAlgorithm.MOST_BYTES / kind.bytes;
        int count = random.nextInt(4) == 0 ? random.nextInt(most + 1) : random.nextInt(5);
        int[] counts = new int[ranks];
        Arrays.setAll(counts, r -> collective == Collective.REDUCE_SCATTER ? random.nextInt(1 + count / ranks + 2)
            : count);
        return new Trial(collective, type, op, counts, random.nextInt(3) == 0, random.nextBoolean(),
            random.nextBoolean(), random.nextInt(3));
    }

    private static Object buffer(Trial trial, int elements) {
        ElementKind kind = trial.type.kind;
        if (trial.outside) {
            return ByteBuffer.allocateDirect(elements * kind.bytes).order(ByteOrder.nativeOrder());
        }
        return Array.newInstance(switch (kind) {
            case BYTE -> byte.class;
            case BOOLEAN -> boolean.class;
            case CHAR -> char.class;
            case SHORT -> short.class;
            case INT -> int.class;
            case LONG -> long.class;
            case FLOAT -> float.class;
            case DOUBLE -> double.class;
        }, elements);
    }

    private static void fill(Object buffer, ElementKind kind, int elements, Random random) {
        NativeMemory memory = NativeMemory.allocate(Math.max(8, elements * kind.bytes));
        for (int i = 0; i < elements; i++) {
            double special = SPECIAL[random.nextInt(SPECIAL.length)];
            switch (kind) {
                case FLOAT -> memory.floats.put(i,
                    random.nextInt(4) == 0 ? (float) special : random.nextFloat() - 0.5f);
                case DOUBLE -> memory.doubles.put(i, random.nextInt(4) == 0 ? special : random.nextDouble() - 0.5);
                case BOOLEAN -> memory.bytes.put(i, (byte) random.nextInt(2));
                default -> {
                    for (int b = 0; b < kind.bytes; b++) {
                        memory.bytes.put(i * kind.bytes + b, (byte) (random.nextInt(3) == 0 ? 0 : random.nextInt()));
                    }
                }
            }
        }
        new Region().wrap(buffer, 0).write(0, memory, 0, elements * kind.bytes);
    }

    /** What is in a buffer; all NaNs are one, as in Java a sum of two may be either. */
    private static byte[] bytes(Object buffer, ElementKind kind, int bytes) {
        NativeMemory memory = NativeMemory.allocate(Math.max(8, bytes));
        new Region().wrap(buffer, 0).read(0, memory, 0, bytes);
        for (int i = 0; i < bytes / kind.bytes; i++) {
            if (kind == ElementKind.FLOAT && Float.isNaN(memory.floats.get(i))) {
                memory.floats.put(i, Float.NaN);
            } else if (kind == ElementKind.DOUBLE && Double.isNaN(memory.doubles.get(i))) {
                memory.doubles.put(i, Double.NaN);
            }
        }
        byte[] got = new byte[bytes];
        memory.bytes.get(0, got);
        return got;
    }

    /** A rank's call, its reduction and its buffers, which are filled for the seed. */
    private record Made(Call call, Combiner combiner, Object send, Object recv, int sent, int got) {
        static Made of(int rank, int ranks, Trial trial, long seed) {
            int own = trial.counts[rank];
            ElementKind kind = trial.type.kind;
            int size = kind.bytes;
            boolean scatters = trial.collective == Collective.REDUCE_SCATTER;
            boolean gathers = trial.collective == Collective.ALLGATHER;
            int sent = trial.before + (scatters ? trial.total() : own);
            int got = trial.before + (gathers ? trial.total() : own);
            Object send = buffer(trial, Math.max(sent, got));
            fill(send, kind, Math.max(sent, got), new Random(seed * 31 + rank));
            boolean inPlace = trial.inPlace && trial.collective != Collective.BARRIER;
            Object recv = inPlace ? send : buffer(trial, got);
            Call call = new Call(rank, ranks).begin(trial.collective, true);
            Combiner combiner = null;
            long at = (long) trial.before * size;
            if (gathers) {
                call.recv.each(recv, at, (long) own * size, ranks);
                call.send.own(send, inPlace ? at + (long) rank * own * size : at, (long) own * size);
            } else if (trial.collective != Collective.BARRIER) {
                Reduction op = Reduction.predefined(trial.op);
                call.reduction(trial.type, op);
                combiner = Combiners.of(trial.type, op, false);
                if (scatters) {
                    call.send.listed(send, at, trial.counts, null, size, ranks);
                    call.recv.own(recv, at, (long) own * size);
                } else {
                    call.send.vector(send, at, own, size);
                    call.recv.vector(recv, at, own, size);
                }
            }
            call.inPlace = inPlace;
            return new Made(call, combiner, send, recv, sent, inPlace ? Math.max(sent, got) : got);
        }

        /** Bytes of this rank's block. */
        int block() {
            return call.collective == Collective.BARRIER ? 0
                : call.collective == Collective.ALLGATHER ? (int) call.send.blocks.length(0)
                    : (int) call.send.blocks.total();
        }

        /** Runs it, and returns what is in the buffer to receive then. */
        byte[] run(FusedPull calls, long key, Trial trial) {
            calls.run(key, call, trial.inRankOrder, combiner);
            return bytes(recv, trial.type.kind, got * trial.type.kind.bytes);
        }
    }

    private static byte[] run(FusedPull calls, FusedMembers.Member member, Trial trial, long key, long seed) {
        return Made.of(member.rank(), member.ranks(), trial, seed).run(calls, key, trial);
    }

    /** Every rank in turn, with all blocks of the others there. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 64})
    void itGivesTheBitsOfTheCodeInJava(int ranks) {
        assertTrue(CompiledExchange.isThere());
        Random random = new Random(ranks);
        SharedAccess access = new HostAccess();
        for (int turn = 0; turn < 12; turn++) {
            int rank = turn % ranks;
            NativeMemory[][] slots = new NativeMemory[2][ranks];
            PulledBlocks[][] blocks = new PulledBlocks[2][ranks];
            int[] members = new int[ranks];
            for (int way = 0; way < 2; way++) {
                for (int r = 0; r < ranks; r++) {
                    slots[way][r] = NativeMemory.allocate(PulledBlocks.BYTES);
                    members[r] = r;
                }
                for (int r = 0; r < ranks; r++) {
                    blocks[way][r] = new PulledBlocks(slots[way], r, access);
                }
            }
            Progress progress = new Progress(LoopbackJob.endpoints(1)[0], CoreShare.SPARE);
            Membership membership = new Membership(rank, members, "the communicator", true);
            FlatCollectives messages = new FlatCollectives(progress, membership);
            FusedPull[] calls = {new FusedPull(new MemberWait(progress, membership, messages.messages()), rank, ranks,
                blocks[0][rank]), new FusedPull(progress, membership, messages, blocks[1][rank])};
            for (long call = 1; call < 60; call++) {
                Trial trial = trial(random, ranks);
                byte[][] got = new byte[2][];
                for (int way = 0; way < 2; way++) {
                    for (int r = 0; r < ranks; r++) {
                        if (r != rank) {
                            Made other = Made.of(r, ranks, trial, call);
                            PulledBlocks theirs = blocks[way][r];
                            Region from = new Region().wrap(other.send, other.call.send.offset);
                            from.read(0, theirs.slot(r), theirs.data(), other.block());
                            theirs.publish(call + 1, FusedPull.what(trial.collective, other.block()));
                            theirs.advance();
                        }
                    }
                    got[way] = Made.of(rank, ranks, trial, call).run(calls[way], call, trial);
                }
                assertArrayEquals(got[0], got[1], () -> trial + " of " + Arrays.toString(trial.counts));
            }
        }
    }

    /** Some members have the library and some do not, by turns; now and then one comes late. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void bothGiveTheSameBitsAndServeOneCall(int ranks) throws Exception {
        assertTrue(CompiledExchange.isThere());
        FusedMembers.onAll(ranks, member -> {
            PulledBlocks shared = member.open(1);
            FusedPull java = inJava(member, member.open(2));
            for (int pattern = 0; pattern < 4; pattern++) {
                // One pair of blocks has one owner; a new one begins where the last has stopped.
                boolean compiled = pattern == 0 || (member.rank() + pattern) % (pattern + 1) == 0;
                FusedPull mixed = compiled ? member.pull(shared) : inJava(member, shared);
                Random random = new Random(ranks * 100L + pattern);
                for (long call = 0; call < 20; call++) {
                    Trial trial = trial(random, ranks);
                    if (random.nextInt(10) == 0 && random.nextInt(ranks) == member.rank()) {
                        Thread.sleep(1);
                    }
                    long key = pattern * 1000L + call;
                    byte[] expected = run(java, member, trial, key, call);
                    assertArrayEquals(expected, run(mixed, member, trial, key, call),
                        () -> trial + " of " + Arrays.toString(trial.counts) + ", pattern " + key);
                }
                shared.advance();
            }
        });
    }

    /** A member that comes late is waited for in Java; a call that differs is an error that names both. */
    @Test
    void lateMembersAndOtherCalls() throws Exception {
        FusedMembers.onAll(3, member -> {
            FusedPull calls = member.pull(member.open(1));
            Trial sum = new Trial(Collective.ALLREDUCE, TypeLayout.of("MPI.INT", ElementKind.INT, 1), Operator.SUM,
                new int[] {1, 1, 1}, false, false, false, 0);
            if (member.rank() == 2) {
                Thread.sleep(200);
            }
            byte[] late = run(calls, member, sum, 1, 5);
            assertArrayEquals(run(inJava(member, member.open(2)), member, sum, 1, 5), late);

            Trial other =
                member.rank() == 1 ? new Trial(Collective.BARRIER, sum.type, null, sum.counts, false, false, false, 0)
                    : sum;
            MPIException wrong = assertThrows(MPIException.class, () -> run(calls, member, other, 3, 5));
            assertTrue(wrong.getMessage().contains(member.rank() == 1 ? "allreduce" : "barrier"), wrong.getMessage());
        });
    }

    /** Compiled code writes what the recorder would; a call that had to wait has been written when it began. */
    @Test
    void compiledCallsAreNotedLikeOthers() throws Exception {
        FusedMembers.onAll(2, member -> {
            FusedPull calls = member.pull(member.open(1));
            FlightRecorder recorder = member.progress().recorder;
            Trial sum = new Trial(Collective.ALLREDUCE, TypeLayout.of("MPI.INT", ElementKind.INT, 1), Operator.SUM,
                new int[] {3, 3}, false, false, false, 0);
            for (int call = 0; call < 40; call++) {
                if (call > 30 && member.rank() == call % 2) {
                    Thread.sleep(5);
                }
                recorder.tick(System.nanoTime());
                long key = 7L << Integer.SIZE | call;
                int number = recorder.enters(Collective.ALLREDUCE, true, key, 0, 12);
                recorder.runs(number, recorder.algorithm("pull"));
                run(calls, member, sum, key, call);
                recorder.ended(number);
                RecordedCall last = recorder.read(1).get(0);
                assertTrue(last.nanos() > 0);
                assertEquals(new RecordedCall("allreduce", 7, "", "pull", call, true, -1, 12, last.nanos(), true),
                    last);
            }
            assertEquals(FlightRecorder.CALLS, recorder.read(100).size());
            long bytes = recorder.sum();
            assertTrue(bytes > 32 * 12 && bytes <= 40 * 12, () -> "sum " + bytes);
        });
    }
}
