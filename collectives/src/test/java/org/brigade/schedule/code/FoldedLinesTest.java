package org.brigade.schedule.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FoldedLinesTest {
    private static List<String> fold(List<String> lines) {
        return new FoldedLines(lines).lines();
    }

    @Test
    void linesThatStepAlikeBecomeLoopsWithinLoops() {
        List<String> lines = new ArrayList<>(List.of("begin"));
        for (int window = 0; window < 5; window++) {
            for (int step = 0; step < 4; step++) {
                lines.add("A[" + (100 * window + 8 * step) + "] = B[" + (7 - step) + "]");
            }
            lines.add("tick " + window);
        }
        lines.add("end");
        assertEquals(
            List.of("begin", "for i = 0 to 4", "  for j = 0 to 3", "    A[100i+8j] = B[7-j]", "  tick i", "end"),
            fold(lines));
    }

    @Test
    void whatDoesNotStepAlikeStays() {
        List<String> lines = List.of("a 1", "a 2", "a 4", "a 8", "b 1", "a 16");
        assertEquals(lines, fold(lines));
        assertEquals(List.of(), fold(List.of()));
    }

    /** Whatever is folded says the same as before. */
    @Test
    void unfoldedTheLinesAreTheSame() {
        Random random = new Random(7);
        for (int turn = 0; turn < 300; turn++) {
            List<String> lines = new ArrayList<>();
            int stretches = random.nextInt(4);
            for (int stretch = 0; stretch < stretches; stretch++) {
                int rounds = 1 + random.nextInt(6);
                int body = 1 + random.nextInt(3);
                int step = random.nextInt(4);
                for (int round = 0; round < rounds; round++) {
                    for (int line = 0; line < body; line++) {
                        lines.add("xy".charAt(line % 2) + (line > 1 ? "x" : "") + " of " + (10 + step * round) + " and "
                            + random.nextInt(2));
                    }
                }
            }
            assertEquals(lines, unfold(fold(lines), 0));
        }
    }

    private static List<String> unfold(List<String> folded, int depth) {
        List<String> lines = new ArrayList<>();
        String counter = "ijk".substring(depth, depth + 1);
        for (int at = 0; at < folded.size(); at++) {
            String line = folded.get(at);
            if (!line.startsWith("for " + counter + " = 0 to ")) {
                lines.add(line);
                continue;
            }
            int last = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
            List<String> body = new ArrayList<>();
            while (at + 1 < folded.size() && folded.get(at + 1).startsWith("  ")) {
                body.add(folded.get(++at).substring(2));
            }
            assertTrue(!body.isEmpty());
            for (int round = 0; round <= last; round++) {
                int number = round;
                List<String> these = body.stream().map(each -> at(each, counter, number)).toList();
                lines.addAll(depth < 2 ? unfold(these, depth + 1) : these);
            }
        }
        return lines;
    }

    /** A line in one round: sums as {@code 10+2i-j}, in which the outer counters come first. */
    private static String at(String line, String counter, int number) {
        java.util.regex.Matcher sums = java.util.regex.Pattern.compile("(?<![a-z])(\\d*)([+-]?)(\\d*)" + counter
            + "(?![a-z])").matcher(line);
        return sums.replaceAll(found -> {
            String base = found.group(1);
            String sign = found.group(2);
            String step = found.group(3);
            if (sign.isEmpty() && step.isEmpty()) { // a step that stands alone was taken for the base
                step = base;
                base = "";
            }
            long value = (base.isEmpty() ? 0 : Long.parseLong(base))
                + (sign.equals("-") ? -1 : 1) * (step.isEmpty() ? 1 : Long.parseLong(step)) * number;
            return Long.toString(value);
        });
    }
}
