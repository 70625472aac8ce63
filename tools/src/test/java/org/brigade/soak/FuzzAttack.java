package org.brigade.soak;

import java.util.List;
import java.util.Random;

/** Random calls of the whole API by reflection, with and without comparison of the ranks' calls. */
final class FuzzAttack implements Attack {
    private static final int CALLS = 8000;
    private static final String PROGRAM = "org.brigade.launch.fuzz.ApiFuzzProgram";

    @Override
    public String name() {
        return "fuzz";
    }

    @Override
    public void round(Random random, Trials trials) throws Exception {
        int ranks = 1 + random.nextInt(3);
        String check = "-Dbrigade.check=" + random.nextBoolean();
        long seed = random.nextLong();
        try (SoakJob job = new SoakJob()) {
            List<String> command = job.command("mpjrun", ranks, List.of(check), Class.forName(PROGRAM, false,
                getClass().getClassLoader()), "" + seed, "" + CALLS);
            job.start(command);
            Integer code = job.code();
            String left = job.leavings();
            if (code == null || code != 0 || left != null) {
                trials.failed("fuzzed calls of the API", ranks + " ranks, " + check + ", seed " + seed + ": code "
                    + code + ", left: " + left + "\n" + job.said());
            } else {
                trials.passed("fuzzed calls of the API", CALLS * ranks);
            }
        }
    }
}
