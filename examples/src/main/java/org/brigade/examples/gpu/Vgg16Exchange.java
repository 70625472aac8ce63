package org.brigade.examples.gpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import jcuda.driver.CUdeviceptr;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * What data-parallel training of VGG16 exchanges: all parameters once, from rank 0 (bcast), and all gradients in every
 * step (allreduce); tensor by tensor and through a {@link FusionBuffer}, straight from device memory and staged through
 * the host by the program. Every value that arrives is checked at both ends of each tensor.
 *
 * <p>
 * {@code mpjrun -np 2 -cp 'examples/target/classes:examples/target/lib/*' org.brigade.examples.gpu.Vgg16Exchange}
 *
 * <p>
 * Options: {@code --path direct|staged|both}, {@code --fusion 64M} bytes of the buffer, {@code --repeat 5},
 * {@code --shrink 1} divides every tensor's length.
 */
public final class Vgg16Exchange {
    private final RankGpu gpu;
    private final Intracomm comm = MPI.COMM_WORLD;
    private final List<Tensor> tensors = new ArrayList<>();
    private final List<Tensor> backwards;
    private final int repeat;

    private Vgg16Exchange(RankGpu gpu, int shrink, int repeat) {
        this.gpu = gpu;
        this.repeat = repeat;
        for (Vgg16.Size size : Vgg16.sizes(shrink)) {
            tensors.add(gpu.tensor(size.name(), size.floats()));
        }
        backwards = new ArrayList<>(tensors);
        Collections.reverse(backwards);
    }

    /** Parameters from rank 0. Returns the median of the slowest rank's times in ms. */
    private double bcast(FusionBuffer fusion) throws MPIException {
        double[] times = new double[repeat + 1];
        for (int run = 0; run <= repeat; run++) {
            for (int i = 0; i < tensors.size(); i++) {
                gpu.fill(tensors.get(i), comm.getRank() == 0 ? run + i : -1);
            }
            times[run] = time(tensors, fusion);
            for (int i = 0; i < tensors.size(); i++) {
                check(tensors.get(i), run + i);
            }
        }
        return slowestMedian(times);
    }

    /** Gradients of all ranks, the last layer's first, as training has them. */
    private double allReduce(FusionBuffer fusion) throws MPIException {
        double[] times = new double[repeat + 1];
        int ranks = comm.getSize();
        for (int run = 0; run <= repeat; run++) {
            for (Tensor tensor : backwards) {
                gpu.fill(tensor, comm.getRank() + run);
            }
            times[run] = time(backwards, fusion);
            for (Tensor tensor : backwards) {
                check(tensor, ranks * (ranks - 1) / 2 + ranks * run);
            }
        }
        return slowestMedian(times);
    }

    private double time(List<Tensor> order, FusionBuffer fusion) throws MPIException {
        gpu.await();
        comm.barrier();
        long start = System.nanoTime();
        for (Tensor tensor : order) {
            fusion.add(tensor);
        }
        fusion.flush();
        gpu.await();
        return (System.nanoTime() - start) * 1e-6;
    }

    private void check(Tensor tensor, float expected) {
        for (int at : new int[] {0, tensor.floats() - 1}) {
            float found = gpu.read(tensor.at().withByteOffset((long) at * Float.BYTES), 1)[0];
            if (found != expected) {
                throw new IllegalStateException(
                    tensor.name() + "[" + at + "] is " + found + " and should be " + expected);
            }
        }
    }

    /** The first run is for warming up. */
    private double slowestMedian(double[] times) throws MPIException {
        comm.allReduce(times, times.length, MPI.DOUBLE, MPI.MAX);
        Arrays.sort(times, 1, times.length);
        return times[1 + (times.length - 1) / 2];
    }

    /** Prints both exchanges on one path, with and without fusion. */
    private void measure(String name, int capacity) throws MPIException {
        ExchangePath path = ExchangePath.of(name, comm, gpu, Math.max(capacity, longest()));
        CUdeviceptr buffer = gpu.allocate(Math.max(capacity, 1));
        double bcast = bcast(new FusionBuffer(gpu, buffer, 0, path::bcast));
        double bcastFused = bcast(new FusionBuffer(gpu, buffer, capacity, path::bcast));
        double allReduce = allReduce(new FusionBuffer(gpu, buffer, 0, path::allReduce));
        double allReduceFused = allReduce(new FusionBuffer(gpu, buffer, capacity, path::allReduce));
        if (comm.getRank() == 0) {
            System.out.printf("%-8s%20.3f%10.3f%22.3f%10.3f%n", name, bcast, bcastFused, allReduce, allReduceFused);
        }
    }

    private long longest() {
        long longest = 0;
        for (Tensor tensor : tensors) {
            longest = Math.max(longest, tensor.bytes());
        }
        return longest;
    }

    public static void main(String[] args) throws MPIException {
        Options options = new Options(MPI.Init(args));
        List<String> paths = options.paths();
        int capacity = options.number("fusion", 64 << 20);
        int repeat = options.number("repeat", 5);
        int shrink = options.number("shrink", 1);
        options.refuseOthers();
        try (RankGpu gpu = RankGpu.ofThisRank()) {
            Vgg16Exchange exchange = new Vgg16Exchange(gpu, shrink, repeat);
            if (MPI.COMM_WORLD.getRank() == 0) {
                long floats = 0;
                for (Tensor tensor : exchange.tensors) {
                    floats += tensor.floats();
                }
                System.out.println(floats + " parameters in " + exchange.tensors.size() + " tensors, "
                    + MPI.COMM_WORLD.getSize() + " ranks, fusion buffer of " + capacity
                    + " bytes; ms, slowest rank, median of " + repeat);
                System.out.printf("%-8s%20s%10s%22s%10s%n", "path", "bcast by tensor", "fused", "allreduce by tensor",
                    "fused");
            }
            for (String path : paths) {
                exchange.measure(path, capacity);
            }
            MPI.COMM_WORLD.barrier();
        }
        MPI.Finalize();
    }
}
