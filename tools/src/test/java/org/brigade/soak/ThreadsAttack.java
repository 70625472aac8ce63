package org.brigade.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Jobs whose ranks have many threads, which make, first use and free communicators at once. */
final class ThreadsAttack implements Attack {
    private static final int MOST_RANKS = 8;
    private static final int MOST_THREADS = 16;
    /** Communicators that a job makes, on each rank. */
    private static final int MADE = 120;
    private static final List<String> WHERE = List.of("shm", "shm", "nodes", "sisci");
    /** Others are tried by the random collectives. */
    private static final List<String> SETTINGS = List.of("-Dx=y", "-Dx=y", "-Dbrigade.check=true",
        "-Dbrigade.shm.loans=never", "-Dbrigade.bcast.algorithm=reflective-memory");

    private final int made;
    private final List<String> where;

    ThreadsAttack() {
        this(MADE, WHERE);
    }

    ThreadsAttack(int made, List<String> where) {
        this.made = made;
        this.where = where;
    }

    @Override
    public String name() {
        return "threads";
    }

    @Override
    public void round(Random random, Trials trials) throws Exception {
        int ranks = 2 + random.nextInt(MOST_RANKS - 1);
        int threads = 2 + random.nextInt(MOST_THREADS - 1);
        String links = where.get(random.nextInt(where.size()));
        String setting = SETTINGS.get(random.nextInt(SETTINGS.size()));
        int nodes = links.equals("shm") ? 1 : 2 + random.nextInt(Math.min(ranks, 4) - 1);
        try (SoakJob job = new SoakJob()) {
            List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", setting));
            if (links.equals("nodes")) {
                options.add("-Dbrigade.fabric=pretended"); // of the tests
            }
            List<String> command = job.command("mpjrun", ranks, options, ThreadsProgram.class, "" + random.nextLong(),
                "" + threads, "" + Math.max(2, made / threads));
            if (nodes > 1) {
                command.addAll(command.indexOf("-np"), List.of("--nodes", "" + nodes));
            }
            if (links.equals("sisci")) {
                command.addAll(command.indexOf("-np"), List.of("--fabric", "sisci"));
            }
            job.start(command);
            Integer code = job.code();
            String left = job.leavings();
            String kind = "threads that make and use communicators, by " + links;
            if (code == null || code != 0 || left != null
                || job.said().lines().filter(line -> line.endsWith("all calls right")).count() != ranks) {
                trials.failed(kind, ranks + " ranks on " + nodes + " nodes, " + threads + " threads, " + setting
                    + ": code " + code + ", left: " + left + "\n" + job.said());
            } else {
                trials.passed(kind, threads * ranks);
            }
        }
    }
}
