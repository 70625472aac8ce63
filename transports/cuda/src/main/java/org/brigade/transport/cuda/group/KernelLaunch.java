package org.brigade.transport.cuda.group;

import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.device.DeviceCall;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.kernel.Blocks;
import org.brigade.transport.cuda.kernel.CallArguments;
import org.brigade.transport.cuda.kernel.GridLimits;
import org.brigade.transport.cuda.kernel.KernelType;
import org.brigade.transport.cuda.kernel.Kernels;
import org.brigade.transport.cuda.kernel.Kernels.Kernel;
import org.brigade.transport.cuda.kernel.KernelOrder;
import org.brigade.transport.cuda.kernel.KernelOrders;

/** Launches a {@link DeviceKernel}. */
final class KernelLaunch implements FusedLaunch {
    private static final int MOST_CACHED = 16;

    private final Kernels kernels;
    private final GridLimits limits;
    private final DeviceKernel which;
    private final KernelOrders orders;
    /** Null where kernels meet on the devices. */
    private final Arrivals arrivals;
    /** The launch that does the same if hosts have met; null if there is none. */
    private final KernelLaunch telling;
    private Kernel moving;
    // By reduction, looked through by identity: there are few.
    private final TypeLayout[] types = new TypeLayout[MOST_CACHED];
    private final Reduction[] operations = new Reduction[MOST_CACHED];
    private final Kernel[] reducing = new Kernel[MOST_CACHED];
    private int seen;

    /** @param arrivals where kernels that {@linkplain DeviceKernel#tells tell} do; null: they meet */
    KernelLaunch(DeviceKernel which, Kernels kernels, GridLimits limits, KernelOrders orders, Arrivals arrivals) {
        this.which = which;
        this.kernels = kernels;
        this.limits = limits;
        this.orders = orders;
        this.arrivals = arrivals;
        DeviceKernel other = arrivals == null ? null : which.telling();
        telling = other == null ? null : new KernelLaunch(other, kernels, limits, orders, arrivals);
    }

    int threads() {
        return which.threads();
    }

    /** For a kernel that has met and tells: where this rank's block goes in another member's buffer. */
    long placeAt(Blocks blocks) {
        return telling.which.placeAt(blocks);
    }

    /** For such a kernel: whether it moves the own block. */
    boolean storesOwn(Blocks blocks) {
        return telling.which.storesOwn(blocks);
    }

    @Override
    public void prepare(DeviceCall call) {
        kernel(call);
        if (telling != null) {
            telling.prepare(call);
        }
    }

    /** Launches the kernel that does the same if hosts have met, for the blocks as they are now; with those words. */
    void launchTelling(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream) {
        telling.launch(call, memory, arguments, stream);
    }

    @Override
    public void launch(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream) {
        Blocks blocks = memory.blocks;
        if (telling != null && call.met && telling.which.tells(blocks)) {
            telling.launch(call, memory, arguments, stream);
            return;
        }
        if (arrivals != null && call.met && which.tells(blocks)) {
            arguments.putLong(CallArguments.TOLD, arrivals.use());
            for (int member = 0; member < memory.ranks; member++) {
                if (member != memory.rank && which.hearsFrom(blocks, member)) {
                    arrivals.await(member);
                }
            }
            if (!which.hasWork(blocks)) {
                return;
            }
            arrivals.await(memory.rank);
        } else {
            arguments.putLong(CallArguments.TOLD, 0);
        }
        KernelOrder order = orders.of(which.order(), call.root);
        blocks.next = order.next(memory.rank, memory.ranks);
        place(call, memory, arguments);
        Kernel kernel = kernel(call);
        int most = !call.met ? call.mostBlocks : call.shares ? limits.beside : limits.blocks;
        int limit = most > 0 ? most : limits.blocks;
        int wished = call.choice.blocks();
        int grid = which.edges() ? edges(blocks, arguments, wished > 0 ? Math.min(wished, limit) : limit)
            : grid(blocks, wished, limit);
        arguments.addFlags(which.flags(blocks));
        arguments.putLong(CallArguments.CHUNK,
            which.window(blocks, grid, call.choice.chunkBytes(), CallArguments.WINDOWS_BYTES));
        order.enter(arguments);
        try {
            CudaResult.check(
                JCudaDriver.cuLaunchKernel(kernel.function, grid, 1, 1,
                    Math.min(which.threads(blocks), kernel.mostThreads), 1, 1, 0, stream, arguments.parameters(), null),
                "launching " + kernel.name);
        } finally {
            order.leave(arguments);
        }
    }

    /** Sets the buffers in the kernel's arguments. */
    private void place(DeviceCall call, GroupMemory memory, CallArguments arguments) {
        Blocks blocks = memory.blocks;
        long at = which.placeAt(blocks);
        for (int member = 0; member < memory.ranks; member++) {
            if (member != memory.rank) {
                arguments.putLong(CallArguments.PEER_SEND, member,
                    which.loadsFrom(blocks, member) ? memory.sendOf(call, member) : 0);
                arguments.putLong(CallArguments.PEER_RECV, member,
                    which.storesInto(blocks, member) ? memory.recvOf(call, member) + at : 0);
            }
        }
        if (which.knowsPlaces()) {
            long own = which.storesOwn(blocks) ? call.recv.address + call.recvOffset + blocks.recvAt[memory.rank] : 0;
            arguments.putLong(CallArguments.PEER_RECV, memory.rank, own);
        }
    }

    /** Number of thread blocks for a call, the same on all members. */
    int grid(Blocks blocks, int wished, int most) {
        int least = which.fewestBlocks();
        int grid =
            Math.min(Math.min(wished > 0 ? wished : which.blocks(blocks), most), which.mostBlocks(blocks));
        return Math.max(least, grid / least * least);
    }

    /** Sets the blocks in the kernel's arguments; the number of thread blocks that this rank needs. */
    private int edges(Blocks blocks, CallArguments arguments, int most) {
        return Math.max(arguments.edges.fill(blocks, most), Math.min(which.blocks(blocks), most));
    }

    /** The kernel for a call, loaded if need be. */
    Kernel kernel(DeviceCall call) {
        if (!call.collective.reduces) {
            if (moving == null) {
                moving = kernels.moving(which.movingSymbol());
            }
            return moving;
        }
        for (int i = 0; i < seen; i++) {
            if (types[i] == call.type && operations[i] == call.op) {
                return reducing[i];
            }
        }
        return remember(call.type, call.op, kernels.reducing(which.symbol(), KernelType.of(call.op.operator),
            KernelType.of(call.type, call.op.operator)));
    }

    private Kernel remember(TypeLayout type, Reduction op, Kernel kernel) {
        if (seen == types.length) {
            seen = 0; // start anew: the kernels stay loaded
        }
        types[seen] = type;
        operations[seen] = op;
        reducing[seen] = kernel;
        seen++;
        return kernel;
    }
}
