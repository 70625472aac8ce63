package org.brigade.cli;

/** A field of comma-separated values, in quotes where it needs them. */
final class CsvField {
    private CsvField() {
    }

    static String of(String text) {
        return text.indexOf(',') < 0 && text.indexOf('"') < 0 && text.indexOf('\n') < 0 ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
