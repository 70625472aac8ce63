package org.brigade.examples.tensors;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * The gradients of 80 layers, summed in every step by three ways: an allreduce for each in one order, through a fusion
 * buffer in one order, and by name, where two threads of each rank submit them in an order of their own.
 *
 * <p>
 * {@code mpjrun -np 4 -cp examples/target/classes org.brigade.examples.tensors.ShuffledGradients [STEPS]}
 */
public final class ShuffledGradients {
    private static final int LAYERS = 80;
    private static final int THREADS = 2;
    private static final int BUFFER = 1 << 20;
    /** Steps before the clock starts. */
    private static final int WARM = 50;

    /** How one step sums the gradients. */
    private interface Way {
        void sum() throws MPIException;
    }

    private final Intracomm comm = MPI.COMM_WORLD;
    private final int steps;
    private final List<HostTensor> gradients = new ArrayList<>();
    private final Random random = new Random(comm.getRank());

    private ShuffledGradients(int steps) {
        this.steps = steps;
        for (int layer = 0; layer < LAYERS; layer++) {
            gradients.add(HostTensor.of("layer" + layer + ".weight", new float[512 << layer % 8]));
            gradients.add(HostTensor.of("layer" + layer + ".bias", new float[64]));
        }
    }

    private void time(String name, Way way) throws MPIException {
        double[] times = new double[steps];
        int ranks = comm.getSize();
        for (int step = -WARM; step < steps; step++) {
            for (HostTensor gradient : gradients) {
                Arrays.fill((float[]) gradient.values().array(), comm.getRank() + step);
            }
            comm.barrier();
            long start = System.nanoTime();
            way.sum();
            if (step >= 0) {
                times[step] = (System.nanoTime() - start) * 1e-6;
            }
            for (HostTensor gradient : gradients) {
                float[] sums = (float[]) gradient.values().array();
                float expected = ranks * (ranks - 1) / 2 + ranks * step;
                if (sums[0] != expected || sums[sums.length - 1] != expected) {
                    throw new IllegalStateException(gradient.name() + " is " + sums[0] + " ... "
                        + sums[sums.length - 1] + " and should be " + expected);
                }
            }
        }
        Arrays.sort(times);
        double[] median = {times[steps / 2]};
        comm.allReduce(median, 1, MPI.DOUBLE, MPI.MAX);
        if (comm.getRank() == 0) {
            System.out.printf("%-28s %8.3f ms a step (median, slowest rank)%n", name, median[0]);
        }
    }

    private void all() throws MPIException {
        Intracomm own = comm.dup();
        time("each alone, one order", () -> new HostFusion(own, 0).run(gradients));
        HostFusion ordered = new HostFusion(own, BUFFER);
        time("fused, one order", () -> ordered.run(gradients));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        HostFusion fusion = new HostFusion(own, BUFFER);
        try (TensorExchange<HostTensor> exchange = new TensorExchange<>(own, fusion)) {
            time("by name, random orders", () -> submitShuffled(exchange, threads));
        }
        threads.shutdown();
        if (comm.getRank() == 0) {
            System.out.printf("All sums are right. By name, %d tensors of a step took %.1f allreduces.%n",
                gradients.size(), (double) fusion.allreduces() / (steps + WARM));
        }
        own.free();
    }

    private void submitShuffled(TensorExchange<HostTensor> exchange, ExecutorService threads) {
        List<HostTensor> shuffled = new ArrayList<>(gradients);
        Collections.shuffle(shuffled, random);
        CompletableFuture<?>[] sums = new CompletableFuture<?>[THREADS];
        for (int i = 0; i < THREADS; i++) {
            List<HostTensor> share =
                shuffled.subList(i * shuffled.size() / THREADS, (i + 1) * shuffled.size() / THREADS);
            sums[i] = CompletableFuture.supplyAsync(() -> share.stream().map(exchange::submit).toList(), threads)
                .thenCompose(all -> CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])));
        }
        CompletableFuture.allOf(sums).join();
    }

    public static void main(String[] args) throws MPIException {
        args = MPI.Init(args);
        new ShuffledGradients(args.length > 0 ? Integer.parseInt(args[0]) : 200).all();
        MPI.Finalize();
    }
}
