package org.brigade.cli.bench.versus;

import org.brigade.select.ByteSize;

/**
 * One measured time.
 *
 * @param algorithm the algorithm that ran, or the peer's variant; empty if the measuring program does not say
 * @param microseconds time of one message or call
 * @param stream time of one of many calls back to back on a GPU stream; NaN if not measured
 * @param graph time of one of many calls in a CUDA graph; NaN if not measured
 * @param calls the {@link CallSpan} of a fresh process of which this is the time; empty for warm calls
 */
public record BenchRow(String operation, int ranks, long bytes, String algorithm, double microseconds, double stream,
    double graph, String calls) {
    public BenchRow(String operation, int ranks, long bytes, String algorithm, double microseconds, double stream,
        double graph) {
        this(operation, ranks, bytes, algorithm, microseconds, stream, graph, "");
    }

    public BenchRow(String operation, int ranks, long bytes, String algorithm, double microseconds) {
        this(operation, ranks, bytes, algorithm, microseconds, Double.NaN, Double.NaN);
    }

    /**
     * Reads a line of CSV:
     *
     * <pre>
     *   operation,ranks,bytes,microseconds
     *   operation,ranks,bytes,algorithm,microseconds
     *   operation,ranks,bytes,calls,algorithm,microseconds                 of cold calls
     *   operation,ranks,bytes,algorithm,microseconds,stream,graph          on device memory; the last two may be empty
     *   operation,variant,ranks,bytes,microseconds,stream,graph,bandwidth  NCCL's, as nccl_bench.cu prints them
     * </pre>
     *
     * @return null for any other line, such as a header or other output
     */
    public static BenchRow parse(String line) {
        String[] fields = line.trim().split(",", -1);
        int length = fields.length;
        boolean cold = length == 6 && CallSpan.isName(fields[3].trim());
        if (length != 4 && length != 5 && !cold && length != 7 && length != 8) {
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
            if (cold) {
                return new BenchRow(fields[0].trim(), ranks, bytes, fields[4].trim(), microseconds, Double.NaN,
                    Double.NaN, fields[3].trim());
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
        return operation + "," + bytes + (isCold() ? "," + calls : "");
    }

    public boolean isCold() {
        return !calls.isEmpty();
    }

    /** What a table of several rows is about: {@code allreduce}, or {@code allreduce of 8, cold}. */
    public String group() {
        return isCold() ? operation + (bytes == 0 ? "" : " of " + ByteSize.compact(bytes)) + ", cold" : operation;
    }

    /** Which row of its group this is: the size, or the calls. */
    public String place() {
        return isCold() ? calls : ByteSize.compact(bytes);
    }
}
