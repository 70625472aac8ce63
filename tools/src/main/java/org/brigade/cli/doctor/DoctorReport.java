package org.brigade.cli.doctor;

import java.util.List;

/** The table of {@code brigade doctor}: a line for what is good, and a paragraph for the rest. */
final class DoctorReport {
    private static final int COLUMNS = 112;
    private static final String MARGIN = " ".repeat(24);

    private DoctorReport() {
    }

    static String text(List<Diagnosis> found) {
        StringBuilder text = new StringBuilder();
        int[] counts = new int[Verdict.values().length];
        for (Diagnosis each : found) {
            counts[each.verdict().ordinal()]++;
            text.append(String.format("%-14s %-8s ", each.name(), each.verdict().key()));
            if (each.verdict() == Verdict.GOOD) {
                text.append(each.finding()).append('\n');
            } else {
                wrap(each.finding(), text);
                text.append(MARGIN);
                wrap("left as it is: " + each.cost(), text);
                text.append(MARGIN);
                wrap("to change it: " + each.cure(), text);
            }
        }
        int bad = found.size() - counts[Verdict.GOOD.ordinal()];
        return text.append('\n').append(bad == 0 ? "Nothing to change.\n"
            : counts[Verdict.BLOCKS.ordinal()] > 0
                ? "No job of two ranks can run here until what blocks is changed.\n"
                : bad + " of " + found.size() + " could be changed; jobs run as it is.\n")
            .toString();
    }

    /** Breaks lines between words. */
    private static void wrap(String sentence, StringBuilder text) {
        int column = MARGIN.length();
        String gap = "";
        for (String word : sentence.split(" ")) {
            if (!gap.isEmpty() && column + 1 + word.length() > COLUMNS) {
                text.append('\n').append(MARGIN);
                column = MARGIN.length();
                gap = "";
            }
            text.append(gap).append(word);
            column += gap.length() + word.length();
            gap = " ";
        }
        text.append('\n');
    }
}
