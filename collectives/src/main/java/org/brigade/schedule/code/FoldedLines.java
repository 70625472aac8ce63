package org.brigade.schedule.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lines in which what repeats is folded into loops: stretches that differ by the same step in each of their numbers,
 * round after round. A loop's lines write a number as {@code a+bi}; loops within loops count by j and k.
 */
final class FoldedLines {
    private static final String COUNTERS = "ijk";
    /** Longer bodies are not looked for. */
    private static final int LONGEST_BODY = 1024;
    private static final int LEAST_SAVED = 1;

    /**
     * A line.
     *
     * @param words around the numbers, one more than these
     * @param numbers each as a sum: what it is at first, and its steps by loop from the outermost
     */
    private record Line(String[] words, long[][] numbers) {
        static Line of(String text) {
            List<String> words = new ArrayList<>();
            List<long[]> numbers = new ArrayList<>();
            int begin = 0;
            int at = 0;
            while (at < text.length()) {
                int end = at;
                while (end < text.length() && Character.isDigit(text.charAt(end))) {
                    end++;
                }
                if (end > at) {
                    words.add(text.substring(begin, at));
                    numbers.add(new long[] {Long.parseLong(text, at, end, 10)});
                    begin = end;
                }
                at = Math.max(end, at + 1);
            }
            words.add(text.substring(begin));
            return new Line(words.toArray(new String[0]), numbers.toArray(new long[0][]));
        }

        /** Whether another line differs from this one by what a third differs from the other, in the first numbers. */
        boolean steps(Line second, Line third) {
            boolean like = like(second) && second.like(third);
            for (int i = 0; like && i < numbers.length; i++) {
                like = second.numbers[i][0] - numbers[i][0] == third.numbers[i][0] - second.numbers[i][0];
            }
            return like;
        }

        /** Whether only the first numbers differ. */
        boolean like(Line other) {
            boolean like = Arrays.equals(words, other.words);
            for (int i = 0; like && i < numbers.length; i++) {
                like = Arrays.equals(numbers[i], 1, numbers[i].length, other.numbers[i], 1, other.numbers[i].length);
            }
            return like;
        }

        /** This line in a loop of which the other is the same in the next round. */
        Line inLoop(Line next) {
            long[][] sums = new long[numbers.length][];
            for (int i = 0; i < sums.length; i++) {
                sums[i] = Arrays.copyOf(numbers[i], numbers[i].length + 1);
                sums[i][numbers[i].length] = next.numbers[i][0] - numbers[i][0];
            }
            return new Line(words, sums);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(words[0]);
            for (int i = 0; i < numbers.length; i++) {
                text.append(sum(numbers[i])).append(words[i + 1]);
            }
            return text.toString();
        }

        private static String sum(long[] terms) {
            StringBuilder text = new StringBuilder(terms[0] == 0 ? "" : Long.toString(terms[0]));
            for (int loop = 1; loop < terms.length; loop++) {
                long step = terms[loop];
                if (step != 0) {
                    text.append(step < 0 ? "-" : text.isEmpty() ? "" : "+")
                        .append(Math.abs(step) == 1 ? "" : Math.abs(step)).append(COUNTERS.charAt(loop - 1));
                }
            }
            return text.isEmpty() ? "0" : text.toString();
        }
    }

    private final List<String> folded = new ArrayList<>();

    FoldedLines(List<String> lines) {
        fold(lines.stream().map(Line::of).toList(), 0);
    }

    List<String> lines() {
        return folded;
    }

    private void fold(List<Line> lines, int depth) {
        String indent = "  ".repeat(depth);
        int at = 0;
        while (at < lines.size()) {
            int body = 0;
            int rounds = 1;
            int saved = LEAST_SAVED;
            int longest = depth == COUNTERS.length() ? 0 : Math.min(LONGEST_BODY, (lines.size() - at) / 2);
            for (int length = 1; length <= longest; length++) {
                int these = rounds(lines, at, length);
                if (length * (these - 1) - 1 > saved) {
                    body = length;
                    rounds = these;
                    saved = length * (these - 1) - 1;
                }
            }
            if (body == 0) {
                folded.add(indent + lines.get(at++));
                continue;
            }
            folded.add(indent + "for " + COUNTERS.charAt(depth) + " = 0 to " + (rounds - 1));
            List<Line> inner = new ArrayList<>();
            for (int i = at; i < at + body; i++) {
                inner.add(lines.get(i).inLoop(lines.get(i + body)));
            }
            fold(inner, depth + 1);
            at += body * rounds;
        }
    }

    /** How often a stretch comes one after another; the first two rounds say by which steps. */
    private static int rounds(List<Line> lines, int at, int length) {
        int rounds = 1;
        while (at + (rounds + 1) * length <= lines.size()) {
            boolean again = true;
            for (int i = at; again && i < at + length; i++) {
                Line last = lines.get(i + (rounds - 1) * length);
                Line next = lines.get(i + rounds * length);
                again = rounds == 1 ? last.like(next) : lines.get(i + (rounds - 2) * length).steps(last, next);
            }
            if (!again) {
                break;
            }
            rounds++;
        }
        return rounds;
    }
}
