package org.brigade.bootstrap;

import org.brigade.nativ.JvmThreads;
import org.brigade.setting.Setting;

/**
 * Keeps the other threads of this rank's JVM (compilers, collector) away from a processor that the rank has to itself,
 * where the job has processors to spare. Else the kernel gives them that processor for 3 ms at a time, and all ranks
 * that wait for this one wait for them. The program's threads stay where the launcher has put them.
 */
public final class OtherThreads {
    public static final String SETTING = "spare.cores";
    public static final String NEVER = "never";
    public static final String ALWAYS = "always";

    /** Where they are; null: where the launcher has put them. */
    private static volatile long[] where;

    private OtherThreads() {
    }

    /**
     * In MPI.Init, once all ranks have told their processors.
     *
     * @param ranks of this machine; null: not known
     * @param launchers from {@link org.brigade.transport.Endpoint#launchers}
     * @return this rank's share of the processors from now on
     */
    public static CoreShare settle(MachineRanks ranks, int[] launchers, CoreShare share) {
        if (share == CoreShare.SPARE || ranks == null) {
            return share;
        }
        String set = Setting.text(SETTING, System.getProperties(), System.getenv());
        if (NEVER.equals(set)) {
            return share;
        }
        Processors job = SpareProcessors.ofJob(launchers);
        long[] spare = !job.isKnown() ? null : SpareProcessors.of(job, ranks, ALWAYS.equals(set),
            SpareProcessors.numaNode(ranks.all[ranks.mine]));
        if (spare == null || !JvmThreads.move(spare)) {
            return share;
        }
        where = spare;
        return share == CoreShare.OWN ? CoreShare.SPARE : share;
    }

    /** Leaves processors to ranks of another job that this one has been joined to: those that it has spawned, say. */
    public static synchronized void makeRoomFor(MachineRanks others) {
        long[] now = where;
        if (now == null || others == null) {
            return;
        }
        long[] rest = SpareProcessors.without(now, others.taken());
        if (SpareProcessors.count(rest) == SpareProcessors.count(now)) {
            return;
        }
        boolean none = SpareProcessors.count(rest) == 0;
        JvmThreads.move(none ? others.all[others.mine].mask() : rest);
        where = none ? null : rest;
    }

    /** The calling thread is one of the library's own, which works beside the rank: it goes where the JVM's are. */
    public static void join() {
        long[] now = where;
        if (now != null) {
            JvmThreads.moveThis(now);
        }
    }

    /** {@code , its JVM's other threads on 16-31}; empty if they are where the rank is. */
    public static String words() {
        long[] now = where;
        return now == null ? "" : ", its JVM's other threads on " + Processors.of(now, 0);
    }
}
