package org.brigade.transport.hostmpi;

import org.brigade.bootstrap.Deadline;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.hostmpi.library.HostMpiException;

/**
 * An exchange over the MPI that launched the job. It does not report dead processes: the launcher itself ends the job
 * when one dies.
 */
public final class HostMpiExchange implements Exchange {
    private static final int MOST_BYTES = 1 << 20;
    /** Offsets: the request's handle is at 0, the length follows, and then the lengths of all ranks. */
    private static final int LENGTH = HostMpi.REQUEST_BYTES;
    private static final int LENGTHS = 2 * Long.BYTES;

    private static HostMpiExchange opened;

    private final Job job;
    private final long timeoutMillis;
    private final HostMpiSession session;

    private HostMpiExchange(Job job, long timeoutMillis, HostMpiSession session) {
        this.job = job;
        this.timeoutMillis = timeoutMillis;
        this.session = session;
    }

    /**
     * Starts the MPI. All ranks of the job call this, once per process.
     *
     * @param timeoutMillis how long to wait for the others in each call
     * @throws mpi.MPIException if there is no MPI, or it does not see the job as the launcher does
     */
    public static synchronized HostMpiExchange open(Job job, long timeoutMillis) {
        opened = new HostMpiExchange(job, timeoutMillis, HostMpiSession.begin(job, timeoutMillis));
        return opened;
    }

    /** The session behind this process's exchange; null if it has none. */
    static synchronized HostMpiSession session() {
        return opened == null ? null : opened.session;
    }

    @Override
    public byte[][] allgather(byte[] mine) {
        if (mine.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                "a rank may give an exchange at most " + MOST_BYTES + " bytes, not " + mine.length);
        }
        int size = job.size();
        NativeMemory lengths = NativeMemory.allocate(LENGTHS + size * Integer.BYTES);
        lengths.bytes.putInt(LENGTH, mine.length);
        long at = lengths.address();
        gather(at + LENGTH, Integer.BYTES, at + LENGTHS, at);
        int longest = 0;
        for (int rank = 0; rank < size; rank++) {
            int length = lengths.bytes.getInt(LENGTHS + rank * Integer.BYTES);
            if (length < 0 || length > MOST_BYTES) {
                throw HostMpiSession.error(job, "rank " + rank + " announces " + length
                    + " bytes to the exchange; give all ranks the same brigade.jar");
            }
            longest = Math.max(longest, length);
        }
        byte[][] all = new byte[size][];
        NativeMemory memory =
            NativeMemory.allocate(Math.addExact(HostMpi.REQUEST_BYTES, Math.multiplyExact(longest, size + 1)));
        memory.bytes.put(HostMpi.REQUEST_BYTES, mine);
        int theirs = HostMpi.REQUEST_BYTES + longest;
        if (longest > 0) {
            gather(memory.address() + HostMpi.REQUEST_BYTES, longest, memory.address() + theirs, memory.address());
        }
        for (int rank = 0; rank < size; rank++) {
            all[rank] = new byte[lengths.bytes.getInt(LENGTHS + rank * Integer.BYTES)];
            memory.bytes.get(theirs + rank * longest, all[rank]);
        }
        return all;
    }

    private void gather(long mine, int bytes, long all, long request) {
        try {
            synchronized (HostMpiCarrier.LOCK) { // the fabric may be open, and its tender at work
                HostMpi.allgather(mine, bytes, all, session.exchange, request);
            }
            Deadline patience = new Deadline(timeoutMillis);
            while (!ended(request)) {
                if (patience.exhausted()) {
                    throw HostMpiSession.error(job, "waited " + timeoutMillis / 1000
                        + " s for the other ranks to reach the same point of Init; start all ranks of the job,"
                        + " read their messages, or raise brigade.init.timeout (seconds)");
                }
                patience.pause();
            }
        } catch (HostMpiException e) {
            throw HostMpiSession.error(job, e.getMessage());
        }
    }

    private static boolean ended(long request) {
        synchronized (HostMpiCarrier.LOCK) {
            return HostMpi.test(request);
        }
    }

    @Override
    public String lost(int rank) {
        return null;
    }

    @Override
    public void close() {
        session.finish(job);
    }
}
