package org.brigade.bootstrap;

import java.nio.charset.StandardCharsets;

/**
 * The processors that a job may use on a machine and on which none of its ranks is bound: room for the other threads of
 * the ranks' JVMs. A rank takes those of its own NUMA node where they suffice, as the collector works on the rank's
 * memory.
 *
 * <p>
 * One such processor serves two ranks: in its first second a program compiles for a quarter of it
 * (docs/design/placement.md). Fewer would make the program slow for longer.
 */
public final class SpareProcessors {
    /** So many ranks' other threads share a processor. */
    private static final int RANKS_EACH = 2;
    private static final String NUMA_NODES = "/sys/devices/system/node/node";
    private static final int MOST_NUMA_NODES = 1024;

    private SpareProcessors() {
    }

    /**
     * What the job may use on this machine: what mpjrun says, or else where the launcher itself may run. With Slurm,
     * that may be all of a machine of which the job has a part.
     *
     * @param launchers from {@link org.brigade.transport.Endpoint#launchers}
     */
    static Processors ofJob(int[] launchers) {
        String told = System.getenv("BRIGADE_PROCESSORS");
        if (told != null && !told.isEmpty()) {
            return Processors.of(Processors.online(told.concat("\n").getBytes(StandardCharsets.US_ASCII)), 0);
        }
        if (launchers.length == 0 || System.getenv("BRIGADE_LAUNCHER_PID") != null) {
            return Processors.UNKNOWN; // mpjrun has bound no rank
        }
        Processors its = Processors.ofProcess(launchers[0]);
        return System.getenv("SLURM_JOB_ID") == null || its.count() <= ofSlurm(System.getenv("SLURM_CPUS_ON_NODE"))
            ? its : Processors.UNKNOWN;
    }

    private static int ofSlurm(String count) {
        try {
            return count == null ? 0 : Integer.parseInt(count);
        } catch (NumberFormatException unknown) {
            return 0;
        }
    }

    /**
     * Where the other threads of a rank's JVM go, if the rank needs that: {@link CoreShare#OWN}.
     *
     * @param job what the job may use
     * @param always even if there are few
     * @param node the processors of the rank's NUMA node
     * @return one bit a processor; null: they stay, as there is no room
     */
    public static long[] of(Processors job, MachineRanks ranks, boolean always, long[] node) {
        if (!job.isKnown() || !ranks.all[ranks.mine].isKnown()) {
            return null;
        }
        long[] spare = without(job.mask(), ranks.taken());
        int granted = ranks.all[ranks.mine].quota() - ranks.group;
        if (!suffices(Math.min(count(spare), granted), always ? 1 : ranks.all.length)) {
            return null;
        }
        long[] near = and(spare, node);
        return suffices(count(near), ranks.among(node)) ? near : spare;
    }

    /**
     * Where the other threads of a rank's JVM go if the rank has more processors than one: those that are left when
     * each rank has one. Which ranks have which is the kernel's choice: it moves a rank away from a processor that
     * these threads want, and they cannot follow.
     *
     * @param always even if no other rank waits for this one
     * @return one bit a processor; null: they stay, as there is no room, or only one processor, or the processors are
     * not known
     */
    static long[] within(MachineRanks ranks, boolean always) {
        int[] homes = ranks.all.length > 1 || always ? CoreShare.homes(ranks.all) : null;
        Processors mine = ranks.all[ranks.mine];
        if (homes == null || mine.count() < 2) {
            return null;
        }
        long[] rest = mine.mask().clone();
        int beside = 0;
        for (int each : homes) {
            if (mine.has(each)) {
                rest[each >> 6] &= ~(1L << (each & 63));
                beside++;
            }
        }
        return suffices(Math.min(count(rest), mine.quota() - ranks.group), always ? 1 : beside) ? rest : null;
    }

    private static boolean suffices(int processors, int ranks) {
        return processors > 0 && processors * RANKS_EACH >= ranks;
    }

    /** The processors of the NUMA node of a rank's first one; all if the kernel does not say. */
    static long[] numaNode(Processors rank) {
        int processor = Math.max(0, rank.first());
        for (int node = 0; node < MOST_NUMA_NODES; node++) {
            byte[] list = Processors.file(NUMA_NODES.concat(Integer.toString(node)).concat("/cpulist"));
            long[] its = Processors.online(list);
            if (list.length == 0 || (its[processor >> 6] >>> (processor & 63) & 1) != 0) {
                return its;
            }
        }
        return Processors.online(new byte[0]);
    }

    static long[] without(long[] processors, long[] taken) {
        long[] rest = processors.clone();
        for (int word = 0; word < rest.length; word++) {
            rest[word] &= ~taken[word];
        }
        return rest;
    }

    private static long[] and(long[] a, long[] b) {
        long[] both = a.clone();
        for (int word = 0; word < both.length; word++) {
            both[word] &= word < b.length ? b[word] : 0;
        }
        return both;
    }

    static int count(long[] processors) {
        int count = 0;
        for (long word : processors) {
            count += Long.bitCount(word);
        }
        return count;
    }
}
