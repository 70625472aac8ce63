package org.brigade.transport.cuda.group;

import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.transport.cuda.driver.Addresses;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * {@code copy-engine}: one copy from the root to the other rank, which uses more of a link's bandwidth than the stores
 * of kernels can, and beside it a share through host memory. Calls that have not met use the kernel.
 */
final class CopyEngineLaunch implements FusedLaunch {
    private final HostStripe stripe;
    private final Arrivals arrivals;
    private final FusedLaunch kernel;

    CopyEngineLaunch(HostStripe stripe, Arrivals arrivals, FusedLaunch kernel) {
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
        if (!call.met) {
            kernel.launch(call, memory, arguments, stream);
            return;
        }
        long host = stripe.share(call);
        long bytes = call.bytes - host;
        long address = call.recv.address + call.recvOffset;
        if (host == 0) {
            copy(call, memory, arguments, stream, address);
            return;
        }
        if (memory.rank == call.root) {
            stripe.push(stream, memory.recvOf(call, 1 - call.root), address, bytes);
        } else {
            stripe.awaitPush(stream);
        }
        stripe.begin(call.root, address + bytes, host, call.choice.chunkBytes());
        stripe.join(stream);
        HostStripe.finish(stream, arguments);
    }

    /** Only the copy: both hosts look at the word written after it, and the receiver's GPU has nothing to do. */
    private void copy(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream, long address) {
        arrivals.use();
        if (memory.rank != call.root) {
            arrivals.await(call.root);
            return;
        }
        int other = 1 - call.root;
        CudaResult.check(JCudaDriver.cuMemcpyDtoDAsync(Addresses.device(memory.recvOf(call, other)),
            Addresses.device(address), call.bytes, stream), "cuMemcpyDtoDAsync");
        CudaResult.check(JCudaDriver.cuStreamWriteValue64(stream, arrivals.outgoing(other), arguments.ticket(), 0),
            "cuStreamWriteValue64");
        arrivals.awaitOutgoing(other);
    }
}
