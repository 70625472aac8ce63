package mpi.front.job;

/**
 * Finalize in a program of MPJ Express whose other threads go on: main has called it, and they may communicate until
 * the process ends. So the rank finalizes in a shutdown hook, when the last of them has ended. If the process is ended
 * before that, by a signal or System.exit, the rank leaves without Finalize.
 */
public final class LateFinalize extends Thread {
    /** The JVM calls the thread so that has left main, and that begins the end when no other thread is left. */
    private static final String LEFT_MAIN = "DestroyJavaVM";

    private LateFinalize() {
        super("brigade-finalize");
    }

    /** Puts it off if threads of the program run beside this one; else false. */
    static boolean isPutOff() {
        for (Thread each : getAllStackTraces().keySet()) {
            if (each.isAlive() && !each.isDaemon() && each != currentThread() && !each.getName().equals(LEFT_MAIN)) {
                Runtime.getRuntime().addShutdownHook(new LateFinalize());
                return true;
            }
        }
        return false;
    }

    @Override
    public void run() {
        getAllStackTraces().forEach((each, stack) -> {
            // It waits in native code for the other threads, and then runs the hooks.
            if (each.getName().equals(LEFT_MAIN) && stack.length > 0) {
                JobState.finish();
            }
        });
    }
}
