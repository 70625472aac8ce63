package org.brigade.cli.doctor;

import static org.brigade.cli.doctor.Diagnosis.blocks;
import static org.brigade.cli.doctor.Diagnosis.costs;
import static org.brigade.cli.doctor.Diagnosis.good;

import org.brigade.cli.probe.Limits;
import org.brigade.select.ByteSize;
import org.brigade.topology.system.SystemFiles;
import org.brigade.transport.shm.SegmentDescriptor;

/** What doctor asks of the limits of this process, user and control group. The inputs are given. */
final class LimitChecks {
    /** A rank of a small job has 11, its JVM's own among them; more with a GPU or an MPI, and programs open theirs. */
    private static final int A_RANK = 256;
    /** Of mpjrun: its own, and three pipes and a connection for each rank. */
    private static final int LAUNCHER = 128;
    private static final int LAUNCHER_FOR_EACH = 4;
    private static final int THREADS_FOR_EACH = 40;
    private static final long ENOUGH_LOCKED = 1L << 30;

    private LimitChecks() {
    }

    /** How many files a process may open: jars, connections, and mpjrun's pipes to all ranks. */
    static Diagnosis openFiles(Limits limits, int ranks) {
        long most = limits.of("Max open files");
        long need = Math.max(A_RANK, LAUNCHER + (long) LAUNCHER_FOR_EACH * ranks);
        return most >= need ? good("open files", number(most))
            : costs("open files", number(most) + " a process",
                "mpjrun or a rank may fail with \"Too many open files\", as soon as a program opens files or"
                    + " connections of its own",
                "ulimit -n " + Math.max(1024, need) + ", and for good in /etc/security/limits.conf (nofile; docker"
                    + " --ulimit nofile)");
    }

    /**
     * How many threads this user, and this container, may have. A rank has 15 beside its program's own on two
     * processors, more on more.
     */
    static Diagnosis processes(Limits limits, SystemFiles files, int ranks) {
        long user = limits.of("Max processes");
        long group = Math.min(files.number("sys/fs/cgroup/pids.max", Limits.UNLIMITED),
            files.number("sys/fs/cgroup/pids/pids.max", Limits.UNLIMITED));
        long most = Math.min(user, group);
        long need = (long) THREADS_FOR_EACH * (ranks + 1);
        return most >= need ? good("processes", number(most) + " processes and threads")
            : costs("processes", number(most) + " processes and threads"
                + (group < user ? " in this control group" : " for this user"),
                "a job of " + ranks + " ranks may need " + need + ": a JVM then ends with \"unable to create native"
                    + " thread\"",
                group < user ? "raise the group's limit (docker --pids-limit; TasksMax of systemd)"
                    : "ulimit -u " + Math.max(4096, need) + ", and for good in /etc/security/limits.conf (nproc)");
    }

    /** How long a file may be: the memory that ranks share is one. */
    static Diagnosis fileSize(Limits limits, int ranks) {
        long most = limits.of("Max file size");
        String finding = "files of at most " + bytes(most);
        if (most >= SegmentDescriptor.forRanks(ranks).bytes()) {
            return good("file size", bytes(most));
        }
        String cure = "ulimit -f unlimited, and for good in /etc/security/limits.conf (fsize)";
        return most < SegmentDescriptor.smallest(2).bytes()
            ? blocks("file size", finding, "no job can run: the memory that ranks share is a longer file",
                cure)
            : costs("file size", finding,
                "a job of " + ranks + " ranks ends in Init: the memory that they share is a longer file", cure);
    }

    /** How much memory a process may lock. RDMA adapters need it for their buffers; nothing else of Brigade does. */
    static Diagnosis lockedMemory(Limits limits, SystemFiles files) {
        long most = limits.of("Max locked memory");
        String adapters = String.join(", ", files.names("sys/class/infiniband"));
        if (adapters.isEmpty() || most >= ENOUGH_LOCKED) {
            return good("locked memory", bytes(most)
                + (adapters.isEmpty() ? "; there is no RDMA adapter that would need it" : ", for " + adapters));
        }
        return costs("locked memory", bytes(most) + ", and there is " + adapters,
            "between nodes, the MPI library cannot register its buffers: it fails, or goes over TCP",
            "ulimit -l unlimited before mpirun, and for good in /etc/security/limits.conf (memlock; docker --ulimit"
                + " memlock=-1; LimitMEMLOCK of slurmd)");
    }

    /** What is left of a rank that crashes in native code. */
    static Diagnosis coreFiles(Limits limits, SystemFiles files) {
        long most = limits.of("Max core file size");
        String pattern = files.text("proc/sys/kernel/core_pattern");
        boolean file = !pattern.startsWith("|");
        if (most == 0 || !file) {
            return good("core files", most == 0
                ? "none; a JVM that crashes leaves its report (hs_err_pid*.log) only"
                : bytes(most) + ", taken by " + pattern.substring(1).split(" ")[0]);
        }
        return costs("core files", bytes(most) + " for each process that crashes",
            "when a rank crashes or its peers are aborted in native code, each writes its memory into its folder: with"
                + " heaps of many GiB that takes long and may fill the disk",
            "ulimit -c 0, unless you look for such a crash");
    }

    private static String number(long limit) {
        return limit == Limits.UNLIMITED ? "unlimited" : Long.toString(limit);
    }

    private static String bytes(long limit) {
        return limit == Limits.UNLIMITED ? "unlimited" : ByteSize.words(limit);
    }
}
