package org.brigade.transport.hostmpi;

import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Nodes;
import org.brigade.select.FabricNames;
import org.brigade.select.Settings;
import org.brigade.transport.Fabric;
import org.brigade.transport.FabricEnd;

/** Joins nodes by the MPI that launched the job, over whatever network it has. */
public final class HostMpiFabric implements Fabric {
    @Override
    public String name() {
        return FabricNames.MPI;
    }

    @Override
    public String unfit(Job job) {
        HostMpiSettings.of(Settings.ofThisProcess(), job.size());
        return HostMpiLibrary.missing(job);
    }

    @Override
    public FabricEnd open(Job job, Nodes nodes, Exchange exchange) {
        HostMpiSession session = HostMpiExchange.session();
        if (session == null) {
            throw HostMpiSession.error(job,
                "the host's MPI cannot join the nodes, because the ranks were not started through it; start the job"
                    + " with the mpirun of Open MPI or MPICH, or with srun");
        }
        HostMpiSettings settings = HostMpiSettings.of(Settings.ofThisProcess(), job.size());
        return HostMpiCarrier.end(job.rank(), job.size(), session.fabric, settings, isDirect(settings, exchange));
    }

    /** Whether device memory goes without staging. Both ends must allow that, so all ranks ask all others. */
    private static boolean isDirect(HostMpiSettings settings, Exchange exchange) {
        boolean mine;
        synchronized (HostMpiCarrier.LOCK) {
            mine = settings.isCudaAware();
        }
        boolean all = true;
        for (byte[] each : exchange.allgather(new byte[] {(byte) (mine ? 1 : 0)})) {
            all &= each.length == 1 && each[0] == 1;
        }
        return all;
    }
}
