package org.brigade.cli.bench.versus;

/**
 * One measured time.
 *
 * @param algorithm the algorithm that ran, or the peer's variant; empty if the measuring program does not say
 * @param microseconds time of one message or call
 * @param stream time of one of many calls back to back on a GPU stream; NaN if not measured
 * @param graph time of one of many calls in a CUDA graph; NaN if not measured
 */
public record BenchRow(String operation, int ranks, long bytes, String algorithm, double microseconds, double stream,
    double graph) {
    public BenchRow(String operation, int ranks, long bytes, String algorithm, double microseconds) {
        this(operation, ranks, bytes, algorithm, microseconds, Double.NaN, Double.NaN);
    }

    /**
     * Reads a line of CSV:
     *
     * <pre>
     *   operation,ranks,bytes,microseconds
     *   operation,ranks,bytes,algorithm,microseconds
     *   operation,ranks,bytes,algorithm,microseconds,stream,graph          on device memory; the last two may be empty
     *   operation,variant,ranks,bytes,microseconds,stream,graph,bandwidth  NCCL's, as nccl_bench.cu prints them
     * </pre>
     *
     * @return null for any other line, such as a header or other output
     */
    public static BenchRow parse(String line) {
        String[] fields = line.trim().split(",", -1);
        int length = fields.length;
        if (length != 4 && length != 5 && length != 7 && length != 8) {
            return null;
        }
        boolean variant = length == 8;
        try {
            int ranks = Integer.parseInt(fields[variant ? 2 : 1].trim());
            long bytes = Long.parseLong(fields[variant ? 3 : 2].trim());
            double microseconds = Double.parseDouble(fields[length < 7 ? length - 1 : 4].trim());
            if (ranks < 1 || bytes < 0 || !(microseconds >= 0) || Double.isInfinite(microseconds)) {
                return null;
            }
            String algorithm = variant ? fields[1].trim() : length > 4 ? fields[3].trim() : "";
            return new BenchRow(fields[0].trim().replace('_', '-'), ranks, bytes, algorithm, microseconds,
                length < 7 ? Double.NaN : optional(fields[5]),
                length < 7 ? Double.NaN : optional(fields[6]));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static double optional(String field) {
        return field.isBlank() ? Double.NaN : Double.parseDouble(field.trim());
    }

    /** Identifies a measurement within a run. */
    public String key() {
        return operation + "," + bytes;
    }
}
