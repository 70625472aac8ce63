package org.brigade.transport.cuda.stream;

import java.util.Arrays;
import java.util.Map;
import jcuda.Pointer;
import jcuda.driver.CUstream;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.BlockMap;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Neighbourhood;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.kernel.PairwiseKernel;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup.Waiting;
import org.brigade.interrupt.ProcessEnd;
import org.brigade.select.Choice;
import org.brigade.select.trial.SizeClass;
import org.brigade.transport.cuda.CudaDevices;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.DeviceMemory;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.group.CudaGroup;
import org.brigade.transport.cuda.group.MemberCard;
import org.brigade.transport.cuda.kernel.KernelType;

/**
 * The collectives of one communicator on the user's streams: the implementation of
 * {@link org.brigade.cuda.StreamCommunicator}. They use the scratch memory of the communicator's {@link CudaGroup}, in
 * turn with its blocking calls. No host waits: kernels find out by themselves whether the peers have begun.
 */
public final class StreamCalls implements CudaGroup.Streams {
    /** Longer vectors of a list are reduced by themselves: the copies would cost more than a launch. */
    private static final long LONGEST_PART = 1 << 20;

    private final Communicator lower;
    private final int rank;
    private final int ranks;
    private final CudaDevices cuda;
    private final CudaGroup group;
    private final Gpu gpu;
    final WindowOpening windows;
    private final StreamStaging staging;
    final StreamLaunches launches;
    private final DeviceCall call;
    private final StreamParts parts = new StreamParts();
    private final BlockMap sent = new BlockMap();
    private final BlockMap received = new BlockMap();
    /** The buffers of a list. */
    private CudaBuffer[] listed = {};
    private volatile boolean closed;

    /** Needs the context current. */
    StreamCalls(Communicator lower, CudaDevices cuda, CudaGroup group, StreamStaging staging,
        Map<SizeClass, Choice> measured) {
        this.lower = lower;
        this.cuda = cuda;
        this.group = group;
        this.staging = staging;
        gpu = group.gpu;
        rank = lower.rank();
        ranks = lower.size();
        windows = new WindowOpening(lower, cuda.gpus(), gpu);
        launches = new StreamLaunches(group, rank, ranks, staging, measured);
        call = new DeviceCall(ranks);
    }

    // ---- memory and end ----

    /** Registers memory of all members. Collective; as {@link org.brigade.cuda.StreamCommunicator#register}. */
    public synchronized void register(Pointer pointer, long bytes) {
        String what = "StreamCommunicator.register";
        alive(what);
        MemberCard card = new MemberCard();
        CudaBuffer buffer = null;
        try {
            buffer = buffer(what, "memory", pointer, bytes);
            if (bytes <= 0) {
                card.failure = bytes + " bytes cannot be registered; pass 1 or more";
            } else if (!buffer.allocation.exportable) {
                card.failure = buffer
                    + " cannot be mapped by other processes; register memory of cuMemAlloc or cudaMalloc in the GPU's"
                    + " primary context";
            } else {
                overlap(buffer, bytes, card);
            }
        } catch (RuntimeException e) {
            card.failure = String.valueOf(e.getMessage());
        }
        launches.memory.add(windows.open(what, buffer, bytes, card));
    }

    private void overlap(CudaBuffer buffer, long bytes, MemberCard card) {
        for (Window window : launches.memory.all()) {
            if (window.overlaps(buffer.address, bytes)) {
                card.failure = "some of these " + bytes + " bytes at " + DeviceMemory.text(buffer.address)
                    + " are registered already; deregister them first";
            }
        }
    }

    /** Ends a registration. Collective; as {@link org.brigade.cuda.StreamCommunicator#deregister}. */
    public synchronized void deregister(Pointer pointer) {
        String what = "StreamCommunicator.deregister";
        alive(what);
        long address = pointer == null ? 0 : Addresses.of(pointer);
        Window window = launches.memory.beginningAt(address);
        MemberCard card = new MemberCard();
        if (window == null) {
            card.failure =
                "no memory is registered that begins at " + DeviceMemory.text(address) + "; pass what was registered";
        } else {
            quiet();
        }
        // After this no member's kernels use the window any more.
        WindowOpening.agree(lower, what, card);
        launches.memory.remove(window);
        windows.close(window);
    }

    /** Waits for all calls on streams, and closes this object. Collective. */
    public synchronized void close() {
        if (closed) {
            return;
        }
        boolean agreed = false;
        try {
            quiet();
            if (!group.isGivenUp()) { // else the peers may be gone
                WindowOpening.agree(lower, "StreamCommunicator.close", new MemberCard());
                unmap();
                // After this no member has this rank's memory mapped.
                WindowOpening.agree(lower, "StreamCommunicator.close", new MemberCard());
                agreed = true;
            }
        } finally {
            release(agreed);
        }
    }

    private void unmap() {
        for (Window window : launches.memory.all()) {
            windows.close(window);
        }
        launches.memory.all().clear();
    }

    /**
     * Releases this rank's resources. Never throws.
     *
     * @param all also its own memory, as no member has it mapped
     */
    synchronized void release(boolean all) {
        if (closed) {
            return;
        }
        closed = true;
        launches.end();
        group.share(null);
        try {
            unmap();
            gpu.enter();
            try {
                launches.close();
                if (all) {
                    staging.free();
                } else {
                    group.keep(staging::free);
                }
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and everything in it.
        }
    }

    /** The group ends, because its communicator does. */
    @Override
    public void orphan() {
        release(false);
    }

    /**
     * Waits for this rank's launches, and makes progress with messages meanwhile: a peer may need one before it makes
     * the call that they wait for.
     */
    private void quiet() {
        Envelope nothing = new Envelope();
        launches.settle(() -> {
            lower.iprobe(rank, 0, nothing);
            Thread.yield();
        });
    }

    /** Waits until all launches have ended, except those in graphs. */
    @Override
    public void settle(Waiting waiting) {
        launches.settle(waiting);
    }

    /** @throws MPIException if calls have been given up because a rank is lost */
    public void check(String what) {
        alive(what);
        launches.note();
    }

    private void alive(String what) {
        if (closed) {
            throw error(ErrorClass.COMM, what,
                "this StreamCommunicator, or the communicator that it was opened on, has been closed");
        }
        if (group.isGivenUp()) {
            ProcessEnd.await();
            String lost = group.whyGivenUp();
            throw error(ErrorClass.PROC_FAILED, what,
                "calls on streams were given up, and their results are of no use: "
                    + (lost != null ? lost : "this process is ending"));
        }
    }

    private MPIException error(ErrorClass kind, String what, String why) {
        return kind.in(what, rank, ranks, lower.name(), why);
    }

    // ---- calls ----

    public synchronized void bcast(Pointer buffer, int count, TypeLayout type, int root, CUstream stream) {
        root("bcast", root);
        long bytes = length("bcast", count, type);
        if (bytes > 0) {
            call.send = null;
            call.recv = buffer("bcast", "buf", buffer, bytes);
            call.inPlace = rank == root;
            run("bcast", Collective.BCAST, root, bytes, null, null, stream);
        }
    }

    public synchronized void allReduce(Pointer send, Pointer recv, int count, TypeLayout type, Reduction op,
        CUstream stream) {
        long bytes = length("allReduce", count, type);
        if (bytes > 0) {
            operands("allReduce", send, bytes, recv, bytes);
            run("allReduce", Collective.ALLREDUCE, -1, bytes, type, op, stream);
        }
    }

    /** Several vectors in place; short ones together. As {@link org.brigade.cuda.StreamCommunicator#allReduce}. */
    public synchronized void allReduce(Pointer[] buffers, int[] counts, TypeLayout type, Reduction op,
        CUstream stream) {
        String what = "allReduce";
        if (buffers.length != counts.length) {
            throw error(ErrorClass.ARG, what,
                buffers.length + " buffers and " + counts.length + " counts; pass a count for each buffer");
        }
        if (listed.length < buffers.length) {
            listed = new CudaBuffer[buffers.length];
        }
        for (int i = 0; i < buffers.length; i++) {
            long bytes = length(what, counts[i], type);
            listed[i] = bytes == 0 ? null : buffer(what, "an element of buffers", buffers[i], bytes);
        }
        parts.clear();
        for (int i = 0; i < buffers.length; i++) {
            long bytes = length(what, counts[i], type);
            if (bytes > LONGEST_PART) {
                allReduce(listed[i], bytes, type, op, stream);
            } else if (bytes > 0) {
                if (parts.bytes() + bytes > StreamStaging.BYTES) {
                    fused(type, op, stream);
                }
                parts.add(listed[i].address, bytes);
            }
        }
        if (parts.count() > 0) {
            fused(type, op, stream);
        }
    }

    private void allReduce(CudaBuffer buffer, long bytes, TypeLayout type, Reduction op, CUstream stream) {
        call.send = null;
        call.recv = buffer;
        call.inPlace = true;
        run("allReduce", Collective.ALLREDUCE, -1, bytes, type, op, stream);
    }

    private void fused(TypeLayout type, Reduction op, CUstream stream) {
        call.send = null;
        call.recv = staging.memory();
        call.inPlace = true;
        prepare("allReduce", Collective.ALLREDUCE, -1, type, op);
        try {
            launches.run(call, parts, stream);
        } finally {
            call.recv = null;
        }
        parts.clear();
    }

    /** Only the root uses {@code recv}. */
    public synchronized void reduce(Pointer send, Pointer recv, int count, TypeLayout type, Reduction op, int root,
        CUstream stream) {
        root("reduce", root);
        long bytes = length("reduce", count, type);
        if (bytes > 0) {
            if (rank == root) {
                operands("reduce", send, bytes, recv, bytes);
            } else {
                call.send = buffer("reduce", "sendbuf", send, bytes);
                call.recv = null;
                call.inPlace = false;
            }
            run("reduce", Collective.REDUCE, root, bytes, type, op, stream);
        }
    }

    /** {@code count} items of each rank. */
    public synchronized void allGather(Pointer send, Pointer recv, int count, TypeLayout type, CUstream stream) {
        long block = length("allGather", count, type);
        if (block > 0) {
            // In place as MPI defines it, or with the own block in its final place.
            boolean placed = send != null && recv != null && Addresses.of(send) == Addresses.of(recv) + rank * block;
            operands("allGather", placed ? recv : send, placed ? ranks * block : block, recv, ranks * block);
            Arrays.fill(call.sendAt, 0);
            Arrays.fill(call.sendBytes, block);
            side(call.recvAt, call.recvBytes, block);
            run("allGather", Collective.ALLGATHER, -1, block, null, null, stream);
        }
    }

    /** {@code count} items for each rank. */
    public synchronized void reduceScatterBlock(Pointer send, Pointer recv, int count, TypeLayout type, Reduction op,
        CUstream stream) {
        long block = length("reduceScatterBlock", count, type);
        if (block > 0) {
            call.send = buffer("reduceScatterBlock", "sendbuf", send, ranks * block);
            call.recv = buffer("reduceScatterBlock", "recvbuf", recv, block);
            // A result in the own block is not in place for kernels: no other rank reads that block.
            call.inPlace = false;
            long apart = call.recv.address - call.send.address;
            if (apart > -block && apart < ranks * block && apart != rank * block) {
                throw error(ErrorClass.BUFFER, "reduceScatterBlock",
                    "recvbuf lies in sendbuf, but is not this rank's block there; pass sendbuf + " + rank * block
                        + " bytes, or another buffer");
            }
            side(call.sendAt, call.sendBytes, block);
            Arrays.fill(call.recvAt, 0);
            Arrays.fill(call.recvBytes, block);
            run("reduceScatterBlock", Collective.REDUCE_SCATTER, -1, block, type, op, stream);
        }
    }

    /** {@code count} items from each rank for each. */
    public synchronized void allToAll(Pointer send, Pointer recv, int count, TypeLayout type, CUstream stream) {
        long block = length("allToAll", count, type);
        if (block > 0) {
            operands("allToAll", send, ranks * block, recv, ranks * block);
            side(call.sendAt, call.sendBytes, block);
            side(call.recvAt, call.recvBytes, block);
            run("allToAll", Collective.ALLTOALL, -1, block, null, null, stream);
        }
    }

    public synchronized void neighborAllGather(Neighbourhood edges, Pointer send, Pointer recv, int count,
        TypeLayout type, CUstream stream) {
        long block = length("neighborAllGather", count, type);
        sent.uniform(block, 1);
        neighbours("neighborAllGather", Collective.NEIGHBOR_ALLGATHER, edges, 1, send, recv, block, stream);
    }

    public synchronized void neighborAllToAll(Neighbourhood edges, Pointer send, Pointer recv, int count,
        TypeLayout type, CUstream stream) {
        long block = length("neighborAllToAll", count, type);
        int blocks = edges.destinations().length;
        sent.uniform(block, blocks);
        neighbours("neighborAllToAll", Collective.NEIGHBOR_ALLTOALL, edges, blocks, send, recv, block, stream);
    }

    /**
     * All ranks launch, so that their epochs count alike. Where a rank receives nothing, its {@code recv} says what the
     * others' are: registered or not, and where.
     */
    private void neighbours(String what, Collective collective, Neighbourhood edges, int blocks, Pointer send,
        Pointer recv, long block, CUstream stream) {
        if (block == 0) {
            return;
        }
        int sources = edges.sources().length;
        received.uniform(block, sources);
        call.collective = collective;
        call.neighbours(edges, sent, received);
        if (Math.max(call.out.count(), call.in.count()) > PairwiseKernel.MOST_EDGES) {
            throw error(ErrorClass.TOPOLOGY, what, "this rank sends " + call.out.count() + " blocks and receives "
                + call.in.count() + ", and the kernel serves " + PairwiseKernel.MOST_EDGES
                + " each; synchronise the stream and make the blocking call, which is staged");
        }
        call.inPlace = false;
        call.send = call.out.count() == 0 ? null : buffer(what, "sendbuf", send, blocks * block);
        call.recv = buffer(what, "recvbuf", recv, sources * block);
        run(what, collective, -1, block, null, null, stream);
    }

    /** Blocks of one length, side by side. */
    private static void side(long[] at, long[] lengths, long block) {
        for (int peer = 0; peer < at.length; peer++) {
            at[peer] = peer * block;
            lengths[peer] = block;
        }
    }

    private void root(String what, int root) {
        if (root < 0 || root >= ranks) {
            throw error(ErrorClass.ROOT, what, "root " + root + " is no rank; pass 0 to " + (ranks - 1));
        }
    }

    private long length(String what, int count, TypeLayout type) {
        alive(what);
        if (count < 0) {
            throw error(ErrorClass.COUNT, what, "count " + count + " is negative; pass 0 or more items of " + type);
        }
        return (long) count * type.extent;
    }

    private void operands(String what, Pointer send, long sendBytes, Pointer recv, long recvBytes) {
        call.recv = buffer(what, "recvbuf", recv, recvBytes);
        call.inPlace = send == recv || send != null && Addresses.of(send) == call.recv.address;
        if (call.inPlace && sendBytes > recvBytes) {
            buffer(what, "sendbuf", send, sendBytes);
        }
        call.send = call.inPlace ? null : buffer(what, "sendbuf", send, sendBytes);
    }

    private CudaBuffer buffer(String what, String name, Pointer pointer, long bytes) {
        // Registered memory stays allocated, so the driver need not be asked about it.
        Object found = pointer == null ? null : launches.memory.known(Addresses.of(pointer));
        try {
            if (found == null) {
                found = cuda.underlying(pointer);
            }
        } catch (IllegalArgumentException e) {
            throw error(ErrorClass.BUFFER, what, name + " " + e.getMessage());
        }
        if (!(found instanceof CudaBuffer buffer)) {
            throw error(ErrorClass.BUFFER, what,
                name + " is " + (found == null ? "null" : "host memory") + "; pass a pointer to device memory");
        }
        if (buffer.allocation.gpu != gpu) {
            throw error(ErrorClass.BUFFER, what,
                name + " is " + buffer + ", but this communicator's collectives run on " + gpu
                    + "; use buffers on one GPU, or Dup the communicator for the other");
        }
        if (bytes > buffer.bytes) {
            throw error(ErrorClass.BUFFER, what, name + " needs " + bytes + " bytes, but is " + buffer
                + "; pass a smaller count or a longer allocation");
        }
        return buffer;
    }

    private void run(String what, Collective collective, int root, long block, TypeLayout type, Reduction op,
        CUstream stream) {
        prepare(what, collective, root, type, op);
        try {
            launches.run(call, block, stream);
        } finally {
            call.send = null;
            call.recv = null;
        }
    }

    private void prepare(String what, Collective collective, int root, TypeLayout type, Reduction op) {
        if (op != null) {
            reducible(what, type, op);
        }
        call.collective = collective;
        call.root = root;
        call.type = op == null ? null : type;
        call.op = op;
    }

    private void reducible(String what, TypeLayout type, Reduction op) {
        if (!KernelType.reduces(type, op.operator) || type.extent > 16 || Integer.bitCount(type.extent) != 1) {
            throw error(ErrorClass.OP, what, op + " on " + type
                + " has no kernel; synchronise the stream and make the blocking call, which is staged");
        }
        long addresses = (call.send == null ? 0 : call.send.address) | (call.recv == null ? 0 : call.recv.address);
        if ((addresses & type.extent - 1) != 0) {
            throw error(ErrorClass.BUFFER, what,
                type + " can be reduced at multiples of " + type.extent + " bytes only; begin there");
        }
    }
}
