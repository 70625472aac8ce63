package org.brigade.engine;

import java.util.List;
import org.brigade.setting.Setting;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.RankState;
import org.brigade.waiting.WaitReport;

/** Says once on rank 0's standard error who waits for whom, when all ranks of its node have waited for long. */
public final class StallWatch extends Thread {
    private static final long MILLI = 1_000_000L;
    private static final long SHORTEST_PAUSE_MILLIS = 1000;
    /** A look reads a file for each rank of the node, so looks are seldom. */
    private static final int LOOKS = 4;

    private final Endpoint endpoint;
    private final long seconds;

    private StallWatch(Endpoint endpoint, long seconds) {
        super("brigade-stall");
        this.endpoint = endpoint;
        this.seconds = seconds;
        setDaemon(true);
    }

    /** Watches from now on, if this is rank 0 of several and brigade.stall.report is not 0. */
    public static void start(Endpoint endpoint) {
        if (endpoint.rank() == 0 && endpoint.waitRecord() != null) {
            long seconds = Setting.number("stall.report", 60);
            if (seconds > 0) {
                new StallWatch(endpoint, seconds).start();
            }
        }
    }

    @Override
    public void run() {
        long pause = seconds * 1000; // nobody has waited longer than the job runs
        do {
            try {
                sleep(pause);
            } catch (InterruptedException e) {
                return;
            }
            pause = Math.max(SHORTEST_PAUSE_MILLIS, seconds * 1000 / LOOKS);
        } while (!report());
    }

    /** Looks, and reports if there is something to report. */
    private boolean report() {
        List<RankState> states = endpoint.rankStates();
        WaitReport report = new WaitReport(states, System.nanoTime());
        if (!report.isStalled(seconds * 1000 * MILLI)) {
            return false;
        }
        StringBuilder text = new StringBuilder("brigade: no rank of this job has made progress for ").append(seconds)
            .append(" s (brigade.stall.report):\n");
        for (String line : report.lines()) {
            text.append("brigade:   ").append(line).append('\n');
        }
        System.err.print(text);
        System.err.flush();
        return true;
    }
}
