package org.brigade.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.brigade.select.ByteSize;
import org.brigade.simulate.wiring.RoutingModel;

/** A traced job in tables for people. */
public final class TraceReport {
    private static final int MOST_ROWS = 20;

    private final JobTrace trace;
    private final CallForecast forecast;
    private final String topology;
    private final StringBuilder out = new StringBuilder();

    private TraceReport(JobTrace trace, String topology, RoutingModel wiring) {
        this.trace = trace;
        this.topology = topology;
        forecast = new CallForecast(trace, wiring);
    }

    /** @param topology the name of the machine on which calls are simulated */
    public static String of(JobTrace trace, String topology, RoutingModel wiring) {
        return new TraceReport(trace, topology, wiring).text();
    }

    private String text() {
        line("job %s: %d of %d ranks, %s from the first Init to the last Finalize", trace.job(), trace.ranks().size(),
            trace.size(), time(trace.nanos()));
        missing();
        clocks();
        ranks();
        waits();
        calls();
        links();
        algorithms();
        path();
        return out.toString();
    }

    private void line(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }

    /** {@code 12.3 ms}. */
    static String time(double nanos) {
        return Double.isNaN(nanos) ? "-"
            : nanos >= 1e9 ? String.format(Locale.ROOT, "%.2f s", nanos / 1e9)
                : nanos >= 1e6 ? String.format(Locale.ROOT, "%.2f ms", nanos / 1e6)
                    : String.format(Locale.ROOT, "%.1f us", nanos / 1e3);
    }

    private static String percent(double part, double whole) {
        return String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0 : 100 * part / whole);
    }

    private void missing() {
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < trace.size(); rank++) {
            if (trace.rank(rank) == null) {
                missing.add(rank);
            }
        }
        if (!missing.isEmpty()) {
            line("no recording of ranks %s: they were killed, or wrote on another machine", missing);
        }
    }

    private void clocks() {
        long worst = trace.ranks().stream().mapToLong(RankTrace::clockError).max().orElse(0);
        line("clocks: %s", worst == 0 ? "one for all ranks, as they share a machine"
            : "brought together by messages; within " + time(worst));
    }

    /** A rank that others wait for works longer than they do. */
    private void ranks() {
        out.append('\n');
        line("%-6s %-16s %12s %12s %12s %14s %14s", "rank", "host", "own work", "in calls", "of that", "waits for",
            "is waited for");
        line("%-6s %-16s %12s %12s %12s %14s %14s", "", "", "", "", "waiting", "most", "");
        long[][] waited = trace.waitedFor();
        double sum = 0;
        double most = 0;
        int slowest = 0;
        for (RankTrace rank : trace.ranks()) {
            long inCalls = rank.inCalls();
            long own = rank.nanos() - inCalls;
            long waiting = 0;
            long caused = 0;
            int peer = -1;
            for (int other = 0; other < trace.size(); other++) {
                waiting += waited[rank.rank()][other];
                caused += waited[other][rank.rank()];
                peer = waited[rank.rank()][other] > (peer < 0 ? 0 : waited[rank.rank()][peer]) ? other : peer;
            }
            line("%-6d %-16s %12s %12s %12s %14s %14s", rank.rank(), rank.host(), time(own), time(inCalls),
                time(waiting), peer < 0 ? "-" : "rank " + peer, time(caused));
            sum += own;
            if (own > most) {
                most = own;
                slowest = rank.rank();
            }
        }
        double mean = sum / trace.ranks().size();
        line("load imbalance: the most loaded rank, %d, works %s longer than the mean", slowest,
            percent(most - mean, mean));
    }

    private void waits() {
        out.append('\n');
        line("who waited for whom (row waits for column)");
        long[][] waited = trace.waitedFor();
        int columns = Math.min(trace.size(), 16);
        StringBuilder head = new StringBuilder(String.format("%-6s", "rank"));
        for (int peer = 0; peer < columns; peer++) {
            head.append(String.format("%12s", peer));
        }
        line("%s%s", head, columns < trace.size() ? "   (the first 16 ranks)" : "");
        for (int rank = 0; rank < columns; rank++) {
            StringBuilder row = new StringBuilder(String.format("%-6d", rank));
            for (int peer = 0; peer < columns; peer++) {
                row.append(String.format("%12s", waited[rank][peer] == 0 ? "." : time(waited[rank][peer])));
            }
            line("%s", row);
        }
    }

    private void calls() {
        out.append('\n');
        line("%-28s %10s %12s %12s %12s %12s", "call", "times", "sum", "least rank", "most rank", "bytes");
        Map<String, long[][]> sums = new TreeMap<>();
        for (RankTrace rank : trace.ranks()) {
            for (TracedSpan span : rank.spans()) {
                if (span.isCall()) {
                    long[] sum = sums.computeIfAbsent(span.words(), key -> new long[trace.size()][3])[rank.rank()];
                    sum[0]++;
                    sum[1] += span.nanos();
                    sum[2] += span.bytes();
                }
            }
        }
        sums.entrySet().stream().sorted((a, b) -> Long.compare(total(b.getValue(), 1), total(a.getValue(), 1)))
            .limit(MOST_ROWS).forEach(entry -> {
                long least = Long.MAX_VALUE;
                long most = 0;
                for (RankTrace rank : trace.ranks()) {
                    least = Math.min(least, entry.getValue()[rank.rank()][1]);
                    most = Math.max(most, entry.getValue()[rank.rank()][1]);
                }
                line("%-28s %10d %12s %12s %12s %12s", entry.getKey(), total(entry.getValue(), 0),
                    time(total(entry.getValue(), 1)), time(least), time(most),
                    ByteSize.words(total(entry.getValue(), 2)));
            });
    }

    private static long total(long[][] byRank, int field) {
        long sum = 0;
        for (long[] each : byRank) {
            sum += each[field];
        }
        return sum;
    }

    private record Link(int from, int to, long bytes, long messages) {
    }

    private void links() {
        List<Link> links = new ArrayList<>();
        long[][][] traffic = trace.traffic();
        for (int from = 0; from < trace.size(); from++) {
            for (int to = 0; to < trace.size(); to++) {
                if (traffic[from][to][1] > 0) {
                    links.add(new Link(from, to, traffic[from][to][0], traffic[from][to][1]));
                }
            }
        }
        links.sort((a, b) -> Long.compare(b.bytes(), a.bytes()));
        out.append('\n');
        line("%-20s %12s %12s%s", "link", "bytes", "messages",
            links.size() > MOST_ROWS ? "   (the " + MOST_ROWS + " busiest of " + links.size() + ")" : "");
        for (Link link : links.subList(0, Math.min(MOST_ROWS, links.size()))) {
            line("%-20s %12s %12d", link.from() + " to " + link.to(), ByteSize.words(link.bytes()), link.messages());
        }
    }

    private void algorithms() {
        List<TracedCalls> calls = TracedCalls.of(trace);
        if (calls.isEmpty()) {
            return;
        }
        out.append('\n');
        line("collectives: time from the last rank's entry to the last one's exit, median; simulated on %s", topology);
        line("%-14s %6s %10s %8s  %-22s %12s  %-22s %12s %12s", "collective", "ranks", "bytes", "calls",
            "algorithm that ran", "measured", "explain names", "its model", "simulated");
        for (TracedCalls each : calls.subList(0, Math.min(MOST_ROWS, calls.size()))) {
            line("%-14s %6d %10s %8d  %-22s %12s  %-22s %12s %12s", each.shape.collective(), each.shape.ranks(),
                ByteSize.words(each.shape.bytes()), each.count(), each.shape.algorithm(),
                time(each.medianNanos(false)), forecast.explained(each.shape),
                time(forecast.predictedNanos(each.shape)), time(forecast.simulatedNanos(each.shape, null)));
            line("%16s%s", "", each.detail);
        }
    }

    private void path() {
        CriticalPath path = new CriticalPath(trace);
        long[] own = path.nanos(trace.size(), false);
        long[] inCalls = path.nanos(trace.size(), true);
        out.append('\n');
        line("critical path: what decided how long the job took, %d stretches", path.stretches().size());
        line("%-6s %12s %8s %12s %8s", "rank", "own work", "", "in calls", "");
        for (int rank = 0; rank < trace.size(); rank++) {
            if (own[rank] + inCalls[rank] > 0) {
                line("%-6d %12s %8s %12s %8s", rank, time(own[rank]), percent(own[rank], trace.nanos()),
                    time(inCalls[rank]), percent(inCalls[rank], trace.nanos()));
            }
        }
    }
}
