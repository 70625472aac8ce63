package org.brigade.transport.cuda.stream;

import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import org.brigade.device.DeviceCommunicator;
import org.brigade.transport.cuda.CudaDevices;
import org.brigade.transport.cuda.group.CudaGroup;
import org.brigade.transport.cuda.group.MemberCard;
import org.brigade.transport.cuda.kernel.CallArguments;

/** Opens {@link StreamCalls}: all members say whether they can, and map each other's staging memory. */
public final class StreamOpening {
    private StreamOpening() {
    }

    /**
     * Opens the calls of a communicator on streams, for the GPU whose context is current in this thread. Collective.
     *
     * @throws MPIException on all members if one member cannot open them
     */
    public static StreamCalls open(Communicator outer) {
        Communicator lower = outer.core();
        String what = "StreamCommunicator.open";
        DeviceCommunicator devices = (DeviceCommunicator) lower;
        MemberCard card = new MemberCard();
        StreamStaging staging = null;
        if (lower.size() < 2 || lower.size() > CallArguments.MAX_RANKS) {
            card.failure =
                "it has " + lower.size() + " ranks, and kernels serve 2 to " + CallArguments.MAX_RANKS + "; split it";
        } else if (!devices.isOnOneNode()) {
            card.failure =
                "its ranks are on several nodes, and kernels reach the GPUs of one; split it by nodes"
                    + " (splitType with Comm.TYPE_SHARED)";
        } else if (!(devices.devices() instanceof CudaDevices)) {
            card.failure = "the class path has no part of Brigade for GPUs";
        } else {
            try {
                staging = StreamStaging.allocate((CudaDevices) devices.devices(), lower.rank(), lower.size());
            } catch (RuntimeException | LinkageError e) {
                card.failure = String.valueOf(e.getMessage());
            }
        }
        StreamCalls calls = null;
        try {
            WindowOpening.agree(lower, what, card);
            CudaGroup group = (CudaGroup) devices.deviceGroup(staging.memory());
            card.failure = unusable(group, staging);
            if (card.failure == null) {
                calls = open(lower, (CudaDevices) devices.devices(), group, staging, card);
            }
            WindowOpening.agree(lower, what, card);
            Window window = calls.windows.open(what, staging.memory(), StreamStaging.BYTES, card);
            calls.launches.memory.add(window);
            staging.use(window);
            return calls;
        } catch (RuntimeException e) {
            if (calls != null) {
                calls.release(false);
            } else if (staging != null) {
                staging.free();
            }
            throw e;
        }
    }

    private static String unusable(CudaGroup group, StreamStaging staging) {
        if (group == null) {
            return "its GPUs cannot reach each other's memory (a line on the standard error of rank 0 has said why)";
        }
        if (group.gpu != staging.memory().allocation.gpu) {
            return "its collectives run on " + group.gpu
                + ", where its first device buffer was, and the current context is of "
                + staging.memory().allocation.gpu
                + "; make the other one current, or Dup the communicator";
        }
        return group.isShared() ? "it is open already; use that one, or Dup the communicator" : null;
    }

    /** Null if it cannot be opened: the card then says why. */
    private static StreamCalls open(Communicator lower, CudaDevices cuda, CudaGroup group, StreamStaging staging,
        MemberCard card) {
        group.gpu.enter();
        try {
            StreamCalls calls = new StreamCalls(lower, cuda, group, staging,
                ((DeviceCommunicator) lower).measured());
            group.share(calls);
            return calls;
        } catch (RuntimeException e) {
            card.failure = String.valueOf(e.getMessage());
            return null;
        } finally {
            group.gpu.leave();
        }
    }
}
