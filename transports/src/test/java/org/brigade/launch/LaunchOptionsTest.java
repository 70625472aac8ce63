package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchOptionsTest {
    private static LaunchOptions parse(String line) {
        return LaunchOptions.parse(line.isEmpty() ? new String[0] : line.split(" "));
    }

    @Test
    void whatComesBehindTheProgramIsTheProgramsOwn() {
        LaunchOptions options = parse("-np 3 -cp a.jar:b App -np 7 -cp x --tag");
        assertEquals(3, options.ranks());
        assertEquals("a.jar:b", options.classPath());
        assertEquals(List.of("App", "-np", "7", "-cp", "x", "--tag"), options.program());
        assertEquals(List.of(), options.javaOptions());
    }

    @Test
    void unknownOptionsGoToJavaWithTheirValues() {
        LaunchOptions options = parse("-Xmx1g --add-opens java.base/java.nio=ALL-UNNAMED -Dx=y --module-path mods -n 2 -ea -XX:+UseG1GC @flags --add-modules=m App");
        assertEquals(2, options.ranks());
        assertEquals(List.of("-Xmx1g", "--add-opens", "java.base/java.nio=ALL-UNNAMED", "-Dx=y", "--module-path", "mods", "-ea", "-XX:+UseG1GC", "@flags",
            "--add-modules=m"), options.javaOptions());
        assertEquals(List.of("App"), options.program());
    }

    @Test
    void aJarEndsTheOptionsToo() {
        LaunchOptions options = parse("-np 2 -jar app.jar -v in");
        assertEquals("app.jar", options.jar());
        assertEquals(List.of("-v", "in"), options.program());
    }

    @Test
    void mpjExpresssOptionsAreIgnored() {
        LaunchOptions options = parse("-np 2 -dev multicore -wdir /tmp App");
        assertEquals(List.of("App"), options.program());
        assertEquals(List.of(), options.javaOptions());
        assertEquals("/tmp", options.directory());
    }

    @Test
    void withoutANumberThereAreAsManyRanksAsProcessors() {
        assertEquals(Runtime.getRuntime().availableProcessors(), parse("App").ranks());
    }

    @ParameterizedTest
    @CsvSource({"'',no program", "-np 2,no program", "-np 0 App,must be 1 or more", "-np x App,must be 1 or more", "-np,needs a value", "-jar,needs a value",
        "-hostfile h App,this machine only"})
    void aBadLineIsRefusedWithTheCure(String line, String expected) {
        String message = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void theUsersCollectorAndNativeAccessReplaceOurs() {
        List<String> command = RankCommand.of(parse("-XX:+UseParallelGC App x"));
        assertEquals(1, command.stream().filter(word -> word.endsWith("GC")).count(), command::toString);
        assertEquals(Runtime.version().feature() >= 24, command.contains("--enable-native-access=ALL-UNNAMED"), command::toString);
        assertEquals(List.of("-XX:+UseParallelGC", "App", "x"), command.subList(command.size() - 3, command.size()));
    }

    @Test
    void aJarWithoutAMainClassIsRefused() {
        String message = assertThrows(LaunchException.class, () -> RankCommand.of(parse("-jar /nowhere/app.jar"))).getMessage();
        assertTrue(message.startsWith("-jar /nowhere/app.jar: cannot be read as a jar"), message);
    }
}
