package org.brigade.transport.cuda;

import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.device.DeviceCall;
import org.brigade.transport.cuda.Kernels.Kernel;

/** An algorithm that is one kernel. A subclass says which, whose buffers it touches, and how many blocks do it. */
abstract class KernelLaunch implements FusedLaunch {
    private static final int MOST_CACHED = 16;

    private final Kernels kernels;
    private final GridLimits limits;
    private final String name;
    private final int threads;
    /** Null where kernels meet on the devices. */
    private final Arrivals arrivals;
    private Kernel moving;
    // Of the reductions seen: a few, looked through by identity.
    private final TypeLayout[] types = new TypeLayout[MOST_CACHED];
    private final Reduction[] operations = new Reduction[MOST_CACHED];
    private final Kernel[] reducing = new Kernel[MOST_CACHED];
    private int seen;

    /**
     * @param name    of the kernels: {@code brigade_<name>} for what moves, {@code brigade_<name>_<op>_<type>} for what reduces
     * @param threads of a block, if the kernel's registers allow as many
     * @param arrivals where kernels that {@link #tells tell} do; null: they meet
     */
    KernelLaunch(Kernels kernels, GridLimits limits, String name, int threads, Arrivals arrivals) {
        this.arrivals = arrivals;
        this.kernels = kernels;
        this.limits = limits;
        this.name = name;
        this.threads = threads;
    }

    /** Name of the kernel for collectives that do not reduce. */
    String movingName() {
        return name;
    }

    /** One whose kernels meet on the devices. */
    KernelLaunch(Kernels kernels, GridLimits limits, String name, int threads) {
        this(kernels, limits, name, threads, null);
    }

    /** Whether this rank loads from that member's send buffer; then the member waits until it has. */
    abstract boolean loadsFrom(DeviceCall call, Blocks blocks, int rank, int member);

    /** Whether this rank stores into that member's receive buffer; then the member waits until it has. */
    abstract boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member);

    /** How many blocks are best where the tuning table does not say; bounded by what all members' GPUs can hold. The same on all members. */
    abstract int blocks(DeviceCall call, int ranks);

    /** Fewest blocks that can do it; the grid is a multiple of it. */
    int fewestBlocks() {
        return 1;
    }

    /** Most blocks that this call allows, whatever the table says. */
    int mostBlocks(DeviceCall call, Blocks blocks) {
        return CallArguments.MAX_BLOCKS;
    }

    /** Bytes of a window for a grid; 0 where there are none. The same on all members. */
    long chunk(DeviceCall call, int ranks, int grid) {
        return 0;
    }

    /** Whether the kernel can do this call without meeting the others, and tell their hosts of its end. The same on all members. */
    boolean tells(DeviceCall call) {
        return false;
    }

    /** Where kernels tell: whether that member's kernel uses this rank's buffers. */
    boolean hearsFrom(DeviceCall call, Blocks blocks, int member) {
        return true;
    }

    /** Where kernels tell: whether there is anything for this rank's kernel to do. */
    boolean hasWork(DeviceCall call, Blocks blocks, int rank) {
        return true;
    }

    /** How the call's kernel numbers the members. */
    Numbering numbering(DeviceCall call) {
        return Numbering.RANKS;
    }

    /** Of the kernel's own, beside those of every call. */
    int flags(DeviceCall call) {
        return 0;
    }

    @Override
    public void prepare(DeviceCall call) {
        kernel(call);
    }

    @Override
    public void launch(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream) {
        Blocks blocks = memory.blocks;
        if (arrivals != null && call.met && tells(call)) {
            arguments.putLong(CallArguments.TOLD, arrivals.use());
            for (int member = 0; member < memory.ranks; member++) {
                if (member != memory.rank && hearsFrom(call, blocks, member)) {
                    arrivals.await(member);
                }
            }
            if (!hasWork(call, blocks, memory.rank)) {
                return;
            }
            arrivals.await(memory.rank);
        } else {
            arguments.putLong(CallArguments.TOLD, 0);
        }
        place(call, memory, arguments);
        Kernel kernel = kernel(call);
        int grid = grid(call, blocks, memory.ranks);
        arguments.addFlags(flags(call));
        arguments.putLong(CallArguments.CHUNK, chunk(call, memory.ranks, grid));
        Numbering numbering = numbering(call);
        numbering.enter(arguments);
        try {
            CudaResult.check(JCudaDriver.cuLaunchKernel(kernel.function, grid, 1, 1, Math.min(threads, kernel.mostThreads), 1, 1, 0, stream, arguments.parameters(), null),
                "launching " + kernel.name);
        } finally {
            numbering.leave(arguments);
        }
    }

    /** The peers' buffers. */
    void place(DeviceCall call, GroupMemory memory, CallArguments arguments) {
        Blocks blocks = memory.blocks;
        for (int member = 0; member < memory.ranks; member++) {
            if (member != memory.rank) {
                arguments.putLong(CallArguments.PEER_SEND, member, loadsFrom(call, blocks, memory.rank, member) ? memory.sendOf(call, member) : 0);
                arguments.putLong(CallArguments.PEER_RECV, member, storesInto(call, blocks, memory.rank, member) ? memory.recvOf(call, member) : 0);
            }
        }
    }

    /** Thread blocks for a call, the same on all members. */
    final int grid(DeviceCall call, Blocks blocks, int ranks) {
        int wished = call.choice.blocks() > 0 ? call.choice.blocks() : blocks(call, ranks);
        int least = fewestBlocks();
        int grid = Math.min(Math.min(wished, limits.blocks), mostBlocks(call, blocks));
        return Math.max(least, grid / least * least);
    }

    private Kernel kernel(DeviceCall call) {
        if (!call.collective.reduces) {
            if (moving == null) {
                moving = kernels.moving(movingName());
            }
            return moving;
        }
        for (int i = 0; i < seen; i++) {
            if (types[i] == call.type && operations[i] == call.op) {
                return reducing[i];
            }
        }
        return remember(call.type, call.op, kernels.reducing(name, KernelType.of(call.op.operator), KernelType.of(call.type, call.op.operator)));
    }

    private Kernel remember(TypeLayout type, Reduction op, Kernel kernel) {
        if (seen == types.length) {
            seen = 0; // begin again: the kernels stay loaded
        }
        types[seen] = type;
        operations[seen] = op;
        reducing[seen] = kernel;
        seen++;
        return kernel;
    }
}
