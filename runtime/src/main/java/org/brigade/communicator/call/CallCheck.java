package org.brigade.communicator.call;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.BlockMap;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Counts;
import mpi.spi.ElementKind;
import mpi.spi.Extent;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;

/**
 * Compares a collective call with those of the other members before any of its data moves ({@code brigade.check=true}):
 * collective, root, bytes, operation and type. A difference is an error on every rank, and the links stay clean.
 *
 * <pre>
 * word 0:  collective 63..56 | operation 55..48 | kind 47..40 | numbers 39..36 | pair 35..32 | root 31..0
 * word 1:  bytes, or -1 where ranks need not agree on them
 * </pre>
 */
public final class CallCheck {
    private static final long FINALIZE = -1;
    /** Beside the collective: it is not called but prepared, to be started later. */
    private static final long PREPARED = 1L << 63;

    private final WordComparison words;
    private final int rank;
    private final int ranks;
    private final long[] theirs = new long[2];

    public CallCheck(WordComparison words, int rank, int ranks) {
        this.words = words;
        this.rank = rank;
        this.ranks = ranks;
    }

    void compare(long key, String communicator, Call call) {
        long first = what(call);
        long bytes = call.bytes();
        int different = words.compare(key, first, bytes, theirs);
        if (different >= 0) {
            throw mismatch(call, communicator, different, theirs[0], theirs[1]);
        }
    }

    /**
     * Compares what each rank sends to each other rank with what that rank expects. A difference is an error on the two
     * ranks concerned, and they tell the others.
     */
    public void compareBlocks(long key, String communicator, Call call) {
        Collective collective = call.collective;
        int root = call.root;
        BlockMap send = call.send.blocks;
        BlockMap recv = call.recv.blocks;
        if (collective.reduces || collective.send == Extent.NONE || collective.send == Extent.VECTOR) {
            return;
        }
        long[] sends = new long[ranks];
        long[] receives = new long[ranks];
        if (collective.amongNeighbours()) {
            add(sends, call.neighbours.destinations(), send, collective.send == Extent.OWN);
            add(receives, call.neighbours.sources(), recv, false);
        } else {
            for (int peer = 0; peer < ranks; peer++) {
                boolean toPeer = !collective.rooted || (collective.send == Extent.OWN ? peer : rank) == root;
                boolean fromPeer = !collective.rooted || (collective.recv == Extent.OWN ? peer : rank) == root;
                sends[peer] = toPeer ? send.length(collective.send == Extent.OWN ? 0 : peer, 1) : 0;
                receives[peer] = fromPeer ? recv.length(collective.recv == Extent.OWN ? 0 : peer, 1) : 0;
            }
        }
        int different = words.compareEach(key, sends, receives, theirs);
        if (different >= 0) {
            boolean comes = theirs[0] != receives[different];
            throw words.failed(collective.key(), key,
                ErrorClass.NOT_SAME.in(collective.key(), rank, ranks, communicator,
                    "rank " + (comes ? different : rank) + " sends " + (comes ? theirs[0] : sends[different])
                        + " bytes to rank " + (comes ? rank : different) + ", which expects "
                        + (comes ? receives[different] : theirs[1])
                        + "; the counts and types of the two must come to the same"));
        }
    }

    /** Waits until all members have compared; throws if one of them has found a difference. */
    public void await(long key) {
        words.compare(key, 0, 0, theirs);
    }

    /** Adds the bytes of each edge to those of its other end: several edges may lead to one rank. */
    private static void add(long[] bytes, int[] peers, BlockMap blocks, boolean same) {
        for (int block = 0; block < peers.length; block++) {
            if (peers[block] >= 0) {
                bytes[peers[block]] += blocks.length(same ? 0 : block, 1);
            }
        }
    }

    /** Tells the members that this rank has refused a call that they make. */
    void refuse(String call, long key, MPIException why) {
        words.failed(call, key, why);
    }

    /** Word 0 of a call. */
    public static long what(Call call) {
        Reduction op = call.op;
        TypeLayout type = call.type;
        return (long) call.collective.ordinal() << 56
            | (op == null ? 0xffL : op.operator.ordinal()) << 48
            | (op == null ? 0xffL : type.kind.ordinal()) << 40
            | (op == null ? 0 : (long) type.numbers.ordinal() << 36 | (long) type.pair.ordinal() << 32)
            | call.root;
    }

    /** Word 0 of a persistent call that is made. */
    public static long prepared(Call call) {
        return what(call) | PREPARED;
    }

    public static MPIException mismatch(Call call, String communicator, int other, long itsFirst, long itsBytes) {
        return mismatch(call, what(call), communicator, other, itsFirst, itsBytes);
    }

    /** @param first word 0 of this rank's call */
    public static MPIException mismatch(Call call, long first, String communicator, int other, long itsFirst,
        long itsBytes) {
        return ErrorClass.NOT_SAME.in(call.collective.key(), call.rank, call.ranks, communicator, "this rank calls "
            + describe(first, call.bytes()) + ", rank " + other + " calls "
            + describe(itsFirst, itsBytes)
            + "; all ranks of a communicator must call the same collectives in the same order with matching arguments");
    }

    /** The error of a call of which all members know that some counts do not fit, but not whose. */
    public static MPIException unbalanced(Call call, String communicator) {
        return ErrorClass.NOT_SAME.in(call.collective.key(), call.rank, call.ranks, communicator,
            "ranks send other numbers of bytes than their receivers expect; the counts and types of the two must come"
                + " to the same (the blocking call names the two ranks)");
    }

    /** Compares Finalize: all ranks must call it at the same point of their call sequence. */
    void compareFinalize(long key, String communicator) {
        int different = words.compare(key, FINALIZE, -1, theirs);
        if (different >= 0) {
            throw ErrorClass.NOT_SAME.in("Finalize", rank, ranks, communicator,
                "rank " + different + " calls " + describe(theirs[0], theirs[1])
                    + " instead; all ranks must have made the same collective calls before they finalize");
        }
    }

    private static String describe(long first, long bytes) {
        if (first == FINALIZE) {
            return "MPI.Finalize";
        }
        Collective collective = Collective.values()[(int) ((first & ~PREPARED) >>> 56)];
        StringBuilder text = new StringBuilder((first & PREPARED) != 0 ? "persistent " : "").append(collective.key());
        int op = (int) (first >>> 48) & 0xff;
        if (op != 0xff) {
            TypeLayout.Numbers numbers = TypeLayout.Numbers.values()[(int) (first >>> 36) & 0xf];
            TypeLayout.Pair pair = TypeLayout.Pair.values()[(int) (first >>> 32) & 0xf];
            text.append(" with ").append(Reduction.Operator.values()[op]).append(" on ");
            if (pair != TypeLayout.Pair.NONE) {
                text.append(pair);
            } else if (numbers.isNarrow()) {
                text.append(numbers);
            } else {
                text.append(numbers == TypeLayout.Numbers.COMPLEX ? "complex " : "")
                    .append(ElementKind.values()[(int) (first >>> 40) & 0xff]);
            }
        }
        if (bytes >= 0 && collective.counts != Counts.LOCAL) {
            text.append(" of ").append(bytes).append(" bytes");
        }
        if (collective.rooted) {
            text.append(" from root ").append((int) first);
        }
        return text.toString();
    }
}
