package org.brigade.examples.mnist;

import java.io.IOException;
import java.nio.file.Path;
import mpi.MPI;
import mpi.MPIException;

/**
 * Data-parallel training on MNIST digits that gives the same bits on 1, 2 and 4 ranks.
 *
 * <p>
 * Addition of floating-point numbers is not associative, so the order of sums must not depend on the number of ranks.
 * There are always four shards, each with a gradient of its own, and these are always summed as a tree:
 *
 * <pre>
 *             (0+1)+(2+3)              1 rank : all of it here
 *            /           \
 *         0+1             2+3          2 ranks: the upper sum is the allreduce
 *        /   \           /   \
 *       0     1         2     3        4 ranks: all of it is the allreduce
 * </pre>
 *
 * Recursive doubling sums in just this tree, so it is forced. Each step prints the loss, exactly and as the bits of the
 * double.
 *
 * <p>
 * {@code mpjrun -np 4 -cp examples/target/classes org.brigade.examples.mnist.MnistTraining
 * "$(examples/get-mnist.sh)" [steps]}
 */
public final class MnistTraining {
    private static final int SHARDS = 4;
    private static final int SHARD_PICTURES = 64;
    private static final double RATE = 0.3;
    /** The loss travels behind the gradient. */
    private static final int LOSS = Perceptron.PARAMETERS;

    private final Digits digits;
    private final int trained;
    private final Perceptron network = new Perceptron();
    private final int firstShard;
    private final int shards;
    private final double[][] sums;

    private MnistTraining(Digits digits, int rank, int size) {
        this.digits = digits;
        trained = digits.count() * 9 / 10;
        shards = SHARDS / size;
        firstShard = rank * shards;
        sums = new double[shards][LOSS + 1];
    }

    /** One step of gradient descent; returns the mean loss before it. */
    private double step(int step) throws MPIException {
        for (int i = 0; i < shards; i++) {
            sumShard(step, firstShard + i, sums[i]);
        }
        for (int distance = 1; distance < shards; distance *= 2) {
            for (int i = 0; i < shards; i += 2 * distance) {
                add(sums[i + distance], sums[i]);
            }
        }
        double[] total = sums[0];
        MPI.COMM_WORLD.allReduce(total, LOSS + 1, MPI.DOUBLE, MPI.SUM);
        network.descend(total, RATE / (SHARDS * SHARD_PICTURES));
        return total[LOSS] / (SHARDS * SHARD_PICTURES);
    }

    private void sumShard(int step, int shard, double[] sum) {
        java.util.Arrays.fill(sum, 0);
        int first = (step * SHARDS + shard) * SHARD_PICTURES;
        for (int i = 0; i < SHARD_PICTURES; i++) {
            int index = (first + i) % trained;
            sum[LOSS] += network.addGradient(digits.picture(index), digits.label(index), sum);
        }
    }

    private static void add(double[] from, double[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] += from[i];
        }
    }

    /** The part of the pictures kept from training that the network recognises. */
    private double accuracy() {
        int right = 0;
        for (int i = trained; i < digits.count(); i++) {
            if (network.classify(digits.picture(i)) == digits.label(i)) {
                right++;
            }
        }
        return (double) right / (digits.count() - trained);
    }

    public static void main(String[] args) throws MPIException, IOException {
        System.setProperty("brigade.allreduce.algorithm", "recursive-doubling");
        args = MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        if (size != 1 && size != 2 && size != 4) {
            throw new IllegalArgumentException("four shards cannot be shared out to " + size + " ranks; use 1, 2 or 4");
        }
        if (args.length == 0) {
            throw new IllegalArgumentException("no directory of digits; pass what examples/get-mnist.sh prints");
        }
        int steps = args.length > 1 ? Integer.parseInt(args[1]) : 200;
        MnistTraining training = new MnistTraining(Digits.read(Path.of(args[0])), rank, size);
        for (int step = 0; step < steps; step++) {
            double loss = training.step(step);
            if (rank == 0) {
                System.out.println(
                    "step " + step + " loss " + loss + " bits " + Long.toHexString(Double.doubleToRawLongBits(loss)));
            }
        }
        if (rank == 0) {
            System.out.println("accuracy on pictures not seen " + training.accuracy());
        }
        MPI.Finalize();
    }
}
