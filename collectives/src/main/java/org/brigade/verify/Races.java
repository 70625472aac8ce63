package org.brigade.verify;

import java.util.Arrays;
import org.brigade.schedule.Slice;

/**
 * Finds two runs of different lanes of a rank that touch the same element, at least one writing, and that nothing
 * orders.
 */
final class Races {
    /** An order of runs of a rank. */
    interface Order {
        boolean before(int laneA, int a, int laneB, int b);
    }

    private final Program program;
    /**
     * By lane: for every element the number of its last access plus 1, and for every access the previous one on that
     * element.
     */
    private final int[][] heads;
    private final int[][] links;
    private final int[][] accesses;

    Races(Program program) {
        this.program = program;
        int lanes = program.lanes.length;
        heads = new int[lanes][program.image.terms.length];
        links = new int[lanes][64];
        accesses = new int[lanes][64];
        for (int lane = 0; lane < lanes; lane++) {
            int count = 0;
            for (int position = 0; position < program.lanes[lane].length; position++) {
                Program.Run run = program.lanes[lane][position];
                if (run.source >= 0) {
                    count = add(lane, run.step.source(), run.source, run.length, 2 * position, count);
                }
                if (run.target >= 0) {
                    count = add(lane, run.step.target(), run.target, run.length, 2 * position + 1, count);
                }
            }
        }
    }

    private int add(int lane, Slice slice, int start, int length, int access, int count) {
        int at = count;
        while (at + length > links[lane].length) {
            links[lane] = Arrays.copyOf(links[lane], 2 * links[lane].length);
            accesses[lane] = Arrays.copyOf(accesses[lane], 2 * accesses[lane].length);
        }
        for (int element = start; element < start + length; element++) {
            links[lane][at] = heads[lane][element];
            accesses[lane][at++] = access;
            heads[lane][element] = at;
        }
        return at;
    }

    /** A race in words, or null. */
    String find(Order order) {
        for (int laneA = 0; laneA < heads.length; laneA++) {
            for (int laneB = laneA + 1; laneB < heads.length; laneB++) {
                for (int element = 0; element < heads[laneA].length; element++) {
                    if (heads[laneA][element] > 0 && heads[laneB][element] > 0) {
                        String race = find(order, laneA, laneB, element);
                        if (race != null) {
                            return race;
                        }
                    }
                }
            }
        }
        return null;
    }

    private String find(Order order, int laneA, int laneB, int element) {
        for (int i = heads[laneA][element]; i > 0; i = links[laneA][i - 1]) {
            int accessA = accesses[laneA][i - 1];
            for (int j = heads[laneB][element]; j > 0; j = links[laneB][j - 1]) {
                int accessB = accesses[laneB][j - 1];
                boolean conflict = (accessA & 1) == 1 || (accessB & 1) == 1;
                int a = accessA / 2;
                int b = accessB / 2;
                if (conflict && !order.before(laneA, a, laneB, b) && !order.before(laneB, b, laneA, a)) {
                    return "rank " + program.geometry.rank() + ": race on " + program.image.place(element) + " between "
                        + program.name(laneA, a) + ", which " + verb(accessA) + ", and " + program.name(laneB, b)
                        + ", which " + verb(accessB);
                }
            }
        }
        return null;
    }

    private static String verb(int access) {
        return (access & 1) == 1 ? "writes it" : "reads it";
    }

    /**
     * The order that the rank's lanes and awaits give by themselves. The builder relies on it alone, and it is faster
     * than clocks.
     */
    static Order local(Program program) {
        int lanes = program.lanes.length;
        int[][][] known = new int[lanes][][];
        for (int lane = 0; lane < lanes; lane++) {
            int[] soFar = new int[lanes];
            known[lane] = new int[program.lanes[lane].length][];
            for (int position = 0; position < known[lane].length; position++) {
                int[] needs = program.lanes[lane][position].needs;
                boolean more = false;
                for (int other = 0; other < lanes; other++) {
                    more |= needs[other] > soFar[other];
                }
                if (more) {
                    soFar = soFar.clone();
                    for (int other = 0; other < lanes; other++) {
                        soFar[other] = Math.max(soFar[other], needs[other]);
                    }
                }
                known[lane][position] = soFar;
            }
        }
        return (laneA, a, laneB, b) -> known[laneB][b][laneA] > a;
    }
}
