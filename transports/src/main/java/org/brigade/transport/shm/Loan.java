package org.brigade.transport.shm;

/**
 * How a lent message is divided into pieces that either side copies. Two for most messages: each call of the kernel
 * costs about a microsecond. More for long ones, as the sides do not begin at the same time.
 */
final class Loan {
    private static final int LONGEST = 512 << 10;
    private static final int PAGE = 4 << 10;

    private Loan() {
    }

    private static int piece(long bytes) {
        return (int) Math.min(LONGEST, bytes / 2 + PAGE - 1 & -PAGE);
    }

    static int pieces(long bytes) {
        int piece = piece(bytes);
        return (int) ((bytes + piece - 1) / piece);
    }

    static long start(long bytes, int piece) {
        return (long) piece * piece(bytes);
    }

    static long length(long bytes, int piece) {
        return Math.min(piece(bytes), bytes - start(bytes, piece));
    }
}
