package org.brigade.soak;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Kills a process while ranks make communicators, windows or files, one of joined jobs, or one of parents and children.
 * All must end soon, with an error, and leave nothing.
 */
final class MakingAttack implements Attack {
    private static final List<String> KINDS =
        List.of("communicators", "windows", "files", "joined jobs", "parents and children");
    private static final List<String> LAUNCHERS = List.of("mpjrun", "openmpi", "mpich");
    private static final int LATEST_MILLIS = 1000;
    /** A death is noticed within some 20 ms; a busy machine needs longer, and so does a launcher's own report. */
    private static final int SECONDS = 30;
    private static final int START_SECONDS = 100;

    private final List<String> kinds;
    private final List<String> launchers;

    MakingAttack() {
        this(KINDS, LAUNCHERS);
    }

    MakingAttack(List<String> kinds, List<String> launchers) {
        this.kinds = kinds;
        this.launchers = launchers;
    }

    @Override
    public String name() {
        return "making";
    }

    @Override
    public void round(Random random, Trials trials) throws Exception {
        String what = kinds.get(random.nextInt(kinds.size()));
        boolean several = what.equals("joined jobs") || what.equals("parents and children");
        String launcher = launchers.get(random.nextInt(launchers.size()));
        launcher = several ? "mpjrun" : launcher;
        int ranks = 2 + random.nextInt(2);
        int delay = random.nextInt(LATEST_MILLIS);
        int which = random.nextInt(1 << 16);
        String kind = "kills while there are " + what;
        try (SoakJob job = new SoakJob()) {
            Path data = Files.createDirectory(job.folder.resolve("data"));
            int processes = ranks + (what.equals("joined jobs") ? ranks : several ? 2 : 0);
            switch (what) {
                case "joined jobs" -> {
                    job.start(command(job, launcher, ranks, "hosts", "soak"));
                    job.start(command(job, launcher, ranks, "guests", "soak"));
                }
                case "parents and children" -> job.start(command(job, launcher, ranks, "children"));
                default -> job.start(command(job, launcher, ranks, what, data.resolve("data").toString()));
            }
            String wrong = attack(job, processes, delay, which, data);
            if (wrong == null) {
                trials.passed(kind, 1);
            } else {
                trials.failed(kind, ranks + " ranks by " + launcher + ", killed after " + delay + " ms: " + wrong + "\n"
                    + job.said());
            }
        }
    }

    private static List<String> command(SoakJob job, String launcher, int ranks, String... arguments) {
        return job.command(launcher, ranks, List.of("-XX:TieredStopAtLevel=1"), MakingProgram.class, arguments);
    }

    private static String attack(SoakJob job, int processes, int delay, int which, Path data) throws Exception {
        long deadline = System.nanoTime() + START_SECONDS * 1_000_000_000L;
        while (job.said().lines().filter(line -> line.endsWith(" runs")).count() < processes) {
            if (!job.isAlive() || System.nanoTime() > deadline) {
                return "does not begin";
            }
            Thread.sleep(5);
        }
        Thread.sleep(delay);
        List<ProcessHandle> running = new ArrayList<>(job.rankProcesses());
        if (running.size() != processes) {
            return "only " + running.size() + " of " + processes + " processes run";
        }
        running.get(which % processes).destroyForcibly();
        for (Integer code : job.codes(SECONDS)) {
            if (code == null || code == 0) {
                return code == null ? "does not end" : "exit code 0";
            }
        }
        String left = job.leavings();
        try (Stream<Path> files = Files.list(data)) {
            List<Path> beside = files.filter(file -> !file.endsWith("data")).toList();
            left = left == null && !beside.isEmpty() ? "files " + beside : left;
        }
        return left == null ? null : "left: " + left;
    }
}
