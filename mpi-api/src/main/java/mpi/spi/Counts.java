package mpi.spi;

/** Which ranks know how long a collective's blocks are. This decides by which bytes its algorithm is chosen. */
public enum Counts {
    /** One vector, or nothing: by the vector's bytes. */
    VECTOR,
    /** All blocks are of one size: by the bytes of one block. */
    EQUAL,
    /** Blocks of any sizes, which all ranks know: by the bytes of all blocks. */
    SHARED,
    /** Blocks whose sizes only their sender and their receiver know: never by bytes. */
    LOCAL
}
