package org.brigade.cli.bench;

import java.util.Locale;

/**
 * One measurement of {@code bench --metrics nccl}, as ranks print it:
 * {@code operation,ranks,bytes,algorithm,microseconds,cpu}.
 *
 * @param algorithm the algorithm that ran; empty if the measuring program does not say
 * @param cpu user and system seconds of all ranks, divided by their wall-clock seconds
 */
record BusRow(BusOperation operation, int ranks, long bytes, String algorithm, double microseconds, double cpu) {
    /** @return null for any other line, such as a header or other output */
    static BusRow parse(String line) {
        String[] fields = line.trim().split(",", -1);
        if (fields.length != 6) {
            return null;
        }
        try {
            BusRow row = new BusRow(BusOperation.of(fields[0]), Integer.parseInt(fields[1]), Long.parseLong(fields[2]),
                fields[3], Double.parseDouble(fields[4]), Double.parseDouble(fields[5]));
            return row.ranks >= 1 && row.bytes >= 0 && row.microseconds >= 0
                && row.microseconds < Double.POSITIVE_INFINITY && row.cpu >= 0 ? row : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    String line() {
        return String.format(Locale.ROOT, "%s,%d,%d,%s,%.3f,%.3f", operation.key(), ranks, bytes, algorithm,
            microseconds, cpu);
    }

    /** GB/s. */
    double algorithmBandwidth() {
        return microseconds == 0 ? 0 : bytes / microseconds / 1000;
    }

    /** GB/s. */
    double busBandwidth() {
        return algorithmBandwidth() * operation.busFactor(ranks);
    }

    /** Identifies a measurement within a run. */
    String key() {
        return operation.key() + "," + bytes;
    }
}
