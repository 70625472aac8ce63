package org.brigade.engine;

/**
 * Where the blocks of one role lie in its buffer, in bytes: bound anew for every call, without allocating.
 */
public final class BlockMap {
    private enum Form { VECTOR, UNIFORM, LISTED }

    private Form form = Form.UNIFORM;
    private long quotient;
    private long remainder;
    private long extent;
    private long blockBytes;
    private long[] offsets = {};
    private long[] lengths = {};
    private long longest;
    private long total;

    /** A vector of {@code count} items of {@code extent} bytes, cut into {@code blocks} consecutive blocks; the first ones are longer by an item where it does not divide. */
    public void vector(long count, long extent, int blocks) {
        form = Form.VECTOR;
        quotient = count / blocks;
        remainder = count % blocks;
        this.extent = extent;
        longest = (quotient + (remainder > 0 ? 1 : 0)) * extent;
        total = count * extent;
    }

    /** Blocks of one size, side by side. */
    public void uniform(long blockBytes, int blocks) {
        form = Form.UNIFORM;
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

    /** Where a block begins. */
    public long offset(int block) {
        return switch (form) {
            case VECTOR -> (block * quotient + Math.min(block, remainder)) * extent;
            case UNIFORM -> block * blockBytes;
            case LISTED -> offsets[block];
        };
    }

    /** Bytes of a stretch of blocks that lie side by side. */
    public long length(int first, int blocks) {
        switch (form) {
            case VECTOR:
                return offset(first + blocks) - offset(first);
            case UNIFORM:
                return blocks * blockBytes;
            default:
                long sum = 0;
                for (int block = first; block < first + blocks; block++) {
                    sum += lengths[block];
                }
                return sum;
        }
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
