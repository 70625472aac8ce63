package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
    private static final long SLOTS = (1L << PullSlots.COUNT) - 1;

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
            FusedPull calls = member.open(SLOTS, 1);
            long key = 1;
            for (int count : new int[] {0, 1, 2, 3, 15, 16, 17, 100, PullAlgorithm.MOST_BYTES / 4}) {
                int[] own = new int[count];
                Arrays.setAll(own, i -> (member.rank() + 1) * (i + 7));
                int[] expected = new int[count];
                Arrays.setAll(expected, i -> ranks * (ranks + 1) / 2 * (i + 7));
                int[] got = new int[count];
                calls.run(key++, allreduce(member, INT, own, got, count), sum(INT));
                assertArrayEquals(expected, got);
                calls.run(key++, allreduce(member, INT, own, own, count), sum(INT));
                assertArrayEquals(expected, own, "in place");
                calls.run(key++, barrier(member), null);

                byte[] block = new byte[count];
                Arrays.fill(block, (byte) (member.rank() + 3));
                byte[] blocks = new byte[count * ranks];
                calls.run(key++, allgather(member, block, blocks, count), null);
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
            FusedPull calls = member.open(SLOTS, 1);
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
                calls.run(key++, reduceScatter(member, INT, own, counts, got), sum(INT));
                assertArrayEquals(expected, got);
                Call inPlace = reduceScatter(member, INT, own, counts, own);
                inPlace.inPlace = true;
                calls.run(key++, inPlace, sum(INT));
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
            FusedPull calls = member.open(SLOTS, 1);
            float[][] values = new float[ranks][ranks * count];
            for (int rank = 0; rank < ranks; rank++) {
                for (int i = 0; i < ranks * count; i++) {
                    values[rank][i] = (float) Math.pow(10, (rank * 5 + i) % 9) / 3;
                }
            }
            int[] counts = new int[ranks];
            Arrays.fill(counts, count);
            float[] got = new float[count];
            calls.run(1, reduceScatter(member, FLOAT, values[member.rank()], counts, got), sum(FLOAT));
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
            FusedPull calls = member.open(SLOTS, 1);
            float[][] values = new float[ranks][3];
            for (int rank = 0; rank < ranks; rank++) {
                for (int i = 0; i < 3; i++) {
                    values[rank][i] = (float) Math.pow(10, (rank * 5 + i) % 9) / 3;
                }
            }
            float[] got = new float[3];
            calls.run(1, allreduce(member, FLOAT, values[member.rank()], got, 3), sum(FLOAT));
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

    @Test
    void anotherLengthOrCollectiveIsAnErrorAndTheNextCallIsRight() throws Exception {
        FusedMembers.onAll(5, member -> {
            FusedPull calls = member.open(SLOTS, 1);
            int mine = member.rank() == 3 ? 5 : 4;
            MPIException refused = assertThrows(MPIException.class,
                () -> calls.run(1, allreduce(member, INT, new int[mine], new int[mine], mine), sum(INT)));
            assertTrue(refused.getMessage().contains("20 bytes") || refused.getMessage().contains("16 bytes"),
                refused.getMessage());
            member.all().await();

            Call call = member.rank() == 2 ? barrier(member) : allreduce(member, INT, new int[4], new int[4], 4);
            refused = assertThrows(MPIException.class, () -> calls.run(2, call, sum(INT)));
            assertTrue(refused.getMessage().contains("all ranks must make matching calls")
                || refused.getMessage().contains("failed on rank"), refused.getMessage());
            member.all().await();

            int[] got = new int[1];
            calls.run(3, allreduce(member, INT, new int[] {1}, got, 1), sum(INT));
            assertEquals(5, got[0]);
        });
    }

    @Test
    void aBlockThatIsShorterThanItsRoomIsTakenAndALongerOneIsNot() throws Exception {
        FusedMembers.onAll(5, member -> {
            FusedPull calls = member.open(SLOTS, 1);
            byte[] room = new byte[5 * 8];
            calls.run(1, allgather(member, new byte[] {(byte) (member.rank() + 1)}, room, 8), null);
            for (int i = 0; i < room.length; i++) {
                assertEquals(i % 8 == 0 ? i / 8 + 1 : 0, room[i], "byte " + i);
            }
            byte[] before = room.clone();
            assertThrows(MPIException.class, () -> calls.run(2, allgather(member, new byte[9], room, 8), null));
            assertArrayEquals(before, room);
        });
    }

    /** Who calls something that sends messages never publishes a block. */
    @Test
    void aMessageInPlaceOfABlockIsAnErrorAndLaterCallsSaySo() throws Exception {
        FusedMembers.onAll(5, member -> {
            FusedPull calls = member.open(SLOTS, 1);
            if (member.rank() == 1) {
                Region data = new Region().wrap(new byte[3], 0);
                for (int peer = 0; peer < 5; peer++) {
                    if (peer != 1) {
                        member.messages().post(peer, 1, data, 3, "Bcast");
                    }
                }
            } else {
                MPIException refused = assertThrows(MPIException.class, () -> calls.run(1, barrier(member), null));
                assertTrue(refused.getMessage().contains("rank 1 sent a message of another collective"),
                    refused.getMessage());
                assertTrue(assertThrows(MPIException.class, () -> calls.run(2, barrier(member), null)).getMessage()
                    .contains("make a new communicator"));
            }
        });
    }

    /** A rank leaves first, and comes to the barrier of Finalize afterwards; to another one it never comes. */
    @Test
    void theBarrierOfFinalizeWaitsForWhoIsLeaving() throws Exception {
        FusedMembers.onAll(3, member -> {
            FusedPull calls = member.open(SLOTS, 1);
            long finalizing = (long) Progress.FINALIZE_CONTEXT << Integer.SIZE | 1;
            if (member.rank() == 1) {
                member.endpoint().leaving();
                Thread.sleep(200);
                calls.run(finalizing, barrier(member), null);
            } else {
                calls.run(finalizing, barrier(member), null);
                MPIException refused =
                    assertThrows(MPIException.class, () -> calls.run(1, barrier(member), null));
                assertTrue(refused.getMessage().contains("rank 1 is in MPI.Finalize"), refused.getMessage());
            }
        });
    }

    @Test
    void aSlotIsFreeAgainWhenNoMemberReadsIt() throws Exception {
        FusedMembers.onAll(3, member -> {
            FusedPull[] open = new FusedPull[PullSlots.COUNT];
            for (int i = 0; i < open.length; i++) {
                open[i] = member.open(FusedPull.free(member.progress(), member.party()), 100 + i);
                member.all().await();
            }
            assertEquals(0, FusedPull.free(member.progress(), member.party()), "all slots are taken");
            if (member.rank() != 0) {
                open[2].end();
            }
            member.all().await();
            assertEquals(0, FusedPull.free(member.progress(), member.party()), "rank 0 may still read");
            member.all().await();
            if (member.rank() == 0) {
                open[2].end();
            }
            member.all().await();
            assertEquals(1 << 2, FusedPull.free(member.progress(), member.party()));
            member.all().await();

            // Ranks 0 and 1 give it to others before rank 2 has looked again.
            long free = member.rank() == 2 ? 1 << 2 : FusedPull.free(member.progress(), member.party());
            FusedPull next = member.open(free, 200);
            next.run(9, barrier(member), null);
            int[] got = new int[1];
            next.run(10, allreduce(member, INT, new int[] {member.rank()}, got, 1), sum(INT));
            assertEquals(3, got[0]);
        });
    }
}
