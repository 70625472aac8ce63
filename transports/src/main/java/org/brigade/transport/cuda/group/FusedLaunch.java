package org.brigade.transport.cuda.group;

import jcuda.driver.CUstream;
import org.brigade.device.DeviceCall;
import org.brigade.transport.cuda.kernel.CallArguments;

/**
 * One way of running a call on device memory: an algorithm of {@link org.brigade.algorithm.catalogue.DeviceCatalogue}.
 * One object a group.
 */
public interface FusedLaunch {
    /**
     * Loads what the call will need, so that nothing can fail when the others already wait.
     *
     * @throws mpi.MPIException if that cannot be had
     */
    void prepare(DeviceCall call);

    /**
     * Gives the call's work to a stream and returns: in the end of the work {@code arguments}' finished word is
     * written, if there is one. The context is current; all but the peers' buffers, the grid and the window is in the
     * arguments.
     *
     * @throws mpi.MPIException if the driver refuses
     */
    void launch(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream);
}
