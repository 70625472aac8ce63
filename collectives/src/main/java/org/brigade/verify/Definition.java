package org.brigade.verify;

import org.brigade.schedule.Aliasing;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.Role;
import org.brigade.schedule.Slice;

/** The MPI standard's definition of each collective: what memory holds before, and what it must hold after. */
final class Definition {
    private static final Slice SEND = new Slice(Role.SEND, 0, Index.of(0), 1);

    private final Program[] programs;
    private final Terms terms;

    Definition(Program[] programs, Terms terms) {
        this.programs = programs;
        this.terms = terms;
    }

    // ---- before ----

    /** Gives every rank its contribution. */
    void contribute() {
        for (Program program : programs) {
            Geometry geometry = program.geometry;
            boolean root = geometry.rank() == geometry.root();
            switch (geometry.collective()) {
                case BARRIER :
                    break;
                case BCAST :
                    if (root) {
                        fill(program, 1, 0, blocks(program, 1));
                    }
                    break;
                case SCATTER :
                case SCATTERV :
                    if (root) {
                        fill(program, 0, 0, blocks(program, 0));
                    }
                    break;
                default :
                    if (inRecv(program)) {
                        boolean vector = geometry.collective().reduces;
                        fill(program, 1, vector ? 0 : geometry.rank(),
                            vector ? blocks(program, 1) : geometry.rank() + 1);
                    } else {
                        fill(program, 0, 0, blocks(program, 0));
                    }
            }
        }
    }

    private static int blocks(Program program, int space) {
        return program.image.starts[space].length - 1;
    }

    /** Whether SEND lies in RECV, as aliasing in place allows. */
    private static boolean inRecv(Program program) {
        return blocks(program, 0) > 0 && blocks(program, 1) > 0
            && Aliasing.resolve(program.geometry, SEND).role() == Role.RECV;
    }

    private void fill(Program program, int space, int firstBlock, int endBlock) {
        int[] starts = program.image.starts[space];
        for (int element = starts[firstBlock]; element < starts[endBlock]; element++) {
            program.image.terms[element] = terms.leaf(program.geometry.rank(), element - starts[firstBlock]);
        }
    }

    // ---- after ----

    /** Throws {@link Wrong} at the first element that differs from the standard's result. */
    void check() {
        for (Program program : programs) {
            Geometry geometry = program.geometry;
            int rank = geometry.rank();
            int ranks = geometry.ranks();
            boolean root = rank == geometry.root();
            switch (geometry.collective()) {
                case BARRIER :
                    break;
                case BCAST :
                    moved(program, 0, geometry.root(), 0, blocks(program, 1));
                    break;
                case SCATTER :
                case SCATTERV :
                    if (!root || !geometry.inPlace()) {
                        moved(program, 0, geometry.root(), offset(geometry.root(), rank), 1);
                    }
                    break;
                case GATHER :
                case GATHERV :
                    for (int block = 0; root && block < ranks; block++) {
                        moved(program, block, block, 0, 1);
                    }
                    break;
                case ALLGATHER :
                case ALLGATHERV :
                    for (int block = 0; block < ranks; block++) {
                        moved(program, block, block, 0, 1);
                    }
                    break;
                case ALLTOALL :
                case ALLTOALLV :
                    for (int block = 0; block < ranks; block++) {
                        moved(program, block, block, offset(block, rank), 1);
                    }
                    break;
                case REDUCE :
                    if (root) {
                        summed(program, ranks, 0);
                    }
                    break;
                case ALLREDUCE :
                    if (rank == 0) {
                        summed(program, ranks, 0);
                    } else {
                        agreed(program);
                    }
                    break;
                case SCAN :
                    summed(program, rank + 1, 0);
                    break;
                case EXSCAN :
                    if (rank > 0) {
                        summed(program, rank, 0);
                    }
                    break;
                case REDUCE_SCATTER :
                    summed(program, ranks, program.image.starts[0][rank]);
                    break;
            }
            keptSend(program);
        }
    }

    /** Where block {@code block} begins in {@code rank}'s contribution. */
    private int offset(int rank, int block) {
        return programs[rank].image.starts[0][block];
    }

    /** Requires that the blocks of RECV from {@code first} on are elements of {@code from}'s contribution. */
    private void moved(Program program, int first, int from, int element, int blocks) {
        int[] starts = program.image.starts[1];
        for (int at = starts[first]; at < starts[first + blocks]; at++) {
            int expected = terms.leaf(from, element + at - starts[first]);
            if (program.image.terms[at] != expected) {
                throw wrong(program, at, terms.toString(expected, -1), -1);
            }
        }
    }

    /** Requires that all of RECV are sums over the ranks below {@code ranks}. */
    private void summed(Program program, int ranks, int element) {
        int[] starts = program.image.starts[1];
        for (int at = starts[0]; at < starts[starts.length - 1]; at++) {
            int p = element + at - starts[0];
            int term = program.image.terms[at];
            if (!terms.sumsAll(term, ranks, p)) {
                StringBuilder expected = new StringBuilder("a0");
                for (int rank = 1; rank < ranks; rank++) {
                    expected.append("+a").append(rank);
                }
                throw wrong(program, at, expected.toString(), p);
            }
        }
    }

    /** Requires that every rank's RECV holds the very terms of rank 0: the results are equal to the last bit. */
    private void agreed(Program program) {
        int[] starts = program.image.starts[1];
        int[] others = programs[0].image.starts[1];
        for (int at = starts[0]; at < starts[starts.length - 1]; at++) {
            int p = at - starts[0];
            int expected = programs[0].image.terms[others[0] + p];
            if (program.image.terms[at] != expected) {
                throw wrong(program, at, terms.toString(expected, p) + " as on rank 0", p);
            }
        }
    }

    /** Requires that SEND is unchanged. */
    private static void keptSend(Program program) {
        int[] starts = program.image.starts[0];
        for (int at = starts[0]; at < starts[starts.length - 1]; at++) {
            if (program.image.writers[at] >= 0) {
                throw new Wrong("rank " + program.geometry.rank() + ": step " + program.image.writers[at] + " writes "
                    + program.image.place(at));
            }
        }
    }

    private Wrong wrong(Program program, int at, String expected, int element) {
        int writer = program.image.writers[at];
        return new Wrong(
            "rank " + program.geometry.rank() + " " + program.image.place(at) + ": expected " + expected + ", got "
                + terms.toString(program.image.terms[at], element)
                + (writer < 0 ? "" : " (lane " + program.laneName(writer) + ", step " + writer + ")"));
    }
}
