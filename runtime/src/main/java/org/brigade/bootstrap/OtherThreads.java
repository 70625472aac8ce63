package org.brigade.bootstrap;

import org.brigade.nativ.JvmThreads;
import org.brigade.setting.Setting;

/**
 * Keeps the other threads of this rank's JVM (compilers, collector) away from the processors of the job's ranks, where
 * there are processors to spare. Else the kernel gives them a rank's processor for 3 ms at a time, and all ranks that
 * wait for this one wait for them.
 *
 * <ul>
 * <li>A rank that is bound to a processor sends them to those that the job may use and no rank has. It does so in
 * MPI.Init itself, as everything in this JVM runs on the one processor until then.
 * <li>A rank that may run elsewhere, too, only keeps them off as many processors as there are ranks. The kernel then
 * finds those for the ranks. A thread of the library does that beside MPI.Init. The VM Thread stays free: the program
 * waits for it, and its processor is idle then.
 * </ul>
 *
 * <p>
 * The program's threads stay where the launcher has put them.
 */
public final class OtherThreads {
    public static final String SETTING = "spare.cores";
    public static final String NEVER = "never";
    public static final String ALWAYS = "always";

    /** Where they are, or are about to be; null: where the launcher has put them. */
    private static long[] where;
    /** Moves them beside MPI.Init; null if nothing does. */
    private static Thread mover;

    private OtherThreads() {
    }

    /**
     * In MPI.Init, once all ranks have told their processors.
     *
     * @param ranks of this machine; null: not known
     * @param launchers from {@link org.brigade.transport.Endpoint#launchers}
     * @return this rank's share of the processors from now on
     */
    public static synchronized CoreShare settle(MachineRanks ranks, int[] launchers, CoreShare share) {
        String set = ranks == null || share == CoreShare.SHARED ? NEVER
            : Setting.text(SETTING, System.getProperties(), System.getenv());
        if (NEVER.equals(set)) {
            return share;
        }
        boolean always = ALWAYS.equals(set);
        long[] within = SpareProcessors.within(ranks, always);
        if (within != null) {
            where = within;
            mover = new Thread("brigade-places") {
                @Override
                public void run() {
                    moveBesideInit();
                }
            };
            mover.setDaemon(true);
            mover.start();
            return share;
        }
        if (share == CoreShare.SPARE) {
            return share;
        }
        Processors job = SpareProcessors.ofJob(launchers);
        long[] spare = !job.isKnown() ? null : SpareProcessors.of(job, ranks, always,
            SpareProcessors.numaNode(ranks.all[ranks.mine]));
        if (spare == null || !JvmThreads.move(spare, true)) {
            return share;
        }
        where = spare;
        return CoreShare.SPARE;
    }

    private static synchronized void moveBesideInit() {
        if (where != null && !JvmThreads.move(where, false)) {
            where = null;
        }
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
        JvmThreads.move(none ? others.all[others.mine].mask() : rest, mover == null);
        where = none ? null : rest;
    }

    /** The calling thread is one of the library's own, which works beside the rank: it goes where the JVM's are. */
    public static synchronized void join() {
        long[] now = where;
        if (now != null) {
            JvmThreads.moveThis(now);
        }
    }

    /** {@code , its JVM's other threads on 16-31}; empty if they are where the rank is. */
    public static String words() {
        Thread moves;
        synchronized (OtherThreads.class) {
            moves = mover;
        }
        boolean interrupted = false;
        while (moves != null && moves.isAlive()) {
            try {
                moves.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (OtherThreads.class) {
            return where == null ? "" : ", its JVM's other threads on " + Processors.of(where, 0);
        }
    }
}
