package org.brigade.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;

/**
 * Writes a trace as Perfetto (ui.perfetto.dev) and chrome://tracing read it: a process for each rank, in it a thread
 * for calls and one for each lane of stages, and arrows along messages. Times are microseconds.
 */
public final class ChromeTrace {
    private static final int CALLS = 0;
    private static final int FIRST_LANE = 1;

    private final Writer out;
    private boolean first = true;

    private ChromeTrace(Writer out) {
        this.out = out;
    }

    /** @throws UncheckedIOException if it cannot be written */
    public static void write(JobTrace trace, Writer out) {
        try {
            new ChromeTrace(out).write(trace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(JobTrace trace) throws IOException {
        out.write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
        for (RankTrace rank : trace.ranks()) {
            name(rank.rank(), CALLS, "process_name", "rank " + rank.rank() + " on " + rank.host());
            place(rank.rank(), rank.rank());
            name(rank.rank(), CALLS, "thread_name", "calls");
            int lanes = 0;
            for (TracedSpan span : rank.spans()) {
                lanes = span.kind() == TracedSpan.Kind.STAGE ? Math.max(lanes, span.lane() + 1) : lanes;
            }
            for (int lane = 0; lane < lanes; lane++) {
                name(rank.rank(), FIRST_LANE + lane, "thread_name", "stages, lane " + lane);
            }
            for (TracedSpan span : rank.spans()) {
                span(rank.rank(), span);
            }
        }
        int number = 0;
        for (Flow flow : trace.flows()) {
            arrow("s", "", ++number, flow.sender(), flow.send().start());
            arrow("f", ", \"bp\": \"e\"", number, flow.receiver(), within(flow.receive()));
        }
        path(trace);
        out.write("\n]}\n");
    }

    private void name(int process, int thread, String what, String name) throws IOException {
        event("{\"ph\": \"M\", \"name\": \"" + what + "\", \"pid\": " + process + ", \"tid\": " + thread
            + ", \"args\": {\"name\": " + quoted(name) + "}}");
    }

    private void place(int process, int index) throws IOException {
        event("{\"ph\": \"M\", \"name\": \"process_sort_index\", \"pid\": " + process
            + ", \"args\": {\"sort_index\": " + index + "}}");
    }

    private void span(int rank, TracedSpan span) throws IOException {
        StringBuilder more = new StringBuilder("\"bytes\": ").append(span.bytes());
        if (span.peer() >= 0) {
            more.append(", \"peer\": ").append(span.peer());
        }
        if (span.kind() == TracedSpan.Kind.MESSAGE) {
            more.append(", \"tag\": ").append(span.tag());
        }
        if (span.number() >= 0) {
            more.append(", \"number\": ").append(span.number());
        }
        if (span.waited() > 0) {
            more.append(", \"waited us\": ").append(micros(span.waited()));
        }
        text(more, "communicator", span.communicator());
        text(more, "algorithm", span.algorithm());
        text(more, "detail", span.detail());
        complete(span.words(), span.kind().name().toLowerCase(Locale.ROOT), rank,
            span.kind() == TracedSpan.Kind.STAGE ? FIRST_LANE + span.lane() : CALLS, span.start(), span.nanos(),
            more.toString());
    }

    private static void text(StringBuilder more, String name, String words) {
        if (!words.isEmpty()) {
            more.append(", \"").append(name).append("\": ").append(quoted(words));
        }
    }

    private void complete(String name, String category, int process, int thread, long start, long nanos, String more)
        throws IOException {
        event("{\"ph\": \"X\", \"name\": " + quoted(name) + ", \"cat\": \"" + category + "\", \"pid\": " + process
            + ", \"tid\": " + thread + ", \"ts\": " + micros(start) + ", \"dur\": " + micros(nanos) + ", \"args\": {"
            + more + "}}");
    }

    private void arrow(String phase, String more, int number, int rank, long time) throws IOException {
        event("{\"ph\": \"" + phase + "\", \"name\": \"message\", \"cat\": \"message\", \"id\": " + number
            + ", \"pid\": " + rank + ", \"tid\": " + CALLS + ", \"ts\": " + micros(time) + more + "}");
    }

    /** The end of a call. A viewer drops an arrow whose point is not before the end of a slice. */
    private static long within(TracedSpan span) {
        return Math.max(span.start(), span.end() - 1);
    }

    /** A process of its own, above those of the ranks. */
    private void path(JobTrace trace) throws IOException {
        int process = trace.size();
        name(process, CALLS, "process_name", "critical path");
        place(process, -1);
        List<CriticalPath.Stretch> stretches = new CriticalPath(trace).stretches();
        for (CriticalPath.Stretch stretch : stretches) {
            complete("rank " + stretch.rank(), "path", process, CALLS, stretch.start(), stretch.nanos(),
                "\"in calls us\": " + micros(stretch.inCalls()));
        }
    }

    private void event(String json) throws IOException {
        out.write(first ? "" : ",\n");
        out.write(json);
        first = false;
    }

    /** Nanoseconds in microseconds. */
    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e3);
    }

    private static String quoted(String words) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < words.length(); i++) {
            char c = words.charAt(i);
            text.append(c == '"' || c == '\\' ? "\\" + c : c < ' ' ? String.format("\\u%04x", (int) c) : "" + c);
        }
        return text.append('"').toString();
    }
}
