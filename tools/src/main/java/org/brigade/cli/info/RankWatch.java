package org.brigade.cli.info;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.brigade.transport.shm.RunningJob;
import org.brigade.waiting.RankActivity;
import org.brigade.waiting.WaitReport;

/** What the ranks of a job have done between two looks: a line for each, and what follows from their waits. */
final class RankWatch {
    private static final String FORMAT = "%5s %9s %9s %11s  %-17s  %s";
    private static final String NONE = "-";

    private RankWatch() {
    }

    /** @param nanos between the looks, the second of which was {@code now} */
    static List<String> lines(RunningJob before, RunningJob job, long nanos, long now) {
        List<String> lines = new ArrayList<>();
        WaitReport report = new WaitReport(job.ranks(), now);
        lines.add(String.format(Locale.ROOT, FORMAT, "rank", "pid", "calls/s", "MB/s", "algorithm",
            "wait, or newest call"));
        for (RankActivity rank : job.activity()) {
            RankActivity then = before.activity().stream()
                .filter(each -> each.state().pid() == rank.state().pid()).findFirst().orElse(null);
            String calls = then == null ? NONE : Long.toString(Math.round(rank.since(then) * 1e9 / nanos));
            String bytes =
                then == null ? NONE : String.format(Locale.ROOT, "%.3f", (rank.bytes() - then.bytes()) * 1e3 / nanos);
            lines.add(String.format(Locale.ROOT, FORMAT, rank.state().rank(), rank.state().pid(), calls, bytes,
                rank.algorithm().isEmpty() ? NONE : rank.algorithm(), words(rank, report, now)));
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
