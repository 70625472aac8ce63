package org.brigade.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Reads the recordings of a job's ranks and brings their clocks together. The flight recorder stamps events by a clock
 * of each process; a rank's Clock events give that clock's time, System.nanoTime and the difference to rank 0's
 * System.nanoTime, once after Init and once in Finalize. Between the two, everything is interpolated.
 */
public final class TraceReader {
    private record ClockPoint(long stamp, long reading, long ahead, long roundTrip) {
        /** By rank 0's System.nanoTime. */
        long common() {
            return reading - ahead;
        }
    }

    private TraceReader() {
    }

    /**
     * Reads {@code rank-*.jfr} of a folder.
     *
     * @throws IllegalArgumentException if the folder has none, or those of several jobs, or one is damaged; the message
     * says what to do
     */
    public static JobTrace read(Path folder) {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.getFileName().toString().matches("rank-\\d+\\.jfr")).sorted().toList();
        } catch (IOException e) {
            throw new IllegalArgumentException(folder + " cannot be read (" + e + "); name the folder that the job's"
                + " ranks wrote to (-Dbrigade.trace=FOLDER)");
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException(folder + " has no file rank-*.jfr; run the program with"
                + " -Dbrigade.trace=" + folder + ", and let it call MPI.Init");
        }
        List<RankTrace> ranks = new ArrayList<>();
        String job = null;
        for (Path file : files) {
            List<RecordedEvent> events;
            try {
                events = RecordingFile.readAllEvents(file);
            } catch (IOException e) {
                throw new IllegalArgumentException(file + " is no whole recording (" + e.getMessage()
                    + "): its rank was killed while it wrote; remove the file to see the other ranks");
            }
            RecordedEvent joined = events.stream()
                .filter(event -> event.getEventType().getName().equals("brigade.Clock"))
                .findFirst().orElseThrow(() -> new IllegalArgumentException(file
                    + " has no event of MPI.Init: its rank ended before it; remove the file to see the other ranks"));
            if (job != null && !job.equals(joined.getString("job"))) {
                throw new IllegalArgumentException(folder + " has recordings of two jobs, " + job + " and "
                    + joined.getString("job") + "; give each job a folder of its own");
            }
            job = joined.getString("job");
            ranks.add(rank(joined, events));
        }
        ranks.sort(Comparator.comparingInt(RankTrace::rank));
        return new JobTrace(job, ranks).fromZero();
    }

    private static RankTrace rank(RecordedEvent joined, List<RecordedEvent> events) {
        List<ClockPoint> points = new ArrayList<>();
        for (RecordedEvent event : events) {
            if (event.getEventType().getName().equals("brigade.Clock")) {
                points.add(new ClockPoint(nanos(event.getStartTime()), event.getLong("reading"),
                    event.getLong("ahead"), event.getLong("roundTrip")));
            }
        }
        points.sort(Comparator.comparingLong(ClockPoint::stamp));
        ClockPoint first = points.get(0);
        ClockPoint last = points.get(points.size() - 1);
        double speed = last.stamp() == first.stamp() ? 1
            : (double) (last.common() - first.common()) / (last.stamp() - first.stamp());
        List<TracedSpan> spans = new ArrayList<>();
        long end = last.common();
        for (RecordedEvent event : events) {
            long start = first.common() + Math.round((nanos(event.getStartTime()) - first.stamp()) * speed);
            TracedSpan span = span(event, start, start + Math.round(event.getDuration().toNanos() * speed));
            if (span != null) {
                spans.add(span);
                end = Math.max(end, span.end());
            }
        }
        spans.sort(Comparator.comparingLong(TracedSpan::start).thenComparing(span -> -span.end()));
        return new RankTrace(joined.getInt("rank"), joined.getInt("size"), joined.getInt("node"),
            joined.getString("host"), first.common(), end, Math.max(first.roundTrip(), last.roundTrip()) / 2, spans);
    }

    private static long nanos(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    private static String text(RecordedEvent event, String field) {
        String text = event.getString(field);
        return text == null ? "" : text;
    }

    /** Null for events that do not count here. */
    private static TracedSpan span(RecordedEvent event, long start, long end) {
        return switch (event.getEventType().getName()) {
            case "brigade.Collective" -> new TracedSpan(TracedSpan.Kind.COLLECTIVE, text(event, "collective"),
                text(event, "mode"), start, end, text(event, "communicator"), event.getInt("context"),
                event.getLong("number"), -1, 0, event.getLong("bytes"), 0, 0, event.getInt("ranks"),
                event.getInt("root"), text(event, "algorithm"),
                text(event, "parameters") + (text(event, "rule").isEmpty() ? "" : ": " + text(event, "rule")));
            case "brigade.Message" -> new TracedSpan(TracedSpan.Kind.MESSAGE, text(event, "call"), "", start, end,
                text(event, "communicator"), event.getInt("context"), -1, event.getInt("peer"), event.getInt("tag"),
                event.getLong("bytes"), 0, 0, 0, -1, "", "");
            case "brigade.Stage" -> new TracedSpan(TracedSpan.Kind.STAGE, text(event, "stage"), "", start, end,
                text(event, "communicator"), event.getInt("context"), event.getLong("number"), event.getInt("peer"), 0,
                event.getLong("bytes"), event.getLong("waited"), event.getInt("lane"), 0, -1,
                text(event, "algorithm"), text(event, "collective"));
            case "brigade.Communicator" -> new TracedSpan(TracedSpan.Kind.COMMUNICATOR, text(event, "call"), "", start,
                end, text(event, "communicator"), event.getInt("context"), -1, -1, 0, 0, 0, 0, 0, -1, "",
                text(event, "members"));
            case "brigade.Window" -> new TracedSpan(TracedSpan.Kind.WINDOW, text(event, "call"), "", start, end,
                text(event, "communicator"), 0, -1, event.getInt("peer"), 0, event.getLong("bytes"), 0, 0, 0, -1, "",
                "");
            case "jdk.GarbageCollection" -> new TracedSpan(TracedSpan.Kind.PAUSE, "garbage collection", "", start, end,
                "", 0, -1, -1, 0, 0, 0, 0, 0, -1, "", text(event, "name"));
            default -> null;
        };
    }
}
