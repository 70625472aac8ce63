package org.brigade.transport.cuda.group;

import java.util.Arrays;
import jcuda.CudaException;
import jcuda.driver.CUcontext;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.Gpus;
import org.brigade.transport.cuda.ipc.IpcMemory;

/**
 * Maps an allocation that another member of a group describes by its {@link MemberCard}. Needs the GPU's context
 * current.
 */
public final class PeerMapping {
    private PeerMapping() {
    }

    /**
     * Maps a member's allocation; not for this rank's own.
     *
     * @param mapped element {@code member} becomes the address here
     * @param foreign element {@code member} becomes whether {@link IpcMemory#close} must end the mapping
     * @return null, or why it cannot be mapped: {@code 3 cannot be mapped: ...}
     */
    public static String map(Gpus gpus, Gpu gpu, MemberCard theirs, int member, long[] mapped, boolean[] foreign) {
        String forbidden = IpcMemory.forbidden();
        if (forbidden != null && !(theirs.process == IpcMemory.PROCESS && Arrays.equals(theirs.uuid, gpu.uuid))) {
            return member + " is not mapped: " + forbidden;
        }
        if (theirs.process == IpcMemory.PROCESS) {
            mapped[member] = theirs.scratch;
            return Arrays.equals(theirs.uuid, gpu.uuid) ? null : enablePeer(gpus, gpu, theirs, member);
        }
        long[] address = new long[1];
        int result = IpcMemory.open(theirs.handle, address);
        if (result != CUresult.CUDA_SUCCESS) {
            return member + " cannot be mapped: " + CudaResult.describe(result, "cuIpcOpenMemHandle on " + gpu);
        }
        mapped[member] = address[0];
        foreign[member] = true;
        return null;
    }

    /** Between two GPUs of one process, mapping means enabling access between contexts. */
    private static String enablePeer(Gpus gpus, Gpu gpu, MemberCard theirs, int member) {
        Gpu peer = gpus.withUuid(theirs.uuid);
        int result = peer == null ? CUresult.CUDA_ERROR_INVALID_DEVICE : enablePeer(peer.context);
        return result == CUresult.CUDA_SUCCESS || result == CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED ? null
            : member + " cannot be mapped: "
                + CudaResult.describe(result, "cuCtxEnablePeerAccess from " + gpu + " to " + peer);
    }

    private static int enablePeer(CUcontext context) {
        try {
            return JCudaDriver.cuCtxEnablePeerAccess(context, 0);
        } catch (CudaException e) {
            return CudaResult.of(e);
        }
    }
}
