package org.brigade.cli.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.brigade.cli.bench.versus.MachineLimit;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.picture.Picture;
import org.brigade.topology.xml.XmlWriter;

/**
 * A report as one page that needs no network and no script. It is XML, too, so that any tool reads it. Colours follow
 * the reader's choice of light or dark.
 */
final class HtmlReport {
    /** The pictures' own colours are those of paper; here rules for the same elements replace them. */
    private static final String STYLE = """
        :root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --quiet: #57606a; --rule: #d8dee4;
          --grid: #eaeef2; --good: #116329; --bad: #a40e26; --mark: #fff1c2; --black: #000; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #0f1318; --ink: #e3e8ee; --quiet: #9aa6b2; --rule: #30363d; --grid: #222a33;
            --good: #56d364; --bad: #ff8a80; --mark: #3a3010; --black: #e3e8ee; } }
        body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
          max-width: 1180px; margin: 0 auto; padding: 24px 20px 60px; }
        h1 { font-size: 24px; margin: 0 0 4px; }
        h2 { font-size: 19px; margin: 36px 0 8px; border-top: 1px solid var(--rule); padding-top: 18px; }
        p { max-width: 80ch; margin: 8px 0; }
        .quiet { color: var(--quiet); }
        code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 10px 0; }
        th, td { padding: 3px 12px; border-bottom: 1px solid var(--rule); text-align: right; }
        td { white-space: nowrap; }
        .facts td { white-space: normal; }
        th { color: var(--quiet); font-weight: 600; vertical-align: bottom; }
        .words, .facts th, .facts td { text-align: left; }
        .facts th { white-space: nowrap; vertical-align: top; }
        .wide { overflow-x: auto; }
        .good { color: var(--good); font-weight: 600; }
        .bad { color: var(--bad); font-weight: 600; }
        tr.unsteady { background: var(--mark); }
        /* On a narrow screen the ratio is in sight without scrolling. */
        @media (max-width: 560px) { body { padding: 16px 10px 40px; } th, td { padding: 3px 6px; } }
        .charts { display: flex; flex-wrap: wrap; gap: 16px; }
        .charts svg { flex: 1 1 480px; max-width: 560px; height: auto; }
        svg > rect:first-of-type { fill: none; }
        svg text[fill='#000'] { fill: var(--ink); }
        svg text[fill='#444'] { fill: var(--quiet); }
        svg line[stroke='#eee'] { stroke: var(--grid); }
        svg rect[stroke='#888'] { stroke: var(--rule); }
        svg [stroke='#777'] { stroke: var(--quiet); }
        svg [stroke='#000000'] { stroke: var(--black); }
        svg [fill='#000000'] { fill: var(--black); }
        """;

    private final BenchReport report;
    private final StringBuilder out = new StringBuilder();

    HtmlReport(BenchReport report) {
        this.report = report;
    }

    String text() {
        out.append("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
            + "<meta charset=\"utf-8\"/>\n"
            + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
        element("title", "brigade bench, " + report.date());
        out.append("<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n");
        head();
        report.operations().forEach(this::operation);
        facts("Machine", report.facts());
        facts("Versions", report.versions());
        method();
        return out.append("</body>\n</html>\n").toString();
    }

    private void head() {
        element("h1", "brigade bench");
        out.append("<p class=\"quiet\">").append(escaped(report.date())).append(" &#183; <code>")
            .append(escaped(report.command())).append("</code></p>\n");
        int ranks = report.rows().isEmpty() ? 0 : report.rows().get(0).row().ranks();
        element("p", ranks + " ranks, " + report.runs() + (report.runs() == 1 ? " run" : " runs") + " of each side"
            + (report.peers().isEmpty() ? "" : " in turn") + ". Times are medians, in microseconds of one message or"
            + " call." + (report.peers().isEmpty() ? ""
                : " A ratio is the fastest peer's time divided by Brigade's: above 1 Brigade is faster.")
            + (report.isCold() ? " Calls are the first of fresh processes, one for each operation and size in each run."
                : report.fresh()
                    ? " The buffers to send were rewritten before each call, and rotated beyond the caches."
                    : " Each rank used the same buffers in all calls."));
    }

    private void operation(String operation, List<MeasuredRow> rows) {
        element("h2", operation);
        List<Picture> pictures = ReportCharts.of(report, operation, rows);
        if (!pictures.isEmpty()) {
            out.append("<div class=\"charts\">\n");
            pictures.forEach(picture -> out.append(ReportCharts.svg(picture)));
            out.append("</div>\n");
        }
        out.append("<div class=\"wide\"><table>\n<tr><th>").append(report.isCold() ? "calls" : "bytes")
            .append("</th><th class=\"words\">algorithm</th><th>")
            .append(BenchReport.OURS).append("</th>").append(report.peers().isEmpty() ? "" : "<th>ratio</th>");
        report.peers().forEach(peer -> element("th", peer));
        out.append("<th>limit</th><th>above the limit</th><th class=\"words\"></th></tr>\n");
        rows.forEach(this::row);
        out.append("</table></div>\n");
    }

    private void row(MeasuredRow row) {
        boolean unsteady = row.isUnsteady();
        out.append(unsteady ? "<tr class=\"unsteady\">" : "<tr>");
        element("td", row.row().place());
        out.append("<td class=\"words\">").append(escaped(row.row().algorithm())).append("</td>");
        element("td", time(row.row().microseconds()));
        double ratio = row.ratio();
        if (!report.peers().isEmpty()) {
            out.append("<td class=\"").append(Double.isNaN(ratio) ? "" : ratio >= 1 ? "good" : "bad").append("\">")
                .append(Double.isNaN(ratio) ? "" : String.format(Locale.ROOT, ratio < 0.1 ? "%.3f" : "%.2f", ratio))
                .append("</td>");
        }
        for (String peer : report.peers()) {
            element("td", row.of(peer) == null ? "" : time(row.of(peer).microseconds()));
        }
        double limit = report.limit(row);
        element("td", Double.isNaN(limit) ? "" : time(limit));
        element("td", Double.isNaN(limit) ? ""
            : String.format(Locale.ROOT, "%.1f \u00d7", row.row().microseconds() / limit));
        List<String> marks = new ArrayList<>();
        if (unsteady) {
            marks.add("unsteady");
        }
        if (report.beatsLimit(row)) {
            marks.add("beats the limit");
        }
        out.append("<td class=\"words\">").append(String.join(", ", marks)).append("</td></tr>\n");
    }

    private void facts(String heading, Map<String, String> facts) {
        element("h2", heading);
        out.append("<table class=\"facts\">\n");
        facts.forEach((name, value) -> {
            out.append("<tr>");
            element("th", name);
            element("td", value);
            out.append("</tr>\n");
        });
        out.append("</table>\n");
    }

    private void method() {
        element("h2", "How the figures were made");
        if (report.isCold()) {
            element("p", "Processes are started anew for each operation and size. Calls follow each other at once, and"
                + " nothing is warmed up. A time is that of Init, the mean over a span of calls, or the sum of all calls;"
                + " each is the slowest rank's. The medians over the starts are shown. Java's buffers are arrays.");
            unsteady();
            return;
        }
        element("p", "A time is the mean over ranks of the mean over iterations, after a warm-up; a barrier outside the"
            + " clock separates the calls. The median of five such times is one run's figure. Latency is half a round"
            + " trip.");
        element("p", MachineLimit.METHOD + " The round trip took "
            + time(1000 * report.limit().roundTrip()) + " ns here. Data that already lies in a reader's cache, or sums"
            + " that are made while copying, can come below this limit: a row that does by more than 5 % is marked, as it"
            + " shows what the cache gives and not what memory gives.");
        unsteady();
    }

    private void unsteady() {
        element("p", "A row is unsteady if the interquartile range of its runs, of ours or the fastest peer's, is more"
            + " than a third of their median: the machine has changed its state between the runs, and the ratio of such"
            + " a row says little.");
    }

    private void element(String name, String words) {
        out.append('<').append(name).append('>').append(escaped(words)).append("</").append(name).append('>');
        out.append(name.startsWith("t") && !name.equals("title") ? "" : "\n");
    }

    private static String escaped(String words) {
        return XmlWriter.escaped(words);
    }

    /** As many digits as make sense: 0.123, 12.3, 1234. */
    static String time(double microseconds) {
        return String.format(Locale.ROOT, microseconds < 10 ? "%.3f" : microseconds < 1000 ? "%.1f" : "%.0f",
            microseconds);
    }
}
