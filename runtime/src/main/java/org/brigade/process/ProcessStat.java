package org.brigade.process;

import java.nio.charset.StandardCharsets;

/**
 * A snapshot of a process, from the {@code stat} of its first thread (proc(5)), which has the same fields as that of
 * the process. Emulators (qemu-user) show a process a {@code /proc/PID/stat} of its own that others do not see, with
 * another start time; the thread's is the kernel's. A pid with its start time identifies a process for ever; a pid
 * alone may be reused.
 *
 * @param command file name of its program, the first 15 characters
 * @param state R, S, D, ... ; Z for a process that has ended and waits for its parent
 * @param flags of the kernel (PF_*)
 * @param startTime in clock ticks since the machine started
 */
public record ProcessStat(long pid, String command, char state, long parent, long flags, long startTime) {
    private static final int PARENT = 4;
    private static final int FLAGS = 9;
    /** PF_EXITING of the kernel. */
    private static final long EXITING = 4;
    private static final int START_TIME = 22;

    /** This process, with the pid that it has where /proc was mounted. */
    public static ProcessStat self() {
        ProcessStat shown = read("/proc/self/stat");
        return shown == null ? null : of(shown.pid);
    }

    /** A process; null if there is none or it is not visible from here. */
    public static ProcessStat of(long pid) {
        return read(path(pid));
    }

    static String path(long pid) {
        return "/proc/" + pid + "/task/" + pid + "/stat";
    }

    private static ProcessStat read(String path) {
        byte[] line = Platform.here().kernel(path);
        return parse(line, line.length);
    }

    /** Whether it has ended, or is about to: it runs none of its program any more, and closes its files. */
    public boolean isEnding() {
        return (flags & EXITING) != 0 || hasEnded();
    }

    /** Whether it has ended, reaped or not. */
    boolean hasEnded() {
        return state == 'Z' || state == 'X';
    }

    /** The process of a line of {@code stat}; null if the line is malformed. */
    static ProcessStat parse(byte[] line, int length) {
        int close = endOfCommand(line, length);
        if (close < 0) {
            return null;
        }
        int open = 0;
        while (line[open] != '(') {
            open++;
        }
        String command = new String(line, open + 1, close - open - 1, StandardCharsets.ISO_8859_1);
        return new ProcessStat(number(line, 0), command, (char) line[close + 2], field(line, close, PARENT),
            field(line, close, FLAGS), field(line, close, START_TIME));
    }

    /** The position of the command's closing bracket (the command itself may contain brackets and spaces), or -1. */
    private static int endOfCommand(byte[] line, int length) {
        int close = length - 1;
        while (close >= 0 && line[close] != ')') {
            close--;
        }
        return close;
    }

    /** Field n (from 1; 3 is the first after the command). */
    private static long field(byte[] line, int close, int n) {
        int at = close + 2;
        for (int i = 3; i < n; i++) {
            while (line[at] != ' ') {
                at++;
            }
            at++;
        }
        return number(line, at);
    }

    private static long number(byte[] line, int at) {
        long value = 0;
        while (line[at] >= '0' && line[at] <= '9') {
            value = value * 10 + line[at++] - '0';
        }
        return value;
    }

    /**
     * Whether a line of {@code stat} is that of an ended process, or of another process than the one started at that
     * time.
     */
    static boolean ended(byte[] line, int length, long startTime) {
        int close = endOfCommand(line, length);
        return close < 0 || line[close + 2] == 'Z' || line[close + 2] == 'X'
            || field(line, close, START_TIME) != startTime;
    }
}
