package org.brigade.waiting;

/**
 * What another process can see of a rank's calls.
 *
 * @param made how many calls it has made, its nonblocking ones and the library's own messages included, modulo
 * {@link #MODULUS}
 * @param bytes of those calls but its receives; the last few short calls may be missing
 * @param newest the program's newest call; null if it has made none, or too many of the library's since
 */
public record RankActivity(RankState state, int made, long bytes, RecordedCall newest) {
    public static final int MODULUS = 1 << 23;

    /** The algorithm of the newest call; empty if there is none, or it is not known. */
    public String algorithm() {
        return newest == null ? "" : newest.algorithm();
    }

    /** Calls since an earlier look, if those are fewer than {@link #MODULUS}. */
    public int since(RankActivity before) {
        return made - before.made & MODULUS - 1;
    }
}
