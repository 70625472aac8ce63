package org.brigade.engine.job;

import java.util.List;
import org.brigade.bootstrap.Nodes;
import org.brigade.bootstrap.OtherThreads;
import org.brigade.setting.Setting;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.RankState;
import org.brigade.waiting.WaitReport;

/**
 * Sets the node's time for the {@link FlightRecorder}s. On rank 0, says once on standard error who waits for whom, when
 * all ranks of its node have waited for long.
 */
public final class StallWatch extends Thread {
    private static final long MILLI = 1_000_000L;
    private static final long SHORTEST_PAUSE_MILLIS = 1000;
    private static final long TICK_MILLIS = 250;
    /** A look reads a file for each rank of the node, so looks are seldom. */
    private static final int LOOKS = 4;

    private final Endpoint endpoint;
    private final FlightRecorder recorder;
    /** 0: never. */
    private final long seconds;
    /** Of whom all wait: {@code rank of this job}. */
    private final String whom;
    private volatile boolean ended;

    private StallWatch(Endpoint endpoint, FlightRecorder recorder, long seconds, String whom) {
        super("brigade-stall");
        this.endpoint = endpoint;
        this.recorder = recorder;
        this.seconds = seconds;
        this.whom = whom;
        setDaemon(true);
    }

    /**
     * Watches from now on, if this is the first rank of several on its node.
     *
     * @param whom of whom all wait: {@code rank of this job}
     * @return null if it is not
     */
    public static StallWatch start(Endpoint endpoint, FlightRecorder recorder, String whom) {
        if (endpoint.waitRecord() == null || !isFirst(endpoint)) {
            return null;
        }
        StallWatch watch =
            new StallWatch(endpoint, recorder, endpoint.rank() == 0 ? Setting.number("stall.report", 60) : 0, whom);
        watch.start();
        return watch;
    }

    /** Watches no more. */
    public void end() {
        ended = true;
    }

    private static boolean isFirst(Endpoint endpoint) {
        Nodes nodes = endpoint.nodes();
        return endpoint.rank() == (nodes == null ? 0 : nodes.here()[0]);
    }

    @Override
    public void run() {
        OtherThreads.join();
        long between = Math.max(SHORTEST_PAUSE_MILLIS, seconds * 1000 / LOOKS) * MILLI;
        long next = System.nanoTime() + seconds * 1000 * MILLI; // nobody has waited longer than the job runs
        boolean reports = seconds > 0;
        while (!ended) {
            try {
                sleep(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            recorder.tick(now);
            if (reports && now - next >= 0) {
                reports = !report();
                next = now + between;
            }
        }
    }

    /** Looks, and reports if there is something to report. */
    private boolean report() {
        List<RankState> states = endpoint.rankStates();
        WaitReport report = new WaitReport(states, System.nanoTime());
        if (!report.isStalled(seconds * 1000 * MILLI)) {
            return false;
        }
        StringBuilder text =
            new StringBuilder("brigade: no ").append(whom).append(" has made progress for ").append(seconds)
                .append(" s (brigade.stall.report):\n");
        for (String line : report.lines()) {
            text.append("brigade:   ").append(line).append('\n');
        }
        System.err.print(text);
        System.err.flush();
        return true;
    }
}
