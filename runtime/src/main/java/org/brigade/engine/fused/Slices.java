package org.brigade.engine.fused;

/** How a stretch of items is cut into a slice for every rank: into whole cache lines where items allow it. */
final class Slices {
    /** Of longer items, slices begin at multiples of a word only. */
    private static final int LONGEST_IN_LINES = 512;
    private static final int LINE = 64;
    private static final int WORD = 8;

    private Slices() {
    }

    /** Slices begin at multiples of so many bytes. */
    static int quantum(int itemBytes) {
        int unit = itemBytes <= LONGEST_IN_LINES ? LINE : WORD;
        int quantum = itemBytes;
        while (quantum % unit != 0) {
            quantum += itemBytes;
        }
        return quantum;
    }

    /** Bytes of every slice but the last ones, which may be shorter or empty. */
    static int length(int bytes, int ranks, int quantum) {
        int slice = (bytes + ranks - 1) / ranks;
        return (slice + quantum - 1) / quantum * quantum;
    }
}
