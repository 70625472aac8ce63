package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.probe.Limits;
import org.brigade.topology.system.SystemFiles;

/** What is left of a rank that crashes in native code. */
public record CoreFileCheck(Limits limits, SystemFiles files) implements Check {
    @Override
    public Diagnosis diagnosis() {
        long most = limits.of("Max core file size");
        String pattern = files.text("proc/sys/kernel/core_pattern");
        boolean file = !pattern.startsWith("|");
        if (most == 0 || !file) {
            return Diagnosis.good("core files", most == 0
                ? "none; a JVM that crashes leaves its report (hs_err_pid*.log) only"
                : Words.ofBytes(most) + ", taken by " + pattern.substring(1).split(" ")[0]);
        }
        return Diagnosis.costs("core files", Words.ofBytes(most) + " for each process that crashes",
            "when a rank crashes or its peers are aborted in native code, each writes its memory into its folder: with"
                + " heaps of many GiB that takes long and may fill the disk",
            "ulimit -c 0, unless you look for such a crash");
    }
}
