package org.brigade.cli.bench.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.brigade.cli.bench.versus.MachineLimit;
import org.brigade.cli.bench.versus.MeasuredRow;

/**
 * Everything that a report shows.
 *
 * @param command the command line
 * @param date of the measurement, with the time
 * @param versions of what was measured: name and version, ours first
 * @param load what other programs used of the machine before the first run, in words
 * @param peers names of the peers, in the order of the command line
 * @param runs how often each side ran
 * @param fresh whether buffers were rewritten and rotated
 */
public record BenchReport(String command, String date, Map<String, String> versions, MachineFacts machine,
    String load, List<String> peers, int runs, boolean fresh, List<MeasuredRow> rows, MachineLimit limit) {
    /** Our name in tables, curves and files. */
    static final String OURS = "Brigade";
    static final String LIMIT = "limit";
    private static final double NOISE = 0.05;

    /** What a file's ending asks for. */
    private enum Kind { HTML, SVG, JSON }

    /** @throws IllegalArgumentException if a file's ending asks for nothing that can be written */
    public static void check(Path file) {
        kind(file);
    }

    private static Kind kind(Path file) {
        String name = file.getFileName() == null ? "" : file.getFileName().toString();
        for (Kind kind : Kind.values()) {
            if (name.endsWith("." + kind.name().toLowerCase(Locale.ROOT))) {
                return kind;
            }
        }
        throw new IllegalArgumentException(
            "--report " + file + ": the file's ending says what to write; name it .html, .svg or .json");
    }

    /** The whole file. */
    public String text(Path file) {
        return switch (kind(file)) {
            case HTML -> new HtmlReport(this).text();
            case SVG -> ReportCharts.page(this);
            case JSON -> JsonReport.text(this);
        };
    }

    /** Pairs of a name and a value: the machine, and who else used it. */
    Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>(machine.words());
        facts.put("load", load);
        return facts;
    }

    /** The rows by {@link org.brigade.cli.bench.versus.BenchRow#group}, in the order in which they were measured. */
    Map<String, List<MeasuredRow>> operations() {
        Map<String, List<MeasuredRow>> operations = new LinkedHashMap<>();
        for (MeasuredRow row : rows) {
            operations.computeIfAbsent(row.row().group(), operation -> new ArrayList<>()).add(row);
        }
        return operations;
    }

    /** Whether our time of a row is shorter than the limit by more than such measurements differ. */
    boolean beatsLimit(MeasuredRow row) {
        return row.row().microseconds() < (1 - NOISE) * limit(row);
    }

    boolean isCold() {
        return rows.stream().anyMatch(row -> row.row().isCold());
    }

    /** The limit of a row in microseconds; NaN if unknown. */
    double limit(MeasuredRow row) {
        return row.row().isCold() ? Double.NaN
            : limit.microseconds(row.row().operation(), row.row().ranks(), row.row().bytes());
    }
}
