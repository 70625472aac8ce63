package org.brigade.communicator.straightline;

/**
 * In which calls the members of a communicator ask each other for something scarce: in the first one that would use it,
 * and, while some member has none left, in a later one after 64 such calls, then after four times as many, and so on.
 * Other communicators give back what they had, but asking costs messages. All members make the same calls, so they
 * count alike.
 */
final class Attempts {
    private static final int FIRST_PAUSE = 64;
    private static final int GROWTH = 4;
    private static final int LONGEST_PAUSE = 1 << 20;

    private int pause = FIRST_PAUSE / GROWTH;
    private int left;

    /** Counts a call that cannot use it yet. @return whether the members ask in this call */
    boolean isDue() {
        if (left > 0) {
            left--;
            return false;
        }
        pause = Math.min(pause * GROWTH, LONGEST_PAUSE);
        left = pause;
        return true;
    }
}
