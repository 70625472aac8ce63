package org.brigade.cli.shell;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.brigade.cli.shell.ShellMessage.Answer;

/** What a session shows: answers of all ranks, output of each. Any thread may write. */
final class Screen {
    private static final String LABEL = "\033[36m";
    private static final String ERROR = "\033[31m";
    private static final String PLAIN = "\033[0m";
    private static final String WHOLE_LINE = "\r\033[K";

    private final PrintStream out;
    private final PrintStream err;
    /** Whether a person types: with prompts. */
    private final boolean prompts;
    private final boolean colours;
    /** The prompt behind which the cursor stands; empty if there is none. */
    private String prompt = "";

    Screen(PrintStream out, PrintStream err, boolean prompts, boolean colours) {
        this.out = out;
        this.err = err;
        this.prompts = prompts;
        this.colours = colours;
    }

    boolean prompts() {
        return prompts;
    }

    /** Asks for a line. */
    synchronized void prompt(String text) {
        if (prompts) {
            prompt = text;
            out.print(text);
            out.flush();
        }
    }

    /** The line is there. */
    synchronized void typed() {
        prompt = "";
    }

    /** A line of the console's own. */
    synchronized void say(String line) {
        write(out, line);
    }

    /** What is wrong with the user's line; the session goes on. */
    synchronized void error(String line) {
        write(out, colour(ERROR, line));
    }

    /** What ends the session. */
    synchronized void complain(String why) {
        write(err, "brigade shell: " + why);
    }

    /** A line that a rank has printed. */
    synchronized void output(int rank, boolean error, String line) {
        write(error ? err : out, colour(LABEL, "[" + rank + "]") + " " + line);
    }

    /**
     * The answers of a line; equal ones once.
     *
     * @param name of the variable that it declares, or empty; null if it has no value
     */
    synchronized void answers(TreeMap<Integer, Answer> answers, String name) {
        for (String line : lines(answers, name)) {
            int label = line.indexOf(": ") + 1;
            write(out, colour(LABEL, line.substring(0, label)) + line.substring(label));
        }
    }

    /** An answer that a line has not waited for: shown also if it has no value. */
    synchronized void late(int rank, Answer answer, String name) {
        write(out, colour(LABEL, rank + ":") + " " + text(answer, name));
    }

    /** Times of all ranks, and the slowest. */
    synchronized void times(TreeMap<Integer, Answer> answers) {
        Map.Entry<Integer, Answer> slowest = null;
        TreeMap<Integer, Answer> failed = new TreeMap<>();
        for (Map.Entry<Integer, Answer> each : answers.entrySet()) {
            if (each.getValue().thrown()) {
                failed.put(each.getKey(), each.getValue());
                continue;
            }
            write(out, colour(LABEL, each.getKey() + ":") + " " + time(each.getValue().nanos()));
            if (slowest == null || each.getValue().nanos() > slowest.getValue().nanos()) {
                slowest = each;
            }
        }
        answers(failed, "");
        if (slowest != null && answers.size() > 1) {
            write(out, "slowest: rank " + slowest.getKey() + ", " + time(slowest.getValue().nanos()));
        }
    }

    /** {@code 0-2: 4}, {@code 3: 5}, in the order of the first rank of each; of a variable {@code 0-2: x = 4}. */
    static List<String> lines(TreeMap<Integer, Answer> answers, String name) {
        Map<String, BitSet> equal = new LinkedHashMap<>();
        boolean silent = true;
        for (Map.Entry<Integer, Answer> each : answers.entrySet()) {
            equal.computeIfAbsent(text(each.getValue(), name), none -> new BitSet()).set(each.getKey());
            silent &= name == null && !each.getValue().thrown();
        }
        List<String> lines = new ArrayList<>();
        if (!silent) {
            equal.forEach((text, ranks) -> lines.add(RankPick.words(ranks) + ": " + text));
        }
        return lines;
    }

    private static String text(Answer answer, String name) {
        return answer.thrown() || name != null && name.isEmpty() ? answer.text()
            : name == null ? "done" : name + " = " + answer.text();
    }

    /** {@code 850 ns}, {@code 12.3 us}, {@code 4.56 ms}: three digits. */
    static String time(long nanos) {
        String[] units = {"ns", "us", "ms", "s"};
        double time = nanos;
        int unit = 0;
        while (time >= 999.5 && unit < units.length - 1) {
            time /= 1000;
            unit++;
        }
        int places = unit == 0 || time >= 99.95 ? 0 : time >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + places + "f ", time) + units[unit];
    }

    private String colour(String code, String text) {
        return colours ? code + text + PLAIN : text;
    }

    private void write(PrintStream stream, String line) {
        if (!prompt.isEmpty()) {
            out.print(WHOLE_LINE);
            out.flush();
        }
        stream.println(line);
        stream.flush();
        if (!prompt.isEmpty()) {
            out.print(prompt);
            out.flush();
        }
    }
}
