package org.brigade.cli.doctor;

import static org.brigade.cli.doctor.Diagnosis.blocks;
import static org.brigade.cli.doctor.Diagnosis.costs;
import static org.brigade.cli.doctor.Diagnosis.good;

import java.util.Set;
import org.brigade.probe.SharedMemory;
import org.brigade.probe.SingleCopy;
import org.brigade.select.ByteSize;
import org.brigade.setting.Portable;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.HostShape;
import org.brigade.topology.system.SystemFiles;
import org.brigade.transport.shm.SegmentDescriptor;

/** What doctor asks of processors, clock and memory. The inputs are given, so that tests can invent machines. */
final class MachineChecks {
    private static final String CLOCK = "sys/devices/system/clocksource/clocksource0/";
    /** Those that the kernel maps into programs (vDSO), by architecture: x86, its hypervisors, ARM, RISC-V, POWER. */
    private static final Set<String> MAPPED = Set.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
        "arch_sys_counter", "riscv_clocksource", "timebase");
    private static final String NO_JOB = "no job of two ranks can run: they exchange messages through it";
    private static final String TRANSPARENT = "sys/kernel/mm/transparent_hugepage/enabled";
    /** Of the memory: less does not hurt. */
    private static final int WORTH_A_WORD = 10;

    private MachineChecks() {
    }

    /**
     * How many of the machine's processors ranks may use.
     *
     * @param allowed to this process, and so to the ranks that it starts
     */
    static Diagnosis processors(HostShape machine, CpuSet allowed) {
        int may = allowed.size();
        String finding = allowed.isEmpty() ? machine + "; the kernel does not say which this process may use"
            : machine + "; this process may run on " + (may < machine.processors() ? may + " of them, " : "all, ")
                + allowed;
        if (may == 1) {
            return costs("processors", finding,
                "ranks take turns on one processor: each message waits for the kernel to switch between them",
                machine.processors() > 1
                    ? "give this shell more (srun --cpus-per-task, docker --cpuset-cpus, taskset)"
                    : "use a machine with a processor for each rank; this one is for trying programs");
        }
        if (may > 0 && may < machine.processors()) {
            return costs("processors", finding,
                "a job of more than " + may + " ranks has ranks that take turns; each message to a rank that has no"
                    + " processor waits for the kernel",
                "start at most " + may + " ranks, or give this shell more processors (srun --cpus-per-task, docker"
                    + " --cpuset-cpus, taskset)");
        }
        return good("processors", finding);
    }

    /**
     * The control group's limit of processor time.
     *
     * @param quota whole processors; the largest number if there is no limit
     * @param allowed processors that this process may run on; 0 if unknown
     */
    static Diagnosis quota(int quota, int allowed) {
        if (quota == Integer.MAX_VALUE || allowed > 0 && quota >= allowed) {
            return good("cpu quota", quota == Integer.MAX_VALUE ? "none" : quota + " processors' time");
        }
        return costs("cpu quota", "the control group grants the time of " + quota
            + (quota == 1 ? " processor" : " processors") + (allowed > 0 ? ", and " + allowed + " may be used" : ""),
            "when the ranks' and the JVMs' threads have used that, the kernel stops all of them until its next period,"
                + " which is 100 ms by default; waiting ranks spin and use it, too",
            "start at most " + quota + (quota == 1 ? " rank" : " ranks")
                + ", or raise the limit (docker --cpus, limits.cpu of Kubernetes, CPUQuota of systemd)");
    }

    /**
     * What mpjrun binds ranks with.
     *
     * @param taskset its path; null if there is none
     * @param line what could be bound, in words
     */
    static Diagnosis binding(String taskset, String line) {
        return taskset != null ? good("binding", line)
            : costs("binding", line, "jobs with --bind-to start 0.1 s later",
                "install taskset (Debian, Ubuntu: apt-get install util-linux; Alpine: apk add util-linux-misc)");
    }

    /** The kernel's clock. A program reads some of them without a system call. */
    static Diagnosis clock(SystemFiles files) {
        String now = files.text(CLOCK + "current_clocksource");
        if (now.isEmpty() || MAPPED.contains(now)) {
            return good("clock", now.isEmpty() ? "the kernel does not name it" : now + ", no system call");
        }
        String better = "";
        for (String other : files.text(CLOCK + "available_clocksource").split(" ")) {
            better = better.isEmpty() && MAPPED.contains(other) ? other : better;
        }
        return costs("clock", now + ": each look at it is a system call",
            "recorded and traced calls, measurements and waits with a time limit take longer, as they read the clock",
            better.isEmpty()
                ? "see in dmesg why the kernel gave up the processor's own clock; a firmware update or another kind of"
                    + " virtual machine may bring it back"
                : "echo " + better + " > /sys/devices/system/clocksource/clocksource0/current_clocksource; if the"
                    + " kernel has marked it unstable, dmesg says why");
    }

    /**
     * /dev/shm, through which ranks of a node exchange all messages.
     *
     * @param ranks that this machine is for: one a processor, 2 or more
     */
    static Diagnosis sharedMemory(SharedMemory found, int ranks) {
        if (found.missing() != null) {
            return blocks(SharedMemory.place(), found.words(), NO_JOB,
                "mount -t tmpfs -o size=1g,mode=1777 tmpfs /dev/shm");
        }
        if (!found.writable()) {
            boolean readOnly = found.options().contains("ro");
            return blocks(SharedMemory.place(), found.words(), NO_JOB,
                readOnly ? "mount -o remount,rw /dev/shm" : "chmod 1777 /dev/shm");
        }
        long fewest = SegmentDescriptor.smallest(2).bytes();
        if (found.free() < fewest) {
            return blocks(SharedMemory.place(), found.words() + "; two ranks need " + kibibytes(fewest) + " KiB",
                NO_JOB,
                "remove files there that nobody needs, or " + SharedMemory.LARGER);
        }
        long need = SegmentDescriptor.forRanks(ranks).bytes();
        String job = "a job of " + ranks + " ranks takes " + mebibytes(need) + " MiB";
        if (found.free() < need) {
            long least = SegmentDescriptor.smallest(ranks).bytes();
            return costs(SharedMemory.place(), found.words() + "; " + job,
                "such a job ends in Init with an error, and so do large windows",
                SharedMemory.LARGER + (least <= found.free()
                    ? "; or set brigade.shm.segment=" + kibibytes(least) + "K: then messages over 64 KiB are slower"
                    : ""));
        }
        if (!found.isMemory() && !Portable.ON) {
            return costs(SharedMemory.place(), found.words(),
                "the kernel may write the messages to a disk, and reads of a page may wait for it",
                "mount -t tmpfs -o size=1g,mode=1777 tmpfs /dev/shm");
        }
        return good(SharedMemory.place(), found.words() + "; " + job
            + (found.options().contains("noexec") ? "; noexec does no harm here" : ""));
    }

    private static long kibibytes(long bytes) {
        return (bytes + 1023) / 1024;
    }

    private static long mebibytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }

    /** Whether long messages can be copied once, from process to process. */
    static Diagnosis singleCopy(SingleCopy found) {
        if (found.available()) {
            return good("single copy", found.words()
                + (found.scope().isEmpty() ? "" : "; kernel.yama.ptrace_scope is " + found.scope()));
        }
        return costs("single copy", found.words(), SingleCopy.COST, found.cure());
    }

    /** Huge pages: transparent ones for the heaps of ranks, and reserved ones, which no JVM uses without being told. */
    static Diagnosis hugePages(SystemFiles files) {
        long reserved = memory(files, "HugePages_Free:") * memory(files, "Hugepagesize:");
        String modes = files.text(TRANSPARENT);
        String mode = modes.contains("[") && modes.indexOf(']') > modes.indexOf('[')
            ? modes.substring(modes.indexOf('[') + 1, modes.indexOf(']')) : "";
        String finding = "transparent: " + (mode.isEmpty() ? "unknown" : mode) + "; reserved and free: "
            + ByteSize.words(reserved);
        if (reserved > 0 && reserved >= memory(files, "MemTotal:") / WORTH_A_WORD) {
            return costs("huge pages", finding,
                "that memory is lost for heaps, messages and files, unless a program asks for such pages"
                    + " (-XX:+UseLargePages)",
                "sysctl vm.nr_hugepages=0, if no program here uses them");
        }
        if (mode.equals("never")) {
            return costs("huge pages", finding,
                "-XX:+UseTransparentHugePages has no effect: for each 2 MiB of a long array the processor takes 512"
                    + " page faults at first, and looks up 512 pages later",
                "echo madvise > /" + TRANSPARENT + ", and -XX:+UseTransparentHugePages for programs with long arrays");
        }
        return good("huge pages", finding
            + (mode.equals("madvise") ? "; long arrays get them with -XX:+UseTransparentHugePages" : ""));
    }

    /** Bytes, or a number where the kernel gives no unit. */
    private static long memory(SystemFiles files, String key) {
        for (String line : files.text("proc/meminfo").split("\n")) {
            if (line.startsWith(key)) {
                String[] words = line.substring(key.length()).strip().split(" ");
                long number = words[0].matches("\\d{1,15}") ? Long.parseLong(words[0]) : 0;
                return words.length > 1 ? number << 10 : number;
            }
        }
        return 0;
    }
}
