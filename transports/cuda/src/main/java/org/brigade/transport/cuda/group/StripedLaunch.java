package org.brigade.transport.cuda.group;

import jcuda.driver.CUstream;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * A broadcast's kernel, with a share of the bytes through host memory if there is one, which serves all members at
 * once.
 */
final class StripedLaunch implements FusedLaunch {
    private final FusedLaunch kernel;
    private final HostStripe stripe;

    StripedLaunch(FusedLaunch kernel, HostStripe stripe) {
        this.kernel = kernel;
        this.stripe = stripe;
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
        long host = call.met ? stripe.share(call) : 0;
        if (host == 0) {
            kernel.launch(call, memory, arguments, stream);
            return;
        }
        long bytes = call.bytes - host;
        long finished = arguments.finished();
        arguments.putLong(CallArguments.BYTES, bytes);
        arguments.putLong(CallArguments.FINISHED, 0); // the kernel's end is not the call's
        kernel.launch(call, memory, arguments, stream);
        arguments.putLong(CallArguments.FINISHED, finished);
        stripe.begin(call.root, call.recv.address + call.recvOffset + bytes, host, 0);
        stripe.join(stream);
        HostStripe.finish(stream, arguments);
    }
}
