package org.brigade.transport.cuda.group;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.kernel.CallArguments;
import org.brigade.transport.cuda.kernel.GridLimits;
import org.brigade.transport.cuda.kernel.Kernels.Kernel;

/**
 * {@code paired}: an allreduce in three stages, chunk after chunk. The members of a pair copy halves into each other's
 * windows, and each adds up one; so do the pairs, by recursive doubling; the members of a pair copy their sums into
 * each other's results. A share of what goes within a pair goes through host memory ({@link PairStreams}).
 *
 * <p>
 * Kernels only add up what lies on their own GPU, and wait for nothing: streams wait. The kernel is {@code pull}'s for
 * two contributors, both here. Chunk k is in phase p at step k + p, and the oldest chunk is served first: so whatever a
 * piece of work waits for was begun in an earlier step, on all members, and {@link #DEPTH} of 2 would do.
 *
 * <p>
 * Calls that use it have {@linkplain DeviceCall#met met}: all windows and slots are free when one begins.
 */
final class PairedLaunch implements FusedLaunch {
    /** Windows of a link. */
    private static final int DEPTH = 4;
    private static final long GRAIN = 256;
    private static final long WINDOWS_AT = CallArguments.SCRATCH_BYTES - CallArguments.WINDOWS_BYTES;
    /** Where the launch chooses: so many chunks, none shorter or longer than this. */
    private static final int CHUNKS = 16;
    private static final long SHORTEST = 512 << 10;
    private static final long LONGEST = 8 << 20;
    /** A shorter piece through host memory costs more than it carries. */
    private static final long LEAST_SHARE = 16 << 10;
    /** With fewer bytes, another thread block costs more than it carries. */
    private static final int BYTES_A_BLOCK = 16 << 10;
    private static final int FEWEST_BLOCKS = 4;
    /** Offset in the streams' page-locked memory of words that kernels write and nobody reads. */
    private static final int UNREAD = 1024;

    private final PairStreams streams;
    private final KernelLaunch pull;
    private final GridLimits limits;
    private final FusedLaunch kernel;
    private CallArguments sum;

    // The running call.
    private DeviceCall call;
    private CallArguments arguments;
    private CUstream main;
    private int rank;
    private int links;
    private long chunk;
    private int count;
    private long send;
    private long recv;
    private long partnerRecv;

    PairedLaunch(PairStreams streams, KernelLaunch pull, GridLimits limits, FusedLaunch kernel) {
        this.streams = streams;
        this.pull = pull;
        this.limits = limits;
        this.kernel = kernel;
    }

    @Override
    public void prepare(DeviceCall prepared) {
        kernel.prepare(prepared);
        pull.prepare(prepared);
    }

    @Override
    public void meet(DeviceGroup.Waiting waiting) {
        streams.prepare(waiting);
    }

    @Override
    public void launch(DeviceCall running, GroupMemory memory, CallArguments filled, CUstream stream) {
        links = Integer.numberOfTrailingZeros(memory.ranks);
        if (!running.met || links == 0) {
            kernel.launch(running, memory, filled, stream);
            return;
        }
        streams.open();
        call = running;
        arguments = filled;
        main = stream;
        rank = memory.rank;
        send = filled.getLong(CallArguments.SEND);
        recv = filled.getLong(CallArguments.RECV);
        partnerRecv = memory.recvOf(running, rank ^ 1);
        chunk = chunk(running);
        count = (int) ((running.bytes + chunk - 1) / chunk);
        fillSum();
        for (int step = 0; step <= count + links; step++) {
            for (int phase = links + 1; phase >= 0; phase--) {
                int k = step - phase;
                if (k >= 0 && k < count) {
                    run(phase, k);
                }
            }
        }
        streams.await(main, rank, PairStreams.SPREAD, streams.chunks + count);
        for (int link = 0; link < links; link++) {
            streams.follow(main, streams.out[link]);
        }
        streams.follow(main, streams.toHost);
        streams.follow(main, streams.fromHost);
        HostStripe.finish(main, filled);
        streams.chunks += count;
    }

    private void run(int phase, int k) {
        if (phase == 0) {
            give(k);
        } else if (phase <= links) {
            addUp(k, phase - 1);
            if (phase < links) {
                pass(k, phase);
            } else {
                spread(k);
            }
        } else if (hosted(mineEnd(k, 1) - mineAt(k, 1)) > 0) {
            long at = mineAt(k, 1);
            long bytes = mineEnd(k, 1) - at;
            streams.take(device(recv + at + bytes - hosted(bytes)), hosted(bytes));
        }
    }

    /** Copies the half that the partner adds up into its window. */
    private void give(int k) {
        long at = mineAt(k, 1);
        long bytes = mineEnd(k, 1) - at;
        int partner = rank ^ 1;
        awaitRoom(streams.out[0], partner, 0, k);
        direct(streams.out[0], window(partner, 0, k), send + at, bytes - hosted(bytes));
        streams.tell(streams.out[0], partner, PairStreams.ARRIVED, streams.chunks + k + 1);
        if (hosted(bytes) > 0) {
            streams.push(device(send + at + bytes - hosted(bytes)), hosted(bytes));
        }
    }

    /** Adds what has come by a link to this rank's half. */
    private void addUp(int k, int link) {
        long at = mineAt(k, 0);
        long bytes = mineEnd(k, 0) - at;
        long window = window(rank, link, k);
        if (link == 0 && hosted(bytes) > 0) {
            awaitRoom(streams.fromHost, rank, 0, k);
            streams.take(device(window + bytes - hosted(bytes)), hosted(bytes));
            streams.follow(main, streams.fromHost);
        }
        streams.await(main, rank, PairStreams.ARRIVED + link, streams.chunks + k + 1);
        if (link > 0) {
            PairStreams.follow(main, streams.copied[link]); // what is read there is overwritten here
        }
        long own = (link == 0 ? send : recv) + at;
        boolean first = (rank >> link & 1) == 0;
        add(recv + at, first ? own : window, first ? window : own, bytes);
        streams.tell(main, rank, PairStreams.FREED + link, streams.chunks + k + 1);
    }

    /** Copies the sum so far to another pair. */
    private void pass(int k, int link) {
        long at = mineAt(k, 0);
        int peer = rank ^ 1 << link;
        streams.follow(streams.out[link], main);
        awaitRoom(streams.out[link], peer, link, k);
        direct(streams.out[link], window(peer, link, k), recv + at, mineEnd(k, 0) - at);
        streams.tell(streams.out[link], peer, PairStreams.ARRIVED + link, streams.chunks + k + 1);
        PairStreams.record(streams.copied[link], streams.out[link]);
    }

    /** Copies the sum into the partner's result. */
    private void spread(int k) {
        long at = mineAt(k, 0);
        long bytes = mineEnd(k, 0) - at;
        streams.follow(streams.out[0], main);
        direct(streams.out[0], partnerRecv + at, recv + at, bytes - hosted(bytes));
        streams.tell(streams.out[0], rank ^ 1, PairStreams.SPREAD, streams.chunks + k + 1);
        if (hosted(bytes) > 0) {
            streams.follow(streams.toHost, main);
            streams.push(device(recv + at + bytes - hosted(bytes)), hosted(bytes));
        }
    }

    private void awaitRoom(CUstream stream, int member, int link, int k) {
        if (k >= DEPTH) {
            streams.await(stream, member, PairStreams.FREED + link, streams.chunks + k - DEPTH + 1);
        }
    }

    private static void direct(CUstream stream, long target, long source, long bytes) {
        if (bytes > 0) {
            PairStreams.copy(stream, device(target), device(source), bytes);
        }
    }

    // ---- where things are ----

    /** Bytes of a chunk, a multiple of two grains. */
    private long chunk(DeviceCall running) {
        long wished = running.choice.chunkBytes();
        long right = wished > 0 ? wished : Math.max(SHORTEST, Math.min(LONGEST, running.bytes / CHUNKS));
        long most = 2 * (CallArguments.WINDOWS_BYTES / ((long) links * DEPTH));
        return Math.max(2 * GRAIN, Math.min(right, most) / (2 * GRAIN) * (2 * GRAIN));
    }

    /** Offset of the half of a chunk that this rank adds up, or with {@code other} 1 of that of its partner. */
    private long mineAt(int k, int other) {
        return (rank & 1 ^ other) == 0 ? k * chunk : middle(k);
    }

    private long mineEnd(int k, int other) {
        return (rank & 1 ^ other) == 0 ? middle(k) : Math.min(call.bytes, (k + 1) * chunk);
    }

    private long middle(int k) {
        long begin = k * chunk;
        long half = (Math.min(chunk, call.bytes - begin) / 2 + GRAIN - 1) / GRAIN * GRAIN;
        return Math.min(begin + half, call.bytes);
    }

    /** Bytes at the end of a half that go through host memory within a pair. */
    private long hosted(long bytes) {
        long share = Math.min(streams.slotBytes(), bytes / 100 * call.choice.sharePercent());
        return share < LEAST_SHARE ? 0 : bytes - (bytes - share + GRAIN - 1) / GRAIN * GRAIN;
    }

    private long window(int member, int link, int k) {
        return arguments.getLong(CallArguments.SCRATCH + 8 * member) + WINDOWS_AT
            + (link * DEPTH + k % DEPTH) * (chunk / 2);
    }

    private static CUdeviceptr device(long address) {
        return Addresses.device(address);
    }

    // ---- reductions ----

    /** What is the same for all sums of a call: two contributors, both on this GPU, and nobody to wait for. */
    private void fillSum() {
        if (sum == null) {
            sum = new CallArguments(streams.pinned, 0);
            sum.putInt(CallArguments.RANKS, 2);
            sum.putInt(CallArguments.ROOT, -1);
            sum.putInt(CallArguments.FLAGS, CallArguments.MET);
            sum.putLong(CallArguments.TOLD, streams.pinned.deviceAddress + UNREAD);
        }
        sum.putLong(CallArguments.SCRATCH, arguments.getLong(CallArguments.SCRATCH + 8 * rank));
        sum.putLong(CallArguments.ABORT, arguments.getLong(CallArguments.ABORT));
    }

    private int blocks(long bytes) {
        int wished = call.choice.blocks();
        long right = wished > 0 ? wished : Math.max(FEWEST_BLOCKS, bytes / BYTES_A_BLOCK);
        return (int) Math.min(right, call.shares ? limits.beside : limits.blocks);
    }

    /** {@code target = first op second}, where target may be either. */
    private void add(long target, long first, long second, long bytes) {
        if (bytes == 0) {
            return;
        }
        sum.putLong(CallArguments.RECV, target);
        sum.putLong(CallArguments.PEER_SEND, 0, first);
        sum.putLong(CallArguments.PEER_SEND, 1, second);
        sum.putLong(CallArguments.RECV_BYTES, 0, bytes);
        sum.putLong(CallArguments.RECV_BYTES, 1, bytes);
        sum.putLong(CallArguments.BYTES, bytes);
        Kernel adding = pull.kernel(call);
        CudaResult.check(
            JCudaDriver.cuLaunchKernel(adding.function, blocks(bytes), 1, 1,
                Math.min(pull.threads(), adding.mostThreads), 1, 1, 0, main, sum.parameters(), null),
            "launching " + adding.name);
    }
}
