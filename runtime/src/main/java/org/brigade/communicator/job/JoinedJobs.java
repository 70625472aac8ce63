package org.brigade.communicator.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.OtherThreads;
import org.brigade.engine.Backoff;
import org.brigade.engine.Progress;
import org.brigade.engine.job.StallWatch;
import org.brigade.transport.Endpoint;

/**
 * The unions of jobs that this process is in. A union is a job of its own: its ranks open a second set of links, with
 * an engine of their own, by the transport that every job on one machine uses. It ends when this process has freed its
 * last communicator there, or in Finalize.
 */
public final class JoinedJobs {
    private final LinkedJob home;
    private final Job job;
    private final List<LinkedJob> unions = new ArrayList<>();
    /** By union: who watches whether its processes all wait. */
    private final Map<LinkedJob, StallWatch> watches = new HashMap<>();
    private int opened;
    private long attached = -1;

    JoinedJobs(LinkedJob home, Job job) {
        this.home = home;
        this.job = job;
    }

    /**
     * Opens a union. All its ranks call it at the same time.
     *
     * @param call the call and rank, for messages
     * @param numbers by rank of the union: the process's number
     */
    public LinkedJob open(String call, String key, int rank, int[] numbers) {
        Job all = new Job(job.launcher(), rank, numbers.length, rank, numbers.length, key, 0, 1, true);
        Endpoint opened = null;
        LinkedJob union;
        try {
            opened = Parts.load().transport(all).open(all);
            union = new LinkedJob(home, key, numbers, new UnionEndpoint(home.endpoint(), opened, home.processes(),
                numbers, new JoinedRecorder(home.progress().recorder, this.opened++)));
            union.progress().losses.tolerate();
        } catch (MPIException e) {
            if (opened != null) {
                opened.exiting();
                opened.close();
            }
            throw ErrorClass.OTHER.in(call, "the processes of the two groups cannot be connected: " + e.getMessage());
        }
        synchronized (this) {
            unions.add(union);
            watches.put(union, StallWatch.start(union.endpoint(), union.progress().recorder,
                "process of these joined jobs"));
            OtherThreads.makeRoomFor(union.endpoint().machine());
            meetEachOther();
            home.reportWaiting(", joined to another job");
            if (attached >= 0) {
                union.attachBuffer(attached);
            }
        }
        return union;
    }

    /**
     * A wait in any engine of this process moves all of them, and leaves processors to the ranks of all: the smallest
     * share counts.
     */
    private void meetEachOther() {
        List<Progress> all = new ArrayList<>();
        all.add(home.progress());
        List<LinkedJob> jobs = new ArrayList<>(unions);
        jobs.add(0, home);
        JoinedWaits.Records records = new JoinedWaits.Records(jobs);
        for (LinkedJob job : jobs) {
            job.progress().showWaits(unions.isEmpty() ? null : new JoinedWaits(records, job));
        }
        CoreShare cores = home.endpoint().cores();
        for (LinkedJob union : unions) {
            all.add(union.progress());
            cores = cores.least(union.endpoint().cores());
        }
        for (Progress each : all) {
            List<Progress> others = new ArrayList<>(all);
            others.remove(each);
            each.besides(others.toArray(new Progress[0]), cores);
        }
    }

    /** Ends a union if nothing is left of it here: no communicator, and no operation under way. */
    synchronized void endIfUnused(LinkedJob union) {
        Progress progress = union.progress();
        progress.lock.lock();
        try {
            while (progress.poll()) {
                // Takes what peers have sent last.
            }
            if (!progress.isQuiet() || !unions.remove(union)) {
                return;
            }
        } finally {
            progress.lock.unlock();
        }
        union.endpoint().leaving();
        end(union);
        union.endpoint().discard();
    }

    private void end(LinkedJob union) {
        StallWatch watch = watches.remove(union);
        if (watch != null) {
            watch.end();
        }
        union.progress().showWaits(null);
        union.stopWindows();
        Progress progress = union.progress();
        progress.besides(new Progress[0], union.endpoint().cores());
        meetEachOther();
        progress.lock.lock();
        try {
            union.endpoint().finished();
            union.endpoint().close();
        } finally {
            progress.lock.unlock();
        }
    }

    // ---- buffered sends ----

    public synchronized void attachBuffer(long bytes) {
        attached = bytes;
        for (LinkedJob union : unions) {
            union.attachBuffer(bytes);
        }
    }

    public synchronized void detachBuffer() {
        attached = -1;
        for (LinkedJob union : unions) {
            union.detachBuffer();
        }
    }

    // ---- Finalize ----

    /** Tells the peers in all unions that this process is in Finalize. */
    public synchronized void leave() {
        for (LinkedJob union : unions) {
            union.leaveWindows();
            union.endpoint().leaving();
        }
    }

    /** Waits until all processes that this one is joined to are in Finalize, or lost. */
    public void awaitOthers() {
        Progress progress = home.progress();
        Backoff idle = null;
        while (!othersLeave()) { // not under the lock: who holds this object may wait for the lock
            progress.lock.lock();
            try {
                idle = progress.turn(idle, "Finalize", Progress.NOBODYS_KEY, null);
            } finally {
                progress.lock.unlock();
            }
        }
        progress.lock.lock();
        progress.release(idle);
        progress.lock.unlock();
    }

    private synchronized boolean othersLeave() {
        for (LinkedJob union : unions) {
            Endpoint endpoint = union.endpoint();
            for (int peer = 0; union.isUsed() && peer < endpoint.size(); peer++) {
                if (!endpoint.isLeaving(peer) && endpoint.lost(peer) == null) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Ends all unions. */
    public synchronized void end() {
        while (!unions.isEmpty()) {
            end(unions.remove(unions.size() - 1));
        }
    }
}
