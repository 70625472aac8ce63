package org.brigade.transport.cuda;

import jcuda.driver.CUstream;
import org.brigade.device.DeviceCall;

/** {@code chain}: from the root on, each stores every window into the next one in the wires' order. A share may go by way of the host, which serves all at once. */
final class ChainLaunch extends PipelineLaunch {
    private final HostStripe stripe;
    private final Numberings numberings;

    /** @param stripe null where there is none, on all members */
    ChainLaunch(Kernels kernels, GridLimits limits, Numberings numberings, HostStripe stripe) {
        super(kernels, limits, "chain");
        this.numberings = numberings;
        this.stripe = stripe;
    }

    @Override
    boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member) {
        return member != call.root && member == numbering(call).next(rank, blocks.sendAt.length);
    }

    @Override
    Numbering numbering(DeviceCall call) {
        return numberings.chain(call.root);
    }

    @Override
    long cut(DeviceCall call, int ranks) {
        return call.bytes;
    }

    @Override
    public void launch(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream) {
        long host = stripe == null || !call.met ? 0 : stripe.share(call);
        if (host == 0) {
            super.launch(call, memory, arguments, stream);
            return;
        }
        long bytes = call.bytes - host;
        long finished = arguments.finished();
        arguments.putLong(CallArguments.BYTES, bytes);
        arguments.putLong(CallArguments.FINISHED, 0); // not the kernel's end is the call's
        super.launch(call, memory, arguments, stream);
        arguments.putLong(CallArguments.FINISHED, finished);
        stripe.begin(call.root, call.recv.address + call.recvOffset + bytes, host, 0);
        stripe.join(stream);
        HostStripe.finish(stream, arguments);
    }
}
