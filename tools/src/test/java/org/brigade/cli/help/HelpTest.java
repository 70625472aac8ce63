package org.brigade.cli.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.brigade.cli.Brigade;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Help at all widths, and as man pages. */
class HelpTest {
    private static Stream<CommandLine> commands(CommandLine top) {
        return Stream.concat(Stream.of(top), top.getSubcommands().values().stream());
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void helpIsAsWideAsTheTerminalAndExamplesAreWhole(int width) {
        CommandLine top = Brigade.commandLine();
        top.setUsageHelpWidth(width);
        commands(top).forEach(command -> {
            String help = command.getUsageMessage();
            List<String> footer = Footer.lines(List.of(command.getCommandSpec().usageMessage().footer()));
            for (String line : footer) {
                if (line.startsWith(Footer.EXAMPLE)) {
                    assertTrue(help.contains(line.split("  # ")[0].stripTrailing()), help);
                }
            }
            for (String line : help.lines().toList()) {
                boolean example =
                    line.startsWith(Footer.EXAMPLE) && (line.contains("brigade ") || line.contains("bin/"));
                assertTrue(line.length() <= width || example, line);
            }
        });
    }

    @Property
    void foldingKeepsAllWordsAndTheWidth(
        @ForAll @NotEmpty @Size(max = 60) List<@AlphaChars @StringLength(min = 1, max = 20) String> words,
        @ForAll @IntRange(min = 20, max = 120) int width) {
        String folded = Footer.fold(String.join(" ", words), width);
        assertEquals(String.join(" ", words), String.join(" ", folded.lines().toList()));
        List<String> lines = folded.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            assertTrue(lines.get(i).length() <= width, folded);
            assertTrue(i + 1 == lines.size()
                || lines.get(i).length() + 1 + lines.get(i + 1).split(" ")[0].length() > width, folded);
        }
    }

    @Test
    void stringsInARowAreOneParagraph() {
        assertEquals(List.of("", "one two", "  an example", "three", "", "four"),
            Footer.lines(List.of("", "one", "two", "  an example", "three", "", "four")));
    }

    @ParameterizedTest
    @CsvSource({"100,100", "40,60", "300,120", "'',80", "wide,80", "0,80", "' 90 ',90"})
    void widthsStayWithinWhatReadsWell(String told, int columns) {
        assertEquals(columns, TerminalWidth.within(told));
    }

    @Test
    void everyCommandHasAManPage(@TempDir Path folder) throws Exception {
        CommandLine top = Brigade.commandLine();
        top.setOut(new PrintWriter(new StringWriter()));
        assertEquals(0, top.execute("help", "--man", folder.resolve("man").toString()));
        List<Path> pages = new ArrayList<>();
        for (CommandLine command : commands(top).toList()) {
            Path page = folder.resolve("man").resolve(ManPage.name(command.getCommandSpec()) + ".1");
            String text = Files.readString(page);
            assertTrue(text.startsWith(".TH BRIGADE") && text.contains("\n.SH SYNOPSIS\n"), text);
            command.getCommandSpec().options().stream().filter(option -> !option.hidden())
                .forEach(option -> assertTrue(text.contains(option.longestName().replace("-", "\\-")), text));
            for (String line : text.lines().toList()) {
                assertFalse(line.startsWith(".") && !line.matches("\\.(TH|SH|TP|PP|nf|fi|B)( .*)?"), line);
            }
            pages.add(page);
        }
        assertTrue(pages.size() > 10);
    }

    @Test
    void aPageThatCannotBeWrittenIsNamed() throws Exception {
        CommandLine top = Brigade.commandLine();
        StringWriter err = new StringWriter();
        top.setErr(new PrintWriter(err));
        assertEquals(2, top.execute("help", "--man", "/proc/none"));
        assertTrue(err.toString().contains("cannot be written to /proc/none"), err.toString());
    }
}
