package org.brigade.transport.hostmpi;

import java.util.concurrent.locks.LockSupport;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.bootstrap.Job;
import org.brigade.interrupt.Nap;
import org.brigade.select.Settings;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.hostmpi.library.HostMpiException;
import org.brigade.transport.packet.PacketEnd;

/**
 * The running MPI of the host, one per process. All ranks of a job begin it together. That checks that the MPI sees the
 * job as the launcher's environment describes it: a library that does not belong to the launcher would see each rank as
 * a job of its own.
 */
final class HostMpiSession {
    /** The groups into which processes split. */
    private static final int RANKS = 0;
    private static final int ASIDE = 1;

    static final long FINISH_MILLIS = 10_000;

    private static boolean begun;

    /**
     * Communicators of the ranks: one for the exchange and one for the fabric, so that their messages cannot be mixed
     * up.
     */
    final long exchange;
    final long fabric;
    /** How many of the launcher's processes are not ranks of the job. */
    final int aside;
    /** This process's number among all of the launcher's. */
    final int rank;
    final int processes;
    /** Communicator of the processes set aside and the ranks that talk to them; 0 if there are none. */
    private final long all;
    private final boolean ours;
    /** The library's own setting for waiting, to be restored at the end. */
    private final boolean yielded;
    private PacketEnd beside;

    private HostMpiSession(long exchange, long fabric, int aside, int rank, int processes, long all, boolean ours) {
        this.exchange = exchange;
        this.fabric = fabric;
        this.aside = aside;
        this.rank = rank;
        this.processes = processes;
        this.all = all;
        this.ours = ours;
        yielded = ours && HostMpi.yieldWhenIdle(false); // from now on calls only test, and the caller yields
    }

    /**
     * Begins the session; all ranks of the job call it.
     *
     * @param timeoutMillis how long the MPI's start may take; after that this process ends, because the MPI has no
     * limit of its own
     * @throws MPIException if the library is not there, or does not serve this job
     */
    static synchronized HostMpiSession begin(Job job, long timeoutMillis) {
        if (begun) {
            throw new IllegalStateException("the host's MPI is initialized already");
        }
        String missing = HostMpiLibrary.missing(job);
        if (missing != null) {
            throw error(job, missing);
        }
        begun = true;
        Watch watch = new Watch(job, "MPI_Init_thread of " + HostMpi.path(), timeoutMillis);
        try {
            boolean ours = !HostMpi.isInitialized();
            if (ours) {
                HostMpi.initialize();
            } else if (HostMpi.threadLevel() < HostMpi.SERIALIZED) {
                throw error(job, "other code in this process has initialized " + HostMpi.path()
                    + " for calls from one thread, but Brigade calls it from several; initialize it by MPI_Init_thread"
                    + " with MPI_THREAD_SERIALIZED or higher, or let Brigade initialize it");
            }
            long world = HostMpi.world();
            HostMpi.returnErrors(world);
            int aside = SetAside.count(Settings.ofThisProcess());
            int processes = job.size() + aside;
            requireSeen(job, world, job.rank(), processes);
            long ranks = HostMpi.split(world, RANKS);
            HostMpi.returnErrors(ranks);
            int others = processes - HostMpi.size(ranks);
            if (others != aside || HostMpi.rank(ranks) != job.rank()) {
                throw error(job,
                    others + " of the launcher's " + processes + " processes are aggregators, but "
                        + (aside == 0 ? "the ranks do not know; give them -Dbrigade.aggregation=mpi:" + others
                            : "brigade.aggregation=mpi says that the last " + aside
                                + " are; end the command line with : -np " + aside + " brigade aggregator --mpi"));
            }
            return new HostMpiSession(ranks, duplicate(ranks), aside, job.rank(), processes,
                aside > 0 ? duplicate(world) : 0, ours);
        } catch (HostMpiException e) {
            throw error(job, HostMpi.path() + ": " + e.getMessage());
        } finally {
            watch.end();
        }
    }

    /**
     * Begins the session of a process that is not a rank; the ranks begin theirs at the same time.
     *
     * @param launched this process's place among all of the launcher's processes
     */
    static synchronized HostMpiSession beginAside(Job launched, long timeoutMillis) {
        String missing = HostMpiLibrary.missing(launched);
        if (missing != null) {
            throw error(launched, missing);
        }
        begun = true;
        Watch watch = new Watch(launched, "MPI_Init_thread of an aggregator by " + HostMpi.path()
            + " (start all ranks with -Dbrigade.aggregation=mpi)", timeoutMillis);
        try {
            HostMpi.initialize();
            long world = HostMpi.world();
            HostMpi.returnErrors(world);
            requireSeen(launched, world, launched.rank(), launched.size());
            long others = HostMpi.split(world, ASIDE);
            HostMpi.returnErrors(others);
            int aside = HostMpi.size(others);
            if (aside == launched.size() || HostMpi.rank(others) != launched.rank() - (launched.size() - aside)) {
                throw error(launched,
                    "the aggregators must be the launcher's last processes, and this one is not; put aggregators after"
                        + " the ranks: mpirun -np 8 java ... App : -np 1 brigade aggregator --mpi");
            }
            return new HostMpiSession(0, 0, aside, launched.rank(), launched.size(), duplicate(world), true);
        } catch (HostMpiException e) {
            throw error(launched, HostMpi.path() + ": " + e.getMessage());
        } finally {
            watch.end();
        }
    }

    private static long duplicate(long communicator) {
        long copy = HostMpi.duplicate(communicator);
        HostMpi.returnErrors(copy);
        return copy;
    }

    private static void requireSeen(Job job, long world, int wantedRank, int wantedSize) {
        int rank = HostMpi.rank(world);
        int size = HostMpi.size(world);
        if (rank != wantedRank || size != wantedSize) {
            throw error(job,
                HostMpi.path() + " (" + HostMpi.version() + ") says that this process is rank " + rank + " of " + size
                    + ", but " + job.launcher() + " says rank " + wantedRank + " of "
                    + wantedSize + ": " + cure(job));
        }
    }

    private static String cure(Job job) {
        String library = "set " + HostMpiLibrary.VARIABLE + " to the file of the right one, on this node";
        if (job.launcher().equals("Slurm")) {
            return "srun did not start the job for this MPI; give srun --mpi=pmix for Open MPI, --mpi=pmi2 for"
                + " MPICH (srun --mpi=list shows those that it knows), or "
                + library;
        }
        return "it is not the library of the MPI that launched the job; " + library;
    }

    /** This process's end between the ranks and those set aside. */
    synchronized PacketEnd beside() {
        if (beside == null) {
            beside =
                HostMpiCarrier.end(rank, processes, all, HostMpiSettings.of(Settings.ofThisProcess(), processes),
                    false);
        }
        return beside;
    }

    static MPIException error(Job job, String what) {
        return ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), what);
    }

    /**
     * Ends the host's MPI. This may wait for the other ranks, but not for ever: they have met, and everything sent has
     * arrived. If the library does not return, its thread is left behind and the program goes on (MPICH over UCX did
     * not return after a stalled network). Never throws.
     *
     * @param job null for a process that is not a rank
     */
    void finish(Job job) {
        if (all != 0) {
            beside().close(); // tells an aggregator that this rank never spoke to that it need not wait
        }
        if (!ours) {
            return;
        }
        String who = job == null ? "aggregator" : "rank " + job.rank() + " of " + job.size();
        try {
            synchronized (HostMpiCarrier.LOCK) {
                if (!HostMpi.isFinalized()) {
                    HostMpi.yieldWhenIdle(yielded);
                    if (!HostMpi.finish(FINISH_MILLIS)) {
                        System.err.println("brigade: " + who + ": MPI_Finalize of " + HostMpi.path()
                            + " has not returned for " + FINISH_MILLIS / 1000 + " s; continuing without it");
                    }
                }
            }
        } catch (HostMpiException e) {
            System.err.println("brigade: " + who + ": " + e.getMessage());
        }
    }

    /** Ends this process if a call that cannot be interrupted takes too long. */
    private static final class Watch extends Thread {
        private final Job job;
        private final String call;
        private final long millis;
        private volatile boolean ended;

        Watch(Job job, String call, long millis) {
            super("brigade-mpi-watch");
            this.job = job;
            this.call = call;
            this.millis = millis;
            setDaemon(true);
            start();
        }

        @Override
        public void run() {
            long deadline = System.nanoTime() + millis * 1_000_000;
            while (!ended) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    System.err.println("brigade: rank " + job.rank() + " of " + job.size() + ": " + call
                        + " has not returned for " + millis / 1000
                        + " s (brigade.init.timeout): does every rank of the job run, and reach the others'"
                        + " network? Ending the job");
                    System.err.flush();
                    Runtime.getRuntime().halt(1);
                }
                Nap.ownThread(left);
            }
        }

        void end() {
            ended = true;
            LockSupport.unpark(this);
        }
    }
}
