package org.brigade.soak;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts trials of each kind, and keeps what went wrong. */
final class Trials {
    private final PrintStream out;
    private final Map<String, int[]> counts = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();

    Trials(PrintStream out) {
        this.out = out;
    }

    synchronized void passed(String kind, int more) {
        counts.computeIfAbsent(kind, none -> new int[2])[0] += more;
    }

    /** A trial has failed; the words say how to repeat it. */
    synchronized void failed(String kind, String words) {
        int[] count = counts.computeIfAbsent(kind, none -> new int[2]);
        count[0]++;
        count[1]++;
        wrong.add(kind + ": " + words);
        out.println("FAILED " + kind + ": " + words);
        out.flush();
    }

    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    synchronized int of(String kind) {
        return counts.getOrDefault(kind, new int[1])[0];
    }

    synchronized String table() {
        StringBuilder text = new StringBuilder("| trials | number | failed |\n| --- | --- | --- |\n");
        counts.forEach((kind, count) -> text.append("| ").append(kind).append(" | ").append(count[0]).append(" | ")
            .append(count[1]).append(" |\n"));
        return text.toString();
    }
}
