package org.brigade.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.OtherThreads;
import org.brigade.bootstrap.Processors;
import org.brigade.bootstrap.SpareProcessors;
import org.brigade.launch.options.Binding;
import org.brigade.nativ.Affinity;
import org.brigade.topology.CpuSet;
import org.brigade.topology.system.CpuCore;
import org.brigade.topology.system.SystemFiles;

/**
 * Starts the ranks of a job, and of the jobs that they spawn, each on its processors. taskset binds itself and then
 * becomes the rank. Without taskset, the launcher's thread binds itself while it starts a rank, which inherits that:
 * this needs JNA, whose loading takes a launcher 100 ms.
 */
final class RankBinder {
    private static final String TASKSET = "taskset";
    private static final int HEXADECIMAL = 16;
    /** Bits of a hexadecimal digit. */
    private static final int DIGIT = 4;

    private final Binding binding;
    private final boolean reports;
    private final Processors allowed;
    private final SystemFiles files;
    /** Setting {@code brigade.spare.cores}; null: not set. */
    private final String spare;
    /** Read when they are first needed. */
    private List<CpuCore> cores;
    private String taskset;
    /** Homes of running ranks, and how many ranks that are. */
    private CpuSet taken = CpuSet.EMPTY;
    private int placed;

    /**
     * @param reports whether to say where each rank runs
     * @param allowed to all ranks together
     * @param spare the ranks' setting {@code brigade.spare.cores}; null: not set
     */
    RankBinder(Binding binding, boolean reports, Processors allowed, SystemFiles files, String spare) {
        this.binding = binding;
        this.reports = reports;
        this.allowed = allowed;
        this.files = files;
        this.spare = spare;
    }

    /**
     * On the processors that this process may use.
     *
     * @param spare the ranks' setting {@code brigade.spare.cores}; null: not set
     */
    static RankBinder of(Binding binding, boolean reports, String spare) {
        boolean silent = binding == Binding.NONE && !reports;
        return silent ? none() : new RankBinder(binding, reports, Processors.ofThisThread(),
            new SystemFiles(Path.of("/")), spare);
    }

    /** Binds no rank. */
    static RankBinder none() {
        return new RankBinder(Binding.NONE, false, Processors.UNKNOWN, null, null);
    }

    /**
     * Chooses the processors of a job's ranks. More ranks than processors are not bound: the kernel moves ranks that
     * wait for a processor to one that is idle, and it could not move these.
     *
     * @param nodeOf the emulated node of each rank; null: all are on one
     * @param name of the job for messages: {@code " of spawned job 1"}
     * @param numbers the ranks' numbers in the job; null: 0 and so on
     * @return null: the ranks are not bound
     */
    synchronized CoreLayout place(int ranks, int[] nodeOf, String name, int[] numbers, SharedStream messages) {
        CoreLayout layout = null;
        if (binding != Binding.NONE) {
            prepare();
            int left = Math.min(CpuSet.ofMask(allowed.mask()).minus(taken).size(), allowed.quota() - placed);
            layout = ranks > left ? null : CoreLayout.of(binding, cores, taken, ranks, nodeOf);
            if (layout == null) {
                messages.say("mpjrun: " + binding + ": the ranks" + name + " are not bound, as " + ranks
                    + (placed == 0 ? "" : " beside " + placed + " others") + " are more than these processors: "
                    + allowed
                    + ". Ranks that share processors are faster where the kernel may move them");
            }
        }
        if (layout != null) {
            layout.among(CpuSet.ofMask(allowed.mask()).minus(taken));
        }
        for (int rank = 0; layout != null && rank < ranks; rank++) {
            taken = taken.or(layout.home(rank));
            placed++;
            if (reports) {
                messages.say("mpjrun: rank " + (numbers == null ? rank : numbers[rank]) + name + ": "
                    + layout.words(rank) + others(layout, rank));
            }
        }
        if (reports && binding == Binding.NONE) {
            messages.say("mpjrun: the ranks" + name + " are not bound: processors " + allowed);
        }
        return layout;
    }

    /** Where the other threads of a rank's JVM go; empty if they stay. */
    private String others(CoreLayout layout, int rank) {
        Processors[] all = new Processors[layout.ranks()];
        for (int each = 0; each < all.length; each++) {
            all[each] =
                Processors.of(mask(layout.bound(each)), allowed.quota() == Integer.MAX_VALUE ? 0 : allowed.quota());
        }
        MachineRanks ranks = new MachineRanks(all, rank, all.length);
        long[] others = OtherThreads.NEVER.equals(spare) || ranks.share() == CoreShare.SPARE ? null
            : SpareProcessors.of(Processors.of(mask(layout.among()), 0), ranks, OtherThreads.ALWAYS.equals(spare),
                mask(layout.node(rank)));
        return others == null ? "" : "; its JVM's other threads: processors " + CpuSet.ofMask(others);
    }

    private static long[] mask(CpuSet processors) {
        return processors.toBitSet().toLongArray();
    }

    private void prepare() {
        if (cores == null) {
            cores = CoreLayout.cores(files, CpuSet.ofMask(allowed.mask()));
            taskset = taskset();
        }
    }

    /** Gives the processors of a job that has ended to the next one. */
    synchronized void free(CoreLayout layout) {
        for (int rank = 0; layout != null && rank < layout.ranks(); rank++) {
            taken = taken.minus(layout.home(rank));
            placed--;
        }
    }

    /** Starts a rank; bound unless {@code layout} is null. */
    Process start(ProcessBuilder builder, CoreLayout layout, int rank) throws IOException {
        if (layout == null) {
            return builder.start();
        }
        CpuSet processors = layout.bound(rank);
        if (taskset != null) {
            builder.command().addAll(0, List.of(taskset, hexadecimal(processors)));
            return builder.start();
        }
        BitSet own = bindThisThread(processors);
        try {
            return builder.start();
        } finally {
            Affinity.set(own);
        }
    }

    /** Returns what this thread was bound to before. */
    private static BitSet bindThisThread(CpuSet processors) throws IOException {
        String reason = "the system refuses";
        try {
            BitSet own = Affinity.current();
            if (Affinity.set(processors.toBitSet())) {
                return own;
            }
        } catch (LinkageError e) {
            reason = e.getMessage();
        }
        throw new IOException("it cannot be bound to processors " + processors + " without " + TASKSET + ": " + reason
            + "; install util-linux, or leave --bind-to out");
    }

    /** The path of taskset; null if there is none. */
    static String taskset() {
        String path = System.getenv("PATH");
        int from = 0;
        while (path != null && from <= path.length()) {
            int end = path.indexOf(File.pathSeparatorChar, from);
            end = end < 0 ? path.length() : end;
            File file = new File(path.substring(from, end), TASKSET);
            if (file.isAbsolute() && file.isFile() && file.canExecute()) {
                return file.getPath();
            }
            from = end + 1;
        }
        return null;
    }

    /** In hexadecimal, which every taskset reads; a list only newer ones of BusyBox. */
    private static String hexadecimal(CpuSet processors) {
        BitSet bits = processors.toBitSet();
        StringBuilder mask = new StringBuilder();
        for (int low = (bits.length() - 1) / DIGIT * DIGIT; low >= 0; low -= DIGIT) {
            int digit = 0;
            for (int bit = 0; bit < DIGIT; bit++) {
                digit |= bits.get(low + bit) ? 1 << bit : 0;
            }
            mask.append(Character.forDigit(digit, HEXADECIMAL));
        }
        return mask.toString();
    }
}
