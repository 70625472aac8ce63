package org.brigade.communicator;

import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.bootstrap.Ports;
import org.brigade.communicator.device.ProcessDevices;
import org.brigade.device.Devices;
import org.brigade.engine.Progress;
import org.brigade.transport.Endpoint;
import org.brigade.window.WindowService;

/** Finalize: this rank takes leave of the others, waits for them, and gives up what it holds. */
final class JobFinish {
    private final BrigadeProvider provider;
    private final Endpoint endpoint;
    private final ProcessDevices devices;
    // Null if this process has none.
    private final WindowService windows;
    private final JoinedJobs joined;
    private final Ports ports;

    JobFinish(BrigadeProvider provider, WindowService windows, JoinedJobs joined, Ports ports) {
        this.provider = provider;
        this.endpoint = provider.endpoint();
        this.devices = provider.devices();
        this.windows = windows;
        this.joined = joined;
        this.ports = ports;
    }

    void run() {
        if (ports != null) {
            ports.closeAll();
        }
        if (windows != null) {
            windows.leave();
        }
        try {
            provider.world().checkFinalize();
            devices.leave();
            endpoint.leaving();
            if (joined != null) {
                joined.leave();
                joined.awaitOthers();
            }
            barrier();
        } catch (MPIException lost) {
            if (lost.getErrorClass() != ErrorClass.PROC_FAILED.code) {
                throw lost;
            }
            // The remaining ranks finalize without waiting for each other: what they still need from this rank is
            // already in their memory, or has failed.
            devices.leave();
            endpoint.leaving();
        }
        if (windows != null) {
            windows.stop();
        }
        if (joined != null) {
            joined.end();
        }
        Devices gpus = devices.devicesSoFar();
        if (gpus != null) {
            gpus.end(endpoint);
        }
        provider.world().free();
        endpoint.finished();
        endpoint.close();
        if (gpus != null) {
            gpus.free();
        }
        if (ports != null) {
            ports.finished();
        }
    }

    private void barrier() {
        IntraCommunicator world = provider.world();
        new IntraCommunicator(provider, Progress.FINALIZE_CONTEXT, endpoint.rank(), world.ranks(), "MPI_COMM_WORLD",
            provider.progress().losses.barrierReturns(world.returnsErrors())).barrier();
    }
}
