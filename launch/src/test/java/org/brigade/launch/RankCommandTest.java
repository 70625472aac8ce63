package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command line makes of the commands and the variables of ranks. */
class RankCommandTest {
    private static LaunchOptions parse(String line) {
        return LaunchOptions.parse(line.isEmpty() ? new String[0] : line.split(" "));
    }

    @Test
    void theUsersCollectorAndNativeAccessReplaceOurs() {
        List<String> command = RankCommand.of(parse("-XX:+UseParallelGC App x"));
        assertEquals(1, command.stream().filter(word -> word.endsWith("GC")).count(), command::toString);
        assertEquals(Runtime.version().feature() >= 24, command.contains("--enable-native-access=ALL-UNNAMED"),
            command::toString);
        assertEquals(List.of("-XX:+UseParallelGC", "App", "x"), command.subList(command.size() - 3, command.size()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xshare:off", "-XX:SharedArchiveFile=a", "-XX:ArchiveClassesAtExit=a", "-XX:AOTCache=a"})
    void aClassArchiveOfTheUsersReplacesOurs(String option) {
        String flags = "brigade.launch.flags";
        System.setProperty(flags, "-XX:SharedArchiveFile=ours\n-Xshare:auto");
        try {
            assertTrue(RankCommand.of(parse("-ea App")).contains("-Xshare:auto"));
            assertFalse(RankCommand.of(parse(option + " App")).contains("-Xshare:auto"));
        } finally {
            System.clearProperty(flags);
        }
    }

    @Test
    void compilersWithoutAProcessorCompileLater() {
        String later = "-XX:CompileThresholdScaling=10";
        int processors = Runtime.getRuntime().availableProcessors();
        assertTrue(RankCommand.of(parse("-np " + processors + " App")).contains(later));
        assertFalse(RankCommand.of(parse("-np " + processors + " -XX:CompileThresholdScaling=2 App")).contains(later));
        if (processors > 1) {
            assertFalse(RankCommand.of(parse("-np " + processors / 2 + " App")).contains(later));
        }
    }

    @Test
    void theJvmsOfAllRanksTogetherHaveTheCompilersOfOneMachine() {
        assertEquals(List.of(), compilers("-np 1 App", 64), "a rank that is alone has them all");
        assertEquals(List.of("-XX:CICompilerCount=15"), compilers("-np 2 App", 64));
        assertEquals(List.of("-XX:CICompilerCount=3"), compilers("-np 16 App", 64));
        assertEquals(List.of("-XX:CICompilerCount=2"), compilers("-np 60 App", 64));
        assertEquals(List.of("-XX:CICompilerCount=2"), compilers("-np 100 App", 64));
        assertEquals(List.of(), compilers("-np 2 App", 2), "a JVM cannot have fewer");
        for (String option : List.of("-XX:CICompilerCount=4", "-Xint", "-XX:TieredStopAtLevel=1",
            "-XX:-TieredCompilation")) {
            assertEquals(List.of(), compilers("-np 16 " + option + " App", 64));
        }
    }

    private static List<String> compilers(String line, int processors) {
        List<String> flags = new ArrayList<>();
        LaunchOptions options = parse(line);
        RankCommand.addCompilers(flags, options.ranks(), options.javaOptions(), processors);
        return flags;
    }

    @Test
    void aBoundJvmKnowsItsProcessors() {
        assertFalse(String.join(" ", RankCommand.of(parse("-np 100 --bind-to core App"))).contains("CICompilerCount"));
    }

    @Test
    void aJarWithoutAMainClassIsRefused() {
        String message =
            assertThrows(LaunchException.class, () -> RankCommand.of(parse("-jar /nowhere/app.jar"))).getMessage();
        assertTrue(message.startsWith("-jar /nowhere/app.jar: cannot be read as a jar"), message);
    }

    @Test
    void eachRankIsToldItsNodeAndItsPlaceThere() {
        Map<String, String> variables = new HashMap<>(Map.of("BRIGADE_NODE", "9", "BRIGADE_FABRIC", "other"));
        RankEnvironment environment =
            new RankEnvironment(variables, 4, new int[] {0, 1, 1, 0}, 2, "sisci", "/proc/1/fd/2");
        environment.rank(3);
        assertEquals("3 of 4, 1 of 2, node 0 of 2, sisci 4", told(variables));
        environment.rank(1);
        assertEquals("1 of 4, 0 of 2, node 1 of 2, sisci 8", told(variables));
        assertEquals("emulated", variables.get("BRIGADE_SISCI"));
        assertEquals(variables.get("BRIGADE_JOB"), variables.get("BRIGADE_SISCI_FABRIC"));
        assertEquals("/proc/1/fd/2", variables.get("BRIGADE_EXCHANGE"));
        new RankEnvironment(variables, 2, null, 1, null, null).rank(1);
        assertEquals("1 of 2, 1 of 2, node null of null",
            told(variables).substring(0, told(variables).indexOf(", sisci")),
            "an outer job's nodes are not this one's");
    }

    @Test
    void aVariableIsItsProgramsOnlyAndNeverSaysWhoARankIs() {
        Map<String, String> variables = new HashMap<>(Map.of("A", "old"));
        RankEnvironment environment = new RankEnvironment(variables, 2, null, 1, null, null);
        environment.variables(List.of("A=1", "B=2=3", "A=4", "BRIGADE_SIZE=9"));
        assertEquals("4 2=3 2", variables.get("A") + " " + variables.get("B") + " " + variables.get("BRIGADE_SIZE"));
        environment.variables(List.of());
        assertEquals("old null", variables.get("A") + " " + variables.get("B"));
    }

    @Test
    void javaMayHaveAPathAndAnyFileMayRun() {
        String java = System.getProperty("java.home") + "/bin/java";
        LaunchOptions options = parse("-np 2 " + java + " -Xmx1g -cp a.jar App");
        assertEquals("[-Xmx1g] a.jar [App]", options.javaOptions() + " " + options.classPath() + " "
            + options.program());
        assertEquals(java, RankCommand.of(options).get(0));
        assertEquals(List.of("/bin/echo", "-np", "3"), RankCommand.of(parse("-np 2 /bin/echo -np 3")));
        assertEquals(List.of("App"), parse("-np 2 ./App").program());
        assertEquals(List.of("a/App"), parse("-np 2 a/App").program());
    }

    @Test
    void aProgramInAModuleFindsBrigadeOnTheModulePath() {
        System.setProperty("brigade.launch.path", "/b/brigade.jar");
        try {
            List<String> command = RankCommand.of(parse("-np 1 -p mods -m app/app.Main x"));
            assertEquals(List.of("--module-path", "/b/brigade.jar:mods", "-m", "app/app.Main", "x"),
                command.subList(command.size() - 5, command.size()));
            assertEquals(Runtime.version().feature() >= 24, command.contains("--enable-native-access=org.brigade"));
            command = RankCommand.of(parse("-np 1 -m app/app.Main"));
            assertEquals(List.of("--module-path", "/b/brigade.jar", "-m", "app/app.Main"),
                command.subList(command.size() - 4, command.size()));
        } finally {
            System.clearProperty("brigade.launch.path");
        }
    }

    @Test
    void oneRankWaitsForItsDebuggerAndEachHasAPort() {
        LaunchOptions options = parse("-np 3 --debug 1:45005 App");
        List<String> ports = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            List<String> its = new ArrayList<>();
            RankCommand.forRank(RankCommand.of(options), rank, options.debug(), its);
            assertTrue(its.get(1).contains("suspend=" + (rank == 1 ? "y" : "n")), its.get(1));
            ports.add(its.get(1).substring(its.get(1).indexOf("address=")));
        }
        assertEquals("address=127.0.0.1:45005", ports.get(1));
        assertEquals(3, ports.stream().distinct().count(), ports::toString);
    }

    private static String told(Map<String, String> variables) {
        return variables.get("BRIGADE_RANK") + " of " + variables.get("BRIGADE_SIZE") + ", "
            + variables.get("BRIGADE_LOCAL_RANK") + " of " + variables.get("BRIGADE_LOCAL_SIZE") + ", node "
            + variables.get("BRIGADE_NODE") + " of " + variables.get("BRIGADE_NODES") + ", "
            + variables.get("BRIGADE_FABRIC") + " " + variables.get("BRIGADE_SISCI_NODE");
    }
}
