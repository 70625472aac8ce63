package org.brigade.transport.cuda;

import jcuda.driver.CUstream;
import org.brigade.device.DeviceCall;

/**
 * {@code copy-engine}: one copy from the root to the other rank, which uses more of a link than the stores of kernels can, and beside it a share by way of the host. Where the members share no
 * page-locked memory, and for calls that have not met, the kernel {@code push} does the same.
 */
final class CopyEngineLaunch implements FusedLaunch {
    private final HostStripe stripe;
    private final FusedLaunch push;

    /** @param stripe null where there is none, on all members */
    CopyEngineLaunch(HostStripe stripe, FusedLaunch push) {
        this.stripe = stripe;
        this.push = push;
    }

    @Override
    public void prepare(DeviceCall call) {
        push.prepare(call);
    }

    @Override
    public void launch(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream) {
        if (stripe == null || !call.met) {
            push.launch(call, memory, arguments, stream);
            return;
        }
        long host = stripe.share(call);
        long bytes = call.bytes - host;
        long address = call.recv.address + call.recvOffset;
        if (memory.rank == call.root) {
            stripe.push(stream, memory.recvOf(call, 1 - call.root), address, bytes);
        } else {
            stripe.awaitPush(stream);
        }
        if (host > 0) {
            stripe.begin(call.root, address + bytes, host, call.choice.chunkBytes());
        }
        stripe.finish(stream, arguments);
    }
}
