package org.brigade.cli.shared;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of comma-separated values without quotes. Its first line names the columns. Empty lines and those that begin
 * with # do not count.
 *
 * @param facts what lines {@code # key: value} before the columns say
 */
public record CsvFile(Path file, Map<String, String> facts, List<Row> rows) {
    private static final int MOST_LINES = 100_000;

    /**
     * A row.
     *
     * @param line its number in the file, from 1
     */
    public record Row(Path file, int line, List<String> columns, List<String> fields) {
        /** The field of a column; empty if the file has no such column. */
        public String of(String column) {
            int at = columns.indexOf(column);
            return at < 0 ? "" : fields.get(at).strip();
        }

        /** The number of a column; NaN if there is none. @throws NumberFormatException if it is none */
        public double number(String column) {
            return of(column).isEmpty() ? Double.NaN : Double.parseDouble(of(column));
        }

        /** What is wrong with this row, with its place in front. */
        public IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("line " + line + " of " + file + ": " + what);
        }
    }

    /**
     * @param needed columns that must be there
     * @throws IllegalArgumentException naming the file, the line and what is wrong
     */
    public static CsvFile read(Path file, List<String> needed) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                file + " cannot be read (" + e + "); name a file that brigade bench --csv has written");
        }
        if (lines.size() > MOST_LINES) {
            throw new IllegalArgumentException(file + " has more than " + MOST_LINES + " lines");
        }
        Map<String, String> facts = new LinkedHashMap<>();
        List<Row> rows = new ArrayList<>();
        List<String> columns = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            int colon = line.indexOf(": ");
            if (line.startsWith("#")) {
                if (columns == null && colon > 0) {
                    facts.put(line.substring(1, colon).strip(), line.substring(colon + 2));
                }
            } else if (!line.isEmpty()) {
                Row row = new Row(file, i + 1, columns, List.of(line.split(",", -1)));
                if (columns == null) {
                    columns = row.fields;
                    if (!columns.containsAll(needed)) {
                        throw row.wrong("the first line names the columns, among them " + String.join(",", needed));
                    }
                } else if (row.fields.equals(columns)) {
                    continue; // files put behind each other
                } else if (row.fields.size() != columns.size()) {
                    throw row.wrong(row.fields.size() + " fields, but the first line names " + columns.size());
                } else {
                    rows.add(row);
                }
            }
        }
        return new CsvFile(file, facts, rows);
    }
}
