package mpi.front.io;

import mpi.spi.TypeMap;

/**
 * Where the data of a view lie in the file: items of the file type, one behind the other, from a displacement on. Data
 * are counted in bytes; bytes between the items' data are not part of the view.
 *
 * <pre>
 * data            |aaaa|bbbb|cccc|
 * file    |disp...|aaaa..bbbb..cccc..
 * </pre>
 */
public final class ViewMap {
    private final long displacement;
    private final TypeMap item;
    private final long extent;
    private final boolean dense;
    /** What {@link #inspect} finds. */
    private boolean descends;
    private boolean overlaps;
    private long pieces;
    private long first;
    private long lastBegin = Long.MIN_VALUE;
    private long lastEnd = Long.MIN_VALUE;

    /**
     * @param displacement byte of the file at which item 0 lies
     * @param item data of one item
     * @param extent bytes from one item to the next
     */
    public ViewMap(long displacement, TypeMap item, long extent) {
        this.displacement = displacement;
        this.item = item;
        this.extent = extent;
        dense = item.isContiguous() && extent == item.size;
        if (!dense && item.size > 0) {
            inspect();
        }
    }

    private void inspect() {
        item.visit(0, 0, item.size, (at, stride, bytes, count) -> {
            first = pieces == 0 ? at : first;
            follow(at);
            descends |= count > 1 && stride < 0;
            overlaps |= count > 1 && stride < bytes;
            lastBegin = at + stride * (count - 1);
            lastEnd = lastBegin + bytes;
            pieces += count;
        });
        follow(first + extent);
    }

    private void follow(long begin) {
        descends |= begin < lastBegin;
        overlaps |= begin < lastEnd;
    }

    /** Whether some data lie before data that precede them, which MPI forbids; or before the displacement. */
    public boolean isDisordered() {
        return item.size > 0 && (descends || item.lowest < 0 || extent <= 0);
    }

    /** Whether some data share bytes of the file. */
    public boolean overlaps() {
        return overlaps;
    }

    /** Whether all data lie side by side. */
    public boolean isDense() {
        return dense;
    }

    /** Whether the view has no data. */
    public boolean isEmpty() {
        return item.size == 0;
    }

    /** Whether the place of data up to this byte is a number that Java has. */
    public boolean reaches(long data) {
        try {
            long items = item.size == 0 ? 0 : data / item.size + 1;
            Math.addExact(Math.addExact(displacement, Math.multiplyExact(items, extent)), item.highest);
            return true;
        } catch (ArithmeticException e) {
            return false;
        }
    }

    /** Bytes that lie side by side, on average. */
    public long pieceBytes() {
        return dense ? Long.MAX_VALUE : pieces == 0 ? 0 : item.size / pieces;
    }

    /** Shows where in the file the data bytes {@code from} to {@code to} lie. */
    public void visit(long from, long to, TypeMap.Visitor visitor) {
        if (dense && from < to) {
            visitor.blocks(displacement + from, 0, to - from, 1);
            return;
        }
        for (long at = from; at < to;) {
            long number = at / item.size;
            long begin = number * item.size;
            long end = Math.min(to, begin + item.size);
            item.visit(displacement + number * extent, at - begin, end - begin, visitor);
            at = end;
        }
    }

    /** The byte of the file at which a byte of the data lies. */
    public long offset(long data) {
        if (dense) {
            return displacement + data;
        }
        long number = data / item.size;
        return displacement + number * extent + inItem(data - number * item.size);
    }

    private long inItem(long data) {
        long[] found = {0};
        item.visit(0, data, data + 1, (at, stride, bytes, count) -> found[0] = at);
        return found[0];
    }

    /** The first byte of the data that lies at this byte of the file or behind it. */
    public long position(long offset) {
        long relative = offset - displacement;
        if (relative <= 0 || item.size == 0) {
            return 0;
        }
        if (dense) {
            return relative;
        }
        long number = Math.max(0, Math.floorDiv(relative - item.lowest, extent));
        long low = 0;
        long high = item.size;
        while (low < high) {
            long middle = low + high >>> 1;
            if (number * extent + inItem(middle) >= relative) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return number * item.size + low;
    }
}
