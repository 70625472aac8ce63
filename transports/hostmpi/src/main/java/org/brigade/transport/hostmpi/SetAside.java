package org.brigade.transport.hostmpi;

import mpi.ErrorClass;
import org.brigade.bootstrap.Job;
import org.brigade.select.ByteSize;
import org.brigade.select.Settings;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.shm.SegmentSettings;

/**
 * The processes that the MPI's launcher has started with a job and that are not ranks: the job's aggregators. They are
 * the last processes in the launcher's count ({@code mpirun -np 8 java App : -np 1 brigade aggregator --mpi}). The
 * ranks learn their number from {@code brigade.aggregation=mpi:N}. Ranks and aggregators are ends of one more fabric on
 * that MPI.
 */
public final class SetAside {
    private static final String KIND = "mpi";

    private final HostMpiSession session;

    SetAside(HostMpiSession session) {
        this.session = session;
    }

    /** How many there are by this process's settings; 0 if {@code brigade.aggregation} names none. */
    public static int count(Settings settings) {
        String wanted = settings.get("aggregation");
        if (wanted == null || !wanted.startsWith(KIND)) {
            return 0;
        }
        if (wanted.length() == KIND.length()) {
            return 1;
        }
        try {
            long count = wanted.charAt(KIND.length()) == ':' ? ByteSize.parse(wanted.substring(KIND.length() + 1)) : 0;
            if (count >= 1 && count < Integer.MAX_VALUE) {
                return (int) count;
            }
        } catch (NumberFormatException e) {
            // the error is thrown below
        }
        throw ErrorClass.OTHER.in("Init", settings.origin("aggregation")
            + " must be mpi or mpi:N, for N aggregators that mpirun starts after the ranks");
    }

    /** The set-aside processes as a rank of the job sees them; null if there are none or the job has no MPI session. */
    public static SetAside ofThisRank() {
        HostMpiSession session = HostMpiExchange.session();
        return session == null || session.aside == 0 ? null : new SetAside(session);
    }

    /**
     * Begins as a process that is set aside.
     *
     * @param launched this process's place among all that the launcher has started, on several nodes; if all ranks are
     * on one node, they do not connect
     * @throws mpi.MPIException if no MPI has launched this process, or it was launched without ranks
     */
    public static SetAside begin(Job launched) {
        if (Kind.of(launched).length == 0) {
            throw ErrorClass.OTHER.in("Init",
                "this process was not started by an MPI; start it with the ranks: mpirun -np 8 java"
                    + " -Dbrigade.aggregation=mpi ... App : -np 1 brigade aggregator --mpi");
        }
        return new SetAside(HostMpiSession.beginAside(launched, SegmentSettings.ofThisProcess().timeoutMillis()));
    }

    /** How many processes are set aside. */
    public int count() {
        return session.aside;
    }

    /** This aggregator's number among them, from 0. */
    public int place() {
        return session.rank - (session.processes - session.aside);
    }

    /** This process's rank in the launcher's count, by which its end of the fabric names it. */
    public int rank() {
        return session.rank;
    }

    /** How many ranks and set-aside processes there are together. */
    public int processes() {
        return session.processes;
    }

    /** This process's end of the fabric that joins all of them. */
    public FabricEnd end() {
        return session.beside();
    }

    /** Whether all ranks have finalized. */
    public boolean hasEnded() {
        return session.beside().allLeave();
    }

    /** Ends this process's part in the MPI. */
    public void close() {
        session.finish(null);
    }
}
