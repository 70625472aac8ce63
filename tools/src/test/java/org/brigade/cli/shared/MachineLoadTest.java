package org.brigade.cli.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MachineLoadTest {
    @Test
    void idleProcessorsAndThoseThatWaitForDisksAreNotInUse() {
        assertEquals(11.5, MachineLoad.busy("cpu  100 50 700 90000 800 100 100 100 40 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"));
        assertEquals(3, MachineLoad.busy("cpu  100 100 100 5 5\n"), "an old kernel");
        assertEquals(0, MachineLoad.busy(""));
    }

    /** What this process does itself is not another program's. */
    @Test
    @Timeout(60)
    void aProgramThatComputesIsSeen() throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/proc/stat")));
        Process busy = new ProcessBuilder("bash", "-c", "while :; do :; done").start();
        try {
            double most = 0;
            for (int look = 0; look < 20 && most <= 0.3; look++) {
                most = Math.max(most, MachineLoad.others());
            }
            assertTrue(most > 0.3, most + " processors");
            assertTrue(MachineLoad.words(most).matches("other programs use \\d+\\.\\d of \\d+ processors"));
        } finally {
            busy.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }
}
