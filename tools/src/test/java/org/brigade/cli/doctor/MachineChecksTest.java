package org.brigade.cli.doctor;

import static org.brigade.cli.doctor.Verdict.BLOCKS;
import static org.brigade.cli.doctor.Verdict.COSTS;
import static org.brigade.cli.doctor.Verdict.GOOD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.brigade.cli.probe.Limits;
import org.brigade.probe.Mounts;
import org.brigade.probe.SharedMemory;
import org.brigade.probe.SingleCopy;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.FakeSystem;
import org.brigade.topology.system.HostShape;
import org.brigade.topology.system.SystemFiles;
import org.brigade.transport.shm.SegmentDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each verdict of each check of the machine, from made-up files. */
class MachineChecksTest {
    private static final long MIB = 1 << 20;
    private static final String CLOCK = "sys/devices/system/clocksource/clocksource0/";

    @TempDir
    Path root;
    private FakeSystem system;
    private SystemFiles files;

    @BeforeEach
    void emptyMachine() {
        system = new FakeSystem(root);
        files = new SystemFiles(root);
    }

    /** Whatever is not good says what it costs and how to change it; what is good asks for nothing. */
    static Diagnosis expect(Verdict verdict, Diagnosis found, String... parts) {
        assertEquals(verdict, found.verdict(), found::toString);
        assertEquals(verdict == GOOD, found.cost().isEmpty() && found.cure().isEmpty(), found::toString);
        assertEquals(verdict == GOOD, found.cost().isEmpty() || found.cure().isEmpty(), found::toString);
        for (String part : parts) {
            assertTrue(found.toString().contains(part), () -> part + " is missing in " + found);
        }
        return found;
    }

    private Limits limit(String line) {
        system.file("proc/self/limits", "Limit                     Soft Limit           Hard Limit           Units\n"
            + line);
        return new Limits(files);
    }

    @Test
    void processorsThatAreLeftOutCost() {
        HostShape machine = new HostShape(8, 4, 1, 1, "Some Processor");
        expect(GOOD, MachineChecks.processors(machine, CpuSet.parseList("0-7")), "all, 0-7");
        expect(GOOD, MachineChecks.processors(machine, CpuSet.EMPTY), "does not say");
        expect(COSTS, MachineChecks.processors(machine, CpuSet.parseList("2-4")), "3 of them, 2-4", "at most 3 ranks");
        expect(COSTS, MachineChecks.processors(machine, CpuSet.of(5)), "taskset");
        expect(COSTS, MachineChecks.processors(new HostShape(1, 1, 0, 1, ""), CpuSet.of(0)),
            "use a machine with a processor for each rank");
    }

    @Test
    void aQuotaBelowTheProcessorsCosts() {
        expect(GOOD, MachineChecks.quota(Integer.MAX_VALUE, 4), "none");
        expect(GOOD, MachineChecks.quota(4, 4), "4 processors");
        expect(COSTS, MachineChecks.quota(2, 4), "grants the time of 2 processors, and 4 may be used",
            "at most 2 ranks");
        expect(COSTS, MachineChecks.quota(1, 0), "the time of 1 processor", "at most 1 rank,");
    }

    @Test
    void bindingNeedsTaskset() {
        expect(GOOD, MachineChecks.binding("/usr/bin/taskset", "at most 4"), "at most 4");
        expect(COSTS, MachineChecks.binding(null, "by JNA"), "0.1 s later", "apt-get install util-linux");
    }

    @Test
    void aClockThatNeedsASystemCallCosts() {
        expect(GOOD, MachineChecks.clock(files), "does not name it");
        system.file(CLOCK + "current_clocksource", "tsc");
        expect(GOOD, MachineChecks.clock(files), "tsc");
        system.file(CLOCK + "current_clocksource", "hpet").file(CLOCK + "available_clocksource", "hpet tsc acpi_pm");
        expect(COSTS, MachineChecks.clock(files), "hpet", "echo tsc >");
        system.file(CLOCK + "available_clocksource", "hpet acpi_pm");
        expect(COSTS, MachineChecks.clock(files), "see in dmesg");
    }

    private static SharedMemory memory(String type, long free, boolean writable, String... options) {
        return new SharedMemory(null, type, 4096 * MIB, free, writable, List.of(options));
    }

    @Test
    void sharedMemoryMustBeThereWritableAndLargeEnough() {
        expect(BLOCKS, MachineChecks.sharedMemory(new SharedMemory("/dev/shm", "", 0, 0, false, List.of()), 2),
            "missing (/dev/shm)", "mount -t tmpfs");
        expect(BLOCKS, MachineChecks.sharedMemory(memory("tmpfs", 64 * MIB, false, "ro"), 2), "remount,rw");
        expect(BLOCKS, MachineChecks.sharedMemory(memory("tmpfs", 64 * MIB, false, "rw"), 2), "chmod 1777");
        expect(BLOCKS, MachineChecks.sharedMemory(memory("tmpfs", 4096, true), 2), "two ranks need", "--shm-size");
        expect(COSTS, MachineChecks.sharedMemory(memory("tmpfs", SegmentDescriptor.smallest(16).bytes(), true), 16),
            "a job of 16 ranks takes", "brigade.shm.segment=");
        expect(COSTS, MachineChecks.sharedMemory(memory("tmpfs", 1 * MIB, true), 64), "--shm-size");
        expect(COSTS, MachineChecks.sharedMemory(memory("ext4", 900 * MIB, true), 4), "to a disk");
        Diagnosis good = expect(GOOD, MachineChecks.sharedMemory(memory("tmpfs", 900 * MIB, true, "rw", "noexec"), 4),
            "a job of 4 ranks takes", "noexec does no harm");
        assertTrue(good.finding().startsWith("tmpfs, 4096 MiB, 900 MiB free"), good.finding());
    }

    @Test
    void theMountOfAPathIsTheNearestAndLast() {
        system.file("proc/mounts", "/dev/vda / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0\nshm /dev/shm tmpfs"
            + " rw,noexec 0 0\nx /my\\040disk xfs ro 0 0\nbroken");
        Mounts mounts = Mounts.read(files);
        assertEquals(List.of("rw", "noexec"), mounts.of(Path.of("/dev/shm")).options());
        assertEquals("ext4", mounts.of(Path.of("/dev/shmem")).type());
        assertEquals("xfs", mounts.of(Path.of("/my disk/a/b")).type());
        assertEquals("", Mounts.read(new SystemFiles(root.resolve("none"))).of(Path.of("/x")).type());
    }

    @Test
    void aKernelThatRefusesTheSingleCopyCosts() {
        expect(GOOD, MachineChecks.singleCopy(new SingleCopy(false, null, "", false)), "available");
        expect(GOOD, MachineChecks.singleCopy(new SingleCopy(false, null, "1", true)), "ptrace_scope is 1");
        expect(COSTS, MachineChecks.singleCopy(new SingleCopy(true, null, "0", true)), "leave out brigade.shm.loans");
        expect(COSTS, MachineChecks.singleCopy(new SingleCopy(false, "error 1", "0", true)), "--cap-add=SYS_PTRACE");
        expect(COSTS, MachineChecks.singleCopy(new SingleCopy(false, null, "1", false)), "compiled library");
        expect(COSTS, MachineChecks.singleCopy(new SingleCopy(false, null, "2", true)), "ptrace_scope=1");
        expect(COSTS, MachineChecks.singleCopy(new SingleCopy(false, null, "3", true)), "new start of the kernel");
    }

    @Test
    void hugePagesCostWhereTheyAreForbiddenOrReservedInVain() {
        expect(GOOD, MachineChecks.hugePages(files), "unknown");
        system.file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
        expect(GOOD, MachineChecks.hugePages(files), "transparent: madvise", "-XX:+UseTransparentHugePages");
        system.file("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
        expect(COSTS, MachineChecks.hugePages(files), "echo madvise > /sys/kernel");
        system.file("proc/meminfo",
            "MemTotal:       16777216 kB\nHugePages_Total:    1024\nHugePages_Free:     1000\nHugepagesize:  2048 kB");
        expect(COSTS, MachineChecks.hugePages(files), "2000 MiB", "vm.nr_hugepages=0");
        system.file("proc/meminfo", "MemTotal:       16777216 kB\nHugePages_Free:     10\nHugepagesize:  2048 kB")
            .file("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
        expect(GOOD, MachineChecks.hugePages(files), "reserved and free: 20 MiB");
    }

    @Test
    void smallLimitsCost() {
        expect(GOOD, LimitChecks.openFiles(new Limits(files), 4), "unlimited");
        expect(GOOD, LimitChecks.openFiles(limit("Max open files            1024                 524288  files"), 4),
            "1024");
        expect(COSTS, LimitChecks.openFiles(limit("Max open files            1024                 524288  files"), 512),
            "ulimit -n 2176");
        expect(COSTS, LimitChecks.openFiles(limit("Max open files            64                   64      files"), 2),
            "64 a process");
        expect(GOOD, LimitChecks.processes(limit("Max processes             96365                96365   processes"),
            files, 64), "96365");
        expect(COSTS, LimitChecks.processes(limit("Max processes             100                  96365   processes"),
            files, 4), "for this user", "ulimit -u 4096");
        system.file("sys/fs/cgroup/pids.max", "90");
        expect(COSTS, LimitChecks.processes(limit("Max processes             unlimited            96365   processes"),
            files, 4), "in this control group", "--pids-limit");
        system.file("sys/fs/cgroup/pids.max", "max");
        expect(GOOD, LimitChecks.processes(limit("Max processes             unlimited            96365   processes"),
            files, 4), "unlimited");
    }

    @Test
    void aFileLimitBelowTheSegmentEndsJobs() {
        expect(GOOD,
            LimitChecks.fileSize(limit("Max file size             unlimited            unlimited   bytes"), 64));
        expect(COSTS,
            LimitChecks.fileSize(limit("Max file size             1048576              unlimited   bytes"), 64),
            "a job of 64 ranks ends in Init");
        expect(BLOCKS,
            LimitChecks.fileSize(limit("Max file size             4096                 unlimited   bytes"), 2),
            "ulimit -f unlimited");
    }

    @Test
    void lockedMemoryMattersToRdmaAdaptersOnly() {
        Limits small = limit("Max locked memory         65536                65536                bytes");
        expect(GOOD, LimitChecks.lockedMemory(small, files), "no RDMA adapter");
        system.file("sys/class/infiniband/mlx5_0/node_type", "1: CA");
        expect(COSTS, LimitChecks.lockedMemory(small, files), "64 KiB, and there is mlx5_0", "ulimit -l unlimited");
        expect(GOOD, LimitChecks.lockedMemory(
            limit("Max locked memory         unlimited            unlimited            bytes"), files), "for mlx5_0");
    }

    @Test
    void coreFilesOfBigHeapsCost() {
        expect(GOOD,
            LimitChecks.coreFiles(limit("Max core file size        0                    unlimited  bytes"), files),
            "hs_err_pid");
        Limits any = limit("Max core file size        unlimited            unlimited  bytes");
        system.file("proc/sys/kernel/core_pattern", "|/usr/lib/systemd/systemd-coredump %P %u");
        expect(GOOD, LimitChecks.coreFiles(any, files), "/usr/lib/systemd/systemd-coredump");
        system.file("proc/sys/kernel/core_pattern", "core");
        expect(COSTS, LimitChecks.coreFiles(any, files), "ulimit -c 0");
    }
}
