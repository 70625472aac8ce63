package org.brigade.cli.shell;

import java.util.BitSet;

/** Some ranks of a session, as people write them: {@code 0}, {@code 1-3}, {@code 0,2-3}. */
final class RankPick {
    private static final int MOST_DIGITS = 6;

    private RankPick() {
    }

    static BitSet all(int size) {
        BitSet ranks = new BitSet();
        ranks.set(0, size);
        return ranks;
    }

    /** @throws IllegalArgumentException if it names no rank, or one that is not there */
    static BitSet parse(String text, int size) {
        BitSet ranks = new BitSet();
        for (String part : text.split(",", -1)) {
            String[] ends = part.split("-", -1);
            if (ends.length > 2) {
                throw wrong(text);
            }
            int first = rank(ends[0], text, size);
            int last = rank(ends[ends.length - 1], text, size);
            if (last < first) {
                throw wrong(text);
            }
            ranks.set(first, last + 1);
        }
        return ranks;
    }

    private static int rank(String digits, String text, int size) {
        if (!digits.matches("\\d{1," + MOST_DIGITS + "}")) {
            throw wrong(text);
        }
        int rank = Integer.parseInt(digits);
        if (rank >= size) {
            throw new IllegalArgumentException("@" + text + ": there is no rank " + rank + "; ranks are "
                + words(all(size)));
        }
        return rank;
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException("@" + text + " picks no ranks; write @0, @1-3 or @0,2");
    }

    /** The shortest text that {@link #parse} reads back. */
    static String words(BitSet ranks) {
        StringBuilder text = new StringBuilder();
        for (int first = ranks.nextSetBit(0); first >= 0;) {
            int end = ranks.nextClearBit(first);
            text.append(text.isEmpty() ? "" : ",").append(first);
            if (end - first > 1) {
                text.append('-').append(end - 1);
            }
            first = ranks.nextSetBit(end);
        }
        return text.toString();
    }
}
