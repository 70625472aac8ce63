package org.brigade.algorithm;

/**
 * How the buffers of a call lie, on all ranks together, as far as algorithms of device memory care. Each rank says how
 * its own lie; what is true of all is {@link #and} of these, so all ranks come to the same.
 */
public enum Placement {
    /**
     * All buffers, and all blocks in them, begin at multiples of {@link #ALIGNMENT} bytes, blocks of a list are side by
     * side, and nobody's input is where his output will be.
     */
    ALIGNED(true, false),
    UNALIGNED(false, false),
    ALIGNED_IN_PLACE(true, true),
    UNALIGNED_IN_PLACE(false, true);

    /** Bytes of the widest access of a GPU. */
    public static final int ALIGNMENT = 16;
    public static final int COUNT = 4;

    private static final Placement[] ALL = values();

    public final boolean aligned;
    public final boolean inPlace;

    Placement(boolean aligned, boolean inPlace) {
        this.aligned = aligned;
        this.inPlace = inPlace;
    }

    public static Placement of(boolean aligned, boolean inPlace) {
        return ALL[(aligned ? 0 : 1) + (inPlace ? 2 : 0)];
    }

    /** The one with this {@link #ordinal}. */
    public static Placement numbered(int ordinal) {
        return ALL[ordinal];
    }

    /** What is true of these buffers and those. */
    public Placement and(Placement other) {
        return of(aligned && other.aligned, inPlace || other.inPlace);
    }
}
