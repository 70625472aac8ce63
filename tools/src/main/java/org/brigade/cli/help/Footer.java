package org.brigade.cli.help;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/**
 * The text after the options. A command gives it in strings: those in a row make a paragraph, which is folded at the
 * width of the help; an empty string ends it. A string that begins with two spaces is an example: a line of its own,
 * never broken, so that it can be copied.
 */
public final class Footer implements IHelpSectionRenderer {
    static final String EXAMPLE = "  ";

    @Override
    public String render(Help help) {
        StringBuilder text = new StringBuilder();
        int width = help.commandSpec().usageMessage().width();
        for (String line : lines(List.of(help.commandSpec().usageMessage().footer()))) {
            text.append(line.startsWith(EXAMPLE) ? example(line, width) : fold(line, width))
                .append(System.lineSeparator());
        }
        return text.toString();
    }

    /** Paragraphs, examples and empty lines, each as one string. */
    static List<String> lines(List<String> footer) {
        List<String> lines = new ArrayList<>();
        boolean inParagraph = false;
        for (String given : footer) {
            for (String part : String.format(given).split("\n", -1)) {
                boolean prose = !part.isEmpty() && !part.startsWith(EXAMPLE);
                if (prose && inParagraph) {
                    lines.set(lines.size() - 1, lines.get(lines.size() - 1) + " " + part);
                } else {
                    lines.add(part);
                }
                inParagraph = prose;
            }
        }
        return lines;
    }

    /** A comment that does not fit beside its command stands above it. */
    private static String example(String line, int width) {
        int comment = line.indexOf("  # ");
        return line.length() <= width || comment < 0 ? line
            : EXAMPLE + line.substring(comment).strip() + System.lineSeparator()
                + line.substring(0, comment).stripTrailing();
    }

    /** Breaks a paragraph between words. A word that is longer than the width stays whole. */
    static String fold(String paragraph, int width) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String word : paragraph.split(" ")) {
            boolean first = column == 0;
            boolean fits = first || column + 1 + word.length() <= width;
            text.append(first ? "" : fits ? " " : System.lineSeparator()).append(word);
            column = first || !fits ? word.length() : column + 1 + word.length();
        }
        return text.toString();
    }
}
