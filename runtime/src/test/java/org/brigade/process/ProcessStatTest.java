package org.brigade.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessStatTest {
    private static ProcessStat parse(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
        return ProcessStat.parse(bytes, bytes.length);
    }

    @Test
    void aCommandMayHoldBracketsAndSpaces() {
        assertEquals(new ProcessStat(71, "a) S (b", 'Z', 9, 4194304, 4242),
            parse("71 (a) S (b) Z 9 71 71 0 -1 4194304 169 0 0 0 0 0 0 0 20 0 1 0 4242 123 45\n"));
        assertNull(parse(""));
    }

    @Test
    void aProcessThatClosesItsFilesIsEnding() {
        assertTrue(parse("71 (java) S 9 71 71 0 -1 4194308 169 0 0 0 0 0 0 0 20 0 1 0 4242 123 45\n").isEnding());
        assertFalse(parse("71 (java) S 9 71 71 0 -1 4194304 169 0 0 0 0 0 0 0 20 0 1 0 4242 123 45\n").isEnding());
    }

    @Test
    void thisProcessIsThere() {
        ProcessStat self = ProcessStat.self();
        assertEquals(ProcessHandle.current().pid(), self.pid());
        assertEquals(self.startTime(), ProcessStat.of(self.pid()).startTime());
        assertFalse(new ProcessWatch(self.pid(), self.startTime()).ended());
    }

    @Test
    void theFirstThreadStartedWithItsProcess() throws Exception {
        long parent = ProcessStat.self().parent(); // an emulator shows others what the kernel has
        byte[] line = Files.readAllBytes(Path.of("/proc/" + parent + "/stat"));
        ProcessStat shown = ProcessStat.parse(line, line.length);
        ProcessStat stat = ProcessStat.of(parent);
        assertEquals(new ProcessStat(parent, shown.command(), stat.state(), shown.parent(), stat.flags(),
            shown.startTime()), stat);
    }

    @Test
    void anotherProcessWithTheSamePidIsNotTheOneThatWasMeant() {
        ProcessStat self = ProcessStat.self();
        assertTrue(new ProcessWatch(self.pid(), self.startTime() - 1).ended());
    }

    @Test
    void aProcessThatHasEndedIsSeenToHaveEndedByAWatchFromBeforeAndAfter() throws Exception {
        Process child = new ProcessBuilder("sleep", "60").start();
        ProcessStat stat = ProcessStat.of(child.pid());
        ProcessWatch before = new ProcessWatch(child.pid(), stat.startTime());
        assertFalse(before.ended());
        child.destroyForcibly().waitFor();
        assertTrue(before.ended());
        assertTrue(before.ended(), "asked again");
        assertTrue(new ProcessWatch(child.pid(), stat.startTime()).ended());
        before.close();
    }
}
