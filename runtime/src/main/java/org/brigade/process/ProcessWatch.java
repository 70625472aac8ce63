package org.brigade.process;

import java.nio.charset.StandardCharsets;

/**
 * Tells whether one process still runs ({@link Platform.Life}).
 */
public final class ProcessWatch {
    /** By these a launcher tells a rank its number; the first that is set counts. */
    private static final String[] RANK_VARIABLES = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};

    /** Processes that start ranks: of Open MPI, PRRTE, MPICH and Slurm. The kernel keeps 15 characters. */
    private static final String[] LAUNCHERS =
        {"mpirun", "mpiexec", "orterun", "orted", "prterun", "prted", "hydra", "srun", "slurmstepd"};
    /** Instead of the pid of a launcher that had ended before its pid could be seen; no process has it. */
    private static final int UNSEEN = 0;

    private final long pid;
    private final Platform.Life life;
    /** Whether this may be another process than the launcher, which is not visible from here. */
    private boolean hidden;
    /** The next process towards the launcher, whose end counts as well; mostly null. */
    private ProcessWatch above;

    public ProcessWatch(long pid, long startTime) {
        this.pid = pid;
        life = Platform.here().life(pid, startTime);
    }

    /**
     * A watch on the launcher of this rank: the mpjrun that {@code BRIGADE_LAUNCHER_PID} names, else the process that
     * mpirun or srun has on this node, with the scripts between it and this rank ({@link #chain}). Null if the launcher
     * is not visible from here, or if the ranks were started by hand. A launcher that ended before this rank looked
     * counts as ended: an mpjrun if both are in the same pid namespace, another one if this rank is an orphan.
     */
    public static ProcessWatch ofLauncher() {
        String pid = System.getenv("BRIGADE_LAUNCHER_PID");
        if (pid == null && System.getenv("BRIGADE_RANK") != null) {
            return null;
        }
        try {
            String began = pid == null ? null : System.getenv("BRIGADE_LAUNCHER_START");
            int at = began == null ? -1 : began.indexOf('@');
            if (at > 0 && began.substring(at + 1).equals(Platform.here().namespace())) {
                return new ProcessWatch(Long.parseLong(pid), Long.parseLong(began.substring(0, at)));
            }
            if (pid == null) {
                long parent = Platform.here().parent();
                return parent == 0 ? null : isOrphan(parent) ? new ProcessWatch(UNSEEN, 0) : chain(parent);
            }
            ProcessWatch watch = of(Long.parseLong(pid));
            if (watch != null) {
                watch.hidden = began != null; // a process of this number in another pid namespace
            }
            return watch;
        } catch (NumberFormatException notOurs) {
            return null;
        }
    }

    /**
     * Whether this rank's parent has only adopted it, as its launcher has ended: the first process of the machine or of
     * a user's session does that. In a container the first process may be the launcher, or a script of this rank whose
     * launcher is outside.
     */
    private static boolean isOrphan(long parent) {
        ProcessStat stat = parent < 1 ? null : ProcessStat.of(parent);
        if (stat == null || parent > 1 && !stat.command().equals("systemd")) {
            return false;
        }
        for (int i = 0; i < LAUNCHERS.length; i++) {
            if (stat.command().startsWith(LAUNCHERS[i])) {
                return false;
            }
        }
        String own = ownRank();
        return own != null && !began(parent, own);
    }

    /** What tells this rank its number: {@code variable=number}; null if no launcher has. */
    private static String ownRank() {
        for (int i = 0; i < RANK_VARIABLES.length; i++) {
            String rank = System.getenv(RANK_VARIABLES[i]);
            if (rank != null) {
                return RANK_VARIABLES[i].concat("=").concat(rank);
            }
        }
        return null;
    }

    /**
     * A watch on a rank's parent. If that is a script of this rank, which outlives a killed mpirun, the watch goes on
     * with its parent, up to the launcher. Each script has this rank's number in its environment, the launcher has not.
     */
    private static ProcessWatch chain(long parent) {
        ProcessWatch watch = parent <= 1 ? null : of(parent);
        if (watch == null) {
            return null;
        }
        String own = ownRank();
        boolean script = own != null && began(parent, own);
        ProcessStat stat = script ? ProcessStat.of(parent) : null;
        watch.above = stat == null ? null : chain(stat.parent());
        watch.hidden = script && (watch.above == null || watch.above.hidden);
        return watch;
    }

    /** Of a process that runs; null if there is none of that number. */
    private static ProcessWatch of(long pid) {
        long start = Platform.here().start(pid);
        return start < 0 ? null : new ProcessWatch(pid, start);
    }

    /** Whether this may be another process than the launcher, as that is in another pid namespace. */
    public boolean isHidden() {
        return hidden;
    }

    /** The variable that tells this rank its number; null if no launcher has started it. */
    static String rankVariable() {
        if (System.getenv("BRIGADE_RANK") != null) {
            return "BRIGADE_RANK";
        }
        String own = ownRank();
        return own == null ? null : own.substring(0, own.indexOf('='));
    }

    /** Whether a process began with this variable in its environment; false if that cannot be seen. */
    static boolean began(long pid, String variable) {
        String all = new String(Platform.here().environment(pid), StandardCharsets.ISO_8859_1);
        return all.startsWith(variable.concat("\0")) || all.contains("\0".concat(variable).concat("\0"));
    }

    /** What BRIGADE_LAUNCHER_START tells ranks about this process: {@code start time@pid namespace}. */
    public static String selfForRanks() {
        long start = Platform.here().start(ProcessHandle.current().pid());
        return start < 0 ? "" : Long.toString(start).concat("@").concat(Platform.here().namespace());
    }

    /** The process itself; of a chain the launcher. 0 if it ended before it was seen. */
    public long pid() {
        return above == null ? pid : above.pid();
    }

    /** The launcher, in words for a message. */
    public String launcher() {
        return pid() == UNSEEN ? "the launcher" : "the launcher (pid " + pid() + ")";
    }

    /** Of a chain, the pids of all its processes. */
    public int[] pids() {
        int count = 0;
        for (ProcessWatch each = this; each != null; each = each.above) {
            count++;
        }
        int[] pids = new int[count];
        for (ProcessWatch each = this; each != null; each = each.above) {
            pids[--count] = (int) each.pid;
        }
        return pids;
    }

    /** Whether the process has ended, reaped or not; of a chain, any of its processes. False if that cannot be told. */
    public boolean ended() {
        return life.ended() || above != null && above.ended();
    }

    /** Ends the watch. */
    public void close() {
        life.close();
        if (above != null) {
            above.close();
        }
    }
}
