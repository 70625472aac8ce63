package org.brigade.nativ;

/**
 * Runs of blocks outside the heap, copied by compiled code many at a time: block i of a run begins at
 * {@code at + i * stride}. Its loops keep more loads under way than Java's, which check each element; a column of a
 * matrix lies in as many cache lines as it has elements.
 */
public final class CompiledRuns {
    /** Runs of one call; brigade.c has as many. */
    static final int MOST = 128;
    private static final int NUMBERS = 4;

    private final long[] runs = new long[NUMBERS * MOST];
    private int numbers;
    private long packed;
    private long place;
    private boolean unpacks;
    /** Packed bytes of the runs that have been added. */
    private long bytes;

    /** Whether this class may be used. Loads the library. */
    public static boolean work() {
        return BrigadeLibrary.LOADED;
    }

    /**
     * Begins anew.
     *
     * @param packedAt the address of the packed bytes
     * @param placeAt the address that the runs count from
     * @param outOfPacked whether the packed bytes go to the blocks, and not the blocks there
     */
    public void begin(long packedAt, long placeAt, boolean outOfPacked) {
        packed = packedAt;
        place = placeAt;
        unpacks = outOfPacked;
        numbers = 0;
        bytes = 0;
    }

    /** Adds a run. The caller has checked that all its blocks are in the memory. */
    public void add(long at, long stride, long blockBytes, long count) {
        if (numbers == runs.length) {
            end();
        }
        runs[numbers] = at;
        runs[numbers + 1] = stride;
        runs[numbers + 2] = blockBytes;
        runs[numbers + 3] = count;
        numbers += NUMBERS;
        bytes += blockBytes * count;
    }

    /**
     * Copies stretches as {@link #stretches(long, Object, long, long[], long[], int, int, boolean)} does, behind what
     * has been added. The caller has checked that they are in the memory.
     */
    public void stretches(long from, long[] at, long[] before, int first, int end) {
        end();
        BrigadeLibrary.copyStretches(packed, null, place + from, at, before, first, end, unpacks);
        packed += before[end] - before[first];
    }

    /**
     * Copies stretches of memory to packed bytes, or back. Stretch i, of {@code first} to {@code end}, begins at
     * {@code from + at[i]} and has {@code before[i + 1] - before[i]} bytes.
     *
     * @param packedAt the address of the packed bytes of stretch {@code first}
     * @param array a primitive array, and {@code from} a byte in it; or null, and an address
     * @return false if the JVM could not give the array; then some may have been copied
     */
    public static boolean stretches(long packedAt, Object array, long from, long[] at, long[] before, int first,
        int end, boolean outOfPacked) {
        return BrigadeLibrary.copyStretches(packedAt, array, from, at, before, first, end, outOfPacked);
    }

    /** Copies what has been added. */
    public void end() {
        if (numbers > 0) {
            BrigadeLibrary.copyRuns(packed, place, runs, numbers / NUMBERS, unpacks);
            packed += bytes;
            numbers = 0;
            bytes = 0;
        }
    }
}
