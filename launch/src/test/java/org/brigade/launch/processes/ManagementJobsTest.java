package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Beans of real ranks. */
@Timeout(400)
@Tag("slow")
@Tag("once")
class ManagementJobsTest extends ProcessJobs {
    private Job job(int code, Class<?> program, String... options) throws Exception {
        List<String> begin = TestJava.mpjrun("-np", "2");
        begin.addAll(List.of(options));
        return start(line(begin, program)).ended(code);
    }

    @Test
    void aRankThatWaitsSaysForWhom() throws Exception {
        Job job = job(0, ManagedProgram.class, "-Dbrigade.jmx=on");
        assertTrue(job.said().matches(
            "(?s).*rank 0 has waited for .* s in recv with tag 5 of MPI_COMM_WORLD for rank 1\n.*"), job.said());
        assertTrue(job.said().matches("(?s).*rank 1 is after send .*MPI_COMM_WORLD.*, bytes 4, calls [2-9]\n.*"),
            job.said());
        job.says(2, "registered: false");
    }

    @Test
    void aJvmWithoutBeansIsToldSo() throws Exception {
        String modules = "java.base,java.logging,jdk.unsupported";
        job(0, ReportedProgram.class, "--limit-modules", modules);
        Job job = job(1, ReportedProgram.class, "--limit-modules", modules, "-Dbrigade.jmx=on");
        assertTrue(job.said().contains("brigade.jmx=on needs beans, and the JVM in "), job.said());
        assertTrue(job.said().contains("is without module java.management; leave the setting out, or add the module"),
            job.said());
    }
}
