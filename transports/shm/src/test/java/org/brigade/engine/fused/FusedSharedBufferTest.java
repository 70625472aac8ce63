package org.brigade.engine.fused;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.DeviceBuffer;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.PartitionedAlgorithm;
import org.brigade.engine.FusedMembers;
import org.brigade.engine.node.Members;
import org.brigade.engine.node.SharedBuffer;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives through memory that all members share, between threads. */
@Timeout(300)
class FusedSharedBufferTest {
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
    private static final TypeLayout FLOAT = TypeLayout.of("MPI.FLOAT", ElementKind.FLOAT, 1);
    private static final Reduction SUM = Reduction.predefined(Reduction.Operator.SUM);
    /** A half of the buffer, in ints, and lengths around it and around those of slices. */
    private static final int HALF = 1 << 18;

    private interface Body {
        void run(FusedMembers.Member member, FusedSharedBuffer calls) throws Exception;
    }

    private static void onAll(int ranks, Body body) throws Exception {
        FusedMembers.onAll(ranks, member -> {
            SharedBuffer buffer = take(member, 7);
            assertNotNull(buffer);
            body.run(member, new FusedSharedBuffer(member.membership(),
                member.pull(buffer.blocks()), buffer));
        });
    }

    private static SharedBuffer take(FusedMembers.Member member, long name) {
        return take(member, name, member.words());
    }

    private static SharedBuffer take(FusedMembers.Member member, long name, Members told) {
        return member.progress().sharedBuffers().take(member.membership().members, member.rank(), name, told);
    }

    private static Call call(FusedMembers.Member member, Collective collective) {
        return new Call(member.rank(), member.ranks()).begin(collective, true);
    }

    private static Call reduction(FusedMembers.Member member, Collective collective, Object send, Object recv,
        int count) {
        Call call = call(member, collective).reduction(INT, SUM);
        if (send != null) {
            call.send.vector(send, 0, count, 4);
        }
        if (recv != null) {
            call.recv.vector(recv, 0, count, 4);
        }
        return call;
    }

    private static Combiner sum() {
        return Combiners.of(INT, SUM, false);
    }

    private static int[] values(int count, int rank) {
        int[] values = new int[count];
        Arrays.setAll(values, i -> (rank + 1) * (i % 1000 + 7));
        return values;
    }

    private static int[] sums(int count, int ranks) {
        int[] sums = new int[count];
        Arrays.setAll(sums, i -> ranks * (ranks + 1) / 2 * (i % 1000 + 7));
        return sums;
    }

    private static Object buffer(boolean direct, int[] content) {
        if (!direct) {
            return content.clone();
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(content.length * 4).order(ByteOrder.nativeOrder());
        bytes.asIntBuffer().put(content);
        return bytes;
    }

    private static int[] content(Object buffer) {
        if (buffer instanceof ByteBuffer bytes) {
            int[] content = new int[bytes.capacity() / 4];
            bytes.order(ByteOrder.nativeOrder()).asIntBuffer().get(content);
            return content;
        }
        return (int[]) buffer;
    }

    @ParameterizedTest
    @CsvSource({"2,true", "2,false", "3,true", "5,false", "8,true"})
    void everyRankHasTheSumsOfAll(int ranks, boolean direct) throws Exception {
        onAll(ranks, (member, calls) -> {
            long key = 10;
            for (int count : new int[] {0, 1, 15, 16, 17, 33, 1000, 4096, 16384, HALF - 1, HALF, HALF + 1,
                5 * HALF + 3}) {
                int[] expected = sums(count, ranks);
                Object own = buffer(direct, values(count, member.rank()));
                Object got = buffer(direct, new int[count]);
                calls.reduce(key++, reduction(member, Collective.ALLREDUCE, own, got, count), sum());
                assertArrayEquals(expected, content(got), count + " ints");
                assertArrayEquals(values(count, member.rank()), content(own), "what was sent");

                Call inPlace = call(member, Collective.ALLREDUCE).reduction(INT, SUM);
                inPlace.recv.vector(own, 0, count, 4);
                inPlace.inPlace();
                calls.reduce(key++, inPlace, sum());
                assertArrayEquals(expected, content(own), count + " ints in place");

                own = buffer(direct, values(count, member.rank()));
                got = buffer(direct, new int[count]);
                if (count <= PartitionedAlgorithm.MOST_BYTES / 4) {
                    calls.partition(key++, reduction(member, Collective.ALLREDUCE, own, got, count), sum());
                    assertArrayEquals(expected, content(got), count + " ints in partitions");
                    got = buffer(direct, new int[count]);
                }
                int root = count % ranks;
                boolean isRoot = member.rank() == root;
                calls.reduce(key++,
                    reduction(member, Collective.REDUCE, own, isRoot ? got : null, count).root(root), sum());
                assertArrayEquals(isRoot ? expected : new int[count], content(got), count + " ints at " + root);
            }
        });
    }

    /** Block r has {@code base + r} ints; that of rank 1 is empty. */
    @ParameterizedTest
    @CsvSource({"2,true,1000", "3,false,1000", "5,true,0", "4,false,150000", "3,true,200000"})
    void everyRankHasTheSumsOfItsBlock(int ranks, boolean direct, int base) throws Exception {
        onAll(ranks, (member, calls) -> {
            int[] counts = new int[ranks];
            int count = 0;
            int first = 0;
            for (int r = 0; r < ranks; r++) {
                counts[r] = r == 1 ? 0 : base + r;
                first = r == member.rank() ? count : first;
                count += counts[r];
            }
            int[] expected = Arrays.copyOfRange(sums(count, ranks), first, first + counts[member.rank()]);
            for (int again = 0; again < 3; again++) {
                Object own = buffer(direct, values(count, member.rank()));
                Object got = buffer(direct, new int[counts[member.rank()]]);
                Call call = call(member, Collective.REDUCE_SCATTER).reduction(INT, SUM);
                call.send.listed(own, 0, counts, null, 4, ranks);
                call.recv.own(got, 0, 4L * counts[member.rank()]);
                calls.reduce(10 + 2 * again, call, sum());
                assertArrayEquals(expected, content(got));
                assertArrayEquals(values(count, member.rank()), content(own), "what was sent");

                Call inPlace = call(member, Collective.REDUCE_SCATTER).reduction(INT, SUM);
                inPlace.send.listed(own, 0, counts, null, 4, ranks);
                inPlace.recv.own(own, 0, 4L * counts[member.rank()]);
                inPlace.inPlace = true;
                calls.reduce(11 + 2 * again, inPlace, sum());
                assertArrayEquals(expected, Arrays.copyOf(content(own), counts[member.rank()]), "in place");
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"2,true", "3,false", "5,true"})
    void everyRankHasWhatTheRootSent(int ranks, boolean direct) throws Exception {
        onAll(ranks, (member, calls) -> {
            long key = 10;
            for (int count : new int[] {0, 1, 2047, 2048, 2049, 20000, HALF, 2 * HALF + 3}) {
                int root = count % ranks;
                Object data = buffer(direct, member.rank() == root ? values(count, 3) : new int[count]);
                Call call = call(member, Collective.BCAST).root(root);
                call.recv.vector(data, 0, count, 4);
                calls.copy(key++, call);
                assertArrayEquals(values(count, 3), content(data), count + " ints from " + root);
            }
        });
    }

    /** Rank r has {@code base + r} ints, with a gap before each block. */
    @ParameterizedTest
    @CsvSource({"2,true,0", "3,false,1000", "5,true,70000", "4,false,200000"})
    void everyRankHasTheBlocksOfAll(int ranks, boolean direct, int base) throws Exception {
        onAll(ranks, (member, calls) -> {
            int[] counts = new int[ranks];
            int[] places = new int[ranks];
            int end = 0;
            for (int r = 0; r < ranks; r++) {
                counts[r] = base + r;
                places[r] = end + 3;
                end = places[r] + counts[r];
            }
            int[] expected = new int[end];
            for (int r = 0; r < ranks; r++) {
                System.arraycopy(values(counts[r], r), 0, expected, places[r], counts[r]);
            }
            int own = member.rank();
            for (int again = 0; again < 3; again++) {
                Object got = buffer(direct, new int[end]);
                Call call = call(member, Collective.ALLGATHERV);
                call.send.own(buffer(direct, values(counts[own], own)), 0, 4L * counts[own]);
                call.recv.listed(got, 0, counts, places, 4, ranks);
                calls.copy(10 + 2 * again, call);
                assertArrayEquals(expected, content(got));

                int[] alone = new int[end];
                System.arraycopy(expected, places[own], alone, places[own], counts[own]);
                got = buffer(direct, alone);
                Call inPlace = call(member, Collective.ALLGATHERV);
                inPlace.recv.listed(got, 0, counts, places, 4, ranks);
                inPlace.inPlace();
                calls.copy(11 + 2 * again, inPlace);
                assertArrayEquals(expected, content(got), "in place");
            }
        });
    }

    /** Of the calls of a length, the first few store by the caches, the next ones past them. */
    @ParameterizedTest
    @CsvSource({"2,true", "3,false", "5,true"})
    void bothWaysToStoreAreRight(int ranks, boolean direct) throws Exception {
        onAll(ranks, (member, calls) -> {
            long key = 10;
            int rank = member.rank();
            for (int count : new int[] {1021, 16384, 2 * HALF + 3}) {
                int[] expected = sums(count, ranks);
                for (int again = 0; again < 18; again++) {
                    Object own = buffer(direct, values(count, rank));
                    Object got = buffer(direct, new int[count]);
                    calls.reduce(key++, reduction(member, Collective.ALLREDUCE, own, got, count), sum());
                    assertArrayEquals(expected, content(got), count + " ints, call " + again);
                    if (count <= PartitionedAlgorithm.MOST_BYTES / 4) {
                        got = buffer(direct, new int[count]);
                        calls.partition(key++, reduction(member, Collective.ALLREDUCE, own, got, count), sum());
                        assertArrayEquals(expected, content(got), count + " ints in partitions, call " + again);
                    }
                    Call call = call(member, Collective.BCAST).root(again % ranks);
                    call.recv.vector(rank == again % ranks ? own : got, 0, count, 4);
                    calls.copy(key++, call);
                    assertArrayEquals(values(count, again % ranks), content(rank == again % ranks ? own : got),
                        count + " ints from a root, call " + again);
                }
            }
        });
    }

    @Test
    void allRanksGetTheSameBitsAgainAndAgain() throws Exception {
        int count = 100_003;
        float[][] got = new float[5][];
        for (int run = 0; run < 2; run++) {
            float[][] before = got.clone();
            onAll(5, (member, calls) -> {
                float[] own = new float[count];
                for (int i = 0; i < count; i++) {
                    own[i] = (float) Math.pow(10, (member.rank() * 5 + i) % 9) / 3;
                }
                float[] sums = new float[count];
                Call call = call(member, Collective.ALLREDUCE).reduction(FLOAT, SUM);
                call.send.vector(own, 0, count, 4);
                call.recv.vector(sums, 0, count, 4);
                calls.reduce(1, call, Combiners.of(FLOAT, SUM, false));
                got[member.rank()] = sums;
            });
            for (int rank = 0; rank < 5; rank++) {
                assertArrayEquals(got[0], got[rank]);
                assertTrue(before[rank] == null || Arrays.equals(before[rank], got[rank]));
            }
        }
    }

    /** The schedule that a nonblocking call of the same size runs adds up ((0+1)+(2+3))+... */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 7, 8})
    void partitionsAreAddedUpInTheOrderOfRecursiveDoubling(int ranks) throws Exception {
        int count = 5000;
        onAll(ranks, (member, calls) -> {
            float[][] values = new float[ranks][count];
            for (int rank = 0; rank < ranks; rank++) {
                for (int i = 0; i < count; i++) {
                    values[rank][i] = (float) Math.pow(10, (rank * 5 + i) % 9) / 3;
                }
            }
            float[] got = new float[count];
            Call call = call(member, Collective.ALLREDUCE).reduction(FLOAT, SUM);
            call.send.vector(values[member.rank()], 0, count, 4);
            call.recv.vector(got, 0, count, 4);
            calls.partition(1, call, Combiners.of(FLOAT, SUM, false));
            int extra = ranks - Integer.highestOneBit(ranks);
            for (int i = 0; i < count; i++) {
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
    void anotherLengthOrRootIsAnErrorAndTheNextCallIsRight() throws Exception {
        onAll(4, (member, calls) -> {
            int count = member.rank() == 2 ? 5001 : 5000;
            MPIException refused = assertThrows(MPIException.class, () -> calls.reduce(1,
                reduction(member, Collective.ALLREDUCE, new int[count], new int[count], count), sum()));
            assertTrue(refused.getMessage().contains("2000"), refused.getMessage());
            member.all().await();

            Call call = call(member, Collective.BCAST).root(member.rank() == 1 ? 3 : 0);
            call.recv.vector(new int[100], 0, 100, 4);
            refused = assertThrows(MPIException.class, () -> calls.copy(2, call));
            assertTrue(refused.getMessage().contains("all must name one root")
                || refused.getMessage().contains("failed on rank"), refused.getMessage());
            member.all().await();

            int[] got = new int[10];
            calls.reduce(3, reduction(member, Collective.ALLREDUCE, values(10, member.rank()), got, 10), sum());
            assertArrayEquals(sums(10, 4), got);
        });
    }

    @Test
    void theNextCommunicatorOfTheSameRanksTakesOverTheBuffer() throws Exception {
        FusedMembers.onAll(3, member -> {
            SharedBuffer first = take(member, 7);
            SharedBuffer second = take(member, 8);
            assertNotSame(first, second);
            if (member.rank() != 2) {
                member.progress().sharedBuffers().end(first);
            }
            SharedBuffer third = take(member, 9);
            assertNotSame(first, third, "rank 2 has not ended");
            if (member.rank() == 2) {
                member.progress().sharedBuffers().end(first);
            }
            member.all().await();
            assertSame(first, take(member, 10));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void communicatorsThatThreadsOpenAtOnceNeverShareABuffer(int ranks) throws Exception {
        FusedMembers.Words[] words = {new FusedMembers.Words(ranks), new FusedMembers.Words(ranks)};
        FusedMembers.onAll(ranks, member -> {
            SharedBuffer first = take(member, 7);
            member.progress().sharedBuffers().end(first);
            member.all().await();
            SharedBuffer[] taken = new SharedBuffer[2];
            member.atOnce(words, (which, told) -> taken[which] = take(member, 8 + which, told));
            assertSame(first, taken[0]);
            assertNotSame(first, taken[1]);
            for (int which = 0; which < 2; which++) {
                FusedSharedBuffer calls =
                    new FusedSharedBuffer(member.membership(), member.pull(taken[which].blocks()), taken[which]);
                int[] got = new int[100];
                calls.reduce(1, reduction(member, Collective.ALLREDUCE, values(100, member.rank()), got, 100),
                    sum());
                assertArrayEquals(sums(100, ranks), got);
            }
        });
    }

    /** Ranks end and take in different orders; a buffer too many would be one that nobody gives back. */
    @Test
    void asManyBuffersAreMadeAsCommunicatorsHaveThemAtOnce() throws Exception {
        FusedMembers.onAll(3, member -> {
            Set<SharedBuffer> all = new HashSet<>();
            for (int round = 0; round < 20; round++) {
                SharedBuffer[] two = {take(member, 10 + 2 * round), take(member, 11 + 2 * round)};
                all.addAll(List.of(two));
                int first = (member.rank() + round) % 2;
                member.progress().sharedBuffers().end(two[first]);
                member.progress().sharedBuffers().end(two[1 - first]);
                member.all().await();
            }
            assertEquals(2, all.size());
        });
    }

    /** Memory that a device would have. Nothing reads or writes it. */
    private static final class Huge extends DeviceBuffer {
        Huge() {
            super(1 << 20, 1L << 40);
        }

        @Override
        public void read(long at, ByteBuffer target, int targetAt, int length) {
            throw new IllegalStateException("read " + length + " bytes");
        }

        @Override
        public void write(long at, ByteBuffer source, int sourceAt, int length) {
            throw new IllegalStateException("wrote " + length + " bytes");
        }

        @Override
        public void copy(long at, DeviceBuffer target, long targetAt, long length) {
            throw new IllegalStateException("copied " + length + " bytes");
        }

        @Override
        public String toString() {
            return "memory of 1 TiB";
        }
    }

    /** The lengths leave 3 GiB, 16 bytes and -1 GiB if their upper half is lost. */
    @Test
    void deviceMemoryThatIsTooLongToBeStagedIsAnErrorOfTheCall() throws Exception {
        onAll(2, (member, calls) -> {
            long key = 10;
            for (long bytes : new long[] {3L << 30, (4L << 30) + 16, 7L << 30}) {
                int count = (int) (bytes / 4);
                Call call = reduction(member, Collective.ALLREDUCE, new Huge(), new Huge(), count);
                long mine = key++;
                MPIException refused = assertThrows(MPIException.class, () -> calls.reduce(mine, call, sum()));
                assertTrue(refused.getMessage().contains((bytes >> 20) + " MiB of scratch memory"),
                    refused.getMessage());
            }
        });
    }

    @Test
    void itemsThatDoNotFitIntoASliceAreRefused() {
        assertTrue(FusedMovementAvoiding.fits(4, 1 << 20, 64));
        assertTrue(FusedMovementAvoiding.fits(12, 1 << 20, 64));
        assertTrue(FusedMovementAvoiding.fits(509, 1 << 20, 16));
        assertFalse(FusedMovementAvoiding.fits(200_000, 1 << 20, 8));
    }
}
