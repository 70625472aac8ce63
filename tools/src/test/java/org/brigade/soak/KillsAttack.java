package org.brigade.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kills a rank, or the launcher, at a random instant: of the JVM's start, of Init, or of random collectives. Ranks that
 * wait must name the rank that was killed, and so must mpjrun and Open MPI. MPICH's Hydra kills all other ranks at
 * once: there a rank may name any of those, but none that has ended by itself.
 */
final class KillsAttack implements Attack {
    private static final List<String> LAUNCHERS = List.of("mpjrun", "openmpi", "mpich");
    private static final int LATEST_MILLIS = 2500;
    private static final Pattern BLAMED = Pattern
        .compile("(?:brigade: .*?: |mpjrun: )rank (\\d+) (?:\\(pid (\\d+)\\) (?:died|ended)|of \\d+ was ended)");
    private static final Pattern BY_MPJRUN = Pattern.compile("mpjrun: rank (\\d+) of \\d+ ");
    private static final Pattern BY_OPEN_MPI = Pattern.compile("noticed that process rank (\\d+) with");

    private final List<String> launchers;

    KillsAttack() {
        this(LAUNCHERS);
    }

    KillsAttack(List<String> launchers) {
        this.launchers = launchers;
    }

    @Override
    public String name() {
        return "kills";
    }

    @Override
    public void round(Random random, Trials trials) throws Exception {
        String launcher = launchers.get(random.nextInt(launchers.size()));
        int ranks = 2 + random.nextInt(4);
        int delay = random.nextInt(LATEST_MILLIS);
        boolean first = random.nextInt(8) == 0;
        int which = random.nextInt(ranks);
        long seed = random.nextLong();
        String kind = (first ? "kills of the launcher, " : "kills of a rank, ") + launcher;
        String words = ranks + " ranks by " + launcher + ", " + (first ? "the launcher" : "a rank") + " killed after "
            + delay + " ms";
        try (SoakJob job = new SoakJob()) {
            job.start(job.command(launcher, ranks, List.of("-XX:TieredStopAtLevel=1"), CollectivesProgram.class,
                "" + seed, "0"));
            Thread.sleep(delay);
            Map<Integer, ProcessHandle> running = job.ranks();
            while (running.isEmpty() && job.isAlive()) {
                Thread.sleep(5);
                running = job.ranks();
            }
            int killed = first || running.isEmpty() ? -1
                : new ArrayList<>(running.keySet()).get(which % running.size());
            (killed < 0 ? job.launcher() : running.get(killed)).destroyForcibly();
            Integer code = job.code();
            String said = job.said();
            String left = job.leavings();
            String wrong = code == null ? "does not end" : code == 0 ? "exit code 0"
                : left != null ? "left: " + left : killed < 0 ? null : misnamed(said, launcher, killed, running);
            if (wrong == null) {
                trials.passed(kind, 1);
            } else {
                trials.failed(kind, words + (killed < 0 ? "" : " (rank " + killed + ")") + ": " + wrong + "\n" + said);
            }
        }
    }

    /** What is wrong with the ranks that are named; null if that is as promised. */
    static String misnamed(String said, String launcher, int killed, Map<Integer, ProcessHandle> running) {
        Matcher blamed = BLAMED.matcher(said);
        while (blamed.find()) {
            int named = Integer.parseInt(blamed.group(1));
            if (named != killed
                && !(launcher.equals("mpich") && isKilledByHydra(named, blamed.group(2), said, running))) {
                return "rank " + named + " is blamed";
            }
        }
        Matcher report = (launcher.equals("mpjrun") ? BY_MPJRUN : BY_OPEN_MPI).matcher(said);
        boolean reports = report.find();
        if (reports ? Integer.parseInt(report.group(1)) != killed : launcher.equals("mpjrun")) {
            return launcher + " does not name it";
        }
        return null;
    }

    /** A rank that ends by itself says why. One that began after the look has a process that is no other rank's. */
    private static boolean isKilledByHydra(int rank, String pid, String said, Map<Integer, ProcessHandle> running) {
        long named = pid == null ? -1 : Long.parseLong(pid);
        ProcessHandle process = running.get(rank);
        boolean isIts = process != null ? process.pid() == named
            : named > 0 && running.values().stream().noneMatch(each -> each.pid() == named);
        return isIts && !Pattern.compile("brigade: rank " + rank + " of \\d+").matcher(said).find();
    }
}
