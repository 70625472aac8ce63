package org.brigade.transport.cuda.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Job;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.select.Choice;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.CudaDevices;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.PinnedMemory;
import org.brigade.transport.cuda.kernel.CallArguments;
import org.brigade.transport.cuda.kernel.KernelOrders;
import org.brigade.verify.IntSums;
import org.brigade.verify.SampleCall;

/**
 * What one rank of {@link CudaGroupTest} runs: {@link CudaDevices} and {@link CudaGroup} without what stands above
 * them. Every rank knows what every other has, so each checks its own results.
 */
final class GroupTrial {
    private static final int ROOM = 1 << 20;
    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
    private static final Reduction SUM = Reduction.predefined(Operator.SUM);

    private final Endpoint endpoint;
    private final Devices devices = new CudaDevices();
    private final int rank;
    private final int ranks;
    private final int[] members;
    private final DeviceCall call;
    /** A copy of a buffer, or of its beginning. */
    private final ByteBuffer host = ByteBuffer.allocateDirect(ROOM).order(ByteOrder.nativeOrder());
    private CommunicatorTopology wires = CommunicatorTopology.NONE;
    private long exchanges;
    /** Percent by way of the host. */
    private int share;
    private int blocks;
    private long chunk;

    private GroupTrial(Endpoint endpoint) {
        this.endpoint = endpoint;
        rank = endpoint.rank();
        ranks = endpoint.size();
        members = new int[ranks];
        for (int member = 0; member < ranks; member++) {
            members[member] = member;
        }
        call = new DeviceCall(ranks);
    }

    public static void main(String[] arguments) throws Exception {
        Parts parts = Parts.load();
        Job job = parts.bootstrap().job();
        Endpoint endpoint = parts.transport(job).open(job);
        GroupTrial trial = new GroupTrial(endpoint);
        JCudaDriver.cuInit(0);
        CUdevice device = new CUdevice();
        JCudaDriver.cuDeviceGet(device, job.localRank() % CudaDriver.devices());
        CUcontext context = new CUcontext();
        JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
        JCudaDriver.cuCtxPushCurrent(context);
        switch (arguments[0]) {
            case "collectives" -> trial.collectives();
            case "epochs" -> trial.epochs();
            case "ordered-collectives" -> {
                trial.wires = ordered(trial.ranks, false);
                trial.collectives();
            }
            case "collectives-by-chains" -> {
                trial.wires = ordered(trial.ranks, true);
                trial.collectives();
            }
            case "ordered-epochs" -> {
                trial.wires = ordered(trial.ranks, true);
                trial.epochs();
            }
            case "pairs" -> trial.pairs();
            case "reallocate" -> trial.reallocate();
            case "refused" -> trial.refused();
            case "late-kernel" -> trial.lateKernel();
            case "lost" -> trial.lost();
            case "lost-root" -> trial.lostRoot(arguments[1]);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        trial.allgather(new byte[8]);
        endpoint.leaving();
        endpoint.finished();
        endpoint.close();
        System.out.println("rank " + trial.rank + " is well");
    }

    /**
     * The ring: the even ranks, then the odd ones; with chains of their own, that from each root runs downwards from
     * it.
     */
    private static CommunicatorTopology ordered(int ranks, boolean chains) {
        int[] ring = new int[ranks];
        for (int position = 0, rank = 0; position < ranks; position++, rank = rank + 2 < ranks ? rank + 2 : 1) {
            ring[position] = rank;
        }
        return new CommunicatorTopology(Order.of(ring), Levels.NONE, !chains ? null : root -> {
            int[] chain = new int[ranks];
            for (int position = 0; position < ranks; position++) {
                chain[position] = (root - position + ranks) % ranks;
            }
            return Order.of(chain);
        });
    }

    // ---- the ways of a job without a communicator ----

    /** Through the part of the boards that belongs to calls; here there are none. */
    private byte[][] allgather(byte[] mine) {
        NativeMemory own = endpoint.board(rank);
        own.bytes.put(64, mine);
        own.putLongRelease(0, ++exchanges);
        byte[][] all = new byte[ranks][mine.length];
        for (int peer = 0; peer < ranks; peer++) {
            NativeMemory board = endpoint.board(peer);
            await(board, 0);
            board.bytes.get(64, all[peer]);
        }
        own.putLongRelease(8, exchanges);
        for (int peer = 0; peer < ranks; peer++) {
            await(endpoint.board(peer), 8);
        }
        return all;
    }

    private void await(NativeMemory board, int at) {
        for (int turn = 1; board.getLongAcquire(at) < exchanges; turn++) {
            String lost = turn % 256 == 0 ? endpoint.lostPeer() : null; // it reads /proc
            if (lost != null && board.getLongAcquire(at) < exchanges) { // its word may have been its last
                throw new IllegalStateException(lost);
            }
            Thread.yield();
        }
    }

    private CudaBuffer allocate(long bytes) {
        CUdeviceptr pointer = new CUdeviceptr();
        CudaResult.check(JCudaDriver.cuMemAlloc(pointer, bytes), "cuMemAlloc");
        return (CudaBuffer) devices.underlying(pointer);
    }

    /** What DeviceCalls does before a call. */
    private void run(DeviceGroup group, Collective collective, String algorithm, int root, long bytes, CudaBuffer send,
        long sendOffset, CudaBuffer recv, long recvOffset) {
        DeviceAlgorithm chosen = DeviceCatalogue.find(collective, algorithm);
        call.choice = new Choice(chosen, chunk, 2, blocks, share, "the trial");
        call.collective = collective;
        call.root = root;
        call.bytes = bytes;
        call.type = collective.reduces ? INT : null;
        call.op = collective.reduces ? SUM : null;
        call.inPlace = send == null;
        call.send = send;
        call.sendOffset = sendOffset;
        call.recv = recv;
        call.recvOffset = recvOffset;
        ByteBuffer mine = ByteBuffer.allocate(32);
        mine.putLong(send == null ? Devices.UNREACHABLE : devices.export(endpoint, send))
            .putLong(send == null ? 0 : devices.offset(send) + sendOffset);
        mine.putLong(devices.export(endpoint, recv)).putLong(devices.offset(recv) + recvOffset);
        String refusal = group.refuses(call);
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
        byte[][] all = allgather(mine.array());
        for (int peer = 0; peer < ranks; peer++) {
            ByteBuffer theirs = ByteBuffer.wrap(all[peer]);
            call.sendExport[peer] = theirs.getLong();
            call.sendBegin[peer] = theirs.getLong();
            call.recvExport[peer] = theirs.getLong();
            call.recvBegin[peer] = theirs.getLong();
        }
        group.run(call, Thread::yield);
    }

    /** What a rank has at a place of its buffers in a call. */
    private static int item(int owner, int seed, int index) {
        int mixed = (index * 0x9e3779b1 + seed) * 0x85ebca6b + owner * 0xc2b2ae35;
        return mixed ^ mixed >>> 15;
    }

    private static int[] items(int owner, int seed, int first, int count) {
        int[] items = new int[count];
        for (int i = 0; i < count; i++) {
            items[i] = item(owner, seed, first + i);
        }
        return items;
    }

    /** Fills what a call with blocks of this size can reach of a buffer, and some room behind it. */
    private void fill(CudaBuffer buffer, int seed, long block) {
        int bytes = (int) Math.min(ROOM, 4096 + ranks * block) & -4;
        host.asIntBuffer().put(items(rank, seed, 0, bytes / 4));
        buffer.write(0, host, 0, bytes);
    }

    private static void wrong(String what, int got, int wanted, int at) {
        throw new AssertionError(what + " at byte " + at + ": got " + got + ", wanted " + wanted);
    }

    private static void expect(String what, int got, int wanted, int at) {
        if (got != wanted) {
            wrong(what, got, wanted, at);
        }
    }

    // ---- the trials ----

    private void collectives() {
        CudaBuffer send = allocate(ROOM);
        CudaBuffer recv = allocate(ROOM);
        DeviceGroup group = devices.open(endpoint, members, rank, send, wires, this::allgather);
        if (group == null) {
            throw new AssertionError("no group");
        }
        int seed = 0;
        for (int bytes : new int[] {0, 4, 132, 5000, 60_000}) {
            for (String algorithm : new String[] {"packets", "two-shot", "push-two-phase", "ring"}) {
                allreduce(group, algorithm, bytes, send, recv, ++seed, false);
                allreduce(group, algorithm, bytes, send, recv, ++seed, true);
            }
            for (String algorithm : new String[] {"packets", "push", "scatter-allgather", "chain"}) {
                for (int root = 0; root < ranks; root++) {
                    bcast(group, algorithm, bytes, root, recv, ++seed);
                }
            }
            allgather(group, "packets", bytes, send, recv, ++seed);
            allgather(group, "push", bytes, send, recv, ++seed);
            allgather(group, "ring", bytes / 16 * 16, send, recv, ++seed);
            reduceScatter(group, "push-two-phase", bytes / 16 * 16, send, recv, ++seed);
            reduceScatter(group, "ring", bytes / 16 * 16, send, recv, ++seed);
            reduceScatter(group, "packets", bytes, send, recv, ++seed);
            reduceScatter(group, "pull", bytes, send, recv, ++seed);
            scan(group, "packets", bytes, send, recv, ++seed);
            scan(group, "pull", bytes, send, recv, ++seed);
        }
        blocks = 4; // the last of them has nothing of the first pieces, which are longer than the last piece
        bcast(group, "scatter-allgather", (5 * (ranks - 1) - 1) * 128, 0, recv, ++seed);
        blocks = 0;
        call.met = true;
        share = 50;
        for (int bytes : new int[] {4, 200_000, ROOM - 1000}) {
            for (int root = 0; root < ranks; root++) {
                bcast(group, "chain", bytes, root, recv, ++seed);
                if (ranks == 2) {
                    bcast(group, "copy-engine", bytes, root, recv, ++seed);
                }
            }
        }
        group.close();
    }

    /**
     * The copies and sums of pairs, with and without a share through host memory, between calls of other kernels that
     * use the same windows. In chunks of 4 KiB there are many times as many as windows.
     */
    private void pairs() {
        CudaBuffer send = allocate(ROOM);
        CudaBuffer recv = allocate(ROOM);
        DeviceGroup group = devices.open(endpoint, members, rank, send, wires, this::allgather);
        int seed = 0;
        for (boolean met : new boolean[] {true, false, true}) {
            for (int bytes : new int[] {0, 4, 132, 5000, 60_000, ROOM - 1000}) {
                for (long each : new long[] {0, 4 << 10, 128 << 10}) {
                    share = each == 4 << 10 ? 0 : 50;
                    call.met = met;
                    chunk = each;
                    allreduce(group, "paired", bytes, send, recv, ++seed, false);
                    allreduce(group, "paired", bytes, send, recv, ++seed, true);
                }
                chunk = 0;
                allreduce(group, "push-two-phase", bytes, send, recv, ++seed, false);
                bcast(group, "chain", bytes, ranks - 1, recv, ++seed);
            }
        }
        group.close();
    }

    /** Past the middle of the epochs, where their differences change sign, and past the last. */
    private void epochs() {
        CudaBuffer send = allocate(ROOM);
        CudaBuffer recv = allocate(ROOM);
        CudaGroup group = (CudaGroup) devices.open(endpoint, members, rank, send, wires, this::allgather);
        int seed = 0;
        for (int epoch : new int[] {0x7ffffff0, 0xffffffea}) {
            setEpoch(group, epoch);
            allgather(new byte[0]);
            for (int turn = 0; turn < 8; turn++) {
                for (String algorithm : new String[] {"packets", "two-shot", "push-two-phase", "ring"}) {
                    allreduce(group, algorithm, 30_000, send, recv, ++seed, turn % 2 == 0);
                }
                for (String algorithm : new String[] {"packets", "push", "scatter-allgather", "chain"}) {
                    bcast(group, algorithm, 30_000, turn % ranks, recv, ++seed);
                }
            }
        }
        group.close();
    }

    /** As if so many calls had been made. */
    private void setEpoch(CudaGroup group, int epoch) {
        setEpoch(group.scratch.address, epoch);
        if (wires.isOrdered()) {
            setEpoch(group.scratch.address + KernelOrders.RING_AT, epoch);
        }
        for (int root = 0; wires.hasChains() && root < ranks; root++) {
            setEpoch(group.scratch.address + KernelOrders.CHAINS_AT + root * KernelOrders.CHAIN_STEP, epoch);
        }
    }

    private void setEpoch(long scratch, int epoch) {
        Pointer word = Pointer.to(new int[] {epoch});
        CudaResult.check(JCudaDriver.cuMemcpyHtoD(Addresses.device(scratch + CallArguments.SCRATCH_EPOCH), word, 4),
            "cuMemcpyHtoD");
        for (int peer = 0; peer < ranks; peer++) {
            CudaResult.check(JCudaDriver.cuMemcpyHtoD(
                Addresses.device(scratch + CallArguments.SCRATCH_ACKNOWLEDGED + CallArguments.ACKNOWLEDGED_STEP * peer),
                word, 4), "cuMemcpyHtoD");
        }
    }

    private void allreduce(DeviceGroup group, String algorithm, int bytes, CudaBuffer send, CudaBuffer recv, int seed,
        boolean inPlace) {
        CudaBuffer from = inPlace ? recv : send;
        fill(from, seed, bytes);
        run(group, Collective.ALLREDUCE, algorithm, -1, bytes, inPlace ? null : send, 64, recv, inPlace ? 64 : 128);
        check("allreduce " + algorithm, Collective.ALLREDUCE, recv, inPlace ? 64 : 128, 64, bytes, seed);
    }

    /**
     * Compares what a call has given with what MPI defines.
     *
     * @param at byte of the receive buffer at which the result begins
     * @param from byte of all ranks' data at which their contributions begin
     * @param bytes of the vector or of a block
     */
    private void check(String what, Collective collective, CudaBuffer recv, int at, int from, int bytes, int seed) {
        SampleCall sample = new SampleCall(collective, ranks, -1, bytes / 4, 0, false, true);
        int[] expected = new int[sample.items(sample.received(rank))];
        int[][] sent = new int[ranks][];
        for (int source = 0; source < ranks; source++) {
            sent[source] = items(source, seed, from / 4, sample.items(sample.sent(source)));
        }
        IntSums.put(sample, rank, source -> sent[source], expected);
        recv.read(at, host, 0, 4 * expected.length);
        for (int i = 0; i < expected.length; i++) {
            if (host.getInt(4 * i) != expected[i]) {
                wrong(what + " of " + bytes, host.getInt(4 * i), expected[i], 4 * i);
            }
        }
    }

    private void bcast(DeviceGroup group, String algorithm, int bytes, int root, CudaBuffer recv, int seed) {
        fill(recv, seed, bytes);
        boolean sends = rank == root;
        call.inPlace = sends;
        run(group, Collective.BCAST, algorithm, root, bytes, null, 0, recv, 256);
        recv.read(0, host, 0, 256 + bytes + 256);
        for (int at = 0; at < 256 + bytes + 256; at += 4) {
            int expected = item(at >= 256 && at < 256 + bytes ? root : rank, seed, at / 4);
            if (host.getInt(at) != expected) {
                wrong("bcast " + algorithm + " of " + bytes + " from " + root, host.getInt(at), expected, at);
            }
        }
    }

    private void allgather(DeviceGroup group, String algorithm, int bytes, CudaBuffer send, CudaBuffer recv, int seed) {
        fill(send, seed, bytes);
        for (int peer = 0; peer < ranks; peer++) {
            call.sendAt[peer] = 0;
            call.sendBytes[peer] = bytes;
            call.recvAt[peer] = (long) peer * bytes;
            call.recvBytes[peer] = bytes;
        }
        run(group, Collective.ALLGATHER, algorithm, -1, bytes, send, 0, recv, 0);
        check("allgather " + algorithm, Collective.ALLGATHER, recv, 0, 0, bytes, seed);
    }

    private void reduceScatter(DeviceGroup group, String algorithm, int bytes, CudaBuffer send, CudaBuffer recv,
        int seed) {
        fill(send, seed, bytes);
        int block = bytes / 4 * 4;
        for (int peer = 0; peer < ranks; peer++) {
            call.sendAt[peer] = (long) peer * block;
            call.sendBytes[peer] = block;
            call.recvAt[peer] = 0;
            call.recvBytes[peer] = block;
        }
        run(group, Collective.REDUCE_SCATTER, algorithm, -1, (long) block * ranks, send, 0, recv, 0);
        check("reduce-scatter " + algorithm, Collective.REDUCE_SCATTER, recv, 0, 0, block, seed);
    }

    private void scan(DeviceGroup group, String algorithm, int bytes, CudaBuffer send, CudaBuffer recv, int seed) {
        fill(send, seed, bytes);
        run(group, Collective.SCAN, algorithm, -1, bytes, send, 0, recv, 0);
        check("scan " + algorithm, Collective.SCAN, recv, 0, 0, bytes, seed);
    }

    /** Buffers that come and go at the same addresses, more of them than the table of exports has lines. */
    private void reallocate() {
        CudaBuffer keeper = allocate(ROOM);
        DeviceGroup group = devices.open(endpoint, members, rank, keeper, wires, this::allgather);
        for (int turn = 0; turn < 300; turn++) {
            CudaBuffer recv = allocate(ROOM);
            bcast(group, "push", 64, turn % ranks, recv, turn);
            if (turn % 2 == 0) {
                CudaResult.check(JCudaDriver.cuMemFree(Addresses.device(recv.address)), "cuMemFree");
            }
        }
        group.close();
    }

    /** Rank 1's stream is not through when both close the group: what it could write into stays until it is. */
    private void lateKernel() throws InterruptedException {
        CudaBuffer buffer = allocate(ROOM);
        CudaGroup group = (CudaGroup) devices.open(endpoint, members, rank, buffer, wires, this::allgather);
        bcast(group, "packets", 64, 0, buffer, 1);
        long scratch = group.scratch.address;
        NativeMemory flag = endpoint.board(0);
        if (rank == 1) {
            group.gpu.enter();
            PinnedMemory word = new PinnedMemory(64);
            group.gpu.leave();
            CudaResult.check(
                JCudaDriver.cuStreamWaitValue32(group.resources.stream, Addresses.device(word.deviceAddress), 1, 0),
                "cuStreamWaitValue32");
            Thread kernel = new Thread(() -> {
                while (flag.getLongAcquire(24) == 0) {
                    Thread.yield();
                }
                word.memory.putLongRelease(0, 1);
            });
            allgather(new byte[8]);
            kernel.start();
            group.close();
            kernel.join();
        } else {
            allgather(new byte[8]);
            group.close();
            Thread.sleep(1500); // longer than any patience that would be an accident here
            group.gpu.enter();
            new ScratchMemory(group.gpu, ROOM).free();
            group.gpu.leave();
            GroupEnd.goOn();
            expect("the scratch memory while rank 1 may write there is live", live(scratch) ? 1 : 0, 1, 0);
            flag.putLongRelease(24, 1);
        }
        allgather(new byte[8]);
        devices.open(endpoint, members, rank, buffer, wires, this::allgather).close();
        allgather(new byte[8]);
        CudaResult.check(JCudaDriver.cuCtxSynchronize(), "cuCtxSynchronize");
        devices.end(endpoint);
        expect("the scratch memory that nobody uses is live", live(scratch) ? 1 : 0, 0, 0);
    }

    /** Whether an address is that of an allocation. */
    private static boolean live(long address) {
        return JCudaDriver.cuMemGetAddressRange(new CUdeviceptr(), new long[1], Addresses.device(address)) == 0;
    }

    /** With IPC or peer access refused: nobody has a group, and nobody waits. */
    private void refused() {
        CudaBuffer buffer = allocate(ROOM);
        if (devices.export(endpoint, buffer) != Devices.UNREACHABLE
            && devices.open(endpoint, members, rank, buffer, wires, this::allgather) != null) {
            throw new AssertionError("a group although the driver refuses");
        }
    }

    /** Rank 1 does not come to a call: the others' kernels must be gone before their wait throws. */
    private void lost() {
        CudaBuffer recv = allocate(ROOM);
        DeviceGroup group = devices.open(endpoint, members, rank, recv, wires, this::allgather);
        bcast(group, "packets", 64, 0, recv, 1);
        allgather(new byte[8]); // else it may leave while another is still in that call
        if (rank == 1) {
            System.out.println("rank 1 leaves");
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
        call.choice = new Choice(DeviceCatalogue.find(Collective.ALLREDUCE, "packets"), 0, 2, 0, 0, "the trial");
        call.collective = Collective.ALLREDUCE;
        call.type = INT;
        call.op = SUM;
        call.bytes = 64;
        call.inPlace = true;
        call.send = null;
        call.recv = recv;
        notice(group);
    }

    /** Rank 1, whose vector it is or half of the sum, does not come: neither kernels nor streams wait on. */
    private void lostRoot(String algorithm) {
        CudaBuffer recv = allocate(ROOM);
        DeviceGroup group = devices.open(endpoint, members, rank, recv, wires, this::allgather);
        call.met = true;
        share = 50;
        if (algorithm.equals("paired")) {
            chunk = 128 << 10;
            allreduce(group, algorithm, ROOM - 1000, null, recv, 1, true);
        } else {
            bcast(group, algorithm, ROOM - 1000, 1, recv, 1);
        }
        allgather(new byte[8]); // else it may leave while another is still in that call
        if (rank == 1) {
            System.out.println("rank 1 leaves");
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
        notice(group); // the same call again
    }

    private void notice(DeviceGroup group) {
        try {
            group.run(call, () -> {
                if (endpoint.lostPeer() != null) {
                    throw new IllegalStateException(endpoint.lostPeer());
                }
            });
            throw new AssertionError("a collective without rank 1");
        } catch (IllegalStateException | MPIException expected) { // whoever looks first, the waiting here or the
                                                                  // watchdog
            System.out.println("rank " + rank + " noticed: " + expected.getMessage());
        }
        CudaResult.check(JCudaDriver.cuCtxSynchronize(), "cuCtxSynchronize"); // hangs if the kernel spins on
        if (group.refuses(call) == null) {
            throw new AssertionError("the group goes on");
        }
        group.close();
        System.out.println("rank " + rank + " is well");
        Runtime.getRuntime().halt(0);
    }
}
