package org.brigade.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Jobs that get too little of something, or whose folders are not as they should be: the job gives right results or
 * says what it lacks, ends, and leaves nothing.
 */
final class LimitsAttack implements Attack {
    private static final int CALLS = 60;
    private static final String[] LIMITS = {"ulimit -n", "ulimit -v", "ulimit -f", "ulimit -s", "ulimit -l",
        "small segment", "full /dev/shm", "noexec folders", "read-only /dev/shm", "read-only folders"};
    /** What no user should see. Errors of the JVM's own, which cannot start or gets no memory, are not ours. */
    private static final Pattern INTERNAL = Pattern.compile("(?s).*(NullPointerException|IndexOutOfBounds"
        + "|ClassCastException|NoClassDefFoundError|ExceptionInInitializerError|NegativeArraySize|IllegalState"
        + "|SIGBUS|SIGSEGV|AssertionError|InternalError|WRONG:).*");

    /** A JVM that cannot read its own settings. */
    private static final Pattern NO_JVM =
        Pattern.compile("java\\.lang\\.InternalError: Error loading java\\.security file"
            + "|\\[error occurred during error reporting [^\n]*]");

    private final boolean root = "root".equals(System.getProperty("user.name"));
    private final String[] limits;

    LimitsAttack(String... limits) {
        this.limits = limits.length == 0 ? LIMITS : limits;
    }

    /** Whether a user sees what no user should. */
    static boolean isInternal(String said) {
        return INTERNAL.matcher(NO_JVM.matcher(said).replaceAll("")).matches();
    }

    @Override
    public String name() {
        return "limits";
    }

    @Override
    public void round(Random random, Trials trials) throws Exception {
        String limit = limits[random.nextInt(limits.length)];
        int ranks = 2 + random.nextInt(3);
        long seed = random.nextLong();
        int much = random.nextInt(100);
        boolean mounts = limit.contains("/dev/shm") || limit.contains("folders");
        if (mounts && !root) {
            return;
        }
        try (SoakJob job = new SoakJob()) {
            String prefix = switch (limit) {
                case "ulimit -n" -> "ulimit -n " + (8 + much);
                case "ulimit -v" -> "ulimit -v " + (1_000_000 + much * 30_000);
                case "ulimit -f" -> "ulimit -f " + much * 200;
                case "ulimit -s" -> "ulimit -s " + (100 + much * 20);
                case "small segment" -> "export BRIGADE_SHM_SEGMENT=" + (10 + much * 20) + "K";
                case "ulimit -l" -> "ulimit -l 0";
                case "full /dev/shm" -> "mount -t tmpfs -o size=" + (4 + much * 400) + "k none /dev/shm";
                case "read-only /dev/shm" -> "mount -t tmpfs -o ro none /dev/shm";
                default -> "for each in tmp cache; do mount -t tmpfs -o "
                    + (limit.startsWith("noexec") ? "noexec" : "ro") + " none " + job.folder + "/$each; done";
            };
            List<String> command = new ArrayList<>(mounts ? List.of("unshare", "-m") : List.of());
            command.addAll(List.of("bash", "-c", prefix + " && exec \"$@\"", "limited"));
            command.addAll(job.command("mpjrun", ranks, List.of("-Xmx100m"),
                CollectivesProgram.class, "" + seed,
                "" + CALLS));
            job.start(command);
            Integer code = job.code();
            String said = job.said();
            String left = job.leavings();
            String wrong = code == null ? "does not end" : left != null ? "left: " + left
                : isInternal(said) ? "an internal exception"
                    : code != 0 && said.isBlank() ? "says nothing"
                        : code == 0 && said.lines().filter(line -> line.endsWith("calls right")).count() != ranks
                            ? "code 0 without results" : null;
            if (wrong == null) {
                trials.passed("limits: " + limit + (NO_JVM.matcher(said).find() ? ": the JVM could not start" : ""), 1);
            } else {
                trials.failed("limits: " + limit, ranks + " ranks, " + prefix + ": code " + code + ": " + wrong + "\n"
                    + said);
            }
        }
    }
}
