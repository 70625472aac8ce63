package org.brigade.cli;

/**
 * One measured time.
 *
 * @param algorithm    which ran; empty if the program that measured does not say
 * @param microseconds of one message or call
 */
record BenchRow(String operation, int ranks, long bytes, String algorithm, double microseconds) {
    /**
     * Reads a line of CSV: {@code operation,ranks,bytes,microseconds} or {@code operation,ranks,bytes,algorithm,microseconds}.
     *
     * @return null for a line that is neither, such as a header or other output
     */
    static BenchRow parse(String line) {
        String[] fields = line.trim().split(",", -1);
        if (fields.length != 4 && fields.length != 5) {
            return null;
        }
        try {
            int ranks = Integer.parseInt(fields[1].trim());
            long bytes = Long.parseLong(fields[2].trim());
            double microseconds = Double.parseDouble(fields[fields.length - 1].trim());
            if (ranks < 1 || bytes < 0 || !(microseconds >= 0) || Double.isInfinite(microseconds)) {
                return null;
            }
            return new BenchRow(fields[0].trim(), ranks, bytes, fields.length == 5 ? fields[3].trim() : "", microseconds);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** What tells one measurement of a run from another. */
    String key() {
        return operation + "," + bytes;
    }
}
