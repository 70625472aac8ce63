package org.brigade.launch.processes;

import java.util.List;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs whose threads are interrupted, as by shutdownNow, Future.cancel and time limits of tests. */
@Timeout(400)
@Tag("slow")
class InterruptedJobsTest extends ProcessJobs {
    @ParameterizedTest
    @CsvSource({"1, auto", "2, pretended"})
    void noResultDependsOnInterruptsAndNoneIsLost(int nodes, String fabric) throws Exception {
        List<String> launcher = TestJava.mpjrun("-np", "2", "--nodes", "" + nodes, "-Dbrigade.fabric=" + fabric);
        start(line(launcher, InterruptedProgram.class, directory.toString())).ended(0).says(2, "all is right");
    }
}
