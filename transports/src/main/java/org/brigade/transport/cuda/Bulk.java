package org.brigade.transport.cuda;

/** Grids of the kernels that copy or reduce large blocks, where the tuning table does not say. */
final class Bulk {
    /** Below this a further block costs more than it carries. */
    private static final long BYTES_A_BLOCK = 16 << 10;
    private static final int FEWEST = 4;

    private Bulk() {
    }

    static int blocks(long bytes) {
        return (int) Math.max(FEWEST, Math.min(CallArguments.MAX_BLOCKS, bytes / BYTES_A_BLOCK));
    }
}
