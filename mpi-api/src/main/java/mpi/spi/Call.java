package mpi.spi;

/**
 * One collective call of one rank: both dialects fill it in, the checks read it, and every executor takes it unchanged.
 *
 * <p>
 * To fill it in: {@link #begin}; {@link #root} if the collective has one; {@link #reduction} if it reduces;
 * {@link #neighbours} if it is among neighbours; this rank's operands; {@link #inPlace} if one operand lies in the
 * other. A blocking call's object may be reused once the call has returned; a nonblocking call keeps its own.
 * {@link Collective} says what each operand is.
 */
public final class Call {
    /** The result of {@link #bytes} if ranks need not agree on it. */
    public static final long UNKNOWN = -1;

    public final int rank;
    public final int ranks;
    public Collective collective;
    public boolean blocking;
    /** 0 for collectives without one. */
    public int root;
    /** Whether one operand lies in the other, which then describes both. */
    public boolean inPlace;
    /** Bytes that must not be cut: an item, if values are combined or vectors divided. */
    public int extent;
    /** The type and the operation of a reduction; null for other collectives. */
    public TypeLayout type;
    public Reduction op;
    /** The edges of a collective among neighbours, in all such calls of a communicator the same; else of no use. */
    public Neighbourhood neighbours;
    public final Operand send = new Operand();
    public final Operand recv = new Operand();
    /** Whether the next blocking call is probably the same with other contents: then {@link #memo} is worth while. */
    public boolean repeats;
    /**
     * What a communicator remembers of this description, of a blocking call; null if nothing. While it is there, the
     * call may be started again with other buffers, but of the same kind: arrays of the same class, or direct NIO
     * buffers with numbers in native order. Device memory must be the same, see {@link Remembered#isStill}.
     */
    public Remembered memo;

    /**
     * A blocking call as its communicator remembers it. It makes the call in fewer steps than
     * {@link Communicator#start}, of which an interpreter takes most of the time.
     */
    public interface Remembered {
        /**
         * Makes the call again.
         *
         * @param call the same description, with buffers
         * @return false if it must be started as ever: nothing has been done then
         */
        boolean again(Call call);

        /**
         * Whether a pointer object of the caller's leads to this memory, with which the call was made before, and the
         * memory has not been freed. If so, the call may be made {@link #again} with it.
         */
        default boolean isStill(Object pointer, DeviceBuffer memory) {
            return false;
        }
    }

    public Call(int rank, int ranks) {
        this.rank = rank;
        this.ranks = ranks;
    }

    /** Begins a description and forgets the last one. Its buffers have been cleared ({@link #clear}). */
    public Call begin(Collective which, boolean blocks) {
        // References are stored only if they differ, as some collectors make each store cost a fence.
        if (collective != which) {
            collective = which;
        }
        blocking = blocks;
        if (memo != null) {
            memo = null;
        }
        root = 0;
        inPlace = false;
        extent = 1;
        if (type != null && !which.reduces) {
            type = null;
            op = null;
        }
        // Without a root every rank describes both operands anew, if there are any.
        if (which.rooted || which.recv == Extent.NONE) {
            send.blocks.none();
            recv.blocks.none();
        }
        return this;
    }

    public Call root(int rootRank) {
        root = rootRank;
        return this;
    }

    /** Sets the type and the operation. */
    public Call reduction(TypeLayout layout, Reduction operation) {
        if (type != layout) {
            type = layout;
        }
        if (op != operation) {
            op = operation;
        }
        extent = layout.extent;
        return this;
    }

    public Call neighbours(Neighbourhood edges) {
        neighbours = edges;
        return this;
    }

    /**
     * The operand to send already lies in its place in the other operand (for scatters: the operand to receive), which
     * has been described.
     */
    public void inPlace() {
        inPlace = true;
        boolean scatters = collective.scatters();
        Operand own = scatters ? recv : send;
        Operand other = scatters ? send : recv;
        Extent shape = scatters ? collective.recv : collective.send;
        own.buffer = other.buffer;
        own.offset = other.offset;
        if (shape == Extent.OWN) {
            own.offset += other.blocks.offset(rank);
            own.blocks.uniform(other.blocks.length(rank), 1);
        } else if (collective != Collective.REDUCE_SCATTER) {
            own.blocks.like(other.blocks);
        } // a reduce-scatter has described the blocks to send, and the block to receive is one of them
    }

    public boolean isRoot() {
        return rank == root;
    }

    /** Whether the order of operands does not matter. */
    public boolean commutes() {
        return op == null || op.commutative;
    }

    /**
     * The bytes by which an algorithm is chosen, which all ranks know: those that {@link Counts} names.
     * {@link #UNKNOWN} if each rank knows only its own counts.
     */
    public long bytes() {
        // Asked by every call; for the most frequent one, a reduction of one vector, the first test decides.
        if (collective.recv == Extent.VECTOR) {
            return collective == Collective.BCAST ? recv.blocks.total() : send.blocks.total();
        }
        return bytesOfBlocks();
    }

    private long bytesOfBlocks() {
        return switch (collective.counts) {
            case VECTOR -> 0;
            case EQUAL -> (collective.rooted && isRoot() == collective.scatters() ? send : recv).blocks.longest();
            case SHARED -> (collective.send == Extent.EACH ? send : recv).blocks.total();
            case LOCAL -> UNKNOWN;
        };
    }

    /** Whether a buffer of this rank is device memory. */
    public boolean isOnDevice() {
        return send.buffer instanceof DeviceBuffer || recv.buffer instanceof DeviceBuffer;
    }

    /** Forgets the caller's buffers. */
    public void clear() {
        send.buffer = null;
        recv.buffer = null;
    }
}
