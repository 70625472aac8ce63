package org.brigade.communicator.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers by which this process calls processes: the ranks of its own job, then those of other jobs in the order in
 * which it has heard of them. So a process that is in several joined jobs is one process in all groups.
 */
public final class Processes {
    private record Process(String job, int rank) {
    }

    private final String job;
    private final int ranks;
    private final List<Process> others = new ArrayList<>();
    private final Map<Process, Integer> numbers = new HashMap<>();

    /** @param job the key of this process's own job, which has so many ranks */
    Processes(String job, int ranks) {
        this.job = job;
        this.ranks = ranks;
    }

    /** Where a rank stands among others; -1 if it is not one of them. */
    public static int indexOf(int[] ranks, int wanted) {
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    public String ownJob() {
        return job;
    }

    public boolean isOwn(int number) {
        return number < ranks;
    }

    /** The number of a process. */
    public synchronized int number(String itsJob, int itsRank) {
        if (itsJob.equals(job)) {
            return itsRank;
        }
        Process process = new Process(itsJob, itsRank);
        Integer known = numbers.get(process);
        if (known == null) {
            known = ranks + others.size();
            others.add(process);
            numbers.put(process, known);
        }
        return known;
    }

    /** The job that a process has started in. */
    public synchronized String job(int number) {
        return isOwn(number) ? job : others.get(number - ranks).job;
    }

    /** Its rank there. */
    public synchronized int rank(int number) {
        return isOwn(number) ? number : others.get(number - ranks).rank;
    }
}
