package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.PullAlgorithm;
import org.brigade.engine.node.PullSlots;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small collectives through published blocks, between threads. */
@Timeout(300)
class FusedPullTest {
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
    private static final TypeLayout FLOAT = TypeLayout.of("MPI.FLOAT", ElementKind.FLOAT, 1);
    private static final Reduction SUM = Reduction.predefined(Reduction.Operator.SUM);

    private static Call barrier(FusedMembers.Member member) {
        return new Call(member.rank(), member.ranks()).begin(Collective.BARRIER, true);
    }

    private static Call allreduce(FusedMembers.Member member, TypeLayout type, Object send, Object recv, int count) {
        Call call = new Call(member.rank(), member.ranks()).begin(Collective.ALLREDUCE, true).reduction(type, SUM);
        call.send.vector(send, 0, count, type.extent);
        call.recv.vector(recv, 0, count, type.extent);
        return call;
    }

    private static Call reduceScatter(FusedMembers.Member member, TypeLayout type, Object send, int[] counts,
        Object recv) {
        Call call = new Call(member.rank(), member.ranks()).begin(Collective.REDUCE_SCATTER, true).reduction(type, SUM);
        call.send.listed(send, 0, counts, null, type.extent, member.ranks());
        call.recv.own(recv, 0, (long) counts[member.rank()] * type.extent);
        return call;
    }

    private static Call allgather(FusedMembers.Member member, byte[] send, byte[] recv, int room) {
        Call call = new Call(member.rank(), member.ranks()).begin(Collective.ALLGATHER, true);
        call.send.own(send, 0, send.length);
        call.recv.each(recv, 0, room, member.ranks());
        return call;
    }

    private static Combiner sum(TypeLayout type) {
        return Combiners.of(type, SUM, false);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 6, 8, 11})
    void everyRankHasTheSumsAndTheBlocksOfAll(int ranks) throws Exception {
        FusedMembers.onAll(ranks, member -> {
            FusedPull calls = member.pull(member.open(1));
            long key = 1;
            for (int count : new int[] {0, 1, 2, 3, 15, 16, 17, 100, PullAlgorithm.MOST_BYTES / 4}) {
                int[] own = new int[count];
                Arrays.setAll(own, i -> (member.rank() + 1) * (i + 7));
                int[] expected = new int[count];
                Arrays.setAll(expected, i -> ranks * (ranks + 1) / 2 * (i + 7));
                int[] got = new int[count];
                calls.run(key++, allreduce(member, INT, own, got, count), false, sum(INT));
                assertArrayEquals(expected, got);
                calls.run(key++, allreduce(member, INT, own, own, count), false, sum(INT));
                assertArrayEquals(expected, own, "in place");
                calls.run(key++, barrier(member), false, null);

                byte[] block = new byte[count];
                Arrays.fill(block, (byte) (member.rank() + 3));
                byte[] blocks = new byte[count * ranks];
                calls.run(key++, allgather(member, block, blocks, count), false, null);
                for (int i = 0; i < blocks.length; i++) {
                    assertEquals(i / count + 3, blocks[i], "byte " + i);
                }
            }
        });
    }

    /** Rank r has {@code base + r} of them; rank 1 has none. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 6, 8, 11})
    void everyRankHasTheSumsOfItsBlock(int ranks) throws Exception {
        FusedMembers.onAll(ranks, member -> {
            FusedPull calls = member.pull(member.open(1));
            long key = 1;
            for (int base : new int[] {0, 1, 2, 14, 15, 16, 50}) {
                int[] counts = new int[ranks];
                Arrays.setAll(counts, r -> r == 1 ? 0 : base + r);
                int first = Arrays.stream(counts, 0, member.rank()).sum();
                int[] own = new int[Arrays.stream(counts).sum()];
                Arrays.setAll(own, i -> (member.rank() + 1) * (i + 7));
                int[] expected = new int[counts[member.rank()]];
                Arrays.setAll(expected, i -> ranks * (ranks + 1) / 2 * (first + i + 7));
                int[] got = new int[counts[member.rank()]];
                calls.run(key++, reduceScatter(member, INT, own, counts, got), false, sum(INT));
                assertArrayEquals(expected, got);
                Call inPlace = reduceScatter(member, INT, own, counts, own);
                inPlace.inPlace = true;
                calls.run(key++, inPlace, false, sum(INT));
                assertArrayEquals(expected, Arrays.copyOf(own, expected.length), "in place");
            }
        });
    }

    /** The schedule that a nonblocking call of the same size runs adds up ((0+4)+(2+6))+((1+5)+(3+7)). */
    @ParameterizedTest
    @ValueSource(ints = {4, 7, 8})
    void blocksAreAddedUpInTheOrderOfRecursiveHalving(int ranks) throws Exception {
        int count = 3;
        FusedMembers.onAll(ranks, member -> {
            FusedPull calls = member.pull(member.open(1));
            float[][] values = new float[ranks][ranks * count];
            for (int rank = 0; rank < ranks; rank++) {
                for (int i = 0; i < ranks * count; i++) {
                    values[rank][i] = (float) Math.pow(10, (rank * 5 + i) % 9) / 3;
                }
            }
            int[] counts = new int[ranks];
            Arrays.fill(counts, count);
            float[] got = new float[count];
            calls.run(1, reduceScatter(member, FLOAT, values[member.rank()], counts, got), false, sum(FLOAT));
            int extra = ranks - Integer.highestOneBit(ranks);
            for (int i = 0; i < count; i++) {
                int at = member.rank() * count + i;
                List<Float> terms = new ArrayList<>();
                for (int rank = 0; rank < ranks; rank++) {
                    terms.add(rank < 2 * extra ? values[rank][at] + values[++rank][at] : values[rank][at]);
                }
                while (terms.size() > 1) {
                    int half = terms.size() / 2;
                    for (int t = 0; t < half; t++) {
                        terms.set(t, terms.get(t) + terms.remove(half));
                    }
                }
                assertEquals(terms.get(0), got[i], "item " + i);
            }
        });
    }

    /** The schedule that a nonblocking call of the same size runs adds up ((0+1)+(2+3))+... */
    @ParameterizedTest
    @ValueSource(ints = {4, 7, 8})
    void sumsAreAddedUpInTheOrderOfRecursiveDoubling(int ranks) throws Exception {
        FusedMembers.onAll(ranks, member -> {
            FusedPull calls = member.pull(member.open(1));
            float[][] values = new float[ranks][3];
            for (int rank = 0; rank < ranks; rank++) {
                for (int i = 0; i < 3; i++) {
                    values[rank][i] = (float) Math.pow(10, (rank * 5 + i) % 9) / 3;
                }
            }
            float[] got = new float[3];
            calls.run(1, allreduce(member, FLOAT, values[member.rank()], got, 3), false, sum(FLOAT));
            int extra = ranks - Integer.highestOneBit(ranks);
            for (int i = 0; i < 3; i++) {
                List<Float> terms = new ArrayList<>();
                for (int rank = 0; rank < ranks; rank++) {
                    terms.add(rank < 2 * extra ? values[rank][i] + values[++rank][i] : values[rank][i]);
                }
                while (terms.size() > 1) {
                    for (int t = 0; t < terms.size(); t++) {
                        terms.set(t, terms.get(t) + terms.remove(t + 1));
                    }
                }
                assertEquals(terms.get(0), got[i], "item " + i);
            }
        });
    }

    /** As fused-flat and the schedule of nonblocking calls do: ((0+1)+2)+3. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7})
    void sumsInRankOrder(int ranks) throws Exception {
        FusedMembers.onAll(ranks, member -> {
            FusedPull calls = member.pull(member.open(1));
            FusedPull inJava = new FusedPull(
                new MemberWait(member.progress(), member.membership(), member.messages().messages()), member.rank(),
                ranks, member.open(2));
            float[][] values = new float[ranks][3];
            float[] expected = new float[3];
            for (int rank = 0; rank < ranks; rank++) {
                for (int i = 0; i < 3; i++) {
                    values[rank][i] = (float) Math.pow(10, (rank * 5 + i) % 9) / 3;
                    expected[i] += values[rank][i];
                }
            }
            for (FusedPull each : new FusedPull[] {calls, inJava}) {
                float[] got = new float[3];
                each.run(1, allreduce(member, FLOAT, values[member.rank()], got, 3), true, sum(FLOAT));
                assertArrayEquals(expected, got);
            }
        });
    }

    @Test
    void anotherLengthOrCollectiveIsAnErrorAndTheNextCallIsRight() throws Exception {
        FusedMembers.onAll(5, member -> {
            FusedPull calls = member.pull(member.open(1));
            int mine = member.rank() == 3 ? 5 : 4;
            MPIException refused = assertThrows(MPIException.class,
                () -> calls.run(1, allreduce(member, INT, new int[mine], new int[mine], mine), false, sum(INT)));
            assertTrue(refused.getMessage().contains("20 bytes") || refused.getMessage().contains("16 bytes"),
                refused.getMessage());
            member.all().await();

            Call call = member.rank() == 2 ? barrier(member) : allreduce(member, INT, new int[4], new int[4], 4);
            refused = assertThrows(MPIException.class, () -> calls.run(2, call, false, sum(INT)));
            assertTrue(refused.getMessage().contains("all ranks must make matching calls")
                || refused.getMessage().contains("failed on rank"), refused.getMessage());
            member.all().await();

            int[] got = new int[1];
            calls.run(3, allreduce(member, INT, new int[] {1}, got, 1), false, sum(INT));
            assertEquals(5, got[0]);
        });
    }

    @Test
    void aBlockThatIsShorterThanItsRoomIsTakenAndALongerOneIsNot() throws Exception {
        FusedMembers.onAll(5, member -> {
            FusedPull calls = member.pull(member.open(1));
            byte[] room = new byte[5 * 8];
            calls.run(1, allgather(member, new byte[] {(byte) (member.rank() + 1)}, room, 8), false, null);
            for (int i = 0; i < room.length; i++) {
                assertEquals(i % 8 == 0 ? i / 8 + 1 : 0, room[i], "byte " + i);
            }
            byte[] before = room.clone();
            assertThrows(MPIException.class, () -> calls.run(2, allgather(member, new byte[9], room, 8), false, null));
            assertArrayEquals(before, room);
        });
    }

    /** Who calls something that sends messages never publishes a block. */
    @Test
    void aMessageInPlaceOfABlockIsAnErrorAndLaterCallsSaySo() throws Exception {
        FusedMembers.onAll(5, member -> {
            FusedPull calls = member.pull(member.open(1));
            if (member.rank() == 1) {
                Region data = new Region().wrap(new byte[3], 0);
                for (int peer = 0; peer < 5; peer++) {
                    if (peer != 1) {
                        member.messages().messages().send(peer, 1, data, 3, "Bcast");
                    }
                }
            } else {
                MPIException refused =
                    assertThrows(MPIException.class, () -> calls.run(1, barrier(member), false, null));
                assertTrue(refused.getMessage().contains("rank 1 sent a message of another collective"),
                    refused.getMessage());
                assertTrue(
                    assertThrows(MPIException.class, () -> calls.run(2, barrier(member), false, null)).getMessage()
                        .contains("make a new communicator"));
            }
        });
    }

    /** A rank leaves first, and comes to the barrier of Finalize afterwards; to another one it never comes. */
    @Test
    void theBarrierOfFinalizeWaitsForWhoIsLeaving() throws Exception {
        FusedMembers.onAll(3, member -> {
            FusedPull calls = member.pull(member.open(1));
            long finalizing = (long) Progress.FINALIZE_CONTEXT << Integer.SIZE | 1;
            if (member.rank() == 1) {
                member.endpoint().leaving();
                Thread.sleep(200);
                calls.run(finalizing, barrier(member), false, null);
            } else {
                calls.run(finalizing, barrier(member), false, null);
                MPIException refused =
                    assertThrows(MPIException.class, () -> calls.run(1, barrier(member), false, null));
                assertTrue(refused.getMessage().contains("rank 1 is in MPI.Finalize"), refused.getMessage());
            }
        });
    }

    private static void sums(FusedMembers.Member member, FusedPull calls, long key) {
        int[] got = new int[1];
        calls.run(key, allreduce(member, INT, new int[] {member.rank()}, got, 1), false, sum(INT));
        assertEquals(member.ranks() * (member.ranks() - 1) / 2, got[0]);
    }

    @Test
    void aSlotIsFreeAgainWhenNoMemberReadsIt() throws Exception {
        FusedMembers.onAll(3, member -> {
            PullSlots slots = member.progress().pullSlots();
            PulledBlocks[] open = new PulledBlocks[PullSlots.COUNT];
            for (int i = 0; i < open.length; i++) {
                open[i] = member.open(100 + i);
                assertNotNull(open[i]);
            }
            assertNull(member.open(200), "all slots are taken");
            if (member.rank() != 0) {
                slots.end(open[2]);
            }
            assertNull(member.open(201), "rank 0 may still read");
            if (member.rank() == 0) {
                slots.end(open[2]);
            }
            member.all().await();
            PulledBlocks next = member.open(202);
            assertNotNull(next);
            sums(member, member.pull(next), 9);
            assertNull(member.open(203), "there was one");
            slots.end(open[1]);
            slots.end(open[5]);
            member.all().await();
            PulledBlocks[] both = {member.open(204), member.open(205)};
            sums(member, member.pull(both[1]), 10);
            sums(member, member.pull(both[0]), 10);
        });
    }

    /** Only rank 1 has none left; what the others took for the call is there for the next one. */
    @Test
    void ifOneMemberHasNoSlotLeftTheOthersGiveTheirsBack() throws Exception {
        FusedMembers.onAll(3, member -> {
            int[] alone = {1};
            PulledBlocks[] own = new PulledBlocks[PullSlots.COUNT];
            if (member.rank() == 1) {
                for (int i = 0; i < own.length; i++) {
                    own[i] = member.progress().pullSlots().open(alone, 0, 500 + i, words -> {
                    });
                }
            }
            for (int i = 0; i < 3 * PullSlots.COUNT; i++) {
                assertNull(member.open(100 + i));
            }
            if (member.rank() == 1) {
                for (PulledBlocks each : own) {
                    member.progress().pullSlots().end(each);
                }
            }
            member.all().await();
            for (int i = 0; i < PullSlots.COUNT; i++) {
                sums(member, member.pull(member.open(200 + i)), 1);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void communicatorsThatThreadsOpenAtOnceNeverShareASlot(int ranks) throws Exception {
        FusedMembers.Words[] words = {new FusedMembers.Words(ranks), new FusedMembers.Words(ranks)};
        FusedMembers.onAll(ranks, member -> {
            PulledBlocks[] opened = new PulledBlocks[2];
            member.atOnce(words, (which, told) -> opened[which] = member.progress().pullSlots()
                .open(member.membership().members, member.rank(), 7 + which, told));
            FusedPull[] calls = {member.pull(opened[0]), member.pull(opened[1])};
            for (int key = 1; key < 9; key++) {
                for (int which = 0; which < 2; which++) {
                    int[] got = new int[1];
                    calls[which].run(key, allreduce(member, INT, new int[] {1 + 10 * which}, got, 1), false, sum(INT));
                    assertEquals(ranks * (1 + 10 * which), got[0], "communicator " + which);
                }
            }
        });
    }
}
