package org.brigade.communicator;

import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.bootstrap.Ports;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.device.ProcessDevices;
import org.brigade.communicator.job.JoinedJobs;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.device.Devices;
import org.brigade.engine.Progress;
import org.brigade.transport.Endpoint;

/** Finalize: this rank takes leave of the others, waits for them, and gives up what it holds. */
final class JobFinish {
    private final LinkedJob job;
    private final IntraCommunicator world;
    private final Endpoint endpoint;
    private final ProcessDevices devices;
    // Null if this process has none.
    private final JoinedJobs joined;
    private final Ports ports;
    private final AutoCloseable bean;

    /** @param bean reads this rank's memory; null if there is none */
    JobFinish(LinkedJob job, IntraCommunicator world, AutoCloseable bean) {
        this.bean = bean;
        this.job = job;
        this.world = world;
        this.endpoint = job.endpoint();
        this.devices = job.devices();
        this.joined = job.joinedSoFar();
        this.ports = job.portsSoFar();
    }

    void run() {
        if (ports != null) {
            ports.closeAll();
        }
        job.leaveWindows();
        try {
            world.checkFinalize();
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
        job.stopWindows();
        if (joined != null) {
            joined.end();
        }
        Devices gpus = devices.devicesSoFar();
        if (gpus != null) {
            gpus.end(endpoint);
        }
        Diagnostics.joined(null);
        closeBean();
        world.free();
        endpoint.finished();
        endpoint.close();
        if (gpus != null) {
            gpus.free();
        }
        if (ports != null) {
            ports.finished();
        }
    }

    private void closeBean() {
        try {
            if (bean != null) {
                bean.close();
            }
        } catch (Exception alreadyGone) {
            // Somebody else has taken it away. It reads nothing any more.
        }
    }

    private void barrier() {
        new IntraCommunicator(job, Progress.FINALIZE_CONTEXT, endpoint.rank(), world.ranks(), "MPI_COMM_WORLD",
            job.progress().losses.barrierReturns(world.returnsErrors())).barrier();
    }
}
