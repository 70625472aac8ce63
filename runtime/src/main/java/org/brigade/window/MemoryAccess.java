package org.brigade.window;

import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import mpi.spi.window.Access;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;
import org.brigade.op.LocalCopy;

/** What an access does to memory that this process can touch. Under the progress lock. */
final class MemoryAccess {
    private final LocalCopy copies = new LocalCopy();
    private final byte[] found = new byte[16];
    private final byte[] expected = new byte[16];
    private final Region foundRegion = new Region();
    private final Region expectedRegion = new Region();
    // One combiner for what most programs do: the same operation on the same type.
    private TypeLayout lastElement;
    private Reduction lastOp;
    private Combiner last;

    /** Runs a PUT or a GET. */
    void move(Access.Kind kind, Region target, Region origin, long originAt, Region result, long resultAt, long bytes) {
        if (kind == Access.Kind.PUT) {
            copies.copy(target, 0, origin, originAt, bytes);
        } else {
            copies.copy(result, resultAt, target, 0, bytes);
        }
    }

    /** Runs an ACCUMULATE; under the target's accumulate lock. The result is null or wraps a buffer. */
    void accumulate(Region target, Region origin, long originAt, Region result, long resultAt, long bytes,
        TypeLayout element, Reduction op) {
        if (result != null) {
            copies.copy(result, resultAt, target, 0, bytes);
        }
        if (op.operator == Operator.REPLACE) {
            copies.copy(target, 0, origin, originAt, bytes);
        } else if (op.operator != Operator.NO_OP) {
            copies.reduce(combiner(element, op), target, 0, origin, originAt, bytes);
        }
    }

    /** Runs a SWAP; under the target's accumulate lock. */
    void swap(Region target, Region origin, long originAt, Region compare, long compareAt, Region result,
        long resultAt, long bytes) {
        copies.copy(foundRegion.wrap(found, 0), 0, target, 0, bytes);
        copies.copy(expectedRegion.wrap(expected, 0), 0, compare, compareAt, bytes);
        boolean same = true;
        for (int i = 0; i < bytes; i++) {
            same &= found[i] == expected[i];
        }
        copies.copy(result, resultAt, foundRegion, 0, bytes);
        if (same) {
            copies.copy(target, 0, origin, originAt, bytes);
        }
    }

    /** Copies bytes between a message and a buffer. */
    void copy(Region target, long targetAt, Region source, long sourceAt, long bytes) {
        copies.copy(target, targetAt, source, sourceAt, bytes);
    }

    private Combiner combiner(TypeLayout element, Reduction op) {
        if (element != lastElement || op != lastOp) {
            last = Combiners.of(element, op, true);
            lastElement = element;
            lastOp = op;
        }
        return last;
    }
}
