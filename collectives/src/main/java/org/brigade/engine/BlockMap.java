package org.brigade.engine;

/**
 * Where the blocks of one role lie in its buffer, in bytes: bound anew for every call, without allocating.
 */
public final class BlockMap {
    private enum Form { VECTOR, UNIFORM, LISTED, SHORTENED }

    private Form form = Form.UNIFORM;
    private long quotient;
    private long remainder;
    private long extent;
    private long blockBytes;
    private long[] offsets = {};
    private long[] lengths = {};
    /** What is there of each block where some are shorter than planned: of {@link #shorten}. */
    private long[] there = {};
    private int blocks;
    private long longest;
    private long total;

    /** A vector of {@code count} items of {@code extent} bytes, cut into {@code blocks} consecutive blocks; the first ones are longer by an item where it does not divide. */
    public void vector(long count, long extent, int blocks) {
        form = Form.VECTOR;
        this.blocks = blocks;
        quotient = count / blocks;
        remainder = count % blocks;
        this.extent = extent;
        longest = (quotient + (remainder > 0 ? 1 : 0)) * extent;
        total = count * extent;
    }

    /** Blocks of one size, side by side. */
    public void uniform(long blockBytes, int blocks) {
        form = Form.UNIFORM;
        this.blocks = blocks;
        this.blockBytes = blockBytes;
        longest = blockBytes;
        total = blockBytes * blocks;
    }

    /** Blocks of the given lengths, in items, at the given displacements, in items (null: side by side). The arrays may be longer than there are blocks. */
    public void listed(int[] counts, int[] displacements, int blocks, long extent) {
        begin(blocks);
        long next = 0;
        for (int block = 0; block < blocks; block++) {
            set(block, displacements == null ? next : displacements[block] * extent, counts[block] * extent);
            next += counts[block] * extent;
        }
    }

    /** Begins a list of blocks that {@link #set} fills in. */
    public void begin(int blocks) {
        form = Form.LISTED;
        this.blocks = blocks;
        longest = 0;
        total = 0;
        if (offsets.length != blocks) {
            offsets = new long[blocks];
            lengths = new long[blocks];
        }
    }

    public void set(int block, long offset, long length) {
        offsets[block] = offset;
        lengths[block] = length;
        longest = Math.max(longest, length);
        total += length;
    }

    /**
     * Less has come of a block than planned: from here on it is that long, where it is spoken of alone. Allocates, as it is rare.
     *
     * @return false if that would move the other blocks, as those of a vector lie where its length says
     */
    boolean shorten(int block, long length) {
        if (form == Form.VECTOR && blocks > 1) {
            return false;
        }
        if (form != Form.SHORTENED) {
            long[] at = new long[blocks];
            long[] planned = new long[blocks];
            for (int i = 0; i < blocks; i++) {
                at[i] = offset(i);
                planned[i] = length(i, 1);
            }
            offsets = at;
            lengths = planned;
            there = planned.clone();
            form = Form.SHORTENED;
        }
        there[block] = length;
        return true;
    }

    /** Where a block begins. */
    public long offset(int block) {
        return switch (form) {
            case VECTOR -> (block * quotient + Math.min(block, remainder)) * extent;
            case UNIFORM -> block * blockBytes;
            case LISTED, SHORTENED -> offsets[block];
        };
    }

    /** Bytes of a stretch of blocks that lie side by side. */
    public long length(int first, int blocks) {
        switch (form) {
            case VECTOR:
                return offset(first + blocks) - offset(first);
            case UNIFORM:
                return blocks * blockBytes;
            case SHORTENED:
                return blocks == 1 ? there[first] : planned(first, blocks); // others count on several together as they were planned
            default:
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

    /** Whether its blocks are the parts of one vector. */
    boolean isDivided() {
        return form == Form.VECTOR && blocks > 1;
    }

    /** Bytes of the longest block. */
    public long longest() {
        return longest;
    }

    /** Bytes of all blocks. */
    public long total() {
        return total;
    }
}
