package org.brigade.cli.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.brigade.cli.shared.BenchException;
import org.brigade.select.ByteSize;

/**
 * A page in Markdown whose tables come from files of measurements ({@link MeasuredTable}). A table, or a sentence in
 * its place, stands between two lines of comment:
 *
 * <pre>
 *   &lt;!-- table measured/gpus-2.csv time=graph bytes=16,64K --&gt;       the file, relative to the page; the rest may lack
 *   &lt;!-- summary measured/gpus-2.csv time=stream --&gt;
 *   &lt;!-- end --&gt;
 * </pre>
 */
public final class MeasuredPage {
    private static final Pattern BEGIN =
        Pattern.compile("<!-- (table|summary) (\\S+\\.csv)(?: time=(stream|graph))?(?: bytes=(\\S+))? -->");
    private static final String END = "<!-- end -->";

    private MeasuredPage() {
    }

    /**
     * The page with its tables made anew.
     *
     * @throws BenchException if the page or a file of measurements cannot be read, or a table has no end
     */
    public static String made(Path page) {
        List<String> lines;
        try {
            lines = Files.readAllLines(page);
        } catch (IOException e) {
            throw new BenchException("--page: " + page + " cannot be read (" + e + "); name a page (.md)");
        }
        List<String> made = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher begin = BEGIN.matcher(lines.get(i));
            made.add(lines.get(i));
            if (begin.matches()) {
                int end = i + lines.subList(i, lines.size()).indexOf(END);
                if (end < i) {
                    throw new BenchException("--page: no line " + END + " after line " + (i + 1) + " of " + page);
                }
                String time = begin.group(3) == null ? "microseconds" : begin.group(3);
                Collection<Long> shown = begin.group(4) == null ? null
                    : Arrays.stream(begin.group(4).split(",")).map(ByteSize::parse).toList();
                MeasuredTable table = new MeasuredTable(page.resolveSibling(begin.group(2)), time);
                made.add("");
                made.add(begin.group(1).equals("table") ? table.markdown(shown) : table.summary());
                made.add(END);
                i = end;
            }
        }
        return String.join("\n", made) + "\n";
    }

    /** Makes the page's tables anew in place. */
    public static void write(Path page) {
        String made = made(page);
        try {
            Files.writeString(page, made);
        } catch (IOException e) {
            throw new BenchException("--page: " + page + " cannot be written (" + e + ")");
        }
    }
}
