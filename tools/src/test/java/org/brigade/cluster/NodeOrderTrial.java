package org.brigade.cluster;

import java.util.Arrays;
import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.communicator.call.Diagnostics;

/**
 * What one rank of {@link NetworkProfileTest} runs: sums of floats by the ring tell in which order it has folded them,
 * as no two orders round alike. Argument: the order that is expected.
 */
public final class NodeOrderTrial {
    private static final int BLOCK = 4096;

    private NodeOrderTrial() {
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int ranks = world.getSize();
        int[] order = Arrays.stream(arguments[0].split(",")).mapToInt(Integer::parseInt).toArray();
        int[] counts = new int[ranks];
        Arrays.fill(counts, BLOCK);
        float[] mine = data(world.getRank(), ranks);
        float[] sums = new float[BLOCK];
        world.reduceScatter(mine, sums, counts, MPI.FLOAT, MPI.SUM);
        if (!Diagnostics.lastAlgorithm().equals("ring")) {
            throw new AssertionError("ran by " + Diagnostics.lastAlgorithm() + ", not by ring");
        }
        if (!Arrays.equals(sums, folded(world.getRank(), order))) {
            throw new AssertionError("not folded in the order " + arguments[0]);
        }
        System.out.println("rank " + world.getRank() + ": in order");
        MPI.Finalize();
    }

    private static float[] data(int owner, int ranks) {
        Random random = new Random(owner);
        float[] data = new float[ranks * BLOCK];
        for (int i = 0; i < data.length; i++) {
            data[i] = (random.nextFloat() - 0.5f) * (1 << random.nextInt(20));
        }
        return data;
    }

    /** The block of one rank: begun by the rank behind it in the order, and ended by itself. */
    private static float[] folded(int owner, int[] order) {
        int position = 0;
        while (order[position] != owner) {
            position++;
        }
        float[] sums = new float[BLOCK];
        for (int step = 1; step <= order.length; step++) {
            float[] next = data(order[(position + step) % order.length], order.length);
            for (int i = 0; i < BLOCK; i++) {
                float item = next[owner * BLOCK + i];
                sums[i] = step == 1 ? item : sums[i] + item;
            }
        }
        return sums;
    }
}
