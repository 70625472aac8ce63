package org.brigade.cli.info;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.brigade.transport.shm.RunningJob;
import org.brigade.waiting.RankActivity;
import org.brigade.waiting.WaitReport;

/** What the ranks of a job have done between two looks: a line for each, and what follows from their waits. */
final class RankWatch {
    private RankWatch() {
    }

    /** @param nanos between the looks, the second of which was {@code now} */
    static List<String> lines(RunningJob before, RunningJob job, long nanos, long now) {
        List<String> lines = new ArrayList<>();
        WaitReport report = new WaitReport(job.ranks(), now);
        lines.add(String.format(Locale.ROOT, "%5s %9s %9s  %s", "rank", "pid", "calls/s", "wait, or newest call"));
        for (RankActivity rank : job.activity()) {
            String rate = before.activity().stream().filter(each -> each.state().pid() == rank.state().pid())
                .map(each -> Long.toString(Math.round(rank.since(each) * 1e9 / nanos))).findFirst().orElse("-");
            lines.add(String.format(Locale.ROOT, "%5d %9d %9s  %s", rank.state().rank(), rank.state().pid(), rate,
                words(rank, report, now)));
        }
        lines.addAll(report.conclusions());
        return lines;
    }

    private static String words(RankActivity rank, WaitReport report, long now) {
        if (!rank.state().there() || rank.state().waits(now)) {
            return report.words(rank.state());
        }
        return rank.newest() == null ? "no call"
            : (rank.newest().returned() ? "after " : "in ") + rank.newest().words();
    }
}
