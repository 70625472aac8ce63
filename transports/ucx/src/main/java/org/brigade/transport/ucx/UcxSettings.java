package org.brigade.transport.ucx;

import org.brigade.select.Settings;

/**
 * The user's settings for the fabric on UCX.
 *
 * @param windowBytes {@code brigade.ucx.window}: the most bytes that may be on their way, or lie untaken at the
 * receiver, on one lane from one rank to another
 * @param patienceNanos {@code brigade.ucx.patience}, which is in seconds: how long a peer that a thread waits for may
 * give no sign of life; 0 for ever
 * @param unreachableNanos {@code brigade.ucx.unreachable}, in seconds: how long such a peer's host may acknowledge
 * nothing; 0 for ever
 */
record UcxSettings(int windowBytes, long patienceNanos, long unreachableNanos) {
    private static final long SECOND = 1_000_000_000;
    /** The windows of all peers together, if all send at once. */
    private static final int ALL_WINDOWS = 64 << 20;
    private static final int SMALLEST_DEFAULT = 256 << 10;
    private static final int LARGEST_DEFAULT = 4 << 20;

    /**
     * The user's settings, or defaults. The default window is the smaller the more ranks there are.
     *
     * @throws org.brigade.select.TuningException naming the wrong setting and its allowed values
     */
    static UcxSettings of(Settings set, int ranks) {
        int fair = Math.max(SMALLEST_DEFAULT, Math.min(LARGEST_DEFAULT, ALL_WINDOWS / ranks));
        return new UcxSettings((int) set.number("ucx.window", fair), set.number("ucx.patience") * SECOND,
            set.number("ucx.unreachable") * SECOND);
    }
}
