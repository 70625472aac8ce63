package org.brigade.transport.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.transport.cuda.driver.CudaDriver;

/**
 * A rank of a job on several nodes whose buffers are all in device memory, at odd places: the five main collectives,
 * and rings of messages, of 1 byte to some MiB.
 */
public final class DeviceNodes {
    private static final int[] BYTES = {1, 17, 8192, 8193, 40_001, 65_536, 200_003, 1 << 20, (3 << 20) + 7};
    private static final int[] INTS = {1, 5, 2048, 16_385, 250_007, 700_001};
    private static final int GUARD = 64;

    private static Intracomm world;
    private static int rank;
    private static int size;

    private DeviceNodes() {
    }

    /** {@code DeviceNodes [times]}. */
    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        if (CudaDriver.missing() != null) {
            throw new AssertionError(CudaDriver.missing());
        }
        Driver.enter(rank % CudaDriver.devices());
        int times = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1;
        for (int time = 0; time < times; time++) {
            for (int offset : new int[] {0, 3}) {
                for (int bytes : BYTES) {
                    messages(bytes, offset);
                    bcast(bytes, offset, bytes % size);
                }
            }
            for (int offset : new int[] {0, 4}) {
                for (int ints : INTS) {
                    reductions(ints, offset);
                    gathers(ints, offset);
                }
            }
        }
        world.barrier();
        if (rank == 0) {
            System.out.println("all is well");
        }
        MPI.Finalize();
    }

    /** Everyone to the right and from the left, at once. */
    private static void messages(int bytes, int offset) throws MPIException {
        Memory out = new Memory(bytes, offset);
        Memory in = new Memory(bytes, offset);
        int left = (rank + size - 1) % size;
        out.fill(content(bytes, rank));
        world.sendRecv(out.at, bytes, MPI.BYTE, (rank + 1) % size, 5, in.at, bytes, MPI.BYTE, left, 5);
        in.check("a message from rank " + left, content(bytes, left));
        out.free();
        in.free();
    }

    private static void bcast(int bytes, int offset, int root) throws MPIException {
        Memory memory = new Memory(bytes, offset);
        memory.fill(content(bytes, rank == root ? 77 : rank));
        world.bcast(memory.at, bytes, MPI.BYTE, root);
        memory.check("bcast", content(bytes, 77));
        memory.free();
    }

    private static void reductions(int ints, int offset) throws MPIException {
        Memory mine = new Memory(4 * ints * size, offset);
        Memory result = new Memory(4 * ints * size, offset);
        mine.fill(ints(ints * size, 0, 1, rank));
        int sum = size * (size - 1) / 2;
        world.allReduce(mine.at, result.at, ints, MPI.INT, MPI.SUM);
        result.check("allReduce", ints(ints, 0, size, sum));
        result.fill(new byte[4 * ints]);
        world.reduce(mine.at, result.at, ints, MPI.INT, MPI.SUM, size - 1);
        if (rank == size - 1) {
            result.check("reduce", ints(ints, 0, size, sum));
        }
        result.fill(new byte[4 * ints]);
        world.reduceScatterBlock(mine.at, result.at, ints, MPI.INT, MPI.SUM);
        result.check("reduceScatterBlock", ints(ints, rank * ints, size, sum));
        mine.free();
        result.free();
    }

    private static void gathers(int ints, int offset) throws MPIException {
        Memory mine = new Memory(4 * ints, offset);
        Memory all = new Memory(4 * ints * size, offset);
        mine.fill(ints(ints, 0, 1, 1000 * rank));
        world.allGather(mine.at, ints, MPI.INT, all.at, ints, MPI.INT);
        byte[] expected = new byte[4 * ints * size];
        for (int from = 0; from < size; from++) {
            System.arraycopy(ints(ints, 0, 1, 1000 * from), 0, expected, 4 * ints * from, 4 * ints);
        }
        all.check("allGather", expected);
        mine.free();
        all.free();
    }

    private static byte[] content(int bytes, long seed) {
        SplittableRandom random = new SplittableRandom(seed * 31 + bytes);
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) random.nextInt();
        }
        return content;
    }

    /** {@code (first + i) * factor + more}. */
    private static byte[] ints(int ints, int first, int factor, int more) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * ints).order(ByteOrder.nativeOrder());
        for (int i = 0; i < ints; i++) {
            buffer.putInt((first + i) * factor + more);
        }
        return buffer.array();
    }

    /** Bytes of a device at an offset of their allocation, with others before and behind that nobody may touch. */
    private static final class Memory {
        private static final byte UNTOUCHED = 0x5a;

        final CUdeviceptr at;
        private final CUdeviceptr base;
        private final int bytes;
        private final int before;

        Memory(int bytes, int offset) {
            this.bytes = bytes;
            before = GUARD + offset;
            base = Driver.allocate(before + bytes + GUARD);
            at = base.withByteOffset(before);
            Driver.ok(JCudaDriver.cuMemsetD8(base, UNTOUCHED, before + bytes + GUARD));
            Driver.ok(JCudaDriver.cuCtxSynchronize());
        }

        void fill(byte[] content) {
            Driver.ok(JCudaDriver.cuMemcpyHtoD(at, Pointer.to(content), content.length));
            Driver.ok(JCudaDriver.cuCtxSynchronize());
        }

        void check(String what, byte[] expected) {
            byte[] all = new byte[before + bytes + GUARD];
            Driver.ok(JCudaDriver.cuMemcpyDtoH(Pointer.to(all), base, all.length));
            for (int i = 0; i < all.length; i++) {
                int j = i - before;
                if (j >= 0 && j < expected.length ? all[i] != expected[j]
                    : (j < 0 || j >= bytes) && all[i] != UNTOUCHED) {
                    throw new AssertionError("rank " + rank + " of " + size + ", " + what + ", " + expected.length
                        + " bytes at offset " + before + ": byte " + j + " is " + all[i]);
                }
            }
        }

        void free() {
            Driver.ok(JCudaDriver.cuMemFree(base));
        }
    }
}
