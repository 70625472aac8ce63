package org.brigade.cli.doctor.machine;

import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.cli.probe.SingleCopy;

/** Whether long messages can be copied once, from process to process. */
public record SingleCopyCheck(SingleCopy found) implements Check {
    @Override
    public Diagnosis diagnosis() {
        if (found.available()) {
            return Diagnosis.good("single copy", found.words()
                + (found.scope().isEmpty() ? "" : "; kernel.yama.ptrace_scope is " + found.scope()));
        }
        return Diagnosis.costs("single copy", found.words(), SingleCopy.COST, cure());
    }

    private String cure() {
        if (found.off()) {
            return "leave out brigade.shm.loans";
        }
        if (found.refused() != null) {
            return "in a container, permit the system call: docker --cap-add=SYS_PTRACE, or a seccomp profile with"
                + " process_vm_readv and process_vm_writev";
        }
        return found.scope().equals("1")
            ? "make Brigade's compiled library loadable (the line \"compiled code\"), by which ranks permit each other;"
                + " or sysctl kernel.yama.ptrace_scope=0"
            : "sysctl kernel.yama.ptrace_scope=1"
                + (found.scope().equals("3") ? " needs a new start of the kernel" : "");
    }
}
