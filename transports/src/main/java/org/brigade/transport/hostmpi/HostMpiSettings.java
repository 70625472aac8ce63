package org.brigade.transport.hostmpi;

import org.brigade.select.Settings;
import org.brigade.transport.hostmpi.library.HostMpi;

/**
 * What a user may set of the fabric on the host's MPI.
 *
 * @param windowBytes {@code brigade.mpi.window}: bytes that may be on their way, or lie at the receiver and not be
 * taken, on one lane from one rank to another
 * @param patienceNanos {@code brigade.mpi.patience}, there in seconds: how long a peer that somebody waits for may give
 * no sign of life; 0 for ever
 * @param cuda {@code brigade.mpi.cuda}: {@code on} or {@code off}, whatever the MPI says of itself; null to ask it
 * whether it reads and writes device memory
 */
record HostMpiSettings(int windowBytes, long patienceNanos, String cuda) {
    /** Of all peers together, if all send at once. */
    private static final int ALL_WINDOWS = 64 << 20;
    private static final int SMALLEST_DEFAULT = 256 << 10;
    private static final int LARGEST_DEFAULT = 4 << 20;

    /**
     * As set; where nothing is, windows are the smaller the more ranks there are.
     *
     * @throws org.brigade.select.TuningException naming the setting that is none, and what it may be
     */
    static HostMpiSettings of(Settings set, int ranks) {
        int fair = Math.max(SMALLEST_DEFAULT, Math.min(LARGEST_DEFAULT, ALL_WINDOWS / ranks));
        return new HostMpiSettings((int) set.number("mpi.window", fair), set.number("mpi.patience") * 1_000_000_000L,
            set.get("mpi.cuda"));
    }

    /** Whether the MPI, which has begun, is to be given device memory. */
    boolean isCudaAware() {
        return cuda == null ? HostMpi.isCudaAware() : cuda.equals("on") && HostMpi.threadLevel() >= HostMpi.SERIALIZED;
    }
}
