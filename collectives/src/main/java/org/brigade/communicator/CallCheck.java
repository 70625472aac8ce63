package org.brigade.communicator;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.engine.FusedFlat;
import org.brigade.schedule.Collective;

/**
 * Compares a collective call with those of the other members before any of its data moves ({@code brigade.check=true}): collective, root, bytes, operation and type. A difference is an
 * error on every rank, and the links stay clean.
 *
 * <pre>
 * word 0:  collective 63..56 | operation 55..48 | kind 47..40 | numbers 39..36 | pair 35..32 | root 31..0
 * word 1:  bytes, or -1 where ranks need not agree on them
 * </pre>
 */
final class CallCheck {
    private static final long FINALIZE = -1;

    private final FusedFlat fused;
    private final int rank;
    private final int ranks;
    private final long[] theirs = new long[2];

    CallCheck(FusedFlat fused, int rank, int ranks) {
        this.fused = fused;
        this.rank = rank;
        this.ranks = ranks;
    }

    void compare(long key, String communicator, Collective collective, int root, long bytes, TypeLayout type, Reduction op) {
        long first = what(collective, root, type, op);
        int different = fused.compare(key, first, bytes, theirs);
        if (different >= 0) {
            throw mismatch(rank, ranks, communicator, first, bytes, different, theirs[0], theirs[1]);
        }
    }

    /** Word 0 of a call. */
    static long what(Collective collective, int root, TypeLayout type, Reduction op) {
        return (long) collective.ordinal() << 56
            | (op == null ? 0xffL : op.operator.ordinal()) << 48
            | (op == null ? 0xffL : type.kind.ordinal()) << 40
            | (op == null ? 0 : (long) type.numbers.ordinal() << 36 | (long) type.pair.ordinal() << 32)
            | root;
    }

    static MPIException mismatch(int rank, int ranks, String communicator, long first, long bytes, int other, long itsFirst, long itsBytes) {
        Collective collective = Collective.values()[(int) (first >>> 56)];
        return ErrorClass.NOT_SAME.in(collective.key(), rank, ranks, communicator, "this rank calls " + describe(first, bytes) + ", rank " + other + " calls "
            + describe(itsFirst, itsBytes) + "; all ranks of a communicator must call the same collectives in the same order with matching arguments");
    }

    /** Compares Finalize, which every rank must call when the others do. */
    void compareFinalize(long key, String communicator) {
        int different = fused.compare(key, FINALIZE, -1, theirs);
        if (different >= 0) {
            throw ErrorClass.NOT_SAME.in("Finalize", rank, ranks, communicator, "rank " + different + " calls " + describe(theirs[0], theirs[1])
                + " instead; all ranks must have made the same collective calls before they finalize");
        }
    }

    private static String describe(long first, long bytes) {
        if (first == FINALIZE) {
            return "MPI.Finalize";
        }
        Collective collective = Collective.values()[(int) (first >>> 56)];
        StringBuilder text = new StringBuilder(collective.key());
        int op = (int) (first >>> 48) & 0xff;
        if (op != 0xff) {
            TypeLayout.Numbers numbers = TypeLayout.Numbers.values()[(int) (first >>> 36) & 0xf];
            TypeLayout.Pair pair = TypeLayout.Pair.values()[(int) (first >>> 32) & 0xf];
            text.append(" with ").append(Reduction.Operator.values()[op]).append(" on ");
            if (pair != TypeLayout.Pair.NONE) {
                text.append(pair);
            } else if (numbers == TypeLayout.Numbers.FLOAT16 || numbers == TypeLayout.Numbers.BFLOAT16) {
                text.append(numbers);
            } else {
                text.append(numbers == TypeLayout.Numbers.COMPLEX ? "complex " : "").append(ElementKind.values()[(int) (first >>> 40) & 0xff]);
            }
        }
        if (bytes >= 0) {
            text.append(" of ").append(bytes).append(" bytes");
        }
        if (collective.rooted) {
            text.append(" from root ").append((int) first);
        }
        return text.toString();
    }
}
