package org.brigade.launch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.brigade.process.Platform;
import org.brigade.process.SurvivorMark;
import org.brigade.transport.shm.RunningJob;
import org.brigade.waiting.WaitReport;

/** Ranks of this machine. */
final class LocalRanks implements RankPlace {
    private final RankBinder binder;
    private CoreLayout layout;

    LocalRanks(RankBinder binder) {
        this.binder = binder;
    }

    @Override
    public void open(int ranks, int[] nodeOf, String name, SharedStream messages, RankEnvironment environment) {
        layout = binder.place(ranks, nodeOf, name, null, messages);
        environment.processors(layout);
    }

    /** The same for a part of a job's ranks, all of this machine. */
    void layout(int[] numbers, SharedStream messages) {
        layout = binder.place(numbers.length, null, "", numbers, messages);
    }

    /** Tells a rank which processors its job has here. */
    void tell(Map<String, String> variables) {
        if (layout != null) {
            variables.put(RankEnvironment.PROCESSORS, layout.among().toString());
        }
    }

    @Override
    public Process start(ProcessBuilder builder, int rank) throws IOException {
        return binder.start(builder, layout, rank);
    }

    @Override
    public ProcessBuilder.Redirect input(boolean first) {
        return first ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.from(Platform.here().nothing());
    }

    /** Not by its Process, which would close the pipes of what it still says. */
    @Override
    public void ask(Process rank) {
        rank.toHandle().destroy();
    }

    @Override
    public void kill(Process rank) {
        rank.toHandle().destroyForcibly();
    }

    @Override
    public boolean goesOn(Process rank) {
        return SurvivorMark.isOn(rank.pid());
    }

    @Override
    public boolean isEnding(Process rank) {
        return Platform.here().isEnding(rank.pid());
    }

    @Override
    public List<String> lastCalls(Process[] ranks, long patienceMillis) {
        long[] pids = new long[ranks.length];
        for (int i = 0; i < pids.length; i++) {
            pids[i] = ranks[i] == null ? 0 : ranks[i].pid();
        }
        return RunningJob.lastCalls(pids, patienceMillis);
    }

    @Override
    public List<String> waits(String job) {
        List<String> lines = new ArrayList<>();
        try {
            for (RunningJob each : RunningJob.ofThisUser()) {
                if (each.key().equals(job)) {
                    lines.addAll(new WaitReport(each.ranks(), System.nanoTime()).lines());
                }
            }
        } catch (IOException unreadable) {
            // It ends without.
        }
        return lines;
    }

    @Override
    public void close() {
        binder.free(layout);
        layout = null;
    }
}
