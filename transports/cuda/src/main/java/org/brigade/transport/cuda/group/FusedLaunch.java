package org.brigade.transport.cuda.group;

import jcuda.driver.CUstream;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * Runs calls on device memory by one algorithm of {@link org.brigade.algorithm.catalogue.DeviceCatalogue}. One object a
 * group.
 */
public interface FusedLaunch {
    /**
     * Loads what the call will need, so that nothing can fail once the others wait.
     *
     * @throws mpi.MPIException if loading fails
     */
    void prepare(DeviceCall call);

    /**
     * Called by all members, or none, before they launch a call with a share for host memory.
     *
     * @throws mpi.MPIException if a member is lost
     */
    default void meet(DeviceGroup.Waiting waiting) {
    }

    /**
     * Puts the call's work on a stream and returns. The work ends by writing {@code arguments}' finished word, if there
     * is one. The context is current; the arguments are complete except for the peers' buffers, the grid and the
     * window.
     *
     * @throws mpi.MPIException if the driver refuses
     */
    void launch(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream);
}
