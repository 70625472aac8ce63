package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.brigade.engine.job.JobEnd;
import org.brigade.launch.RankProcesses.Others;
import org.brigade.process.SurvivorMark;
import org.junit.jupiter.api.Test;

/** Whether the ranks that are left when one has been killed go on. */
class RankProcessesTest {
    /** A process that runs when it is looked at, and may have ended a moment later. */
    private static class Rank extends Process {
        private final long pid;
        private final boolean ends;
        private final int code;

        Rank(long pid, boolean ends, int code) {
            this.pid = pid;
            this.ends = ends;
            this.code = code;
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
            return code;
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

    private static Others others(Process[] ranks) throws InterruptedException {
        return RankProcesses.others(ranks, new LocalRanks(RankBinder.none()));
    }

    private static final long NOBODY = Integer.MAX_VALUE;

    private static Rank ending(int code) {
        return new Rank(NOBODY, true, code);
    }

    private static Rank running(long pid) {
        return new Rank(pid, false, 0);
    }

    /** Ranks that end because one was killed do not go on, though none of them is left a moment later. */
    @Test
    void ranksThatGiveUpAreNoSurvivors() throws Exception {
        assertEquals(Others.END, others(new Process[] {ending(137), ending(JobEnd.VICTIM)}));
    }

    /** The kernel takes an ending rank's mark away before the launcher sees that it has ended. */
    @Test
    void survivorsThatFinalizeMeanwhileAreNotEnded() throws Exception {
        assertEquals(Others.ALL_ENDED, others(new Process[] {ending(137), ending(0), ending(0)}));
        // pid NOBODY is gone from /proc, so it is ending: the second wait sees its end
        assertEquals(Others.ALL_ENDED, others(new Process[] {ending(137), new Rank(NOBODY, false, 0) {
            @Override
            public boolean waitFor(long time, TimeUnit unit) {
                return unit.toMillis(time) >= 1000;
            }
        }}));
    }

    /**
     * Ranks of several hosts that end slowly: they are waited for side by side, not each for as long as one may take.
     */
    @Test
    void ranksThatAreEndingShareOneTimeLimit() throws Exception {
        List<Long> asked = new ArrayList<>();
        class Slow extends Rank {
            Slow() {
                super(NOBODY, false, 0);
            }

            @Override
            public boolean waitFor(long time, TimeUnit unit) {
                if (unit.toMillis(time) < 1000) {
                    return false;
                }
                asked.add(unit.toNanos(time));
                return true;
            }
        }
        assertEquals(Others.ALL_ENDED,
            others(new Process[] {ending(137), new Slow(), new Slow(), new Slow()}));
        assertTrue(asked.get(1) < asked.get(0) && asked.get(2) < asked.get(1), asked::toString);
    }

    @Test
    void allThatStayMustWantTo() throws Exception {
        SurvivorMark.set();
        Rank survivor = running(ProcessHandle.current().pid());
        assertEquals(Others.GO_ON, others(new Process[] {survivor, ending(0)}));
        assertEquals(Others.END, others(new Process[] {survivor, running(NOBODY)}));
    }
}
