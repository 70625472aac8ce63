package org.brigade.report;

import java.util.ArrayList;
import java.util.List;

/** Facts for people, a line or some for each, and behind them what costs speed, with the cure. */
public final class Report {
    private static final int COLUMNS = 110;
    private static final int LABEL = 15;

    private final StringBuilder text = new StringBuilder();
    private final List<String> costs = new ArrayList<>();

    /** @param head the first line */
    public Report(String head) {
        text.append("brigade: ").append(head).append('\n');
    }

    /** A fact. @param label of {@value #LABEL} characters at most; empty: more of the fact before */
    public void line(String label, String words) {
        text.append("  ").append(label).append(" ".repeat(Math.max(1, LABEL - label.length())));
        wrap(words, 2 + LABEL);
    }

    /** A row of a table: columns, which are not folded, and words for the last one. */
    public void row(String columns, String words) {
        text.append("  ").append(columns);
        wrap(words, 2 + columns.length());
    }

    /** What is as it should not be, what that costs, and what to change. */
    public void costs(String finding, String cost, String cure) {
        costs.add(finding + ": " + cost + ". Cure: " + cure);
    }

    private void wrap(String sentence, int margin) {
        int column = margin;
        String gap = "";
        for (String word : sentence.split(" ")) {
            if (!gap.isEmpty() && column + 1 + word.length() > COLUMNS) {
                text.append('\n').append(" ".repeat(margin));
                column = margin;
                gap = "";
            }
            text.append(gap).append(word);
            column += gap.length() + word.length();
            gap = " ";
        }
        text.append('\n');
    }

    /** All of it, with an end of line. */
    @Override
    public String toString() {
        int facts = text.length();
        for (int i = 0; i < costs.size(); i++) {
            line(i == 0 ? "costs speed" : "", "- " + costs.get(i));
        }
        String whole = text.toString();
        text.setLength(facts);
        return whole;
    }
}
