package org.brigade.examples.pytorch;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.VoidTensorHook;
import org.bytedeco.pytorch.global.torch;

/**
 * Data-parallel training with PyTorch (JavaCPP's presets). Each rank computes the gradients of its part of the batch.
 * They are averaged where they lie, layer by layer, while PyTorch still computes those of earlier layers:
 *
 * <pre>
 *   backward     layer 2       layer 1       layer 0
 *                       hook |        hook |        |
 *   averaging                layer 2 .......        |
 *                                          layer 1 ......
 *                                                   layer 0 ...
 * </pre>
 *
 * The program checks itself. After each step the weights of all ranks must have the same bits. Every rank also trains a
 * second network alone, on whole batches; the weights of both must stay together but for rounding.
 *
 * <p>
 * {@code mpjrun -np 2 -cp 'examples/pytorch/target/classes:examples/pytorch/target/lib/*'
 * org.brigade.examples.pytorch.DataParallelTraining [--gpu] [STEPS]}. {@code --gpu}: a GPU for each rank.
 */
public final class DataParallelTraining {
    private static final int HIDDEN = 64;
    private static final int BATCH = 240;
    private static final int POINTS = 4 * BATCH;
    /** What rounding may do to a weight in a training of this length. */
    private static final double ROUNDING = 1e-4;

    private final Intracomm comm;
    private final Device device;
    private final Spirals spirals = new Spirals(POINTS);
    private final SpiralNetwork network;
    private final SpiralNetwork whole;
    private final AverageGradients hook = new AverageGradients();

    /** Made once: PyTorch keeps its address. */
    private final class AverageGradients extends VoidTensorHook {
        /** The layer behind the one whose output has its gradient now. */
        private int layer;
        private int during;

        void begin() {
            layer = network.layers.size() - 1;
        }

        @Override
        public void call(TensorBase gradient) {
            try {
                network.layers.get(layer--).startAveraging(comm);
                during++;
            } catch (MPIException failed) {
                throw new IllegalStateException(failed); // backward throws it again
            }
        }
    }

    /**
     * @param source memory on the device, for parameters and gradients
     * @param device where PyTorch computes
     */
    DataParallelTraining(Intracomm comm, FlatMemory.Source source, Device device) throws MPIException {
        this.comm = comm;
        this.device = device;
        if (BATCH % comm.getSize() != 0) {
            throw new IllegalArgumentException("a batch of " + BATCH + " points cannot be shared out equally to "
                + comm.getSize() + " ranks; use a number of ranks that divides it");
        }
        network = new SpiralNetwork(HIDDEN, source);
        whole = new SpiralNetwork(HIDDEN, source);
        for (Layer layer : network.layers) {
            layer.shareWeights(comm);
        }
    }

    /** A step on this rank's part of the batch. Returns the mean loss of the batch before it. */
    private float step(int batch) throws MPIException {
        int part = BATCH / comm.getSize();
        int from = batch * BATCH + comm.getRank() * part;
        network.clearGradients();
        Tensor loss = network.loss(spirals.points(from, from + part, device),
            spirals.labels(from, from + part, device), hook);
        hook.begin();
        loss.backward();
        network.layers.get(0).startAveraging(comm);
        float[] mean = {loss.item_float()};
        for (Layer layer : network.layers) {
            layer.awaitAverages();
        }
        network.descend();
        comm.allReduce(mean, 1, MPI.FLOAT, MPI.AVG);
        return mean[0];
    }

    /** The same step on the whole batch, without MPI. */
    private float stepAlone(int batch) {
        int from = batch * BATCH;
        whole.clearGradients();
        Tensor loss =
            whole.loss(spirals.points(from, from + BATCH, device), spirals.labels(from, from + BATCH, device), null);
        loss.backward();
        whole.descend();
        return loss.item_float();
    }

    /** Throws if the ranks do not agree to the bit, or have not learnt what one process learns. */
    private double check(int step) throws MPIException {
        boolean[] equal = {true};
        for (Layer layer : network.layers) {
            equal[0] &= layer.hasWeightsOfRank0(comm);
        }
        comm.allReduce(equal, 1, MPI.BOOLEAN, MPI.LAND);
        if (!equal[0]) {
            throw new IllegalStateException("the weights of the ranks differ after step " + step);
        }
        double distance = network.distance(whole);
        if (!(distance <= ROUNDING)) {
            throw new IllegalStateException("rank " + comm.getRank() + ": after step " + step + " a weight is "
                + distance + " away from that of a training on whole batches");
        }
        return distance;
    }

    /** Trains, and prints the losses on rank 0. */
    void train(int steps) throws MPIException {
        for (int step = 0; step < steps; step++) {
            try (PointerScope temporaries = new PointerScope()) { // frees this step's tensors
                float loss = step(step % (POINTS / BATCH));
                float alone = stepAlone(step % (POINTS / BATCH));
                double distance = check(step);
                if (comm.getRank() == 0) {
                    System.out.println("step " + step + " loss " + loss + " whole batches " + alone + " distance "
                        + distance);
                }
            }
        }
        if (comm.getRank() == 0) {
            System.out
                .println("All " + comm.getSize() + " ranks have the same weights, which are those of one process. "
                    + hook.during + " of " + steps * network.layers.size() + " averagings began during backward.");
        }
    }

    /** One rank of each machine unpacks PyTorch's libraries before the others load them. */
    static void loadPyTorch(Intracomm machine) throws MPIException {
        if (machine.getRank() == 0) {
            Loader.load(torch.class);
        }
        machine.barrier();
        Loader.load(torch.class);
        torch.set_num_threads(1); // ranks share the cores
    }

    /** The ranks of a machine count through its GPUs. */
    private static int useGpu(Intracomm machine) throws MPIException {
        if (!torch.cuda_is_available()) {
            throw new IllegalStateException("PyTorch finds no GPU; build with -Dpytorch.natives=linux-x86_64-gpu");
        }
        int ordinal = machine.getRank() % torch.cuda_device_count();
        JCudaDriver.setExceptionsEnabled(true);
        JCudaDriver.cuInit(0);
        CUdevice gpu = new CUdevice();
        CUcontext context = new CUcontext();
        JCudaDriver.cuDeviceGet(gpu, ordinal);
        JCudaDriver.cuDevicePrimaryCtxRetain(context, gpu); // the one that PyTorch uses, too
        JCudaDriver.cuCtxSetCurrent(context);
        return ordinal;
    }

    public static void main(String[] args) throws MPIException {
        // With GPUs, PyTorch calls hooks on a thread of its own, while this one waits in backward.
        MPI.InitThread(args, MPI.THREAD_SERIALIZED);
        Intracomm machine = MPI.COMM_WORLD.splitType(Comm.TYPE_SHARED, 0, null);
        loadPyTorch(machine);
        boolean gpu = args.length > 0 && args[0].equals("--gpu");
        int steps = args.length > (gpu ? 1 : 0) ? Integer.parseInt(args[args.length - 1]) : 100;
        FlatMemory.Source source = FlatMemory::host;
        Device device = new Device(torch.DeviceType.CPU);
        if (gpu) {
            device = new Device(torch.DeviceType.CUDA, (byte) useGpu(machine));
            TensorOptions floats = new TensorOptions(torch.ScalarType.Float).device(new DeviceOptional(device));
            source = count -> FlatMemory.device(count, floats);
        }
        new DataParallelTraining(MPI.COMM_WORLD, source, device).train(steps);
        MPI.Finalize();
    }
}
