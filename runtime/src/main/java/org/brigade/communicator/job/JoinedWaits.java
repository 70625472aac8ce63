package org.brigade.communicator.job;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.waiting.RankState;
import org.brigade.waiting.Wait;
import org.brigade.waiting.WaitBoard;

/**
 * Where one engine of a process that is in several jobs notes its long waits: in the process's record of each of them,
 * with the peers' numbers there. So each job's records tell what its ranks wait for, wherever they do.
 */
final class JoinedWaits implements WaitBoard {
    /** What the engines of one process share. */
    static final class Records {
        private final List<LinkedJob> jobs;
        private final Map<LinkedJob, WaitBoard> boards = new HashMap<>();
        /** Which engine has noted a wait last. */
        private JoinedWaits last;

        /** @param jobs the process's own one, and the unions that it is in */
        Records(List<LinkedJob> jobs) {
            this.jobs = jobs;
            for (LinkedJob job : jobs) {
                boards.put(job, job.endpoint().waitRecord()); // null: nobody sees the process there
            }
        }
    }

    private final Records records;
    private final LinkedJob from;
    private final Wait translated = new Wait();
    private final Map<Integer, Integer> processes = new HashMap<>();
    private Wait wait;
    private long since;

    /** @param from whose engine waits */
    JoinedWaits(Records records, LinkedJob from) {
        this.records = records;
        this.from = from;
    }

    @Override
    public void write(Wait its, long itsSince, long now) {
        synchronized (records) {
            wait = its;
            since = itsSince;
            records.last = this;
            for (LinkedJob job : records.jobs) {
                WaitBoard board = records.boards.get(job);
                if (board != null) {
                    board.write(job == from ? its : seenFrom(job, its), itsSince, now);
                }
            }
        }
    }

    @Override
    public void seen(long now) {
        synchronized (records) {
            if (records.last != this && wait != null) {
                write(wait, since, now);
                return;
            }
            for (WaitBoard board : records.boards.values()) {
                if (board != null) {
                    board.seen(now);
                }
            }
        }
    }

    private Wait seenFrom(LinkedJob job, Wait its) {
        translated.elsewhere(its, (int) from.links());
        for (int i = 0; i < its.peers(); i++) {
            int rank = job.rankOf(from.numbers(new int[] {its.peerAt(i)})[0]);
            translated.peer(rank >= 0 ? rank : -process(its.peerAt(i)));
        }
        if (its.peers() == 0) {
            translated.peer(Wait.STRANGER);
        }
        return translated;
    }

    /** The id of a peer's process; what stands for any if it is not known. */
    private int process(int peer) {
        if (!processes.containsKey(peer)) {
            for (RankState state : from.endpoint().rankStates()) {
                processes.put(state.rank(), (int) state.pid());
            }
        }
        return processes.getOrDefault(peer, Wait.STRANGER);
    }
}
