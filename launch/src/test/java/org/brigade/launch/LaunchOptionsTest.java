package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    void theWordJavaMayStandInFrontOfItsOptions() {
        LaunchOptions options = parse("-np 3 java -Xmx1g -cp a.jar App java");
        assertEquals(List.of("-Xmx1g"), options.javaOptions());
        assertEquals("a.jar", options.classPath());
        assertEquals(List.of("App", "java"), options.program());
    }

    @Test
    void unknownOptionsGoToJavaWithTheirValues() {
        LaunchOptions options = parse(
            "-Xmx1g --add-opens java.base/java.nio=ALL-UNNAMED -Dx=y --module-path mods -n 2 -ea -XX:+UseG1GC @flags"
                + " --add-modules=m App");
        assertEquals(2, options.ranks());
        assertEquals(List.of("-Xmx1g", "--add-opens", "java.base/java.nio=ALL-UNNAMED", "-Dx=y", "--module-path",
            "mods", "-ea", "-XX:+UseG1GC", "@flags",
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
        LaunchOptions options = parse("-np 2 -mpjport 9 -wdir /tmp App");
        assertEquals(List.of("App"), options.program());
        assertEquals(List.of(), options.javaOptions());
        assertEquals("/tmp", options.directory());
    }

    @Test
    void withoutANumberThereAreAsManyRanksAsProcessors() {
        assertEquals(Runtime.getRuntime().availableProcessors(), parse("App").ranks());
    }

    @ParameterizedTest
    @CsvSource({"'',no program", "-np 2,no program", "-np 0 App,must be 1 or more", "-np x App,must be 1 or more",
        "-np,needs a value", "-jar,needs a value",
        "-hostfile h App,this machine only", "-np 2147483647 App,serves at most 8192 ranks",
        "-np 2 --map node App,say how many with --nodes"})
    void aBadLineIsRefusedWithTheCure(String line, String expected) {
        String message = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    /** With other launchers, a second program follows. */
    @ParameterizedTest
    @ValueSource(strings = {"-np 1 A : -np 1 B", "-np 1 java A x : -np 1 java B", "-np 2 -jar /nowhere/app.jar :",
        "-np 2 : App", "App :"})
    void aColonThatStandsAloneIsNeverAnArgument(String line) {
        String message = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(message.contains("one program in all ranks") && message.contains("mpirun -np 1"), message);
    }

    @Test
    void aColonInALongerWordOrInAnOptionIsLeftAlone() {
        LaunchOptions options = parse("-cp : App sep=: :: a:b");
        assertEquals(":", options.classPath());
        assertEquals(List.of("App", "sep=:", "::", "a:b"), options.program());
        assertEquals(List.of("App", ":"), LaunchOptions.parseSpawned(new String[] {"App", ":"}).program());
    }

    @Test
    void aValueMayStandBehindAnEqualsSign() {
        LaunchOptions options =
            parse("-np=4 --nodes=2 --map=node --fabric=sisci --class-path=a.jar -Dx=--node -XX:Max=1 App --node=2");
        assertEquals("[0, 1, 0, 1]", Arrays.toString(options.nodeOf()));
        assertEquals("sisci a.jar", options.fabric() + " " + options.classPath());
        assertEquals(List.of("-Dx=--node", "-XX:Max=1"), options.javaOptions());
        assertEquals(List.of("App", "--node=2"), options.program());
    }

    @ParameterizedTest
    @CsvSource({"--node 2 App,--node is an option of neither mpjrun nor java; did you mean --nodes?",
        "--node=2 App,--nodes?", "-nodes 2 App,--nodes?", "--fabrics sisci App,--fabric?", "--np 2 App,-np?",
        "-tag App,--tag?", "--tags App,--tag?", "-fabric=sisci App,--fabric?", "--fabric= App,--fabric= needs a value"})
    void anOptionThatIsNearlyOneOfOursIsNotLeftToJava(String line, String expected) {
        String message = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @ParameterizedTest
    @CsvSource({"--bind-to core App,CORE", "-bind-to core App,CORE", "--bind-to=l3cache App,CACHE",
        "--bind-to cache App,CACHE", "--bind-to numa App,NUMA", "--bind-to none App,NONE", "App,NONE"})
    void bindingsHaveTheNamesThatOtherLaunchersGiveThem(String line, Binding expected) {
        LaunchOptions options = parse("-np 1 " + line);
        assertEquals(expected, options.binding());
        assertEquals(List.of("App"), options.program());
        assertTrue(parse("-np 1 --report-bindings " + line).reportsBindings() && !options.reportsBindings());
    }

    @ParameterizedTest
    @CsvSource({"--bind-to socket App,'must be core, cache (or l3cache), numa or none'", "--bind-to,needs a value",
        "--bind-too core App,--bind-to?", "--map-by core App,neighbouring cores",
        "--report-binding App,--report-bindings?"})
    void aBindingThatCannotBeIsRefusedWithTheCure(String line, String expected) {
        String message = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void noOptionOfJavaIsTakenForASlip() {
        String[] javas = {"-ea", "-esa", "-da", "-dsa", "-server", "-client", "-verbose", "-verbose:gc", "-version",
            "-showversion", "-splash:x", "-agentlib:x", "-javaagent:x", "--dry-run", "--version", "--show-version",
            "--enable-preview", "--list-modules", "--add-modules=x", "--show-module-resolution", "--validate-modules",
            "--help-extra", "--disable-@files", "-X", "-Xmx1g", "-D", "@file", "-d64"};
        for (String option : javas) {
            assertEquals(List.of(option), parse(option + " App").javaOptions());
        }
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
        RankCommand.addCompilers(flags, parse(line), processors);
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

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"5;2;block;[0, 0, 0, 1, 1]", "5;2;node;[0, 1, 0, 1, 0]",
        "7;3;block;[0, 0, 0, 1, 1, 2, 2]", "4;4;block;[0, 1, 2, 3]", "4;3;2,0,1,0;[2, 0, 1, 0]"})
    void ranksGoToNodesAsTheMapSays(int ranks, int nodes, String map, String expected) {
        LaunchOptions options = parse("-np " + ranks + " --nodes " + nodes + " --map " + map + " --fabric sisci App");
        assertEquals(expected, Arrays.toString(options.nodeOf()));
        assertEquals(nodes, options.nodes());
        assertEquals("sisci", options.fabric());
    }

    @Test
    void ranksAreOnOneNodeUnlessTheLineSaysMore() {
        assertNull(parse("-np 4 App").nodeOf());
        assertNull(parse("-np 4 --nodes 1 App").nodeOf());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"--nodes 0 App;--nodes 0: nodes must be 1 or more",
        "-np 2 --nodes 3 App;there are only 2 ranks", "-np 2 --nodes 2 --fabric tcp App;there are: sisci",
        "-np 2 --fabric sisci App;say how many with --nodes",
        "-np 3 --nodes 2 --map 0,1 App;the node of each of the 3 ranks", "-np 2 --nodes 2 --map 0,0 App;none left out",
        "-np 2 --nodes 2 --map 0,2 App;from 0 to 1", "-np 2 --nodes 2 --map 0,x App;as in --map 0,1",
        "-np 2 --nodes 2 --map slot App;must be block, node, or"})
    void nodesThatCannotBeAreRefusedWithTheCure(String line, String message) {
        String said = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(said.contains(message), said);
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

    private static String told(Map<String, String> variables) {
        return variables.get("BRIGADE_RANK") + " of " + variables.get("BRIGADE_SIZE") + ", "
            + variables.get("BRIGADE_LOCAL_RANK") + " of " + variables.get("BRIGADE_LOCAL_SIZE") + ", node "
            + variables.get("BRIGADE_NODE") + " of " + variables.get("BRIGADE_NODES") + ", "
            + variables.get("BRIGADE_FABRIC") + " " + variables.get("BRIGADE_SISCI_NODE");
    }
}
