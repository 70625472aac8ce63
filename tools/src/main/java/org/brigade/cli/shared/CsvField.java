package org.brigade.cli.shared;

/** A field of comma-separated values, in quotes if it needs them. */
public final class CsvField {
    private CsvField() {
    }

    public static String of(String text) {
        return text.indexOf(',') < 0 && text.indexOf('"') < 0 && text.indexOf('\n') < 0 ? text
            : '"' + text.replace("\"", "\"\"") + '"';
    }
}
