package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.HostShape;

/**
 * How many of the machine's processors ranks may use.
 *
 * @param allowed to this process, and so to the ranks that it starts
 */
public record ProcessorsCheck(HostShape machine, CpuSet allowed) implements Check {
    @Override
    public Diagnosis diagnosis() {
        int may = allowed.size();
        String finding = allowed.isEmpty() ? machine + "; the kernel does not say which this process may use"
            : machine + "; this process may run on " + (may < machine.processors() ? may + " of them, " : "all, ")
                + allowed;
        if (may == 1) {
            return Diagnosis.costs("processors", finding,
                "ranks take turns on one processor: each message waits for the kernel to switch between them",
                machine.processors() > 1
                    ? "give this shell more (srun --cpus-per-task, docker --cpuset-cpus, taskset)"
                    : "use a machine with a processor for each rank; this one is for trying programs");
        }
        if (may > 0 && may < machine.processors()) {
            return Diagnosis.costs("processors", finding,
                "a job of more than " + may + " ranks has ranks that take turns; each message to a rank that has no"
                    + " processor waits for the kernel",
                "start at most " + may + " ranks, or give this shell more processors (srun --cpus-per-task, docker"
                    + " --cpuset-cpus, taskset)");
        }
        return Diagnosis.good("processors", finding);
    }
}
