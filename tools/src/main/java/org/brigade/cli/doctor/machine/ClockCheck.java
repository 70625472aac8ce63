package org.brigade.cli.doctor.machine;

import java.util.Set;
import org.brigade.cli.doctor.check.Check;
import org.brigade.cli.doctor.check.Diagnosis;
import org.brigade.topology.system.SystemFiles;

/** The kernel's clock. A program reads some of them without a system call. */
public record ClockCheck(SystemFiles files) implements Check {
    private static final String FOLDER = "sys/devices/system/clocksource/clocksource0/";
    /** Those that the kernel maps into programs (vDSO), by architecture: x86, its hypervisors, ARM, RISC-V, POWER. */
    private static final Set<String> MAPPED = Set.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
        "arch_sys_counter", "riscv_clocksource", "timebase");

    @Override
    public Diagnosis diagnosis() {
        String now = files.text(FOLDER + "current_clocksource");
        if (now.isEmpty() || MAPPED.contains(now)) {
            return Diagnosis.good("clock", now.isEmpty() ? "the kernel does not name it" : now + ", no system call");
        }
        String better = "";
        for (String other : files.text(FOLDER + "available_clocksource").split(" ")) {
            better = better.isEmpty() && MAPPED.contains(other) ? other : better;
        }
        return Diagnosis.costs("clock", now + ": each look at it is a system call",
            "recorded and traced calls, measurements and waits with a time limit take longer, as they read the clock",
            better.isEmpty()
                ? "see in dmesg why the kernel gave up the processor's own clock; a firmware update or another kind of"
                    + " virtual machine may bring it back"
                : "echo " + better + " > /sys/devices/system/clocksource/clocksource0/current_clocksource; if the"
                    + " kernel has marked it unstable, dmesg says why");
    }
}
