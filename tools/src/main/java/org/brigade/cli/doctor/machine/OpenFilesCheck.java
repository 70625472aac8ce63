package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.probe.Limits;

/** How many files a process may open: jars, connections, and mpjrun's pipes to all ranks. */
public record OpenFilesCheck(Limits limits, int ranks) implements Check {
    /** A rank of a small job has 11, its JVM's own among them; more with a GPU or an MPI, and programs open theirs. */
    private static final int A_RANK = 256;
    /** Of mpjrun: its own, and three pipes and a connection for each rank. */
    private static final int LAUNCHER = 128;
    private static final int LAUNCHER_FOR_EACH = 4;

    @Override
    public Diagnosis diagnosis() {
        long most = limits.of("Max open files");
        long need = Math.max(A_RANK, LAUNCHER + (long) LAUNCHER_FOR_EACH * ranks);
        return most >= need ? Diagnosis.good("open files", Words.of(most))
            : Diagnosis.costs("open files", Words.of(most) + " a process",
                "mpjrun or a rank may fail with \"Too many open files\", as soon as a program opens files or"
                    + " connections of its own",
                "ulimit -n " + Math.max(1024, need) + ", and for good in /etc/security/limits.conf (nofile; docker"
                    + " --ulimit nofile)");
    }
}
