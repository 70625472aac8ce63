package org.brigade.transport.shm;

/** How a lent message is divided into pieces: the kernel copies some 64 KiB at a time fastest. */
final class Loan {
    /** Bytes of the longest piece. */
    static final int PIECE = 64 << 10;
    /** Short messages have smaller pieces, so that both sides have something to copy. */
    private static final int LEAST_PIECE = 16 << 10;
    private static final int LEAST_PIECES = 4;
    private static final int PAGE = 4 << 10;

    private Loan() {
    }

    static int piece(long bytes) {
        long even = bytes / LEAST_PIECES + PAGE - 1 & -PAGE;
        return (int) Math.max(LEAST_PIECE, Math.min(PIECE, even));
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
