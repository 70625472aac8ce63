package mpi.spi;

/**
 * One of the two buffers of a collective call, and the blocks in it.
 *
 * A buffer is an array of the type's kind, a direct or heap NIO buffer of any kind, or a {@link DeviceBuffer}; null if
 * this rank has none.
 */
public final class Operand {
    public Object buffer;
    /** Byte of the buffer at which the operand begins. */
    public long offset;
    /** The blocks' positions, counted from {@link #offset}. */
    public final BlockMap blocks = new BlockMap();

    Operand() {
    }

    /** This rank has no such operand. */
    public void none() {
        buffer = null;
        offset = 0;
        blocks.none();
    }

    /** {@code count} items of {@code extent} bytes. */
    public void vector(Object data, long from, long count, int extent) {
        buffer = data;
        offset = from;
        blocks.vector(count, extent);
    }

    /** One block, this rank's own. */
    public void own(Object data, long from, long bytes) {
        each(data, from, bytes, 1);
    }

    /** Blocks of one size, side by side: {@code count} of them. */
    public void each(Object data, long from, long blockBytes, int count) {
        buffer = data;
        offset = from;
        blocks.uniform(blockBytes, count);
    }

    /** {@code count} blocks, as {@link BlockMap#listed}. */
    public void listed(Object data, long from, int[] counts, int[] displacements, int extent, int count) {
        buffer = data;
        offset = from;
        blocks.listed(counts, displacements, extent, count);
    }

    /** A block for each rank, as {@link BlockMap#placed}. */
    public void placed(Object data, long[] places, long[] lengths) {
        buffer = data;
        offset = 0;
        blocks.placed(places, lengths);
    }
}
