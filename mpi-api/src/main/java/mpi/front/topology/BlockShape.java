package mpi.front.topology;

/** Divides a grid into equal blocks with the least surface between them. */
public final class BlockShape {
    private final int[] extent;
    private final boolean[] periods;
    private final int[] shape;
    private int[] best;
    private long leastCut = Long.MAX_VALUE;

    /** @param periods which of the grid's dimensions are rings */
    BlockShape(int[] extent, boolean[] periods) {
        this.extent = extent;
        this.periods = periods;
        shape = new int[extent.length];
    }

    /** The shape of blocks of so many cells; null if no such blocks fill the grid. */
    int[] of(int cells) {
        search(0, cells, 0);
        return best;
    }

    private void search(int dimension, int cells, long cut) {
        if (cut >= leastCut) {
            return;
        }
        if (dimension == extent.length) {
            if (cells == 1) {
                leastCut = cut;
                best = shape.clone();
            }
            return;
        }
        int along = extent[dimension];
        for (int side = Math.min(along, cells); side >= 1; side--) {
            if (along % side == 0 && cells % side == 0) {
                shape[dimension] = side;
                search(dimension + 1, cells / side, cut + cut(dimension, along / side));
            }
        }
    }

    /** Pairs of neighbours that are in different blocks, if a dimension has so many. */
    private long cut(int dimension, int blocks) {
        long lines = 1;
        for (int i = 0; i < extent.length; i++) {
            lines *= i == dimension ? 1 : extent[i];
        }
        return lines * (blocks - 1 + (periods[dimension] && blocks > 1 ? 1 : 0));
    }
}
