package org.brigade.examples.gpu;

import static jcuda.driver.JCudaDriver.cuEventCreate;
import static jcuda.driver.JCudaDriver.cuEventDestroy;
import static jcuda.driver.JCudaDriver.cuEventElapsedTime;
import static jcuda.driver.JCudaDriver.cuEventRecord;
import static jcuda.driver.JCudaDriver.cuEventSynchronize;
import static jcuda.driver.JCudaDriver.cuStreamCreate;
import static jcuda.driver.JCudaDriver.cuStreamDestroy;
import static jcuda.driver.JCudaDriver.cuStreamWaitEvent;

import java.util.Arrays;
import java.util.Random;
import jcuda.Sizeof;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import org.brigade.cuda.StreamCommunicator;

/**
 * Data-parallel training in which ranks exchange a layer's gradient while their GPUs still compute those of the layers
 * below. The same steps four times, by four ways:
 *
 * <pre>
 * alone    no exchange: what the GPU takes to compute
 * after    the whole backward pass, then a blocking allreduce for each layer
 * beside   a persistent allreduce for each layer, which the host starts when an event says that the gradient is there
 * stream   a call on a second stream for each layer, which waits for the event there (NCCL's way)
 * </pre>
 *
 * {@code mpjrun -np 2 -cp 'examples/target/classes:examples/target/lib/*' org.brigade.examples.gpu.OverlappedTraining}
 *
 * <p>
 * Options: {@code --layers 6}, {@code --hidden 2048} units of each hidden layer, {@code --batch 16} pictures of a rank,
 * {@code --steps 20}. All ways but the first must end with the same bits on all ranks. The pictures are random.
 */
public final class OverlappedTraining {
    private static final int PIXELS = 784;
    private static final int CLASSES = 10;
    private static final float RATE = 0.01f;
    private static final long SEED = 28;
    /** Steps before the clock starts. */
    private static final int WARM = 5;

    /** How one step exchanges gradients. */
    private interface Way extends AutoCloseable {
        /** Computes the gradients and sums them; they are complete as far as later work on the GPU's stream can see. */
        void gradients() throws MPIException;

        @Override
        default void close() throws MPIException {
        }
    }

    private final Intracomm comm = MPI.COMM_WORLD;
    private final RankGpu gpu;
    private final Network network;
    private final int batch;
    private final CUdeviceptr pictures;
    private final CUdeviceptr labels;
    private final CUevent begun;
    /** By layer: its gradient is there. */
    private final CUevent[] ready;
    /**
     * Of the last step by way "beside", by layer: when the host started the exchange, and when it saw its end, in ms.
     */
    private final double[] started;
    private final double[] ended;

    private OverlappedTraining(RankGpu gpu, int layers, int hidden, int batch) {
        this.gpu = gpu;
        this.batch = batch;
        int[] widths = new int[layers + 1];
        Arrays.fill(widths, hidden);
        widths[0] = PIXELS;
        widths[layers] = CLASSES;
        network = new Network(gpu, new TrainingKernels(gpu), batch, widths);
        pictures = gpu.allocate((long) batch * PIXELS * Sizeof.FLOAT);
        labels = gpu.allocate((long) batch * Sizeof.INT);
        Random random = new Random(comm.getRank());
        float[] values = new float[batch * PIXELS];
        int[] classes = new int[batch];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat();
        }
        for (int i = 0; i < batch; i++) {
            classes[i] = random.nextInt(CLASSES);
        }
        gpu.write(values, pictures);
        gpu.write(classes, labels);
        begun = event();
        ready = new CUevent[layers];
        for (int i = 0; i < layers; i++) {
            ready[i] = event();
        }
        started = new double[layers];
        ended = new double[layers];
    }

    private static CUevent event() {
        CUevent event = new CUevent();
        cuEventCreate(event, CUevent_flags.CU_EVENT_DEFAULT);
        return event;
    }

    // ---- the ways ----

    private Way alone() {
        return () -> network.computeGradients(pictures, labels);
    }

    private Way after() {
        return () -> {
            network.computeGradients(pictures, labels);
            gpu.await();
            for (int layer = network.layers() - 1; layer >= 0; layer--) {
                Tensor gradient = network.gradient(layer);
                comm.allReduce(gradient.at(), gradient.floats(), MPI.FLOAT, MPI.SUM);
            }
        };
    }

    private Way beside() throws MPIException {
        Prequest[] sums = new Prequest[network.layers()];
        for (int layer = 0; layer < sums.length; layer++) {
            Tensor gradient = network.gradient(layer);
            sums[layer] =
                comm.allReduceInit(gradient.at(), gradient.floats(), MPI.FLOAT, MPI.SUM, MPI.INFO_NULL);
        }
        return new Way() {
            @Override
            public void gradients() throws MPIException {
                long begin = System.nanoTime();
                cuEventRecord(begun, gpu.stream());
                network.computeGradients(pictures, labels, layer -> cuEventRecord(ready[layer], gpu.stream()));
                for (int layer = sums.length - 1; layer >= 0; layer--) {
                    cuEventSynchronize(ready[layer]);
                    started[layer] = (System.nanoTime() - begin) * 1e-6;
                    sums[layer].start();
                }
                for (int layer = sums.length - 1; layer >= 0; layer--) {
                    sums[layer].waitFor();
                    ended[layer] = (System.nanoTime() - begin) * 1e-6;
                }
            }

            @Override
            public void close() throws MPIException {
                for (Prequest sum : sums) {
                    sum.free();
                }
            }
        };
    }

    private Way stream() throws MPIException {
        Intracomm own = comm.dup();
        StreamCommunicator streams = StreamCommunicator.open(own);
        CUstream side = new CUstream();
        cuStreamCreate(side, CUstream_flags.CU_STREAM_NON_BLOCKING);
        CUevent done = event();
        for (int layer = 0; layer < network.layers(); layer++) {
            streams.register(network.gradient(layer).at(), network.gradient(layer).bytes());
        }
        return new Way() {
            private MPIException failure;

            @Override
            public void gradients() throws MPIException {
                network.computeGradients(pictures, labels, this::exchange);
                if (failure != null) {
                    throw failure;
                }
                cuEventRecord(done, side);
                cuStreamWaitEvent(gpu.stream(), done, 0);
            }

            private void exchange(int layer) {
                Tensor gradient = network.gradient(layer);
                cuEventRecord(ready[layer], gpu.stream());
                cuStreamWaitEvent(side, ready[layer], 0);
                try {
                    streams.allReduce(gradient.at(), gradient.at(), gradient.floats(), MPI.FLOAT, MPI.SUM, side);
                } catch (MPIException e) {
                    failure = e;
                }
            }

            @Override
            public void close() throws MPIException {
                gpu.await();
                streams.check();
                for (int layer = 0; layer < network.layers(); layer++) {
                    streams.deregister(network.gradient(layer).at());
                }
                streams.close();
                cuStreamDestroy(side);
                cuEventDestroy(done);
                own.free();
            }
        };
    }

    // ---- training ----

    /** Trains from the beginning. Returns the sum of the bits of all weights. */
    private long train(String name, Way way, int steps, boolean exchanged) throws MPIException {
        network.initialise(gpu, SEED);
        double[] times = new double[steps];
        for (int step = -WARM; step < steps; step++) {
            comm.barrier();
            long start = System.nanoTime();
            way.gradients();
            network.descend(RATE, batch * (exchanged ? comm.getSize() : 1));
            gpu.await();
            if (step >= 0) {
                times[step] = (System.nanoTime() - start) * 1e-6;
            }
        }
        Arrays.sort(times);
        double[] median = {times[steps / 2]};
        comm.allReduce(median, 1, MPI.DOUBLE, MPI.MAX);
        if (comm.getRank() == 0) {
            System.out.printf("%-7s %8.3f ms a step (median, slowest rank)%n", name, median[0]);
        }
        long bits = 0;
        for (Tensor parameter : network.parameters()) {
            for (float value : gpu.read(parameter.at(), parameter.floats())) {
                bits = 31 * bits + Float.floatToRawIntBits(value);
            }
        }
        return bits;
    }

    /** Prints when each exchange of the last step came, beside the gradients. */
    private void timeline() {
        float[] millis = new float[1];
        System.out.println("layer  gradient there  exchange started  ended, ms after the step's beginning (rank 0)");
        for (int layer = network.layers() - 1; layer >= 0; layer--) {
            cuEventElapsedTime(millis, begun, ready[layer]);
            System.out.printf("%5d %15.3f %17.3f %6.3f%n", layer, millis[0], started[layer], ended[layer]);
        }
    }

    private void all(int steps) throws MPIException {
        train("alone", alone(), steps, false);
        long bits = train("after", after(), steps, true);
        try (Way way = beside()) {
            same(bits, train("beside", way, steps, true), "beside");
            if (comm.getRank() == 0) {
                timeline();
            }
        }
        try (Way way = stream()) {
            same(bits, train("stream", way, steps, true), "stream");
        }
        long[] least = new long[1];
        long[] most = new long[1];
        comm.allReduce(new long[] {bits}, least, 1, MPI.LONG, MPI.MIN);
        comm.allReduce(new long[] {bits}, most, 1, MPI.LONG, MPI.MAX);
        if (least[0] != most[0]) {
            throw new IllegalStateException("the ranks' weights differ");
        }
        if (comm.getRank() == 0) {
            System.out.println("All ways end with the same weights, on all ranks.");
        }
    }

    private static void same(long expected, long found, String way) {
        if (expected != found) {
            throw new IllegalStateException("way " + way + " ends with other weights than way after");
        }
    }

    public static void main(String[] args) throws MPIException {
        Options options = new Options(MPI.Init(args));
        int layers = options.number("layers", 6);
        int hidden = options.number("hidden", 2048);
        int batch = options.number("batch", 16);
        int steps = options.number("steps", 20);
        options.refuseOthers();
        try (RankGpu gpu = RankGpu.ofThisRank()) {
            new OverlappedTraining(gpu, layers, hidden, batch).all(steps);
            MPI.COMM_WORLD.barrier();
        }
        MPI.Finalize();
    }
}
