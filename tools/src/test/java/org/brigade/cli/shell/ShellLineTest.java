package org.brigade.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shell.ShellMessage.Answer;
import org.brigade.launch.options.LaunchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is typed and what is shown, without ranks. */
class ShellLineTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"rank + 1; JAVA; 0-3; 0; rank + 1", "@2 rank; JAVA; 2; 0; rank",
        "@1-3 rank; JAVA; 1-3; 0; rank", "@3,0-1 rank; JAVA; 0-1,3; 0; rank",
        "@Deprecated int x; JAVA; 0-3; 0; @Deprecated int x", "5 % 3; JAVA; 0-3; 0; 5 % 3",
        "%time rank; TIME; 0-3; 1; rank", "@1 %time rank; TIME; 1; 1; rank", "%time @1,2 rank; TIME; 1-2; 1; rank",
        "%time 500x rank; TIME; 0-3; 500; rank", "%time 0x0F; TIME; 0-3; 1; 0x0F",
        "%explain allreduce 1M; EXPLAIN; 0-3; 0; allreduce 1M", "  %quit ; QUIT; 0-3; 0; ''", "'';JAVA;0-3;0;''"})
    void aLineIsRead(String line, ShellLine.Kind kind, String ranks, int repeats, String text) {
        ShellLine read = ShellLine.parse(line, 4);
        assertEquals(kind, read.kind());
        assertEquals(ranks, RankPick.words(read.ranks()));
        assertEquals(repeats, read.repeats());
        assertEquals(text, read.text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"@4 rank; '@4: there is no rank 4; ranks are 0-3'", "@2-1 x; picks no ranks",
        "@1- x; picks no ranks", "@0,,1 x; picks no ranks", "@0-1-2 x; picks no ranks", "@0x x; picks no ranks",
        "@99999999999 x; picks no ranks", "@0; nothing to run", "%time; nothing to run",
        "%time @0; nothing to run", "%tim x; did you mean %time?", "%xyzzy; there are %time, %explain",
        "@0 %quit; leave out the pick"})
    void aWrongLineIsASentence(String line, String expected) {
        String message =
            assertThrows(IllegalArgumentException.class, () -> ShellLine.parse(line, 4)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    private static Answer value(String text) {
        return new Answer(1, false, text, 0);
    }

    @Test
    void equalAnswersAreShownOnce() {
        TreeMap<Integer, Answer> answers =
            new TreeMap<>(Map.of(0, value("4"), 1, value("5"), 2, value("4"), 3, value("4")));
        assertEquals(List.of("0,2-3: 4", "1: 5"), Screen.lines(answers, ""));
        assertEquals(List.of("0,2-3: x = 4", "1: x = 5"), Screen.lines(answers, "x"));
        assertEquals(List.of(), Screen.lines(answers, null), "a statement has no value");
        answers.put(1, new Answer(1, true, "java.lang.Error", 0));
        assertEquals(List.of("0,2-3: x = 4", "1: java.lang.Error"), Screen.lines(answers, "x"));
        assertEquals(List.of("0,2-3: done", "1: java.lang.Error"), Screen.lines(answers, null));
    }

    @Test
    void timesHaveThreeDigits() {
        assertEquals(List.of("7 ns", "999 ns", "1.00 us", "12.3 us", "100 us", "1.00 ms", "2.50 s", "5000 s"),
            Arrays.stream(new long[] {7, 999, 1000, 12_345, 99_960, 999_600, 2_500_000_000L, 5_000_000_000_000L})
                .mapToObj(Screen::time).toList());
    }

    @Test
    void explainIsOfACallOfTheSession() {
        var options = ShellCommand.options(List.of("-np", "4", "--nodes", "2"), "socket");
        assertEquals(List.of("explain", "allreduce", "--bytes", "1M", "--ranks", "4", "--nodes", "2", "--schedule"),
            ShellCommand.explainLine(" allreduce  1M --schedule", options));
        assertEquals(List.of("explain", "bcast", "--ranks", "9"),
            ShellCommand.explainLine("bcast --ranks 9", options), "as asked");
    }

    @Test
    void aProgramIsRefused() {
        assertTrue(assertThrows(LaunchException.class, () -> ShellCommand.options(List.of("-np", "2", "App"), ""))
            .getMessage().contains("leave out App, and call it in the session"));
        assertTrue(assertThrows(LaunchException.class, () -> ShellCommand.options(List.of("-jar", "app.jar"), ""))
            .getMessage().contains("name the jar behind -cp"));
    }

    @Test
    void aJavaWithoutJShellIsNamedWithTheCure() {
        String message =
            assertThrows(BenchException.class, () -> ShellCommand.requireJShell(ModuleLayer.empty())).getMessage();
        assertTrue(message.contains("no module jdk.jshell; set JAVA_HOME to a whole JDK"), message);
    }
}
