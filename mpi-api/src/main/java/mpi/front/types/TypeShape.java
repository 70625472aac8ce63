package mpi.front.types;

import mpi.spi.TypeLayout;
import mpi.spi.TypeMap;

/**
 * The shape of one item of a datatype: where its data lie, and its bounds, in bytes. Items follow each other at the
 * distance of the bounds.
 */
public final class TypeShape {
    /** So many items that no call has more; both their bytes and their positions fit in a long. */
    private static final long UNBOUNDED = 1L << 31;

    public final TypeMap map;
    public final long lb;
    public final long ub;
    /** Whether the program has set a bound; types derived from it then follow that bound and not their data. */
    final boolean lbSet;
    final boolean ubSet;
    /** Size of the largest basic element, to which a struct's extent is rounded up. */
    final int alignment;

    TypeShape(TypeMap map, long lb, long ub, boolean lbSet, boolean ubSet, int alignment) {
        this.map = map;
        this.lb = lb;
        this.ub = ub;
        this.lbSet = lbSet;
        this.ubSet = ubSet;
        this.alignment = alignment;
    }

    /**
     * The shape of a predefined type.
     *
     * @param indexOffset where in a pair the index begins, else 0
     */
    static TypeShape basic(TypeLayout layout, int indexOffset) {
        int element = indexOffset > 0 ? indexOffset
            : layout.numbers == TypeLayout.Numbers.COMPLEX ? layout.extent : layout.kind.bytes;
        int alignment = layout.numbers == TypeLayout.Numbers.COMPLEX ? layout.kind.bytes : element;
        return new TypeShape(TypeMap.contiguous(layout.extent / element, element), 0, layout.extent, false, false,
            alignment);
    }

    public long extent() {
        return ub - lb;
    }

    /** Whether items lie side by side without gaps, from byte 0 on. */
    boolean isDense() {
        return map.size == 0 || map.isContiguous() && extent() == map.size;
    }

    /** All items of a buffer. */
    public TypeMap items() {
        return TypeMap.repeated(map, UNBOUNDED, extent());
    }
}
