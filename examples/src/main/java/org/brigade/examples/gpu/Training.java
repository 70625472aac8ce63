package org.brigade.examples.gpu;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import jcuda.Sizeof;
import jcuda.driver.CUdeviceptr;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.examples.mnist.Digits;
import org.brigade.examples.tensors.TensorExchange;

/**
 * Data-parallel training on GPUs, a process for each: every rank computes the gradient of its own pictures in its GPU's
 * memory, a {@link FusionBuffer} packs the gradients of all layers, an allreduce sums them, and all ranks take the same
 * step. With {@code --named true}, every rank submits its gradients in an order of its own, and a
 * {@link TensorExchange} finds the one in which all ranks pack them.
 *
 * <p>
 * {@code mpjrun -np 2 -cp 'examples/target/classes:examples/target/lib/*' org.brigade.examples.gpu.Training}
 *
 * <p>
 * Options: {@code --path direct|staged|both} (device pointers straight into MPI; copied to the host and back by the
 * program; one after the other), {@code --steps 20}, {@code --batch 64} pictures of a rank, {@code --hidden 1024} units
 * in each of two hidden layers, {@code --fusion 64M} bytes of the fusion buffer, {@code --named false},
 * {@code --digits DIRECTORY} that examples/get-mnist.sh prints (else digits are made up).
 *
 * <p>
 * Both paths must give the same losses. With two ranks they have the same bits, as a + b = b + a. With more, the bits
 * also depend on the order in which an algorithm adds; {@code --ordered true} makes the host's algorithm add in the
 * order of ranks, as those on device memory do.
 */
public final class Training {
    private static final int CLASSES = Digits.CLASSES;
    private static final int PIXELS = Digits.PIXELS;
    private static final int MADE_UP = 4096;
    private static final float RATE = 0.05f;
    private static final long SEED = 28;

    private final RankGpu gpu;
    private final Intracomm comm = MPI.COMM_WORLD;
    private final int batch;
    private final int capacity;
    private final boolean named;
    private final Network network;
    private final CUdeviceptr pictures;
    private final CUdeviceptr labels;
    private final int batches;
    private final CUdeviceptr packed;

    private Training(RankGpu gpu, Digits digits, int batch, int hidden, int capacity, boolean named) {
        this.gpu = gpu;
        this.batch = batch;
        this.capacity = capacity;
        this.named = named;
        network = new Network(gpu, new TrainingKernels(gpu), batch, PIXELS, hidden, hidden, CLASSES);
        packed = gpu.allocate(Math.max(capacity, 1));
        batches = digits.count() / (batch * comm.getSize());
        if (batches == 0) {
            throw new IllegalArgumentException("--batch " + batch + " on " + comm.getSize() + " ranks is more than the "
                + digits.count() + " pictures there are");
        }
        float[] ownPictures = new float[batches * batch * PIXELS];
        int[] ownLabels = new int[batches * batch];
        for (int i = 0; i < ownLabels.length; i++) {
            int index = i * comm.getSize() + comm.getRank();
            for (int p = 0; p < PIXELS; p++) {
                ownPictures[i * PIXELS + p] = (float) digits.picture(index)[p];
            }
            ownLabels[i] = digits.label(index);
        }
        pictures = gpu.allocate((long) ownPictures.length * Sizeof.FLOAT);
        labels = gpu.allocate((long) ownLabels.length * Sizeof.INT);
        gpu.write(ownPictures, pictures);
        gpu.write(ownLabels, labels);
    }

    /** Trains from the beginning. Returns the mean loss before each step. */
    private float[] train(String name, int steps) throws MPIException {
        Intracomm own = comm.dup();
        ExchangePath path = ExchangePath.of(name, own, gpu, Math.max(capacity, longest()));
        FusionBuffer fusion = new FusionBuffer(gpu, packed, capacity, path::allReduce);
        // Rank 0's random numbers are everyone's, as if it had read them from a file.
        network.initialise(gpu, comm.getRank() == 0 ? SEED : 0);
        FusionBuffer fromRoot = new FusionBuffer(gpu, packed, capacity, path::bcast);
        for (Tensor parameter : network.parameters()) {
            fromRoot.add(parameter);
        }
        fromRoot.flush();

        float[] losses = new float[steps];
        double[] compute = new double[steps];
        double[] allReduce = new double[steps];
        double[] total = new double[steps];
        TensorExchange<Tensor> exchange = named ? new TensorExchange<>(own, each -> sum(fusion, each)) : null;
        Random order = new Random(comm.getRank());
        for (int step = 0; step < steps; step++) {
            comm.barrier();
            long start = System.nanoTime();
            int first = step % batches * batch;
            network.computeGradients(pictures.withByteOffset((long) first * PIXELS * Sizeof.FLOAT),
                labels.withByteOffset((long) first * Sizeof.INT));
            gpu.await();
            long computed = System.nanoTime();
            if (named) {
                List<Tensor> shuffled = new ArrayList<>(network.gradients());
                Collections.shuffle(shuffled, order);
                exchange.submitAll(shuffled).join();
            } else {
                sum(fusion, network.gradients());
            }
            long reduced = System.nanoTime();
            network.descend(RATE, batch * comm.getSize());
            gpu.await();
            long end = System.nanoTime();
            losses[step] = gpu.read(network.loss().at(), 1)[0] / (batch * comm.getSize());
            compute[step] = (computed - start) * 1e-6;
            allReduce[step] = (reduced - computed) * 1e-6;
            total[step] = (end - start) * 1e-6;
            if (comm.getRank() == 0) {
                System.out.printf("%s step %d loss %.6f (%08x) compute %.3f ms allreduce %.3f ms total %.3f ms%n", name,
                    step, losses[step],
                    Float.floatToRawIntBits(losses[step]), compute[step], allReduce[step], total[step]);
            }
        }
        summarise(name, compute, allReduce, total);
        if (named) {
            exchange.close();
        }
        own.free();
        return losses;
    }

    private void sum(FusionBuffer fusion, List<Tensor> gradients) throws MPIException {
        gpu.attach(); // the exchange of named tensors calls on a thread of its own
        for (Tensor gradient : gradients) {
            fusion.add(gradient);
        }
        fusion.flush();
        gpu.await();
    }

    private long longest() {
        long longest = 0;
        for (Tensor gradient : network.gradients()) {
            longest = Math.max(longest, gradient.bytes());
        }
        return longest;
    }

    private void summarise(String name, double[] compute, double[] allReduce, double[] total) throws MPIException {
        double[] medians = {median(compute), median(allReduce), median(total)};
        comm.allReduce(medians, medians.length, MPI.DOUBLE, MPI.MAX);
        if (comm.getRank() == 0) {
            System.out.printf("%s medians, slowest rank: compute %.3f ms allreduce %.3f ms total %.3f ms%n", name,
                medians[0], medians[1], medians[2]);
        }
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static String compare(float[] direct, float[] staged) {
        for (int step = 0; step < direct.length; step++) {
            if (Float.floatToRawIntBits(direct[step]) != Float.floatToRawIntBits(staged[step])) {
                return "The losses differ from step " + step + " on: " + direct[step] + " direct, " + staged[step]
                    + " staged. With more than two ranks that may come from the order of additions; --ordered true"
                    + " makes it one.";
            }
        }
        return "The losses of all " + direct.length + " steps have the same bits on both paths.";
    }

    public static void main(String[] args) throws MPIException, IOException {
        if (Arrays.asList(args).contains("--ordered")) {
            System.setProperty("brigade.allreduce.algorithm", "direct-exchange");
        }
        Options options = new Options(MPI.Init(args));
        List<String> paths = options.paths();
        int steps = options.number("steps", 20);
        int batch = options.number("batch", 64);
        int hidden = options.number("hidden", 1024);
        int capacity = options.number("fusion", 64 << 20);
        boolean named = options.flag("named");
        String directory = options.text("digits", null);
        options.text("ordered", null);
        options.refuseOthers();
        try (RankGpu gpu = RankGpu.ofThisRank()) {
            Digits digits = directory == null ? Digits.madeUp(MADE_UP) : Digits.read(Path.of(directory));
            Training training = new Training(gpu, digits, batch, hidden, capacity, named);
            float[][] losses = new float[paths.size()][];
            for (int i = 0; i < losses.length; i++) {
                losses[i] = training.train(paths.get(i), steps);
            }
            if (losses.length == 2 && MPI.COMM_WORLD.getRank() == 0) {
                System.out.println(compare(losses[0], losses[1]));
            }
            MPI.COMM_WORLD.barrier();
        }
        MPI.Finalize();
    }
}
