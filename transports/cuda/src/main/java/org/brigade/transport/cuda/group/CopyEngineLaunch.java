package org.brigade.transport.cuda.group;

import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import mpi.spi.Collective;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.kernel.Blocks;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * {@code copy-engine}: one copy from each of two ranks that has something for the other, which uses more of a link's
 * bandwidth than the stores of kernels can, and beside a broadcast's a share through host memory. Calls that have not
 * met use the kernel.
 */
final class CopyEngineLaunch implements FusedLaunch {
    private final HostStripe stripe;
    private final Arrivals arrivals;
    private final KernelLaunch kernel;

    CopyEngineLaunch(HostStripe stripe, Arrivals arrivals, KernelLaunch kernel) {
        this.stripe = stripe;
        this.arrivals = arrivals;
        this.kernel = kernel;
    }

    @Override
    public void prepare(DeviceCall call) {
        kernel.prepare(call);
    }

    @Override
    public void meet(DeviceGroup.Waiting waiting) {
        stripe.prepare(waiting);
    }

    @Override
    public void launch(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream) {
        if (!call.met || memory.ranks < 2) {
            kernel.launch(call, memory, arguments, stream);
            return;
        }
        long host = call.collective == Collective.BCAST ? stripe.share(call) : 0;
        if (host == 0) {
            copy(call, memory, arguments, stream);
            return;
        }
        long bytes = call.bytes - host;
        long address = call.recv.address + call.recvOffset;
        if (memory.rank == call.root) {
            stripe.push(stream, memory.recvOf(call, 1 - call.root), address, bytes);
        } else {
            stripe.awaitPush(stream);
        }
        stripe.begin(call.root, address + bytes, host, call.choice.chunkBytes());
        stripe.join(stream);
        HostStripe.finish(stream, arguments);
    }

    /**
     * Only a copy from each: both hosts look at the words written after them, and the GPU of a rank that only receives
     * has nothing to do.
     */
    private void copy(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream) {
        arrivals.use();
        Blocks blocks = memory.blocks;
        int rank = memory.rank;
        int other = 1 - rank;
        if (blocks.sendBytes[other] > 0) {
            CudaResult.check(
                JCudaDriver.cuMemcpyDtoDAsync(Addresses.device(memory.recvOf(call, other) + kernel.placeAt(blocks)),
                    Addresses.device(arguments.getLong(CallArguments.SEND) + blocks.sendAt[other]),
                    blocks.sendBytes[other], stream),
                "cuMemcpyDtoDAsync");
            CudaResult.check(JCudaDriver.cuStreamWriteValue64(stream, arrivals.outgoing(other), arguments.ticket(), 0),
                "cuStreamWriteValue64");
            arrivals.awaitOutgoing(other);
        }
        if (kernel.storesOwn(blocks)) {
            // By a kernel, beside the copy for the other rank: two copies at once slow each other down.
            blocks.sendBytes[other] = 0;
            arguments.putLongs(CallArguments.SEND_BYTES, blocks.sendBytes, memory.ranks);
            arguments.putLong(CallArguments.BLOCK, 0);
            kernel.launchTelling(call, memory, arguments, stripe.side);
            return;
        }
        if (blocks.recvBytes[other] > 0) {
            arrivals.await(other);
        }
    }
}
