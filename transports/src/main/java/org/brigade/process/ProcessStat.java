package org.brigade.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * One look at a process, from {@code /proc/PID/stat} (proc(5)). A pid with its start time names a process for good; a
 * pid alone may come again.
 *
 * @param command file name of what it runs, its first 15 characters
 * @param state R, S, D, ... ; Z for one that has ended and waits for its parent
 * @param startTime in clock ticks since the machine started
 */
public record ProcessStat(long pid, String command, char state, long parent, long startTime) {
    private static final int PARENT = 4;
    private static final int START_TIME = 22;

    /** This process. */
    public static ProcessStat self() {
        return read("/proc/self/stat");
    }

    /** A process; null if there is none or it can't be seen from here. */
    public static ProcessStat of(long pid) {
        return read("/proc/" + pid + "/stat");
    }

    private static ProcessStat read(String path) {
        byte[] line = new byte[1024];
        try (FileInputStream file = new FileInputStream(path)) {
            return parse(line, file.read(line));
        } catch (IOException gone) {
            return null;
        }
    }

    /** The process that a line of {@code stat} tells of; null if the line is none. */
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
            field(line, close, START_TIME));
    }

    /** Where the command's closing bracket is (the command itself may hold brackets and spaces), or -1. */
    private static int endOfCommand(byte[] line, int length) {
        int close = length - 1;
        while (close >= 0 && line[close] != ')') {
            close--;
        }
        return close;
    }

    /** Field n (from 1; 3 is the first behind the command). */
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
     * Whether a line of {@code stat} tells of a process that runs no more, or is another than the one that began then.
     */
    static boolean ended(byte[] line, int length, long startTime) {
        int close = endOfCommand(line, length);
        return close < 0 || line[close + 2] == 'Z' || line[close + 2] == 'X'
            || field(line, close, START_TIME) != startTime;
    }
}
