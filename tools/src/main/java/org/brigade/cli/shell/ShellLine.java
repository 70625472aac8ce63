package org.brigade.cli.shell;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.brigade.setting.SpellingSuggestion;

/**
 * A line as typed: Java for some of the ranks, or a command behind {@code %}.
 *
 * @param ranks those that run it
 * @param repeats how often {@code %time} runs it; 0 for all other lines
 * @param text the Java, or the command's arguments
 */
record ShellLine(Kind kind, BitSet ranks, int repeats, String text) {
    enum Kind {
        JAVA, TIME, EXPLAIN, HELP, QUIT
    }

    private static final List<String> COMMANDS = List.of("time", "explain", "help", "quit");
    private static final Pattern COMMAND = Pattern.compile("%(\\w*)\\s*(.*)", Pattern.DOTALL);
    /** A digit, as {@code @} and a letter begin an annotation. */
    private static final Pattern PICK = Pattern.compile("@(\\d\\S*)\\s*(.*)", Pattern.DOTALL);
    private static final Pattern REPEATS = Pattern.compile("(\\d{1,7})x\\s+(.*)", Pattern.DOTALL);

    /**
     * Reads a line of a session of so many ranks. A pick may stand before and behind {@code %time}.
     *
     * @throws IllegalArgumentException if it cannot be followed: one sentence with the cure
     */
    static ShellLine parse(String line, int size) {
        BitSet ranks = RankPick.all(size);
        Kind kind = Kind.JAVA;
        String text = line.strip();
        boolean picked = false;
        while (true) {
            Matcher pick = PICK.matcher(text);
            Matcher command = COMMAND.matcher(text);
            if (!picked && pick.matches()) {
                ranks = RankPick.parse(pick.group(1), size);
                text = pick.group(2);
                picked = true;
            } else if (kind == Kind.JAVA && command.matches()) {
                kind = command(command.group(1));
                text = command.group(2);
                if (kind != Kind.TIME) {
                    requireNoPick(kind, picked);
                    return new ShellLine(kind, ranks, 0, text);
                }
            } else {
                break;
            }
        }
        if (picked && text.isEmpty() || kind == Kind.TIME && text.isEmpty()) {
            throw new IllegalArgumentException("nothing to run; write Java behind " + (kind == Kind.TIME
                ? "%time, as in %time comm.barrier()" : "the pick, as in @0 comm.getRank()"));
        }
        if (kind != Kind.TIME) {
            return new ShellLine(kind, ranks, 0, text);
        }
        Matcher repeats = REPEATS.matcher(text);
        return repeats.matches()
            ? new ShellLine(kind, ranks, Math.max(1, Integer.parseInt(repeats.group(1))), repeats.group(2))
            : new ShellLine(kind, ranks, 1, text);
    }

    private static Kind command(String word) {
        if (!COMMANDS.contains(word)) {
            String meant = SpellingSuggestion.of(word, COMMANDS, 2);
            throw new IllegalArgumentException("%" + word + " is no command"
                + (meant == null ? "; there are %time, %explain, %help and %quit" : "; did you mean %" + meant + "?"));
        }
        return Kind.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static void requireNoPick(Kind kind, boolean picked) {
        if (picked) {
            throw new IllegalArgumentException("%" + kind.name().toLowerCase(Locale.ROOT)
                + " runs on no rank; leave out the pick");
        }
    }
}
