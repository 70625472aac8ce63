package org.brigade.transport.hostmpi;

import org.brigade.select.Settings;
import org.brigade.transport.hostmpi.library.HostMpi;

/**
 * The user's settings for the fabric on the host's MPI.
 *
 * @param windowBytes {@code brigade.mpi.window}: the most bytes that may be on their way, or lie untaken at the
 * receiver, on one lane from one rank to another
 * @param patienceNanos {@code brigade.mpi.patience}, which is in seconds: how long a peer that a thread waits for may
 * give no sign of life; 0 for ever
 * @param cuda {@code brigade.mpi.cuda}: {@code on} or {@code off}, whatever the MPI says of itself; null to ask it
 * whether it reads and writes device memory
 */
record HostMpiSettings(int windowBytes, long patienceNanos, String cuda) {
    /** The windows of all peers together, if all send at once. */
    private static final int ALL_WINDOWS = 64 << 20;
    private static final int SMALLEST_DEFAULT = 256 << 10;
    private static final int LARGEST_DEFAULT = 4 << 20;

    /**
     * The user's settings, or defaults. The default window is the smaller the more ranks there are.
     *
     * @throws org.brigade.select.TuningException naming the wrong setting and its allowed values
     */
    static HostMpiSettings of(Settings set, int ranks) {
        int fair = Math.max(SMALLEST_DEFAULT, Math.min(LARGEST_DEFAULT, ALL_WINDOWS / ranks));
        return new HostMpiSettings((int) set.number("mpi.window", fair), set.number("mpi.patience") * 1_000_000_000L,
            set.get("mpi.cuda"));
    }

    /** Whether the MPI, which has begun, may be given device memory. */
    boolean isCudaAware() {
        return cuda == null ? HostMpi.isCudaAware() : cuda.equals("on") && HostMpi.threadLevel() >= HostMpi.SERIALIZED;
    }
}
