package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import mpi.front.job.JobState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The collectives between two groups against their definition, blocking, nonblocking and persistent. */
class IntercommCollectivesTest {
    /** Composes the functions x -> ax + b, whose coefficients are two items: the order counts. */
    private static final class Compose extends UserFunction {
        @Override
        public void call(Object in, Object inOut, int count, Datatype type) {
            int[] left = (int[]) in;
            int[] right = (int[]) inOut;
            for (int i = 0; i < count; i += 2) {
                right[i + 1] += right[i] * left[i + 1];
                right[i] *= left[i];
            }
        }
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
    }

    private static int[] ints(int n, IntUnaryOperator value) {
        int[] ints = new int[n];
        Arrays.setAll(ints, value);
        return ints;
    }

    private static int value(int side, int rank, int i) {
        return 10_000 * (side + 1) + 100 * rank + i;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void rootedCallsMoveDataFromOneGroupToTheOther(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            for (int side = 0; side < 2; side++) {
                for (int root = 0; root < groups.sizeOf(side); root++) {
                    rooted(groups, side, root);
                    rootedLists(groups, side, root);
                }
            }
            groups.inter.barrier();
            groups.inter.iBarrier().waitFor();
        });
    }

    private static void rooted(TwoGroups groups, int side, int rootRank) {
        Intercomm inter = groups.inter;
        int root = groups.root(side, rootRank);
        boolean isRoot = groups.isRoot(side, rootRank);
        boolean beside = root == MPI.PROC_NULL;
        int others = groups.remoteSize;
        int[] sent = ints(3, i -> value(side, rootRank, i));
        for (int form = 0; form < 2; form++) {
            int[] buffer = beside ? null : isRoot ? sent.clone() : new int[3];
            if (form == 0) {
                inter.bcast(buffer, beside ? 0 : 3, MPI.INT, root);
            } else {
                inter.iBcast(buffer, beside ? 0 : 3, MPI.INT, root).waitFor();
            }
            assertArrayEquals(beside ? null : sent, buffer);
        }
        int[] mine = ints(2, i -> value(groups.side, groups.rank, i));
        int[] gathered = ints(isRoot ? 2 * others : 0, i -> value(1 - side, i / 2, i % 2));
        int[] all = new int[gathered.length];
        inter.gather(isRoot ? null : mine, 2, MPI.INT, all, 2, MPI.INT, root);
        assertArrayEquals(gathered, all);
        int[] one = isRoot ? new int[gathered.length] : mine.clone();
        inter.gather(one, 2, MPI.INT, root);
        assertArrayEquals(isRoot ? gathered : mine, one);
        Arrays.fill(all, 0);
        inter.iGather(isRoot ? null : mine, 2, MPI.INT, all, 2, MPI.INT, root).waitFor();
        assertArrayEquals(gathered, all);

        int[] out = ints(isRoot ? 2 * others : 0, i -> value(side, i / 2, i % 2));
        int[] part = isRoot || beside ? new int[2] : ints(2, i -> value(side, groups.rank, i));
        int[] in = new int[2];
        inter.scatter(out, 2, MPI.INT, in, 2, MPI.INT, root);
        assertArrayEquals(part, in);
        one = isRoot ? out.clone() : new int[2];
        inter.scatter(one, 2, MPI.INT, root);
        assertArrayEquals(isRoot ? out : part, one);
        in = new int[2];
        inter.iScatter(out, 2, MPI.INT, in, 2, MPI.INT, root).waitFor();
        assertArrayEquals(part, in);

        int[] sum = ints(isRoot ? 2 : 0, i -> sum(1 - side, others, i));
        int[] result = new int[sum.length];
        inter.reduce(mine, result, 2, MPI.INT, MPI.SUM, root);
        assertArrayEquals(sum, result);
        one = mine.clone();
        inter.reduce(one, 2, MPI.INT, MPI.SUM, root);
        assertArrayEquals(isRoot ? sum : mine, one);
        Arrays.fill(result, 0);
        inter.iReduce(mine, result, 2, MPI.INT, MPI.SUM, root).waitFor();
        assertArrayEquals(sum, result);
    }

    private static int sum(int side, int ranks, int i) {
        int sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += value(side, rank, i);
        }
        return sum;
    }

    /** Rank i's block has i + 1 items; blocks lie in reverse order, an item apart. */
    private static void rootedLists(TwoGroups groups, int side, int rootRank) {
        Intercomm inter = groups.inter;
        int root = groups.root(side, rootRank);
        boolean isRoot = groups.isRoot(side, rootRank);
        boolean beside = root == MPI.PROC_NULL;
        int others = groups.remoteSize;
        int[] counts = isRoot ? ints(others, i -> i + 1) : null;
        int[] places = isRoot ? places(others) : null;
        int[] mine = ints(groups.rank + 1, i -> value(groups.side, groups.rank, i));
        int[] expected = isRoot ? blocks(1 - side, others) : null;
        int length = isRoot ? expected.length : 0;
        int[] all = new int[length];
        inter.gatherv(isRoot ? null : mine, isRoot ? 0 : mine.length, MPI.INT, all, counts, places, MPI.INT, root);
        assertArrayEquals(isRoot ? expected : new int[0], all);
        all = new int[length];
        if (isRoot) {
            inter.gatherv(all, counts, places, MPI.INT, root);
        } else {
            inter.gatherv(mine, mine.length, MPI.INT, root);
        }
        assertArrayEquals(isRoot ? expected : new int[0], all);
        all = new int[length];
        inter.iGatherv(mine, isRoot ? 0 : mine.length, MPI.INT, all, counts, places, MPI.INT, root).waitFor();
        assertArrayEquals(isRoot ? expected : new int[0], all);

        int[] out = isRoot ? blocks(side, others) : null;
        int[] part = isRoot || beside ? new int[mine.length] : ints(mine.length, i -> value(side, groups.rank, i));
        int[] in = new int[mine.length];
        inter.scatterv(out, counts, places, MPI.INT, in, in.length, MPI.INT, root);
        assertArrayEquals(part, in);
        in = new int[mine.length];
        if (isRoot) {
            inter.scatterv(out, counts, places, MPI.INT, root);
        } else {
            inter.scatterv(in, in.length, MPI.INT, root);
        }
        assertArrayEquals(part, in);
        in = new int[mine.length];
        inter.iScatterv(out, counts, places, MPI.INT, in, in.length, MPI.INT, root).waitFor();
        assertArrayEquals(part, in);
    }

    private static int[] places(int ranks) {
        int[] places = new int[ranks];
        for (int rank = ranks - 2; rank >= 0; rank--) {
            places[rank] = places[rank + 1] + rank + 3;
        }
        return places;
    }

    private static int[] blocks(int side, int ranks) {
        int[] places = places(ranks);
        int[] blocks = new int[places[0] + 1];
        for (int rank = 0; rank < ranks; rank++) {
            for (int i = 0; i <= rank; i++) {
                blocks[places[rank] + i] = value(side, rank, i);
            }
        }
        return blocks;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void eachGroupGetsWhatTheOtherGives(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            Intercomm inter = groups.inter;
            int others = groups.remoteSize;
            int there = 1 - groups.side;
            int[] mine = ints(2, i -> value(groups.side, groups.rank, i));
            int[] expected = ints(2 * others, i -> value(there, i / 2, i % 2));
            int[] all = new int[2 * others];
            inter.allGather(mine, 2, MPI.INT, all, 2, MPI.INT);
            assertArrayEquals(expected, all);
            all = new int[2 * others];
            inter.iAllGather(mine, 2, MPI.INT, all, 2, MPI.INT).waitFor();
            assertArrayEquals(expected, all);

            int[] block = ints(groups.rank + 1, i -> value(groups.side, groups.rank, i));
            int[] blocks = blocks(there, others);
            all = new int[blocks.length];
            inter.allGatherv(block, block.length, MPI.INT, all, ints(others, i -> i + 1), places(others), MPI.INT);
            assertArrayEquals(blocks, all);

            int[] out = ints(2 * others, i -> value(groups.side, groups.rank, i));
            expected = ints(2 * others, i -> value(there, i / 2, 2 * groups.rank + i % 2));
            all = new int[2 * others];
            inter.allToAll(out, 2, MPI.INT, all, 2, MPI.INT);
            assertArrayEquals(expected, all);
            all = new int[2 * others];
            int[] twos = ints(others, i -> 2);
            int[] backwards = ints(others, i -> 2 * (others - 1 - i));
            inter.allToAllv(out, twos, ints(others, i -> 2 * i), MPI.INT, all, twos, backwards, MPI.INT);
            assertArrayEquals(ints(2 * others, i -> value(there, others - 1 - i / 2, 2 * groups.rank + i % 2)), all);
            all = new int[2 * others];
            Datatype[] types = new Datatype[others];
            Arrays.fill(types, MPI.INT);
            int[] bytes = ints(others, i -> 8 * i);
            inter.allToAllw(out, twos, bytes, types, all, twos, bytes, types);
            assertArrayEquals(expected, all);
            all = new int[2 * others];
            inter.iAllToAll(out, 2, MPI.INT, all, 2, MPI.INT).waitFor();
            assertArrayEquals(expected, all);

            int[] result = new int[2];
            int[] sums = ints(2, i -> sum(there, others, i));
            inter.allReduce(mine, result, 2, MPI.INT, MPI.SUM);
            assertArrayEquals(sums, result);
            result = new int[2];
            inter.iAllReduce(mine, result, 2, MPI.INT, MPI.SUM).waitFor();
            assertArrayEquals(sums, result);

            // As many items as both groups can divide, the rest to the last rank.
            int total = 2 * groups.size * others + 1;
            int[] counts = ints(groups.size, i -> 2 * others + (i == groups.size - 1 ? 1 : 0));
            int[] vector = ints(total, i -> value(groups.side, groups.rank, i));
            int first = 2 * others * groups.rank;
            sums = ints(counts[groups.rank], i -> sum(there, others, first + i));
            result = new int[counts[groups.rank]];
            inter.reduceScatter(vector, result, counts, MPI.INT, MPI.SUM);
            assertArrayEquals(sums, result);
            Arrays.fill(result, 0);
            inter.iReduceScatter(vector, result, counts, MPI.INT, MPI.SUM).waitFor();
            assertArrayEquals(sums, result);
            result = new int[2 * others];
            inter.reduceScatterBlock(vector, result, 2 * others, MPI.INT, MPI.SUM);
            assertArrayEquals(ints(2 * others, i -> sum(there, others, first + i)), result);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void operandsAreCombinedInRankOrder(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            Op compose = new Op(new Compose(), false);
            int there = 1 - groups.side;
            int[] mine = {groups.rank + 2, value(groups.side, groups.rank, 0)};
            int[] expected = {1, 0};
            for (int rank = 0; rank < groups.remoteSize; rank++) {
                int[] right = {rank + 2, value(there, rank, 0)};
                new Compose().call(expected, right, 2, MPI.INT);
                expected = right;
            }
            int[] result = new int[2];
            groups.inter.allReduce(mine, result, 2, MPI.INT, compose);
            assertArrayEquals(expected, result);
            int[] atRoot = new int[2];
            groups.inter.reduce(mine, atRoot, 2, MPI.INT, compose, groups.root(1, 0));
            assertArrayEquals(groups.isRoot(1, 0) ? expected : new int[2], atRoot);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void derivedTypesAndLargeBlocksGoThrough(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            Datatype everySecond = Datatype.createVector(3, 1, 2, MPI.INT);
            everySecond.commit();
            int root = groups.root(0, groups.sizeOf(0) - 1);
            int[] buffer = ints(5, i -> root == MPI.ROOT ? 100 + i : -1);
            groups.inter.bcast(buffer, 1, everySecond, root);
            assertArrayEquals(root == MPI.ROOT ? ints(5, i -> 100 + i) : root == MPI.PROC_NULL ? ints(5, i -> -1)
                : new int[] {100, -1, 102, -1, 104}, buffer);
            int others = groups.remoteSize;
            int[] packed = new int[3 * others];
            groups.inter.allGather(ints(5, i -> value(groups.side, groups.rank, i)), 1, everySecond, packed, 3,
                MPI.INT);
            assertArrayEquals(ints(3 * others, i -> value(1 - groups.side, i / 3, i % 3 * 2)), packed);

            int large = 100_000;
            int[] all = new int[large * others];
            groups.inter.allToAll(ints(large * others, i -> value(groups.side, groups.rank, i)), large, MPI.INT, all,
                large, MPI.INT);
            assertArrayEquals(ints(large * others,
                i -> value(1 - groups.side, i / large, large * groups.rank + i % large)), all);
            int[] sums = new int[large];
            groups.inter.allReduce(ints(large, i -> value(groups.side, groups.rank, i)), sums, large, MPI.INT, MPI.SUM);
            assertArrayEquals(ints(large, i -> sum(1 - groups.side, others, i)), sums);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void persistentCallsMayBeStartedInAnyOrder(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            int[] mine = new int[1];
            int[] sum = new int[1];
            int root = groups.root(0, 0);
            int[] word = new int[1];
            int[] other = new int[1];
            Prequest[] calls = {groups.inter.allReduceInit(mine, sum, 1, MPI.INT, MPI.SUM, MPI.INFO_NULL),
                groups.inter.bcastInit(word, 1, MPI.INT, root, MPI.INFO_NULL),
                groups.inter.bcastInit(other, 1, MPI.INT, root, MPI.INFO_NULL)};
            for (int turn = 0; turn < 3; turn++) {
                mine[0] = value(groups.side, groups.rank, turn);
                word[0] = root == MPI.ROOT ? 5 + turn : -1;
                other[0] = root == MPI.ROOT ? 50 + turn : -1;
                for (int i = 0; i < 3; i++) {
                    calls[groups.rank % 2 == 0 ? i : 2 - i].start();
                }
                Request.waitAll(calls);
                assertEquals(sum(1 - groups.side, groups.remoteSize, turn), sum[0]);
                assertEquals(root == MPI.PROC_NULL ? -1 : 5 + turn, word[0]);
                assertEquals(root == MPI.PROC_NULL ? -1 : 50 + turn, other[0]);
            }
            for (Prequest call : calls) {
                call.free();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void overlappingNonblockingCallsDoNotMix(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            int calls = 12;
            Request[] requests = new Request[2 * calls];
            int[][] sums = new int[calls][1];
            int[][] words = new int[calls][1];
            for (int i = 0; i < calls; i++) {
                int side = i % 2;
                int root = groups.root(side, i % groups.sizeOf(side));
                words[i][0] = root == MPI.ROOT ? i : -1;
                requests[2 * i] = groups.inter.iBcast(words[i], 1, MPI.INT, root);
                requests[2 * i + 1] = groups.inter.iAllReduce(new int[] {value(groups.side, groups.rank, i)}, sums[i],
                    1, MPI.INT, MPI.SUM);
            }
            for (int i = requests.length - 1; i >= 0; i--) {
                requests[i].waitFor();
            }
            for (int i = 0; i < calls; i++) {
                assertEquals(sum(1 - groups.side, groups.remoteSize, i), sums[i][0]);
                boolean beside = groups.side == i % 2 && groups.rank != i % groups.size;
                assertEquals(beside ? -1 : i, words[i][0]);
            }
        });
    }

    /** The other ranks of the root's group need not even call. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void nobodyWaitsForRanksBesideTheRoot(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            int root = groups.root(0, 0);
            int[] word = {root == MPI.ROOT ? 7 : 0};
            if (root != MPI.PROC_NULL) {
                groups.inter.bcast(word, 1, MPI.INT, root);
                assertEquals(7, word[0]);
            }
            groups.inter.barrier();
        });
    }

    private static void refused(int errorClass, Runnable call) {
        MPIException e = assertThrows(MPIException.class, call::run);
        assertEquals(errorClass, e.getErrorClass(), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void wrongArgumentsAreRefused(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            Intercomm inter = groups.inter;
            int[] two = new int[2];
            refused(MPI.ERR_ROOT, () -> inter.bcast(two, 2, MPI.INT, groups.remoteSize));
            refused(MPI.ERR_ROOT, () -> inter.bcast(two, 2, MPI.INT, -3));
            refused(MPI.ERR_BUFFER, () -> inter.allReduce(two, 2, MPI.INT, MPI.SUM));
            refused(MPI.ERR_BUFFER, () -> inter.allGather(two, 1, MPI.INT));
            refused(MPI.ERR_BUFFER, () -> inter.allGatherv(two, two, two, MPI.INT));
            refused(MPI.ERR_BUFFER, () -> inter.reduceScatterBlock(two, 1, MPI.INT, MPI.SUM));
            refused(MPI.ERR_ARG, () -> inter.reduceScatter(two, new int[2], new int[0], MPI.INT, MPI.SUM));
            refused(MPI.ERR_COUNT, () -> inter.allGather(two, 3, MPI.INT, new int[99], 3, MPI.INT));
            refused(MPI.ERR_COUNT, () -> inter.allGather(two, 2, MPI.INT, new int[2 * groups.remoteSize - 1], 2,
                MPI.INT));
            refused(MPI.ERR_OP, () -> inter.allReduce(two, new int[2], 2, MPI.INT, null));
            refused(MPI.ERR_ROOT, () -> inter.gatherv(two, two, two, MPI.INT, 0));
            refused(MPI.ERR_ROOT, () -> inter.gatherv(two, 2, MPI.INT, MPI.ROOT));
            // Nothing of it is under way.
            int[] sum = new int[1];
            inter.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
            assertEquals(groups.remoteSize, sum[0]);
            // Groups that reduce different numbers of items.
            refused(MPI.ERR_TRUNCATE,
                () -> inter.allReduce(new int[2], new int[2], 1 + groups.side, MPI.INT, MPI.SUM));
            inter.barrier();
            // A function that throws.
            Op thrower = new Op(new UserFunction() {
                @Override
                public void call(Object in, Object inOut, int count, Datatype type) {
                    throw new IllegalStateException("on purpose");
                }
            }, true);
            if (groups.remoteSize > 1) {
                refused(MPI.ERR_OTHER, () -> inter.allReduce(two, new int[2], 2, MPI.INT, thrower));
            } else {
                inter.allReduce(two, new int[2], 2, MPI.INT, thrower);
            }
            inter.barrier();
        });
    }
}
