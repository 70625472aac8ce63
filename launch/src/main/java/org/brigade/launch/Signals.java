package org.brigade.launch;

/** Linux's signals by number, for messages. */
final class Signals {
    private static final String[] NAMES =
        {"", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
            "ALRM", "TERM"};

    private Signals() {
    }

    /**
     * {@code exited with code 3} or {@code was killed by signal 9 (SIGKILL)}: signal n is reported as code 128 + n.
     */
    static String describe(int code) {
        int signal = code - 128;
        return isDeath(code) ? "was killed by signal " + signal + " (SIG" + NAMES[signal] + ")"
            : "exited with code " + code;
    }

    /** Whether an exit code is that of a killed process; other codes come from programs that ended by themselves. */
    static boolean isDeath(int code) {
        return code > 128 && code - 128 < NAMES.length;
    }
}
