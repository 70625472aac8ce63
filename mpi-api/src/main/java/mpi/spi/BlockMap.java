package mpi.spi;

/**
 * The positions of an operand's blocks in its buffer, in bytes. Filled in anew for every call; allocates only if lists
 * are longer than before.
 */
public final class BlockMap {
    // Forms; numbers, as some collectors make each store of a reference cost more.
    private static final int NONE = 0;
    private static final int VECTOR = 1;
    private static final int UNIFORM = 2;
    private static final int LISTED = 3;
    private static final int SHORTENED = 4;

    private int form = NONE;
    /** Items of a vector, and bytes of one. */
    private long count;
    private long extent;
    /** Items of a vector's block, and the number of blocks that are longer by one: from {@link #cut}. */
    private long quotient;
    private long remainder;
    private long blockBytes;
    private int blocks;
    private long[] offsets = {};
    private long[] lengths = {};
    /** Length of each block if some are shorter than planned: from {@link #shorten}. */
    private long[] there = {};
    /** The form of the plan, if some blocks are shorter. */
    private int plannedForm = NONE;
    /** The longest block of a list. */
    private long longest;
    private long total;
    private long span;

    /** No blocks. */
    public void none() {
        form = NONE;
    }

    /**
     * One vector of {@code items} items of {@code extent} bytes, which {@link #cut} divides before its blocks are used.
     */
    public void vector(long items, long extent) {
        form = VECTOR;
        count = items;
        this.extent = extent;
    }

    /**
     * Divides a vector into consecutive blocks; if the division leaves a rest, the first blocks are longer by an item.
     * Does nothing to other forms.
     */
    public void cut(int blocks) {
        if (form == VECTOR) {
            this.blocks = blocks;
            quotient = blocks == 1 ? count : count / blocks;
            remainder = blocks == 1 ? 0 : count % blocks;
        }
    }

    /** Blocks of one size, side by side. */
    public void uniform(long blockBytes, int blocks) {
        form = UNIFORM;
        this.blocks = blocks;
        this.blockBytes = blockBytes;
    }

    /**
     * {@code blocks} blocks of the given lengths, in items, at the given displacements, in items (null: side by side).
     * The lists may be longer.
     */
    public void listed(int[] counts, int[] displacements, long extent, int blocks) {
        begin(blocks);
        long next = 0;
        for (int block = 0; block < blocks; block++) {
            set(block, displacements == null ? next : displacements[block] * extent, counts[block] * extent);
            next += counts[block] * extent;
        }
    }

    /** Blocks at the given places with the given lengths, both in bytes. */
    public void placed(long[] places, long[] lengthsOfBlocks) {
        begin(places.length);
        for (int block = 0; block < blocks; block++) {
            set(block, places[block], lengthsOfBlocks[block]);
        }
    }

    /** The blocks of another map, side by side. */
    public void packed(BlockMap other, int blocks) {
        if (other.form == UNIFORM) {
            uniform(other.blockBytes, blocks);
            return;
        }
        begin(blocks);
        long next = 0;
        for (int block = 0; block < blocks; block++) {
            long length = other.length(block);
            set(block, next, length);
            next += length;
        }
    }

    /** The same blocks as another map. */
    public void like(BlockMap other) {
        switch (other.form) {
            case NONE -> none();
            case VECTOR -> vector(other.count, other.extent);
            case UNIFORM -> uniform(other.blockBytes, other.blocks);
            default -> {
                begin(other.blocks);
                for (int block = 0; block < blocks; block++) {
                    set(block, other.offsets[block], other.lengths[block]);
                }
            }
        }
    }

    private void begin(int blocks) {
        form = LISTED;
        this.blocks = blocks;
        longest = 0;
        total = 0;
        span = 0;
        if (offsets.length != blocks) {
            offsets = new long[blocks];
            lengths = new long[blocks];
        }
    }

    private void set(int block, long offset, long length) {
        offsets[block] = offset;
        lengths[block] = length;
        longest = Math.max(longest, length);
        span = Math.max(span, offset + length);
        total += length;
    }

    /**
     * A block is shorter than planned: from now on it has this length when it is used alone. Allocates, as this is
     * rare.
     *
     * @return false if that would move other blocks, as those of a vector follow from its length
     */
    public boolean shorten(int block, long length) {
        if (form == VECTOR && blocks > 1) {
            return false;
        }
        if (form != SHORTENED) {
            long[] at = new long[blocks];
            long[] full = new long[blocks];
            for (int i = 0; i < blocks; i++) {
                at[i] = offset(i);
                full[i] = length(i, 1);
            }
            offsets = at;
            lengths = full;
            there = lengths.clone();
            span = span();
            plannedForm = form;
            form = SHORTENED;
        }
        there[block] = length;
        return true;
    }

    /** Whether a block is shorter than planned. */
    public boolean isShortened(int block) {
        return form == SHORTENED && there[block] < lengths[block];
    }

    /** All blocks have their planned lengths again. */
    public void restore() {
        if (form == SHORTENED) {
            form = plannedForm;
        }
    }

    /** Where a block begins. */
    public long offset(int block) {
        return switch (form) {
            case VECTOR -> (block * quotient + Math.min(block, remainder)) * extent;
            case UNIFORM -> block * blockBytes;
            case LISTED, SHORTENED -> offsets[block];
            default -> 0;
        };
    }

    /** Bytes of a block. */
    public long length(int block) {
        return length(block, 1);
    }

    /** Bytes of a stretch of blocks that lie side by side. */
    public long length(int first, int blocks) {
        switch (form) {
            case NONE :
                return 0;
            case VECTOR :
                return offset(first + blocks) - offset(first);
            case UNIFORM :
                return blocks * blockBytes;
            case SHORTENED :
                // several blocks together have their planned length
                return blocks == 1 ? there[first] : planned(first, blocks);
            default :
                return planned(first, blocks);
        }
    }

    private long planned(int first, int blocks) {
        long sum = 0;
        for (int block = first; block < first + blocks; block++) {
            sum += lengths[block];
        }
        return sum;
    }

    /** Whether its blocks are parts of one vector. */
    public boolean isDivided() {
        return form == VECTOR && blocks > 1;
    }

    /** Whether all blocks have this length and lie side by side. */
    public boolean isDense(long bytes) {
        return form == UNIFORM ? blockBytes == bytes : form == LISTED && isListedDense(bytes);
    }

    private boolean isListedDense(long bytes) {
        for (int block = 0; block < blocks; block++) {
            if (lengths[block] != bytes || offsets[block] != block * bytes) {
                return false;
            }
        }
        return true;
    }

    /** Bytes of the longest block. */
    public long longest() {
        return switch (form) {
            case NONE -> 0;
            case VECTOR -> (quotient + (remainder > 0 ? 1 : 0)) * extent;
            case UNIFORM -> blockBytes;
            default -> longest;
        };
    }

    /** Bytes of all blocks. */
    public long total() {
        return form == VECTOR ? count * extent : totalOfBlocks();
    }

    private long totalOfBlocks() {
        return switch (form) {
            case NONE, VECTOR -> 0;
            case UNIFORM -> blockBytes * blocks;
            default -> total;
        };
    }

    /** Bytes from the start of the buffer to the end of its last block. */
    public long span() {
        return form == LISTED || form == SHORTENED ? span : total();
    }
}
