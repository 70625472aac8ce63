package org.brigade.examples.tutorial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page whose listings are regions of files and whose outputs are what its commands print. In the page's source:
 *
 * <pre>
 *   &lt;!-- listing HelloRanks.java main --&gt;    before ```java: the lines of HelloRanks.java from "// listing main" to "// end"
 *   ```sh                            commands; the last of them prints what the next ```text shows
 *   &lt;!-- any order --&gt;               before ```text: lines may come in another order
 *   &lt;!-- session --&gt;                 before ```text: what follows "brigade&gt; " is typed, and not printed into a pipe
 *   &lt;!-- varies: A =&gt; B --&gt;           before ```text: what matches the regular expression A may be anything that
 *                                    matches B, or A if there is no B
 *   ...                              in ```text: what the page leaves out, of a line or, alone, any lines
 * </pre>
 */
final class Page {
    private static final String PROMPT = "brigade> ";
    private static final Pattern COMMENT = Pattern.compile("<!-- (.*) -->");

    /** A region of a file, and the lines that the page shows. */
    record Listing(String file, String region, List<String> shown) {
        @Override
        public String toString() {
            return file + " " + region;
        }
    }

    /** A command, the lines that are typed into it, and those that the page shows after it. */
    record Output(String command, List<String> typed, boolean anyOrder, List<String[]> varies, List<String> shown) {
        /** The words of the command, without quotes. */
        List<String> words() {
            List<String> words = new ArrayList<>();
            Matcher word = Pattern.compile("'([^']*)'|(\\S+)").matcher(command);
            while (word.find()) {
                words.add(word.group(1) == null ? word.group(2) : word.group(1));
            }
            return words;
        }

        /** Whether the program has printed what the page shows. Any number of blanks is like any other. */
        boolean fits(List<String> printed) {
            List<String> lines = anyOrder ? printed.stream().sorted().toList() : printed;
            List<String> expected = anyOrder ? shown.stream().sorted().toList() : shown;
            StringBuilder pattern = new StringBuilder();
            for (String line : expected) {
                pattern.append(line.equals("...") ? "(?:.*\n)*" : pattern(line) + "\n");
            }
            return Pattern.matches(pattern.toString(), String.join("\n", lines) + "\n");
        }

        private String pattern(String line) {
            StringBuilder all = new StringBuilder("( +)|(\\.\\.\\.)");
            varies.forEach(each -> all.append("|(").append(each[0]).append(')'));
            StringBuilder pattern = new StringBuilder();
            Matcher other = Pattern.compile(all.toString()).matcher(line);
            int end = 0;
            while (other.find()) {
                int which = 1;
                while (other.group(which) == null) {
                    which++;
                }
                pattern.append(Pattern.quote(line.substring(end, other.start())));
                pattern.append(which == 1 ? " +" : which == 2 ? ".*" : "(?:" + varies.get(which - 3)[1] + ")");
                end = other.end();
            }
            return pattern.append(Pattern.quote(line.substring(end))).toString();
        }

        @Override
        public String toString() {
            return command;
        }
    }

    private final List<Listing> listings = new ArrayList<>();
    private final List<Output> outputs = new ArrayList<>();

    private Page() {
    }

    static Page read(Path file) throws IOException {
        Page page = new Page();
        List<String> lines = Files.readAllLines(file);
        String[] listing = null;
        String command = null;
        boolean anyOrder = false;
        boolean session = false;
        List<String[]> varies = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher comment = COMMENT.matcher(lines.get(i));
            if (comment.matches()) {
                String text = comment.group(1);
                if (text.startsWith("listing ")) {
                    listing = text.split(" ");
                } else if (text.equals("any order")) {
                    anyOrder = true;
                } else if (text.equals("session")) {
                    session = true;
                } else if (text.startsWith("varies: ")) {
                    String[] parts = text.substring("varies: ".length()).split(" => ");
                    varies.add(new String[] {parts[0], parts[parts.length - 1]});
                } else {
                    throw new IOException(file + ":" + (i + 1) + ": the test knows no \"" + text + "\"");
                }
            } else if (lines.get(i).startsWith("```")) {
                int begin = i + 1;
                do {
                    i++;
                } while (!lines.get(i).equals("```"));
                List<String> block = List.copyOf(lines.subList(begin, i));
                String kind = lines.get(begin - 1);
                if (kind.equals("```java") && listing == null || kind.equals("```text") && command == null) {
                    throw new IOException(file + ":" + begin + ": whose listing or output is this?");
                }
                switch (kind) {
                    case "```java" -> {
                        page.listings.add(new Listing(listing[1], listing[2], block));
                        listing = null; // each has its own comment
                    }
                    case "```sh" -> command = block.get(block.size() - 1);
                    case "```text" -> {
                        boolean types = session;
                        Predicate<String> typed = line -> types && line.startsWith(PROMPT);
                        page.outputs.add(new Output(command,
                            block.stream().filter(typed).map(line -> line.substring(PROMPT.length())).toList(),
                            anyOrder, List.copyOf(varies), block.stream().filter(typed.negate()).toList()));
                        command = null; // each has its own command
                        anyOrder = false;
                        session = false;
                        varies.clear();
                    }
                    default -> throw new IOException(file + ":" + begin + ": a block is java, sh or text");
                }
            }
        }
        return page;
    }

    List<Listing> listings() {
        return listings;
    }

    List<Output> outputs() {
        return outputs;
    }

    /** The lines of a source file between "// listing REGION" and "// end", moved to the left margin. */
    static List<String> region(Path source, String region) throws IOException {
        List<String> lines = Files.readAllLines(source);
        int begin = 0;
        while (!lines.get(begin).strip().equals("// listing " + region)) {
            begin++;
        }
        int end = begin + 1;
        while (!lines.get(end).strip().equals("// end")) {
            end++;
        }
        int margin = lines.get(begin).indexOf('/');
        return lines.subList(begin + 1, end).stream().map(line -> line.isBlank() ? "" : line.substring(margin))
            .toList();
    }
}
