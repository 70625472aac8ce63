package org.brigade.cli.bench.versus;

import java.util.ArrayList;
import java.util.List;

/**
 * What both sides of a comparison measure.
 *
 * @param operations a comma list
 * @param sizes bytes, a comma list of plain numbers
 * @param freshBytes bytes of one rank over which {@code --fresh} rotates its buffers; 0 for one unchanged buffer
 */
public record BenchJob(String operations, String sizes, int ranks, long freshBytes) {
    private static final String FRESH = "fresh=";

    /** How many rows one run gives: one for each operation and size; a barrier has no sizes. */
    public int rows() {
        int rows = 0;
        for (String operation : operations.split(",")) {
            rows += operation.equals("barrier") ? 1 : sizes.split(",").length;
        }
        return rows;
    }

    /** The last argument of a benchmark's program; empty if its buffers stay. */
    public String freshWord() {
        return freshBytes == 0 ? "" : FRESH + freshBytes;
    }

    /** Reads {@link #freshWord}. @throws IllegalArgumentException for any other word */
    public static long freshBytes(String word) {
        if (word.isEmpty()) {
            return 0;
        }
        if (!word.matches(FRESH + "[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException(
                "'" + word + "' is not understood; write fresh=BYTES, as in fresh=1048576");
        }
        return Long.parseLong(word.substring(FRESH.length()));
    }

    /** Arguments as {@code mpi_bench.c} takes them. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(sizes, operations));
        if (freshBytes > 0) {
            arguments.add(freshWord());
        }
        return arguments;
    }
}
