package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.probe.Limits;
import org.brigade.topology.system.SystemFiles;

/**
 * How many threads this user, and this container, may have. A rank has 15 beside its program's own on two processors,
 * more on more.
 */
public record ProcessLimitCheck(Limits limits, SystemFiles files, int ranks) implements Check {
    private static final int THREADS = 40;

    @Override
    public Diagnosis diagnosis() {
        long user = limits.of("Max processes");
        long group = Math.min(files.number("sys/fs/cgroup/pids.max", Limits.UNLIMITED),
            files.number("sys/fs/cgroup/pids/pids.max", Limits.UNLIMITED));
        long most = Math.min(user, group);
        long need = (long) THREADS * (ranks + 1);
        return most >= need ? Diagnosis.good("processes", Words.of(most) + " processes and threads")
            : Diagnosis.costs("processes", Words.of(most) + " processes and threads"
                + (group < user ? " in this control group" : " for this user"),
                "a job of " + ranks + " ranks may need " + need + ": a JVM then ends with \"unable to create native"
                    + " thread\"",
                group < user ? "raise the group's limit (docker --pids-limit; TasksMax of systemd)"
                    : "ulimit -u " + Math.max(4096, need) + ", and for good in /etc/security/limits.conf (nproc)");
    }
}
