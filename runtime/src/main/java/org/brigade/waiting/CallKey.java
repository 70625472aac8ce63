package org.brigade.waiting;

/**
 * The key of a collective's messages: the communicator's context (upper half), and the call's number there. Before its
 * own messages, a call may exchange some of the library's. They have the call's key aside, so that they are no calls of
 * their own, and people who read of a wait find the number of the program's call.
 */
public final class CallKey {
    /** Calls are told apart over so many. */
    private static final long ASIDE = 1L << 31;
    private static final long NUMBER = ASIDE - 1;

    private CallKey() {
    }

    /** @param number of the call; the first is 0 */
    public static long own(int context, long number) {
        return (long) context << Integer.SIZE | number & NUMBER;
    }

    /** The key aside of the same call. */
    public static long aside(int context, long number) {
        return own(context, number) | ASIDE;
    }

    /** The number of the call that a key belongs to; the first is 0. */
    public static long number(long key) {
        return key & NUMBER;
    }

    /** Whether a key is one aside. */
    public static boolean isAside(long key) {
        return (key & ASIDE) != 0;
    }

    /** Of a key of a call the key aside, of that the call's own. */
    public static long otherSide(long key) {
        return key ^ ASIDE;
    }
}
