package org.brigade.transport.hostmpi;

import java.util.concurrent.locks.LockSupport;
import mpi.MPIException;
import mpi.spi.ErrorClass;
import org.brigade.bootstrap.Job;
import org.brigade.nativ.HostMpi;
import org.brigade.nativ.HostMpiException;

/**
 * The host's MPI, running: one a process. Begun by all ranks of a job, which checks that the MPI sees the job as the launcher's environment tells it; a library that does not belong to the launcher would
 * take each rank for a job of its own.
 */
final class HostMpiSession {
    private static final long FINISH_MILLIS = 10_000;

    private static boolean begun;

    /** For the exchange, and for the fabric: two, so that nothing of the one is taken for the other's. */
    final long exchange;
    final long fabric;
    private final boolean ours;
    /** What the library did when it waited, before it was left to us. */
    private final boolean yielded;

    private HostMpiSession(long exchange, long fabric, boolean ours, boolean yielded) {
        this.exchange = exchange;
        this.fabric = fabric;
        this.ours = ours;
        this.yielded = yielded;
    }

    /**
     * Begins; all ranks of the job call it.
     *
     * @param timeoutMillis how long the MPI may take, which itself knows no limit; then this process ends
     * @throws MPIException if the library is not there, or does not serve this job
     */
    static synchronized HostMpiSession begin(Job job, long timeoutMillis) {
        if (begun) {
            throw new IllegalStateException("the host's MPI has been begun");
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
            }
            long world = HostMpi.world();
            HostMpi.returnErrors(world);
            int rank = HostMpi.rank(world);
            int size = HostMpi.size(world);
            if (rank != job.rank() || size != job.size()) {
                throw error(job, HostMpi.path() + " (" + HostMpi.version() + ") takes this process for rank " + rank + " of " + size + ", while " + job.launcher() + " says rank " + job.rank() + " of "
                    + job.size() + ": it is not the library of the MPI that launched the job; set " + HostMpiLibrary.VARIABLE + " to the file of the right one, on this node");
            }
            long exchange = HostMpi.duplicate(world);
            HostMpi.returnErrors(exchange);
            long fabric = HostMpi.duplicate(world);
            HostMpi.returnErrors(fabric);
            return new HostMpiSession(exchange, fabric, ours, ours && HostMpi.yieldWhenIdle(false)); // from now on only tests wait, and whoever makes them yields
        } catch (HostMpiException e) {
            throw error(job, HostMpi.path() + ": " + e.getMessage());
        } finally {
            watch.end();
        }
    }

    static MPIException error(Job job, String what) {
        return ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), what);
    }

    /**
     * Ends the host's MPI, which may wait for the other ranks; not for ever: they have met, and all that was sent is there. What a library does that never ends, is left to a thread of its own, and the program
     * goes on (MPICH over UCX was seen to, after a stalled network). Never throws.
     */
    void finish(Job job) {
        if (!ours) {
            return;
        }
        Thread ender = new Thread(() -> finishNow(job), "brigade-mpi-finalize");
        ender.setDaemon(true);
        ender.start();
        try {
            ender.join(FINISH_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (ender.isAlive()) {
            System.err.println("brigade: rank " + job.rank() + " of " + job.size() + ": MPI_Finalize of " + HostMpi.path() + " has not returned for " + FINISH_MILLIS / 1000 + " s; going on without");
        }
    }

    private void finishNow(Job job) {
        try {
            if (!HostMpi.isFinalized()) {
                HostMpi.yieldWhenIdle(yielded);
                HostMpi.finish();
            }
        } catch (HostMpiException e) {
            System.err.println("brigade: rank " + job.rank() + " of " + job.size() + ": " + e.getMessage());
        }
    }

    /** Ends this process if a call takes too long that cannot be interrupted. */
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
                    System.err.println("brigade: rank " + job.rank() + " of " + job.size() + ": " + call + " has not returned for " + millis / 1000
                        + " s (brigade.init.timeout): does every rank of the job run, and reach the others' network? Ending the job");
                    System.err.flush();
                    Runtime.getRuntime().halt(1);
                }
                LockSupport.parkNanos(left);
            }
        }

        void end() {
            ended = true;
            LockSupport.unpark(this);
        }
    }
}
