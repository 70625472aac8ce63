package org.brigade.cli.bench.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.brigade.cli.bench.versus.CallSpan;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.CsvFile;
import org.brigade.select.ByteSize;

/**
 * Times beside a peer's, read from a file such as {@code bench --vs --csv} and {@code bench --metrics nccl --csv}
 * write: columns {@code operation}, {@code bytes}, {@code microseconds}, {@code peer_microseconds}, {@code ratio} and
 * others, in any order, {@code shape} among them (the nodes and ranks of an operation). A column {@code calls} has
 * spans of cold calls, which are the table's rows then. Lines {@code # key: value} before the columns say what was
 * measured; they begin the table's caption. A column {@code note} marks single cells. A {@code ratio} is the peer's
 * time divided by Brigade's.
 */
public final class MeasuredTable {
    /** One measurement; a time or a ratio that the file lacks is NaN. */
    private record Cell(double time, double ratio, String note) {
    }

    private static final int COLUMNS = 120;
    private final Map<String, String> facts;
    /** By operation, and within one by bytes; of cold calls by operation and bytes, and within one by span. */
    private final Map<String, Map<Long, Cell>> columns = new LinkedHashMap<>();
    /** Names of the spans of cold calls by their order; empty for warm calls. */
    private final Map<Long, String> spans = new LinkedHashMap<>();

    /**
     * @param which of the file's times: {@code microseconds}, {@code stream} or {@code graph}
     * @throws BenchException naming the file and the line that cannot be read
     */
    public MeasuredTable(Path file, String which) {
        try {
            CsvFile read = CsvFile.read(file, List.of("operation", "bytes"));
            facts = read.facts();
            read.rows().forEach(row -> add(row, which));
        } catch (IllegalArgumentException e) {
            throw new BenchException(e.getMessage());
        }
        if (columns.isEmpty()) {
            throw new BenchException(file + " has no " + which + " and no ratio of it; take a file of measurements");
        }
    }

    private void add(CsvFile.Row row, String which) {
        try {
            double time = row.number(which);
            double ratio = row.number((which.equals("microseconds") ? "" : which + "_") + "ratio");
            ratio = Double.isNaN(ratio) ? row.number("peer_" + which) / time : ratio;
            if (!Double.isNaN(ratio) || !Double.isNaN(time)) {
                long bytes = Long.parseLong(row.of("bytes"));
                long place = bytes;
                String operation = row.of("operation");
                if (!row.of("calls").isEmpty()) {
                    place = CallSpan.order(row.of("calls"));
                    spans.put(place, row.of("calls"));
                    operation += bytes == 0 ? "" : " of " + ByteSize.compact(bytes);
                }
                operation += row.of("shape").isEmpty() ? "" : ", " + row.of("shape");
                columns.computeIfAbsent(operation, each -> new LinkedHashMap<>())
                    .put(place, new Cell(time, ratio, row.of("note")));
            }
        } catch (NumberFormatException e) {
            throw row.wrong("a number cannot be read: " + e.getMessage());
        }
    }

    /**
     * A row for each size and a column for each operation. A cell has the time, and in brackets the ratio; a ratio
     * below 1 is bold. Behind the table: what was measured, where Brigade is slower, and what the stars mean.
     *
     * @param shown the only sizes to have a row; null for all. The sentence about slower cells speaks of all.
     */
    public String markdown(Collection<Long> shown) {
        Map<String, Map<Long, Cell>> wanted = new LinkedHashMap<>(columns);
        wanted.values().removeIf(each -> shown != null && Collections.disjoint(each.keySet(), shown));
        Set<Long> rows = new TreeSet<>();
        wanted.values().forEach(each -> rows.addAll(each.keySet()));
        rows.removeIf(each -> shown != null && !shown.contains(each));
        StringBuilder text = new StringBuilder(spans.isEmpty() ? "| bytes |" : "| calls |");
        wanted.keySet().forEach(each -> text.append(' ').append(each).append(" |"));
        text.append("\n|").append("---|".repeat(wanted.size() + 1)).append('\n');
        Set<String> notes = new LinkedHashSet<>();
        for (long bytes : rows) {
            text.append("| ").append(bytes == 0 && spans.isEmpty() ? "none" : label(bytes)).append(" |");
            for (Map<Long, Cell> column : wanted.values()) {
                Cell cell = column.get(bytes);
                text.append(cell == null ? " |" : " " + words(cell, notes) + " |");
            }
            text.append('\n');
        }
        StringBuilder caption = new StringBuilder(facts());
        caption.append(caption.isEmpty() ? "" : ". ").append(slower());
        int star = 0;
        for (String note : notes) {
            caption.append(' ').append("\\*".repeat(++star)).append(' ').append(note).append('.');
        }
        return text.append('\n').append(wrapped(caption.toString())).toString();
    }

    /** A sentence instead of the table: the least and the largest ratio, and where Brigade is slower. */
    public String summary() {
        DoubleSummaryStatistics ratios =
            cells().mapToDouble(Cell::ratio).filter(each -> !Double.isNaN(each)).summaryStatistics();
        return wrapped(String.format(Locale.ROOT, "%.2f to %.2f. %s", ratios.getMin(), ratios.getMax(), slower()));
    }

    private String label(long place) {
        return spans.containsKey(place) ? spans.get(place) : ByteSize.compact(place);
    }

    private Stream<Cell> cells() {
        return columns.values().stream().flatMap(each -> each.values().stream());
    }

    private static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ")) {
            boolean fits = column + 1 + word.length() <= COLUMNS;
            lines.append(column == 0 ? "" : fits ? " " : "\n").append(word);
            column = column > 0 && fits ? column + 1 + word.length() : word.length();
        }
        return lines.append('\n').toString();
    }

    private static String words(Cell cell, Set<String> notes) {
        String words = Double.isNaN(cell.time) ? "" : threeDigits(cell.time);
        if (!Double.isNaN(cell.ratio)) {
            String ratio = cell.ratio < 1 ? String.format(Locale.ROOT, "%.2f", cell.ratio) : threeDigits(cell.ratio);
            ratio = isSlower(cell) ? "**" + ratio + "**" : ratio;
            words = words.isEmpty() ? ratio : words + " (" + ratio + ")";
        }
        if (cell.note.isEmpty()) {
            return words;
        }
        notes.add(cell.note);
        return words + "\\*".repeat(List.copyOf(notes).indexOf(cell.note) + 1);
    }

    private static boolean isSlower(Cell cell) {
        return cell.ratio < 0.995;
    }

    private static String threeDigits(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f",
            value);
    }

    private String facts() {
        StringBuilder text = new StringBuilder();
        facts.forEach((key, value) -> {
            if (!key.equals("command")) {
                text.append(switch (key) {
                    case "machine" -> "";
                    case "version" -> ", Brigade ";
                    case "peer" -> " beside ";
                    case "note" -> "; ";
                    default -> ", ";
                }).append(text.isEmpty() ? value.substring(0, 1).toUpperCase(Locale.ROOT) + value.substring(1) : value);
            }
        });
        return text.toString();
    }

    private String slower() {
        long slower = cells().filter(MeasuredTable::isSlower).count();
        if (slower == 0) {
            return "Slower in no cell.";
        }
        List<String> where = new ArrayList<>();
        columns.forEach((operation, column) -> {
            String cells = column.entrySet().stream().filter(each -> isSlower(each.getValue()))
                .map(each -> label(each.getKey())).collect(Collectors.joining(", "));
            if (!cells.isEmpty()) {
                where.add(operation + (column.size() == 1 ? "" : (spans.isEmpty() ? " of " : ": ") + cells));
            }
        });
        return "Slower in " + slower + " of " + cells().count() + " cells: " + String.join("; ", where) + ".";
    }
}
