package org.brigade.launch;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import mpi.Datatype;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.User_function;

/** Groups of ranks joined in all ways: objects in every call, the ways to send, large vectors, mergers. */
public final class IntercommProgram {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int LARGE = 300_000;

    /** Joins texts: the order counts. */
    private static final class Join extends User_function {
        @Override
        public void Call(Object in, int inOffset, Object inout, int inoutOffset, int count, Datatype type) {
            Object[] target = (Object[]) inout;
            for (int i = 0; i < count; i++) {
                target[inoutOffset + i] = "" + ((Object[]) in)[inOffset + i] + target[inoutOffset + i];
            }
        }
    }

    private final int side;
    private final Intercomm inter;
    private final int rank;
    private final int size;
    private final int others;

    private IntercommProgram(int mask) throws MPIException {
        side = mask >> WORLD.getRank() & 1;
        Intracomm local = WORLD.Split(side, WORLD.Rank());
        inter = WORLD.Create_intercomm(local, 0, Integer.numberOfTrailingZeros(side == 0 ? mask : ~mask), mask);
        rank = inter.Rank();
        size = inter.Size();
        others = inter.Remote_size();
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        for (int mask = 1; mask < (1 << WORLD.Size()) - 1; mask++) {
            IntercommProgram groups = new IntercommProgram(mask);
            groups.messages();
            groups.objects();
            groups.objectsOfRoots();
            groups.failures();
            groups.vectors();
            groups.inter.Free();
        }
        System.out.println("rank " + WORLD.Rank() + ": inter-communicators are right");
        MPI.Finalize();
    }

    private void same(Object expected, Object actual, String what) {
        if (!Objects.deepEquals(expected, actual)) {
            throw new AssertionError("rank " + rank + " of side " + side + ", " + what + ": "
                + Arrays.deepToString(new Object[] {actual}) + ", not "
                + Arrays.deepToString(new Object[] {expected}));
        }
    }

    private String[] theirs() {
        String[] theirs = new String[others];
        Arrays.setAll(theirs, i -> "r" + i + (1 - side));
        return theirs;
    }

    private void messages() throws MPIException {
        MPI.Buffer_attach(ByteBuffer.allocate(4096));
        if (rank == 0) {
            inter.bSend(new int[] {side}, 1, MPI.INT, 0, 1);
            int[] came = new int[1];
            inter.Recv(came, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            same(1 - side, came[0], "buffered");
            Object[] objects = new Object[2];
            inter.Sendrecv(new Object[] {"text", side}, 0, 2, MPI.OBJECT, 0, 8, objects, 0, 2, MPI.OBJECT, 0, 8);
            same(new Object[] {"text", 1 - side}, objects, "objects");
        }
        MPI.Buffer_detach();
    }

    private void objects() throws MPIException {
        String[] mine = {"r" + rank + side};
        Object[] all = new Object[others];
        inter.allGather(mine, 1, MPI.OBJECT, all, 1, MPI.OBJECT);
        same(theirs(), all, "allGather");
        Op join = new Op(new Join(), false);
        Object[] result = new Object[1];
        inter.allReduce(mine, result, 1, MPI.OBJECT, join);
        same(String.join("", theirs()), result[0], "allReduce");
        Object[] each = new Object[size * others];
        Arrays.setAll(each, i -> mine[0] + i);
        Object[] block = new Object[others];
        inter.reduceScatterBlock(each, block, others, MPI.OBJECT, join);
        for (int i = 0; i < others; i++) {
            int item = rank * others + i;
            same(String.join("" + item, theirs()) + item, block[i], "reduceScatterBlock");
        }
        String[] out = new String[others];
        Arrays.setAll(out, i -> mine[0] + " to " + i);
        inter.allToAll(out, 1, MPI.OBJECT, all, 1, MPI.OBJECT);
        for (int i = 0; i < others; i++) {
            same(theirs()[i] + " to " + rank, all[i], "allToAll");
        }
    }

    private void objectsOfRoots() throws MPIException {
        String[] mine = {"r" + rank + side};
        String[] out = new String[others];
        Arrays.setAll(out, i -> mine[0] + " to " + i);
        for (int rootSide = 0; rootSide < 2; rootSide++) {
            int last = (rootSide == side ? size : others) - 1;
            int root = rootSide != side ? last : rank == last ? MPI.ROOT : MPI.PROC_NULL;
            boolean isRoot = root == MPI.ROOT;
            Object[] word = {isRoot ? "word" : "none"};
            inter.bcast(word, 1, MPI.OBJECT, root);
            same(root == MPI.PROC_NULL ? "none" : "word", word[0], "bcast");
            Object[] gathered = new Object[others];
            inter.gather(mine, 1, MPI.OBJECT, gathered, 1, MPI.OBJECT, root);
            same(isRoot ? theirs() : new Object[others], gathered, "gather");
            Object[] part = new Object[1];
            inter.scatter(out, 1, MPI.OBJECT, part, 1, MPI.OBJECT, root);
            same(root < 0 ? null : "r" + last + rootSide + " to " + rank, part[0], "scatter");
            Object[] joined = new Object[1];
            inter.reduce(mine, joined, 1, MPI.OBJECT, new Op(new Join(), false), root);
            same(isRoot ? String.join("", theirs()) : null, joined[0], "reduce");
        }
    }

    /** What one rank cannot send is an error of it and of the other group, and nobody waits. */
    private void failures() throws MPIException {
        Object[] mine = {side == 0 && rank == 0 ? new Object() : "fine"};
        boolean failed = false;
        try {
            inter.allGather(mine, 1, MPI.OBJECT, new Object[others], 1, MPI.OBJECT);
        } catch (MPIException e) {
            failed = true;
        }
        same(side == 1 || rank == 0, failed, "failed");
        inter.barrier();
    }

    private void vectors() throws MPIException {
        double[] mine = new double[LARGE];
        Arrays.fill(mine, rank + 1);
        double[] sum = new double[LARGE];
        inter.allReduce(mine, sum, LARGE, MPI.DOUBLE, MPI.SUM);
        double[] expected = new double[LARGE];
        Arrays.fill(expected, others * (others + 1) / 2);
        same(expected, sum, "large sums");
        Intracomm both = inter.Merge(side == 1);
        same(WORLD.Size(), both.Size(), "merged");
        same(side * others + rank, both.Rank(), "rank of the merged");
        double[] total = {side + 1};
        both.Allreduce(total, 0, total, 0, 1, MPI.DOUBLE, MPI.SUM);
        same((double) (size * (side + 1) + others * (2 - side)), total[0], "sum of the merged");
        both.Free();
    }
}
