package org.brigade.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.Processors;
import org.brigade.probe.CompiledCode;
import org.brigade.probe.SharedMemory;
import org.brigade.probe.SingleCopy;
import org.brigade.select.Settings;
import org.junit.jupiter.api.Test;

/** The words for situations that this machine need not be in. */
class JobReportTest {
    private static final SingleCopy COPIES = new SingleCopy(false, null, "", true);

    private final JobReport report = new JobReport(new Settings(new Properties(), Map.of("BRIGADE_REPORT", "info")),
        new Job("mpjrun", 0, 4, 0, 4, "key"));

    /** Folded lines are one again. */
    private String said() {
        report.toString().lines().forEach(line -> assertTrue(line.length() <= 120, line));
        return report.toString().replaceAll("\\s+", " ");
    }

    private static MachineRanks ranks(int quota, long... masks) {
        Processors[] all = new Processors[masks.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = Processors.of(new long[] {masks[i]}, quota);
        }
        return new MachineRanks(all, 0, masks.length);
    }

    @Test
    void moreRanksThanProcessorsTakeTurns() {
        report.processors(ranks(0, 3, 3, 3, 3), CoreShare.SHARED, "0-1", "waiting");
        assertTrue(said().contains("4 ranks here, not bound: all on 0-1"), said());
        assertTrue(said().contains("costs speed - 4 ranks share 2 processors: they take turns,"), said());
        assertTrue(said().contains("Cure: start at most 2 ranks here"), said());
    }

    @Test
    void aControlGroupsGrantCounts() {
        report.processors(ranks(3, 15, 15, 15, 15), CoreShare.SHARED, "0-3", "waiting");
        assertTrue(said().contains("4 ranks share 3 processors"), said());
    }

    @Test
    void ranksBoundToOneProcessorAreToldToLeaveIt() {
        report.processors(ranks(0, 1, 1, 6, 6), CoreShare.SHARED, "0", "waiting");
        assertTrue(said().contains("4 ranks share 3 processors"), said());
        report.processors(ranks(0, 1, 1, 14, 14), CoreShare.SHARED, "0", "waiting");
        assertTrue(said().contains("rank 0 shares its processor with other ranks"), said());
        assertTrue(said().contains("bound, in their order, to 0; 0; 1-3; 1-3"), said());
    }

    @Test
    void aProcessorForEachRankAndMoreCostsNothing() {
        report.processors(ranks(0, 1, 2, 4, 8), CoreShare.SPARE, "0", "waiting");
        report.copies(new CompiledCode(true, "Linux-x86_64", null), COPIES);
        assertFalse(said().contains("costs speed"), said());
        report.processors(ranks(0, 1, 2, 4, 8), CoreShare.OWN, "0", "waiting");
        assertTrue(said().contains("costs speed - no processor is left for the JVMs' compilers and collectors"));
    }

    @Test
    void missingCopiesAreToldWithTheirCures() {
        report.copies(new CompiledCode(false, "switched off (brigade.native=off)", null), COPIES);
        assertTrue(said().contains("the compiled library is not loaded: JNA and Java copy and reduce instead, and first"
            + " calls take some 100 ms longer. Cure: leave out brigade.native"), said());
        report.copies(new CompiledCode(true, "Linux-x86_64", null), new SingleCopy(false, null, "2", true));
        assertTrue(said().contains("kernel.yama.ptrace_scope is 2"), said());
        assertTrue(
            said().contains("no single copy: long messages between ranks of a node are copied twice. Cure: sysctl"
                + " kernel.yama.ptrace_scope=1"),
            said());
        report.copies(new CompiledCode(true, "Linux-x86_64", null),
            new SingleCopy(false, "the kernel refuses process_vm_readv (error 1)", "", true));
        assertTrue(said().contains("docker --cap-add=SYS_PTRACE"), said());
    }

    @Test
    void littleSharedMemoryIsTold() {
        report.told(new SharedMemory(null, "tmpfs", 64 << 20, 80 << 20, true, List.of()));
        assertFalse(said().contains("costs speed"), said());
        report.told(new SharedMemory(null, "tmpfs", 64 << 20, 3 << 20, true, List.of()));
        assertTrue(said().contains("/dev/shm has 3 MiB left: larger windows end with an error. Cure: make it larger"));
        report.told(new SharedMemory(null, "ext4", 1L << 40, 1L << 40, true, List.of()));
        assertTrue(said().contains("/dev/shm is of type ext4: the kernel may write"), said());
    }

    @Test
    void theArchiveIsThatWhichTheKernelHasMapped() {
        report.classes("""
            7f00-7f01 r--p 0000 08:01 17 /usr/lib/jvm/java/lib/server/classes.jsa
            7f02-7f03 r--p 0000 08:01 18 /opt/brigade-java17.jsa
            7f04-7f05 rw-p 0000 08:01 18 /opt/brigade-java17.jsa""");
        assertTrue(said().endsWith("class archive /opt/brigade-java17.jsa "), said());
        report.classes("7f00-7f01 r--p 0000 08:01 17 /usr/lib/jvm/java/lib/server/classes.jsa");
        assertTrue(said().contains("- no class archive: each start loads"), said());
    }

    @Test
    void settingsThatTheLauncherMakesAreNotTold() {
        assertEquals("BRIGADE_REPORT=info -Dbrigade.check=true", JobReport.given(
            List.of("BRIGADE_REPORT=info", "BRIGADE_RANK=0", "BRIGADE_DOOR=launch-1", "-Dbrigade.check=true")));
        assertEquals("none", JobReport.given(List.of("BRIGADE_RANK=0", "BRIGADE_SIZE=2")));
    }
}
