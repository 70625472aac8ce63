package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import org.brigade.process.SurvivorMark;
import org.junit.jupiter.api.Test;

/** Whether the ranks that are left when one has been killed go on. */
class RankProcessesTest {
    /** A process that runs when it is looked at, and may have ended a moment later. */
    private static final class Rank extends Process {
        private final long pid;
        private final boolean ends;

        Rank(long pid, boolean ends) {
            this.pid = pid;
            this.ends = ends;
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public long pid() {
            return pid;
        }

        @Override
        public boolean waitFor(long time, TimeUnit unit) {
            return ends;
        }

        @Override
        public int waitFor() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int exitValue() {
            throw new IllegalThreadStateException();
        }

        @Override
        public OutputStream getOutputStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public InputStream getInputStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public InputStream getErrorStream() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void destroy() {
            throw new UnsupportedOperationException();
        }
    }

    private static final long NOBODY = Integer.MAX_VALUE;

    /** Ranks that end because one was killed do not go on, though none of them is left a moment later. */
    @Test
    void ranksThatJustEndAreNoSurvivors() throws Exception {
        assertFalse(RankProcesses.survivorsGoOn(new Process[] {new Rank(NOBODY, true), new Rank(NOBODY, true)}));
    }

    @Test
    void allThatStayMustWantTo() throws Exception {
        SurvivorMark.set();
        Rank survivor = new Rank(ProcessHandle.current().pid(), false);
        assertTrue(RankProcesses.survivorsGoOn(new Process[] {survivor, new Rank(NOBODY, true)}));
        assertFalse(RankProcesses.survivorsGoOn(new Process[] {survivor, new Rank(NOBODY, false)}));
    }
}
