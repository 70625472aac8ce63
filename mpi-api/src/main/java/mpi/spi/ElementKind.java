package mpi.spi;

/**
 * The primitive that a buffer consists of. Sizes are Java's, which are those of the C types that the MPI standard pairs
 * with them; a Java {@code boolean} is sent as one byte.
 */
public enum ElementKind {
    BYTE(1), BOOLEAN(1), CHAR(2), SHORT(2), INT(4), LONG(8), FLOAT(4), DOUBLE(8);

    /** Bytes of one element. */
    public final int bytes;
    /** log2 of {@link #bytes}. */
    public final int shift;

    ElementKind(int bytes) {
        this.bytes = bytes;
        this.shift = Integer.numberOfTrailingZeros(bytes);
    }
}
