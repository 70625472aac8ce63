package org.brigade.communicator;

import mpi.ErrorClass;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Bootstrap;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.OtherThreads;
import org.brigade.communicator.call.WordComparison;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.select.MemorySpace;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.select.TuningSource;
import org.brigade.select.TuningTable;
import org.brigade.transport.Endpoint;
import org.brigade.transport.nodes.NodesOpening;
import org.brigade.tuned.TunedTable;

/** Init before there are communicators: finds this process's job, validates its settings, opens its links. */
final class JobOpening {
    private static final int SETTINGS_CONTEXT = 4;

    final Bootstrap bootstrap;
    final Job job;
    final Endpoint endpoint;
    /** The ranks of this machine; null if they are not known. */
    final MachineRanks machine;
    final CoreShare cores;
    /** The rules that brigade tune made for such jobs on this machine or cluster; null if there are none. */
    TuningTable tuned;

    /** @throws mpi.MPIException if the job, its settings or its tables cannot be served */
    JobOpening(Settings settings) {
        Parts parts = Parts.load();
        bootstrap = parts.bootstrap();
        job = bootstrap.job();
        requireServed(job.size());
        endpoint = job.onOneNode() ? parts.transport(job).open(job) : openNodes(parts, settings);
        validate(settings);
        if (job.rank() == 0) {
            say(settings.unknownVariables());
        }
        if (job.onOneNode()) {
            TunedTable found = TunedTable.find(settings, job.size());
            tuned = found.table();
            if (job.rank() == 0) {
                say(found.complaint());
            }
        }
        machine = endpoint.machine();
        cores = OtherThreads.settle(machine, endpoint.launchers(), endpoint.cores());
    }

    private static void say(String words) {
        if (words != null) {
            System.err.println("brigade: ".concat(words));
        }
    }

    static void requireServed(int ranks) {
        if (ranks > Job.MOST_RANKS) {
            throw ErrorClass.OTHER.in("Init", Job.tooMany(ranks));
        }
    }

    private void validate(Settings settings) {
        try {
            settings.validate();
            TuningSource.validate(MemorySpace.DEVICE, settings);
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), e.getMessage());
        }
    }

    /**
     * A job on several nodes compares its ranks' settings while the ranks find each other: later, two given ranks may
     * never be connected.
     */
    private Endpoint openNodes(Parts parts, Settings settings) {
        validate(settings);
        try {
            NodesOpening.Opened opened =
                NodesOpening.open(parts, job, settings, Selector.ofThisProcess().table().fingerprint());
            tuned = opened.table().table();
            say(opened.table().complaint()); // rank 0 alone has looked
            return opened.endpoint();
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(), e.getMessage());
        }
    }

    /**
     * On one node: all ranks must choose the same algorithms, so they must have the same settings. Each rank compares
     * with the rank before it and the rank after it: if all neighbours agree, all ranks agree. Comparing with every
     * rank would take n * n messages in a job of n ranks.
     *
     * @param table fingerprint of the tuning table
     */
    static void compareSettings(Settings settings, Progress progress, int[] all, long table) {
        int rank = progress.endpoint.rank();
        int size = all.length;
        int[] neighbours = size > 3 ? new int[] {rank, (rank + 1) % size, (rank + size - 1) % size} : all;
        long[] theirs = new long[2];
        long mine = settings.fingerprint();
        int different;
        progress.lock.lock();
        try {
            different =
                new WordComparison(progress, new Membership(size > 3 ? 0 : rank, neighbours, "MPI_COMM_WORLD", false))
                    .compare((long) SETTINGS_CONTEXT << 32, mine, table, theirs);
        } finally {
            progress.lock.unlock();
        }
        if (different >= 0) {
            throw ErrorClass.OTHER.in("Init on rank " + rank + " of " + size,
                settings.disagreement(neighbours[different], theirs[0] != mine));
        }
    }
}
