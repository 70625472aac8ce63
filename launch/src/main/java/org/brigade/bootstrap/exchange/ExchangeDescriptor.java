package org.brigade.bootstrap.exchange;

/**
 * The memory through which the ranks that one launcher has started on one machine exchange bytes. All words are 8 bytes
 * in native order; initially all are zero.
 *
 * <pre>
 *    0  row of rank 0:
 *          0  its pid; start time (8)                                        that rank, the pid last, by release
 *         16  number of rounds it has written                            that rank, by release
 *         24  0, {@link #ENDS} or {@link #FINALIZED}                    that rank
 *         32  length of its bytes in even rounds; in odd ones (40)       that rank, before the round
 *         64  a piece of them, {@link #PIECE_BYTES}, in even rounds
 *        544  the same in odd rounds
 * 1024  row of rank 1, ...
 * </pre>
 *
 * <p>
 * Two of each suffice: a rank that writes to round r + 2 has read what all others wrote to round r + 1, so all have
 * read round r.
 */
final class ExchangeDescriptor {
    static final int ROW_BYTES = 1024;
    static final int PIECE_BYTES = 480;
    /** The process has begun to end by itself. */
    static final long ENDS = 1;
    static final long FINALIZED = 2;

    private static final int PID = 0;
    private static final int START_TIME = 8;
    private static final int ROUNDS = 16;
    private static final int ENDING = 24;
    private static final int TOTALS = 32;
    private static final int PIECES = 64;

    private ExchangeDescriptor() {
    }

    static int bytes(int ranks) {
        return Math.multiplyExact(ranks, ROW_BYTES);
    }

    static int pid(int rank) {
        return rank * ROW_BYTES + PID;
    }

    static int startTime(int rank) {
        return rank * ROW_BYTES + START_TIME;
    }

    static int rounds(int rank) {
        return rank * ROW_BYTES + ROUNDS;
    }

    static int ending(int rank) {
        return rank * ROW_BYTES + ENDING;
    }

    static int total(int rank, long round) {
        return rank * ROW_BYTES + TOTALS + (int) (round & 1) * Long.BYTES;
    }

    static int piece(int rank, long round) {
        return rank * ROW_BYTES + PIECES + (int) (round & 1) * PIECE_BYTES;
    }
}
