package org.brigade.algorithm;

/**
 * How the buffers of a call lie on all ranks together, for algorithms of device memory. Each rank describes its own
 * buffers; {@link #and} combines the descriptions, so all ranks get the same one.
 */
public enum Placement {
    /**
     * All buffers and their blocks begin at multiples of {@link #ALIGNMENT} bytes, the blocks of a list are contiguous,
     * and no rank is in place.
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

    /** What holds for both. */
    public Placement and(Placement other) {
        return of(aligned && other.aligned, inPlace || other.inPlace);
    }
}
