package org.brigade.nativ;

/**
 * A word that another process stores and that a wait looks for, and the looks as compiled code. A JVM that interprets
 * its looks finds them to be its most frequent code and compiles that first, on a processor that a rank may need; and
 * it sees late what comes.
 *
 * <p>
 * Works only once something has loaded {@link BrigadeLibrary}. A call looks for a bounded time. The JVM's collector
 * does not wait for it.
 */
public final class AwaitedWord {
    /**
     * So many waits of a kind look in compiled code. Later the JVM has compiled their looks, and those see a message
     * that is about to come 0.05 us sooner; and ranks that run ahead of others then wait as they always did.
     */
    public static final int FIRST_WAITS = 8192;

    /** Set by {@link BrigadeLibrary}, which is not loaded for this. */
    static volatile boolean compiled;

    private static final long LOWER_HALF = 0xffff_ffffL;

    /** 0: no word. */
    private long address;
    private long mask;
    private long least;
    private long most;
    private long ahead;

    /** Whether this may look. */
    public static boolean works() {
        return compiled;
    }

    /** From now on this stands for no word. */
    public void forget() {
        address = 0;
        ahead = 0;
    }

    /** Whether this stands for a word. */
    public boolean isKnown() {
        return address != 0;
    }

    /** The word at an address, a multiple of 8, is there when it is this one. */
    public void equal(long at, long value) {
        set(at, -1, value, value);
    }

    /** The same for the lower half of the word. */
    public void lowerHalf(long at, int value) {
        set(at, LOWER_HALF, value & LOWER_HALF, value & LOWER_HALF);
    }

    /** The same for a word that only grows, and has come so far. */
    public void atLeast(long at, long value) {
        set(at, -1, value, Long.MAX_VALUE);
    }

    /** Each of the first looks reads the 512 bytes from that address on, too; {@link #forget} ends that. */
    public void readAhead(long at) {
        ahead = at;
    }

    private void set(long at, long bits, long from, long to) {
        address = at;
        mask = bits;
        least = from;
        most = to;
    }

    /** Looks so many times without a pause: true as soon as the word is there. */
    public boolean look(int looks) {
        return BrigadeLibrary.look(address, mask, least, most, ahead, looks, 0, false);
    }

    /** Looks for so many nanoseconds with pauses: true as soon as the word is there. */
    public boolean spin(int nanos) {
        return BrigadeLibrary.look(address, mask, least, most, 0, 0, nanos, false);
    }

    /**
     * Looks for so many nanoseconds with yields, of which the last may take longer: true as soon as the word is there.
     */
    public boolean yield(int nanos) {
        return BrigadeLibrary.look(address, mask, least, most, 0, 0, nanos, true);
    }

    /** Pauses for so many nanoseconds. */
    public static void pause(int nanos) {
        BrigadeLibrary.look(0, 0, 0, 0, 0, 0, nanos, false);
    }
}
