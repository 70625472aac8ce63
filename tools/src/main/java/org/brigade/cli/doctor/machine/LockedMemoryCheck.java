package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.probe.Limits;
import org.brigade.topology.system.SystemFiles;

/** How much memory a process may lock. RDMA adapters need it for their buffers; nothing else of Brigade does. */
public record LockedMemoryCheck(Limits limits, SystemFiles files) implements Check {
    private static final long ENOUGH = 1L << 30;

    @Override
    public Diagnosis diagnosis() {
        long most = limits.of("Max locked memory");
        String adapters = String.join(", ", files.names("sys/class/infiniband"));
        if (adapters.isEmpty() || most >= ENOUGH) {
            return Diagnosis.good("locked memory", Words.ofBytes(most)
                + (adapters.isEmpty() ? "; there is no RDMA adapter that would need it" : ", for " + adapters));
        }
        return Diagnosis.costs("locked memory", Words.ofBytes(most) + ", and there is " + adapters,
            "between nodes, the MPI library cannot register its buffers: it fails, or goes over TCP",
            "ulimit -l unlimited before mpirun, and for good in /etc/security/limits.conf (memlock; docker --ulimit"
                + " memlock=-1; LimitMEMLOCK of slurmd)");
    }
}
