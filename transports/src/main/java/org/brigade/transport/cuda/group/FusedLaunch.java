package org.brigade.transport.cuda.group;

import jcuda.driver.CUstream;
import org.brigade.device.DeviceCall;
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
     * Puts the call's work on a stream and returns. The work ends by writing {@code arguments}' finished word, if there
     * is one. The context is current; the arguments are complete except for the peers' buffers, the grid and the
     * window.
     *
     * @throws mpi.MPIException if the driver refuses
     */
    void launch(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream);
}
