package org.brigade.soak;

import java.util.List;
import java.util.Random;

/** Jobs of random collectives, with random settings. */
final class CollectivesAttack implements Attack {
    private static final int CALLS = 400;
    private static final List<String> LAUNCHERS = List.of("mpjrun", "mpjrun", "mpjrun", "openmpi", "mpich");
    /** The smallest segment that six ranks can have. */
    private static final String SMALL = "-Dbrigade.shm.segment=2M";
    /** So slow that more ranks are too many. */
    private static final String COMPILED = "-Xcomp";
    static final List<String> SETTINGS =
        List.of("-Dx=y", "-Dbrigade.check=true", SMALL, "-Dbrigade.eager=0", "-Dbrigade.eager=8M", "-Dbrigade.spins=0",
            "-Dbrigade.allreduce.algorithm=ring", "-Dbrigade.bcast.algorithm=double-tree",
            "-Dbrigade.allreduce.algorithm=rabenseifner", "-Dbrigade.stash=64K", COMPILED);

    private final int calls;

    CollectivesAttack() {
        this(CALLS);
    }

    CollectivesAttack(int calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "collectives";
    }

    static String setting(Random random) {
        return SETTINGS.get(random.nextInt(SETTINGS.size()));
    }

    @Override
    public void round(Random random, Trials trials) throws Exception {
        String launcher = LAUNCHERS.get(random.nextInt(LAUNCHERS.size()));
        String setting = setting(random);
        int ranks = 1 + random.nextInt(setting.equals(COMPILED) ? 2 : 6);
        String nodes = launcher.equals("mpjrun") && ranks > 1 && random.nextInt(3) == 0 ? "2" : null;
        long seed = random.nextLong();
        try (SoakJob job = new SoakJob()) {
            List<String> command =
                job.command(launcher, ranks, List.of(setting), CollectivesProgram.class, "" + seed, "" + calls);
            if (nodes != null) {
                command.addAll(command.indexOf("-np"), List.of("--nodes", nodes, "--fabric", "sisci"));
            }
            job.start(command);
            Integer code = job.code();
            String words = ranks + " ranks by " + launcher + (nodes == null ? "" : " on 2 nodes") + ", " + setting;
            String left = job.leavings();
            if (code == null || code != 0 || left != null
                || job.said().lines().filter(line -> line.endsWith("calls right")).count() != ranks) {
                trials.failed("collective calls compared", words + ": code " + code + ", left: " + left + "\n"
                    + job.said());
            } else {
                trials.passed("jobs of collectives, by three launchers", 1);
                trials.passed("collective calls compared", calls * ranks);
            }
        }
    }
}
