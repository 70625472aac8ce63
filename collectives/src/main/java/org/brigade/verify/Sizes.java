package org.brigade.verify;

import java.util.ArrayList;
import java.util.List;
import mpi.spi.Collective;
import mpi.spi.Counts;

/**
 * The number of elements of a symbolic run's blocks, and of a window.
 *
 * @param pattern 0: all blocks have {@code length} elements; 1: 0, 1 or 2 by turns; 2: one element in the first blocks,
 * none in the others (a count below the number of blocks)
 */
record Sizes(int pattern, int length, int window) {
    private static final int UNIFORM = 0;
    private static final int RAGGED = 1;
    private static final int SHORT = 2;

    static final Sizes ONE = new Sizes(UNIFORM, 1, 1);

    /** The sizes for a collective's schedules; fewer if {@code brief}. */
    static List<Sizes> of(Collective collective, boolean pipelined, boolean brief) {
        List<Sizes> all = new ArrayList<>();
        all.add(ONE);
        if (collective == Collective.BARRIER) {
            return all;
        }
        boolean equal = collective.counts == Counts.EQUAL;
        if (!equal) {
            all.add(new Sizes(RAGGED, 0, 1));
        }
        if (!brief) {
            all.add(equal ? new Sizes(UNIFORM, 0, 1) : new Sizes(SHORT, 0, 1));
            if (pipelined) {
                all.add(new Sizes(UNIFORM, 2, 1));
                all.add(new Sizes(UNIFORM, 5, 2));
            }
        }
        return all;
    }

    /** Number of elements of a vector's block or a rank's block. */
    int block(int block, int blocks) {
        return switch (pattern) {
            case UNIFORM -> length;
            case RAGGED -> (block + 2) % 3;
            default -> block < blocks / 2 ? 1 : 0;
        };
    }

    /** Number of elements that one rank sends to another if only these two know it. */
    int pair(int from, int to, int ranks) {
        return pattern == UNIFORM ? length : block((5 * from + 3 * to) % ranks, ranks);
    }

    @Override
    public String toString() {
        String blocks = switch (pattern) {
            case UNIFORM -> "blocks of " + length;
            case RAGGED -> "blocks of 2, 0, 1, 2, ...";
            default -> "blocks of 1, the later half empty";
        };
        return blocks + ", windows of " + window;
    }
}
