package org.brigade.cli.bench.versus;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What both sides of a comparison measure.
 *
 * @param operations a comma list
 * @param sizes bytes, a comma list of plain numbers
 * @param freshBytes bytes of one rank over which {@code --fresh} rotates its buffers; 0 for one unchanged buffer
 * @param coldCalls how many first calls are timed, each operation and size in processes of its own; 0 for warm ones
 */
public record BenchJob(String operations, String sizes, int ranks, long freshBytes, int coldCalls) {
    /** Operations that move no data of the caller. */
    private static final Set<String> UNSIZED = Set.of("barrier", "dup", "split", "spawn");
    private static final String FRESH = "fresh=";

    /** A job of warm calls. */
    public BenchJob(String operations, String sizes, int ranks, long freshBytes) {
        this(operations, sizes, ranks, freshBytes, 0);
    }

    public boolean isCold() {
        return coldCalls > 0;
    }

    /** How many processes run at a time: a spawned one joins the ranks. */
    int processes() {
        return ranks + (List.of(operations.split(",")).contains("spawn") ? 1 : 0);
    }

    /** The same with other operations. */
    public BenchJob of(String others) {
        return new BenchJob(others, sizes, ranks, freshBytes, coldCalls);
    }

    /** How many rows one run gives: one for each operation and size, and if cold for each span of calls. */
    public int rows() {
        return isCold() ? starts().size() * (CallSpan.lasts(coldCalls).length + 2) : pairs().size();
    }

    /** The jobs for each of which a side starts its processes anew: of cold calls one for each operation and size. */
    public List<BenchJob> starts() {
        return isCold() ? pairs() : List.of(this);
    }

    /** Each operation at each size, if it has any. */
    private List<BenchJob> pairs() {
        List<BenchJob> pairs = new ArrayList<>();
        for (String operation : operations.split(",")) {
            for (String size : UNSIZED.contains(operation) ? new String[] {"0"} : sizes.split(",")) {
                pairs.add(new BenchJob(operation, size, ranks, freshBytes, coldCalls));
            }
        }
        return pairs;
    }

    /** The last argument of a benchmark's program; empty if its buffers stay and its calls are warm. */
    public String word() {
        return isCold() ? ColdCalls.WORD + coldCalls : freshBytes == 0 ? "" : FRESH + freshBytes;
    }

    /** Reads {@link #word} of warm calls. @throws IllegalArgumentException for any other word */
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
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(sizes, operations));
        if (!word().isEmpty()) {
            arguments.add(word());
        }
        return arguments;
    }
}
