package org.brigade.transport.cuda.stream;

import java.util.Arrays;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.Collective;
import org.brigade.algorithm.kernel.PairwiseKernel;
import org.brigade.device.DeviceCall;
import org.brigade.transport.cuda.CudaDevices;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;

/**
 * Registered memory for calls whose buffers are not registered: a piece of the input is copied in, the members' kernels
 * work on their copies, and a piece of the output is copied out. That costs two copies within the GPU, a fraction of
 * the time on the links. One window in each member:
 *
 * <pre>
 * bcast, allreduce, allgather   the piece, in place
 * reduce                        the input's piece; the root's output is not staged
 * reduce-scatter                a piece of each block of the input; the output is not staged
 * alltoall                      first half: a piece of each block of the input; second half: of the output
 * among neighbours              a piece of each block of the output; the input is not staged
 * </pre>
 */
final class StreamStaging {
    /** For shorter calls, packets are no slower. */
    static final long FEWEST_BYTES = 1 << 20;
    static final long BYTES = 16 << 20;
    /** Of each block of a call among neighbours. */
    static final long EDGE_BYTES = BYTES / PairwiseKernel.MOST_EDGES;
    private static final long GRAIN = 256;

    private final int rank;
    private final int ranks;
    private final CudaBuffer first;
    private final CudaBuffer second;
    private final DeviceCall piece;
    private Window window;

    private StreamStaging(CudaBuffer whole, int rank, int ranks) {
        this.rank = rank;
        this.ranks = ranks;
        first = whole;
        second = new CudaBuffer(whole.allocation, whole.address + BYTES / 2);
        piece = new DeviceCall(ranks);
    }

    /**
     * Memory on the GPU whose context is current in this thread.
     *
     * @throws MPIException if there is too little memory
     * @throws IllegalArgumentException if there is no such GPU
     */
    static StreamStaging allocate(CudaDevices cuda, int rank, int ranks) {
        Gpu gpu = cuda.currentGpu();
        CUdeviceptr pointer = new CUdeviceptr();
        gpu.enter();
        try {
            CudaResult.check(JCudaDriver.cuMemAlloc(pointer, BYTES),
                "cuMemAlloc of " + (BYTES >> 20) + " MiB for calls on streams on " + gpu);
        } finally {
            gpu.leave();
        }
        return new StreamStaging((CudaBuffer) cuda.underlying(pointer), rank, ranks);
    }

    CudaBuffer memory() {
        return first;
    }

    void use(Window registered) {
        window = registered;
    }

    Window window() {
        return window;
    }

    /** Frees it; no member may store into it any more. Never throws. */
    void free() {
        try {
            first.allocation.gpu.enter();
            try {
                JCudaDriver.cuMemFree(Addresses.device(first.address));
            } finally {
                first.allocation.gpu.leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and everything in it.
        }
    }

    /** Most bytes of a vector, or of each block, that fit. */
    long piece(Collective collective) {
        return switch (collective) {
            case ALLTOALL -> BYTES / 2 / ranks / GRAIN * GRAIN;
            case ALLGATHER, REDUCE_SCATTER -> BYTES / ranks / GRAIN * GRAIN;
            default -> BYTES;
        };
    }

    /** Copies a piece of a call's input in; returns the call for that piece. */
    DeviceCall enter(DeviceCall call, long block, long at, long length, CUstream stream) {
        CudaBuffer input = (CudaBuffer) (call.send != null ? call.send : call.recv);
        piece.collective = call.collective;
        piece.root = call.root;
        piece.type = call.type;
        piece.op = call.op;
        piece.inPlace = true;
        piece.send = null;
        piece.recv = first;
        piece.recvOffset = 0;
        Arrays.fill(piece.sendAt, 0);
        Arrays.fill(piece.sendBytes, length);
        Arrays.fill(piece.recvAt, 0);
        Arrays.fill(piece.recvBytes, length);
        switch (call.collective) {
            case BCAST -> {
                piece.inPlace = rank == call.root;
                if (rank == call.root) {
                    copy(first.address, input.address + at, length, stream);
                }
            }
            case REDUCE -> {
                unstaged(call, at);
                copy(first.address, input.address + at, length, stream);
            }
            case ALLGATHER -> {
                side(piece.recvAt, length);
                long own = call.send != null ? 0 : rank * block;
                copy(first.address + rank * length, input.address + own + at, length, stream);
            }
            case REDUCE_SCATTER -> {
                unstaged(call, at);
                side(piece.sendAt, length);
                blocks(first.address, length, input.address + at, block, length, stream);
            }
            case ALLTOALL -> {
                piece.inPlace = false;
                piece.send = first;
                piece.recv = second;
                side(piece.sendAt, length);
                side(piece.recvAt, length);
                blocks(first.address, length, input.address + at, block, length, stream);
            }
            default -> copy(first.address, input.address + at, length, stream);
        }
        return piece;
    }

    /** The call among neighbours for a piece of each block. */
    DeviceCall enter(DeviceCall call, long at, long length) {
        piece.collective = call.collective;
        piece.choice = call.choice;
        piece.root = call.root;
        piece.type = null;
        piece.op = null;
        piece.inPlace = false;
        piece.send = call.send;
        piece.recv = first;
        piece.recvOffset = 0;
        piece.bytes = 0;
        piece.out.pieces(call.out, at, length, 0);
        piece.in.pieces(call.in, at, length, EDGE_BYTES);
        piece.count();
        return piece;
    }

    /** Copies the pieces of all neighbours' blocks out. */
    void leave(DeviceCall call, long at, long length, CUstream stream) {
        for (int edge = 0; edge < call.in.count(); edge++) {
            copy(call.recv.address + call.in.at(edge) + at, first.address + edge * EDGE_BYTES, length, stream);
        }
    }

    /** The input is staged, but results go to their final places. */
    private void unstaged(DeviceCall call, long at) {
        piece.inPlace = false;
        piece.send = first;
        piece.recv = call.recv;
        piece.recvOffset = at;
    }

    /** Copies the piece of the output out, if it is staged. */
    void leave(DeviceCall call, long block, long at, long length, CUstream stream) {
        switch (call.collective) {
            case ALLREDUCE -> copy(call.recv.address + at, first.address, length, stream);
            case BCAST -> {
                if (rank != call.root) {
                    copy(call.recv.address + at, first.address, length, stream);
                }
            }
            case ALLGATHER -> blocks(call.recv.address + at, block, first.address, length, length, stream);
            case ALLTOALL -> blocks(call.recv.address + at, block, second.address, length, length, stream);
            default -> {}
        }
    }

    private static void side(long[] at, long length) {
        for (int peer = 0; peer < at.length; peer++) {
            at[peer] = peer * length;
        }
    }

    /** Copies as many blocks as there are ranks, at these distances. */
    private void blocks(long target, long targetStep, long source, long sourceStep, long length, CUstream stream) {
        for (int peer = 0; peer < ranks; peer++) {
            copy(target + peer * targetStep, source + peer * sourceStep, length, stream);
        }
    }

    static void copy(long target, long source, long length, CUstream stream) {
        CudaResult.check(
            JCudaDriver.cuMemcpyDtoDAsync(Addresses.device(target), Addresses.device(source), length, stream),
            "cuMemcpyDtoDAsync");
    }
}
