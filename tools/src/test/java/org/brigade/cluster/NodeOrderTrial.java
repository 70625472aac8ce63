package org.brigade.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.UserFunction;
import org.brigade.communicator.call.Diagnostics;

/**
 * What one rank of {@link NetworkProfileTest} runs: sums of floats tell in which order a ring or chain has folded them,
 * as no two orders round alike. Sub-communicators place the ranks on the nodes otherwise: back to front, dealt out, not
 * all of them. Arguments: the order that is expected of the world, the node of each of its ranks, and whether the order
 * was measured; else communicators visit nodes by their lowest ranks.
 */
public final class NodeOrderTrial {
    private static final int BLOCK = 4096;
    private static final int[] NOBODY_LEFT_OUT = {};

    private NodeOrderTrial() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        int[] order = numbers(arguments[0]);
        int[] nodeOf = numbers(arguments[1]);
        boolean measured = Boolean.parseBoolean(arguments[2]);
        int ranks = MPI.COMM_WORLD.getSize();
        scatters(MPI.COMM_WORLD, order);
        reduces(MPI.COMM_WORLD, order);
        int[] reversed = new int[ranks];
        int[] dealt = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            reversed[rank] = -rank;
            dealt[rank] = rank % 2 * ranks + rank;
        }
        among(reversed, NOBODY_LEFT_OUT, order, nodeOf, measured);
        among(dealt, NOBODY_LEFT_OUT, order, nodeOf, measured);
        among(reversed, new int[] {0, 2}, order, nodeOf, measured);
        System.out.println("rank " + MPI.COMM_WORLD.getRank() + ": in order");
        MPI.Finalize();
    }

    private static int[] numbers(String words) {
        return Arrays.stream(words.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    private static void scatters(Intracomm comm, int[] order) throws MPIException {
        int ranks = comm.getSize();
        int[] counts = new int[ranks];
        Arrays.fill(counts, BLOCK);
        float[] sums = new float[BLOCK];
        comm.reduceScatter(data(comm.getRank(), ranks), sums, counts, MPI.FLOAT, MPI.SUM);
        ran("ring");
        inOrder("reduce-scatter", comm, sums, folded(comm.getRank(), comm.getRank(), order));
    }

    /** The same of a communicator in which the ranks that are not left out are sorted by their keys. */
    private static void among(int[] keys, int[] leftOut, int[] order, int[] nodeOf, boolean measured)
        throws MPIException {
        int mine = MPI.COMM_WORLD.getRank();
        List<Integer> members = new ArrayList<>();
        for (int rank = 0; rank < keys.length; rank++) {
            if (Arrays.stream(leftOut).noneMatch(List.of(rank)::contains)) {
                members.add(rank);
            }
        }
        members.sort((one, other) -> Integer.compare(keys[one], keys[other]));
        List<Integer> within = new ArrayList<>();
        List<Integer> visited = new ArrayList<>();
        for (int rank : measured ? order : members.stream().mapToInt(Integer::intValue).toArray()) {
            if (!visited.contains(nodeOf[rank])) {
                visited.add(nodeOf[rank]);
                for (int member = 0; member < members.size(); member++) {
                    if (nodeOf[members.get(member)] == nodeOf[rank]) {
                        within.add(member);
                    }
                }
            }
        }
        Intracomm part = MPI.COMM_WORLD.split(members.contains(mine) ? 1 : MPI.UNDEFINED, keys[mine]);
        if (members.contains(mine)) {
            reduces(part, within.stream().mapToInt(Integer::intValue).toArray());
        }
    }

    /** A chain ends at the root; what does not commute is combined in rank order. */
    private static void reduces(Intracomm comm, int[] order) throws MPIException {
        int ranks = comm.getSize();
        int rank = comm.getRank();
        Op join = new Op(new UserFunction() {
            @Override
            public void call(Object in, Object inOut, int count, Datatype type) {
                for (int i = 0; i < count; i++) {
                    ((long[]) inOut)[i] = joined(((long[]) in)[i], ((long[]) inOut)[i]);
                }
            }
        }, false);
        for (int root = 0; root < ranks; root++) {
            float[] sums = new float[ranks * BLOCK];
            comm.reduce(data(rank, ranks), sums, sums.length, MPI.FLOAT, MPI.SUM, root);
            ran("pipelined-chain");
            long[] digits = new long[BLOCK];
            Arrays.fill(digits, rank + 1);
            long[] number = new long[BLOCK];
            comm.reduce(digits, number, BLOCK, MPI.LONG, join, root);
            ran("pipelined-chain");
            if (rank == root) {
                for (int owner = 0; owner < ranks; owner++) {
                    inOrder("reduce to " + root, comm, Arrays.copyOfRange(sums, owner * BLOCK, (owner + 1) * BLOCK),
                        folded(owner, root, order));
                }
                long[] expected = new long[BLOCK];
                Arrays.fill(expected, inRankOrder(ranks));
                if (!Arrays.equals(expected, number)) {
                    throw new AssertionError("reduce to " + root + " gives " + number[0] + ", not " + expected[0]);
                }
            }
        }
    }

    private static long inRankOrder(int ranks) {
        long value = 1;
        for (int rank = 1; rank < ranks; rank++) {
            value = joined(value, rank + 1);
        }
        return value;
    }

    /** The hexadecimal digits of one number, and then those of the other. */
    private static long joined(long first, long second) {
        return first << 4 * ((67 - Long.numberOfLeadingZeros(second)) / 4) | second;
    }

    private static void ran(String name) {
        if (!Diagnostics.lastAlgorithm().equals(name)) {
            throw new AssertionError("ran by " + Diagnostics.lastAlgorithm() + ", not by " + name);
        }
    }

    private static void inOrder(String call, Intracomm comm, float[] sums, float[] expected) throws MPIException {
        if (!Arrays.equals(sums, expected)) {
            throw new AssertionError(call + " of " + comm.getSize() + " ranks has not folded in the expected order");
        }
    }

    private static float[] data(int owner, int ranks) {
        Random random = new Random(owner);
        float[] data = new float[ranks * BLOCK];
        for (int i = 0; i < data.length; i++) {
            data[i] = (random.nextFloat() - 0.5f) * (1 << random.nextInt(20));
        }
        return data;
    }

    /** A block of the vector: begun by the rank behind the last one in the order, and ended by the last one. */
    private static float[] folded(int block, int end, int[] order) {
        int position = 0;
        while (order[position] != end) {
            position++;
        }
        float[] sums = new float[BLOCK];
        for (int step = 1; step <= order.length; step++) {
            float[] next = data(order[(position + step) % order.length], order.length);
            for (int i = 0; i < BLOCK; i++) {
                float item = next[block * BLOCK + i];
                sums[i] = step == 1 ? item : sums[i] + item;
            }
        }
        return sums;
    }
}
