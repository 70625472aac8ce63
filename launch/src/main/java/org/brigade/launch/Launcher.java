package org.brigade.launch;

import mpi.spi.release.Release;
import org.brigade.launch.options.Binding;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchHelp;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.setting.Portable;
import org.brigade.setting.Setting;

/** The main class of {@code mpjrun}: starts the ranks of a job on this machine and ends with the job's exit code. */
public final class Launcher {
    private static final int USAGE = 2;
    private static final String PORTABLE = "portable";
    private static final String TEMPORARY = "-Djava.io.tmpdir=";
    /** Commands that people look for in brigade.jar, too. */
    private static final String[] TOOLS = {"info", "explain", "bench", "jobs", "doctor", "trace", "tune", "verify",
        "profile", "shell", "simulate", "check-port", "soak"};

    private Launcher() {
    }

    /** Exits 0 if all ranks did, with the code of the first that failed, or with 2 if the job cannot be started. */
    public static void main(String[] line) {
        int code;
        try {
            requireNoTool(line);
            LaunchOptions options = LaunchOptions.parse(line);
            if (options.request() == LaunchOptions.Request.RUN) {
                choosePlatform(options);
            }
            code = options.request() == LaunchOptions.Request.RUN ? RankProcesses.run(options)
                : answer(options.request());
        } catch (LaunchException e) {
            System.err.println("mpjrun: " + e.getMessage());
            code = USAGE;
        }
        System.out.flush();
        System.exit(code);
    }

    /** The launcher's mode is that of its ranks. Call it before anything that asks for the mode. */
    private static void choosePlatform(LaunchOptions options) {
        String portable = ChildCommand.setting(options.first(), PORTABLE);
        if (portable != null) {
            System.setProperty(Setting.property(PORTABLE), portable);
        }
        for (String option : options.first().javaOptions()) {
            if (Portable.ON && option.startsWith(TEMPORARY)) { // the launcher looks after the files of its ranks
                System.setProperty("java.io.tmpdir", option.substring(TEMPORARY.length()));
            }
        }
        String absent = options.hosts() != null ? "--hosts"
            : options.nodeOf() != null ? "--nodes" : options.binding() != Binding.NONE ? "--bind-to" : null;
        if (Portable.ON && absent != null) {
            throw new LaunchException(absent + ": " + Portable.WHY + " on one machine and binds no ranks; leave "
                + absent + " out, or run on Linux without brigade.portable");
        }
    }

    /** {@code java -jar brigade.jar info} asks for a tool, which is not in this jar. */
    private static void requireNoTool(String[] line) {
        for (String tool : TOOLS) {
            if (line.length > 0 && line[0].equals(tool)) {
                throw new LaunchException(tool + " is a command of Brigade's tools, and brigade.jar only starts"
                    + " programs; run bin/brigade " + tool + " in Brigade's checkout. If " + tool
                    + " is a class of yours, put -np in front of it");
            }
        }
    }

    private static int answer(LaunchOptions.Request request) {
        System.out.print(switch (request) {
            case VERSION -> "Brigade " + Release.number() + ", on Java " + Runtime.version() + "\n";
            case COMPLETION -> LaunchHelp.completion();
            default -> LaunchHelp.text(System.getenv("COLUMNS"));
        });
        return 0;
    }
}
