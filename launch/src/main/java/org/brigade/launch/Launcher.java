package org.brigade.launch;

import mpi.spi.release.Release;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchHelp;
import org.brigade.launch.options.LaunchOptions;

/** The main class of {@code mpjrun}: starts the ranks of a job on this machine and ends with the job's exit code. */
public final class Launcher {
    private static final int USAGE = 2;

    private Launcher() {
    }

    /** Exits 0 if all ranks did, with the code of the first that failed, or with 2 if the job cannot be started. */
    public static void main(String[] line) {
        int code;
        try {
            LaunchOptions options = LaunchOptions.parse(line);
            code = options.request() == LaunchOptions.Request.RUN ? RankProcesses.run(options)
                : answer(options.request());
        } catch (LaunchException e) {
            System.err.println("mpjrun: " + e.getMessage());
            code = USAGE;
        }
        System.out.flush();
        System.exit(code);
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
