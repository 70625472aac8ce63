package org.brigade.examples.gpu;

import java.util.List;
import java.util.Random;
import jcuda.Sizeof;
import jcuda.driver.CUdeviceptr;
import mpi.MPI;
import mpi.MPIException;

/**
 * Computes the gradient of a small network on a GPU, real or software, and again here in doubles; prints the greatest
 * difference between the two.
 */
public final class NetworkCheck {
    private static final int[] WIDTHS = {20, 16, 12, 5};
    private static final int BATCH = 7;

    private NetworkCheck() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        Random random = new Random(4);
        float[] pictures = new float[BATCH * WIDTHS[0]];
        int[] labels = new int[BATCH];
        for (int i = 0; i < pictures.length; i++) {
            pictures[i] = random.nextFloat() - 0.3f;
        }
        for (int i = 0; i < BATCH; i++) {
            labels[i] = random.nextInt(WIDTHS[WIDTHS.length - 1]);
        }
        try (RankGpu gpu = RankGpu.ofThisRank()) {
            Network network = new Network(gpu, new TrainingKernels(gpu), BATCH, WIDTHS);
            network.initialise(gpu, 9);
            CUdeviceptr devicePictures = gpu.allocate((long) pictures.length * Sizeof.FLOAT);
            CUdeviceptr deviceLabels = gpu.allocate((long) labels.length * Sizeof.INT);
            gpu.write(pictures, devicePictures);
            gpu.write(labels, deviceLabels);
            network.computeGradients(devicePictures, deviceLabels);

            List<Tensor> parameters = network.parameters();
            float[][] values = new float[parameters.size()][];
            for (int i = 0; i < values.length; i++) {
                values[i] = gpu.read(parameters.get(i).at(), parameters.get(i).floats());
            }
            double[][] expected = new double[values.length + 1][];
            for (int i = 0; i < values.length; i++) {
                expected[i] = new double[values[i].length];
            }
            expected[values.length] = new double[1];
            for (int picture = 0; picture < BATCH; picture++) {
                expected[values.length][0] +=
                    addGradient(values, pictures, picture * WIDTHS[0], labels[picture], expected);
            }
            System.out.println("gradients differ by " + greatestDifference(gpu, network, expected));

            network.descend(0.5f, BATCH);
            System.out.println("steps differ by " + greatestStepDifference(gpu, parameters, values, expected));
        }
        MPI.Finalize();
    }

    /** Gradients come as loss, then weights and bias of the last layer, of the one before, and so on. */
    private static double greatestDifference(RankGpu gpu, Network network, double[][] expected) {
        double greatest = 0;
        int layers = expected.length / 2;
        List<Tensor> gradients = network.gradients();
        for (int i = 0; i < gradients.size(); i++) {
            int parameter = i == 0 ? expected.length - 1 : 2 * (layers - 1 - (i - 1) / 2) + (i - 1) % 2;
            float[] found = gpu.read(gradients.get(i).at(), gradients.get(i).floats());
            for (int j = 0; j < found.length; j++) {
                greatest = Math.max(greatest, Math.abs(found[j] - expected[parameter][j]));
            }
        }
        return greatest;
    }

    private static double greatestStepDifference(RankGpu gpu, List<Tensor> parameters, float[][] before,
        double[][] gradient) {
        double greatest = 0;
        for (int i = 0; i < before.length; i++) {
            float[] now = gpu.read(parameters.get(i).at(), before[i].length);
            for (int j = 0; j < now.length; j++) {
                greatest = Math.max(greatest, Math.abs(now[j] - (before[i][j] - 0.5 / BATCH * gradient[i][j])));
            }
        }
        return greatest;
    }

    /** The definition, picture by picture. Returns the loss. */
    private static double addGradient(float[][] parameters, float[] pictures, int at, int label, double[][] gradient) {
        int layers = WIDTHS.length - 1;
        double[][] values = new double[layers + 1][];
        values[0] = new double[WIDTHS[0]];
        for (int i = 0; i < WIDTHS[0]; i++) {
            values[0][i] = pictures[at + i];
        }
        for (int layer = 0; layer < layers; layer++) {
            int outputs = WIDTHS[layer + 1];
            values[layer + 1] = new double[outputs];
            for (int o = 0; o < outputs; o++) {
                double sum = parameters[2 * layer + 1][o];
                for (int i = 0; i < WIDTHS[layer]; i++) {
                    sum += values[layer][i] * parameters[2 * layer][i * outputs + o];
                }
                values[layer + 1][o] = layer < layers - 1 ? Math.max(0, sum) : sum;
            }
        }
        double[] scores = values[layers];
        double sum = 0;
        for (double score : scores) {
            sum += Math.exp(score);
        }
        double[] slopes = new double[scores.length];
        for (int c = 0; c < scores.length; c++) {
            slopes[c] = Math.exp(scores[c]) / sum - (c == label ? 1 : 0);
        }
        for (int layer = layers - 1; layer >= 0; layer--) {
            int outputs = WIDTHS[layer + 1];
            double[] below = new double[WIDTHS[layer]];
            for (int o = 0; o < outputs; o++) {
                gradient[2 * layer + 1][o] += slopes[o];
                for (int i = 0; i < below.length; i++) {
                    gradient[2 * layer][i * outputs + o] += slopes[o] * values[layer][i];
                    below[i] += values[layer][i] > 0 ? slopes[o] * parameters[2 * layer][i * outputs + o] : 0;
                }
            }
            slopes = below;
        }
        return Math.log(sum) - scores[label];
    }
}
