package org.brigade.verify;

import mpi.spi.Collective;
import mpi.spi.Extent;
import org.brigade.schedule.Aliasing;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.Role;
import org.brigade.schedule.Slice;

/** What memory holds before a symbolic run, and what it must hold after, by MPI's {@link Definition}. */
final class Conditions {
    private static final Slice SEND = new Slice(Role.SEND, 0, Index.of(0), 1);

    private final Program[] programs;
    private final Terms terms;

    Conditions(Program[] programs, Terms terms) {
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
                        boolean vector = geometry.collective().send == Extent.VECTOR;
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

    /** Whether SEND lies in RECV, by the aliasing of calls in place. */
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

    /** Throws {@link Wrong} at the first element that is not what the standard says. */
    void check() {
        for (Program program : programs) {
            Geometry geometry = program.geometry;
            Definition definition = Definition.of(geometry.collective(), geometry.rank(), geometry.ranks(),
                geometry.root(), geometry.inPlace(), geometry.neighbours());
            for (int block = 0; block < definition.blocks(); block++) {
                int source = definition.source(block);
                if (source < 0) {
                    kept(program, 1, block, block + 1);
                    continue;
                }
                int from = definition.block(block);
                int element = from == 0 ? 0 : programs[source].image.starts[0][from];
                int next = definition.blocks() == 1 ? blocks(program, 1) : block + 1;
                if (geometry.collective() == Collective.ALLREDUCE && geometry.rank() > 0) {
                    agreed(program);
                } else if (geometry.collective().reduces) {
                    summed(program, definition.terms(), element);
                } else {
                    moved(program, block, next, source, element);
                }
            }
            kept(program, 0, 0, blocks(program, 0)); // SEND is the caller's
        }
    }

    /** RECV's blocks from {@code first} on, before {@code next}, must be elements of what {@code from} contributed. */
    private void moved(Program program, int first, int next, int from, int element) {
        int[] starts = program.image.starts[1];
        for (int at = starts[first]; at < starts[next]; at++) {
            int expected = terms.leaf(from, element + at - starts[first]);
            if (program.image.terms[at] != expected) {
                throw wrong(program, at, terms.toString(expected, -1), -1);
            }
        }
    }

    /** All RECV must be sums over the ranks below {@code ranks}. */
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

    /** Every rank's RECV must hold the very terms of rank 0: the results are equal to the last bit. */
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

    /** These blocks must be as they were. */
    private static void kept(Program program, int space, int firstBlock, int endBlock) {
        int[] starts = program.image.starts[space];
        for (int at = starts[firstBlock]; at < starts[endBlock]; at++) {
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
