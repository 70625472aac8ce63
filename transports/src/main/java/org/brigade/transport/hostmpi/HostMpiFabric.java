package org.brigade.transport.hostmpi;

import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Nodes;
import org.brigade.select.FabricNames;
import org.brigade.select.Settings;
import org.brigade.transport.Fabric;
import org.brigade.transport.FabricEnd;

/** Nodes that the MPI joins which launched the job, by whatever network it has. */
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
            throw HostMpiSession.error(job, "the nodes cannot be joined by the host's MPI, as the ranks have not met by it; start the job with the mpirun of Open MPI or MPICH, or with srun");
        }
        return new HostMpiEnd(job.rank(), job.size(), session.fabric, HostMpiSettings.of(Settings.ofThisProcess(), job.size()));
    }
}
