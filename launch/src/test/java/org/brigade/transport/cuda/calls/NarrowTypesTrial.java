package org.brigade.transport.cuda.calls;

import static org.brigade.transport.cuda.Driver.ok;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.NarrowFloat;
import mpi.Op;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.transport.cuda.Driver;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * What the ranks of {@link NarrowTypesTest} run, each on a GPU of its own: sums and averages, which must be those of
 * floats in rank order, rounded once. Argument: the algorithm that a long allreduce must run by, if its operation is no
 * average and its type has more than 8 bits.
 */
public final class NarrowTypesTrial {
    /** All pairs of 8-bit numbers. */
    private static final int PAIRS = 1 << 16;
    private static final int LONG = 700_000;
    /** From so many bytes on, other reduces run along chains, which sum in another order. */
    private static final int CHAINED = 2 << 20;

    private static Intracomm world;
    private static int rank;
    private static int ranks;

    private NarrowTypesTrial() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        ranks = world.getSize();
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
        for (NarrowFloat format : new NarrowFloat[] {NarrowFloat.FLOAT8_E4M3, NarrowFloat.FLOAT8_E5M2}) {
            Datatype type = format == NarrowFloat.FLOAT8_E4M3 ? MPI.FLOAT8_E4M3 : MPI.FLOAT8_E5M2;
            for (Op op : new Op[] {MPI.SUM, MPI.AVG}) {
                everyWay(type, format, op, PAIRS, "push-two-phase");
                everyWay(type, format, op, LONG, "push-two-phase");
            }
            copies(type);
        }
        everyWay(MPI.FLOAT16, NarrowFloat.FLOAT16, MPI.AVG, 5001, "push-two-phase");
        everyWay(MPI.BFLOAT16, NarrowFloat.BFLOAT16, MPI.AVG, LONG, "push-two-phase");
        everyWay(MPI.FLOAT, null, MPI.AVG, LONG, "push-two-phase");
        everyWay(MPI.DOUBLE, null, MPI.AVG, 333, "push-two-phase");
        everyWay(MPI.FLOAT, null, MPI.SUM, LONG, arguments[0]);
        world.barrier();
        if (rank == 0) {
            System.out.println("all is well");
        }
        MPI.Finalize();
    }

    private static void everyWay(Datatype type, NarrowFloat format, Op op, int count, String algorithm)
        throws MPIException {
        int size = type.getByteSize();
        boolean ordered = !algorithm.equals("ring"); // else sums are as good in another order
        byte[] wanted = expected(type, format, op, count);
        CUdeviceptr send = device(data(type, rank, count));
        CUdeviceptr recv = Driver.allocate((long) count * size);
        String what = op + " of " + count + " " + type;
        world.allReduce(send, recv, count, type, op);
        ranBy(what, algorithm);
        if (ordered) {
            check("allreduce, " + what, type, wanted, recv, 0, count);
        }
        world.iAllReduce(send, recv, count, type, op).waitFor();
        if (ordered) {
            check("nonblocking allreduce, " + what, type, wanted, recv, 0, count);
        }
        int root = count % ranks;
        world.reduce(send, recv, count, type, op, root);
        if (rank == root && (ordered || count * size < CHAINED)) {
            check("reduce, " + what, type, wanted, recv, 0, count);
        }
        int block = count / ranks / 16 * 16;
        world.reduceScatterBlock(send, recv, block, type, op);
        check("reduce-scatter, " + what, type, wanted, recv, rank * block, block);
        world.allReduce(send, count, type, op);
        if (ordered) {
            check("in place, " + what, type, wanted, send, 0, count);
        }
        ok(JCudaDriver.cuMemFree(send));
        ok(JCudaDriver.cuMemFree(recv));
    }

    private static void copies(Datatype type) throws MPIException {
        CUdeviceptr all = device(data(type, rank, PAIRS));
        world.bcast(all, PAIRS, type, 1);
        check("bcast of " + type, type, data(type, 1, PAIRS), all, 0, PAIRS);
        ok(JCudaDriver.cuMemFree(all));
    }

    /** Rank 0's and rank 1's 8-bit numbers make all pairs; others are numbers of a middling size. */
    private static byte[] data(Datatype type, int owner, int count) throws MPIException {
        int size = type.getByteSize();
        ByteBuffer data = ByteBuffer.allocate(count * size).order(ByteOrder.nativeOrder());
        Random random = new Random(owner);
        for (int i = 0; i < count; i++) {
            switch (size) {
                case 1 -> data.put((byte) (owner == 0 ? i : owner == 1 ? i >> 8 : i * 5 >> 3));
                case 2 -> data.putShort((short) NarrowFloat.FLOAT16.fromFloat((float) random.nextGaussian()));
                case 4 -> data.putFloat((float) random.nextGaussian());
                default -> data.putDouble(random.nextGaussian());
            }
        }
        return data.array();
    }

    private static byte[] expected(Datatype type, NarrowFloat format, Op op, int count) throws MPIException {
        int size = type.getByteSize();
        ByteBuffer[] all = new ByteBuffer[ranks];
        for (int owner = 0; owner < ranks; owner++) {
            all[owner] = ByteBuffer.wrap(data(type, owner, count)).order(ByteOrder.nativeOrder());
        }
        ByteBuffer result = ByteBuffer.allocate(count * size).order(ByteOrder.nativeOrder());
        for (int i = 0; i < count; i++) {
            if (size == 8) {
                double sum = all[0].getDouble(8 * i);
                for (int owner = 1; owner < ranks; owner++) {
                    sum += all[owner].getDouble(8 * i);
                }
                result.putDouble(op == MPI.AVG ? sum / ranks : sum);
                continue;
            }
            float sum = single(all[0], format, i);
            for (int owner = 1; owner < ranks; owner++) {
                sum += single(all[owner], format, i);
            }
            sum = op == MPI.AVG ? sum / ranks : sum;
            switch (size) {
                case 1 -> result.put((byte) format.fromFloat(sum));
                case 2 -> result.putShort((short) format.fromFloat(sum));
                default -> result.putFloat(sum);
            }
        }
        return result.array();
    }

    private static float single(ByteBuffer data, NarrowFloat format, int i) {
        return format == null ? data.getFloat(4 * i)
            : format.toFloat(format.bytes == 1 ? data.get(i) : data.getShort(2 * i));
    }

    private static CUdeviceptr device(byte[] data) {
        CUdeviceptr pointer = Driver.allocate(data.length);
        ok(JCudaDriver.cuMemcpyHtoD(pointer, Pointer.to(data), data.length));
        return pointer;
    }

    /** The items from first on; all NaNs of 8 bits are one here. */
    private static void check(String what, Datatype type, byte[] wanted, CUdeviceptr pointer, int first, int count)
        throws MPIException {
        int size = type.getByteSize();
        byte[] found = new byte[count * size];
        ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(found), pointer, found.length));
        for (int i = 0; i < found.length; i++) {
            byte expected = wanted[first * size + i];
            if (found[i] != expected && !(isNan(type, found[i]) && isNan(type, expected))) {
                throw new AssertionError(what + " on rank " + rank + ": byte " + i + " is " + (found[i] & 0xff)
                    + ", not " + (expected & 0xff));
            }
        }
    }

    private static boolean isNan(Datatype type, byte bits) {
        return type == MPI.FLOAT8_E4M3 && Float.isNaN(NarrowFloat.FLOAT8_E4M3.toFloat(bits))
            || type == MPI.FLOAT8_E5M2 && Float.isNaN(NarrowFloat.FLOAT8_E5M2.toFloat(bits));
    }

    private static void ranBy(String what, String algorithm) {
        if (!Diagnostics.lastAlgorithm().equals(algorithm)) {
            throw new AssertionError(what + " ran by " + Diagnostics.lastAlgorithm() + ", not by " + algorithm);
        }
    }
}
