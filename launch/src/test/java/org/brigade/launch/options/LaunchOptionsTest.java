package org.brigade.launch.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.launch.options.Binding;
import org.brigade.launch.options.ForeignOptions;
import org.brigade.launch.options.JavaOptions;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchHelp;
import org.brigade.launch.options.LaunchOption;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.launch.options.ProgramOptions;
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
            "-Xmx1g --add-opens java.base/java.nio=ALL-UNNAMED -Dx=y --module-path mods -n 2 -ea -XX:+UseG1GC"
                + " --add-modules=m App");
        assertEquals(2, options.ranks());
        assertEquals(List.of("-Xmx1g", "--add-opens", "java.base/java.nio=ALL-UNNAMED", "-Dx=y", "--module-path",
            "mods", "-ea", "-XX:+UseG1GC", "--add-modules=m"), options.javaOptions());
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
        "-hostfile /nowhere/hosts App,cannot be read", "-H a.invalid:2 -np 3 App,say --oversubscribe",
        "-H -oProxyCommand=x App,names no host", "-H a.invalid --nodes 2 -np 2 App,leave out one of the two",
        "-H a.invalid -np 2 --map 0-1 App,the node of each of the 2 ranks",
        "-np 2147483647 App,serves at most 8192 ranks",
        "-np 2 --map node App,say how many with --nodes"})
    void aBadLineIsRefusedWithTheCure(String line, String expected) {
        String message = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"-H a.invalid:2,b.invalid:2;[0, 0, 1, 1]",
        "-H a.invalid:2,b.invalid:2 --map-by node;[0, 1, 0, 1]", "-H a.invalid:2,b.invalid:2 --bynode -np 3;[0, 1, 0]",
        "-H a.invalid:1,b.invalid:3 --map node;[0, 1, 1, 1]", "-H a.invalid,a.invalid,b.invalid;[0, 0, 1]",
        "-H a.invalid:2,b.invalid:2 -N 1;[0, 1]", "-H a.invalid:2,b.invalid:2 -np 2;[0, 0]",
        "-H a.invalid:1,b.invalid:2 -np 5 --oversubscribe;[0, 1, 1, 0, 1]",
        "-H a.invalid,b.invalid --map 1,0,1 -np 3;[1, 0, 1]", "-H localhost:1,a.invalid:1;[0, 1]"})
    void ranksArePlacedOnHostsAsMpirunDoes(String line, String expected) {
        JobHosts hosts = parse(line + " App").hosts();
        assertEquals(expected, Arrays.toString(hosts.hostOf()));
        assertEquals(List.of(), hosts.agent());
    }

    @Test
    void thisMachineNeedsNoAgent() {
        assertNull(parse("-H localhost:2 App").hosts());
        assertNull(parse("-H localhost:2,a.invalid:2 -np 2 App").hosts());
        assertEquals(List.of("kubectl", "exec", "-i", "{host}", "--"),
            LaunchOptions
                .parse(new String[] {"-H", "a.invalid", "--launch-agent", "kubectl exec -i '{host}' --", "App"})
                .hosts().agent());
    }

    @Test
    void aColonThatStandsAloneBeginsAnotherProgramOfTheJob() {
        LaunchOptions options = parse("-np 1 -wdir /tmp -x A=1 -cp a.jar -Dbrigade.check=true -Xmx1g A x : "
            + "-np 2 -jar b.jar y : -np 1 java -cp c.jar C");
        assertEquals(4, options.ranks());
        assertEquals(3, options.programs().size());
        ProgramOptions a = options.programs().get(0);
        ProgramOptions b = options.programs().get(1);
        assertEquals("1 /tmp [A=1] a.jar [A, x]",
            a.ranks() + " " + a.directory() + " " + a.variables() + " " + a.classPath() + " " + a.program());
        assertEquals("2 null [] null b.jar [y]",
            b.ranks() + " " + b.directory() + " " + b.variables() + " " + b.classPath() + " " + b.jar() + " "
                + b.program());
        assertEquals(List.of("-Dbrigade.check=true"), b.javaOptions(), "settings hold for the whole job, a heap's size"
            + " does not");
        assertEquals("c.jar", options.programs().get(2).classPath());
        assertEquals("a.jar", parse("-np 1 -cp a.jar A : -np 1 B").programs().get(1).classPath());
    }

    @ParameterizedTest
    @CsvSource({"-np 2 : App,no program before", "-np 1 A :,no program", "-np 1 A : B,'B behind '':'' has no -np'",
        "A : -np 1 B,before ':' has no -np"})
    void eachOfSeveralProgramsHasANameAndANumber(String line, String expected) {
        String message = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(message.contains(expected), message);
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
        "--node=2 App,--nodes?", "-nodes 2 App,--nodes?", "--fabrics sisci App,--fabric?", "--npp 2 App,--np?",
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
        "--bind-too core App,--bind-to?",
        "--report-binding App,--report-bindings?"})
    void aBindingThatCannotBeIsRefusedWithTheCure(String line, String expected) {
        String message = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void noOptionOfJavaIsTakenForASlip() {
        String[] javas = {"-ea", "-esa", "-da", "-dsa", "-server", "-client", "-verbose", "-verbose:gc",
            "-showversion", "-splash:x", "-agentlib:x", "-javaagent:x", "--dry-run", "--show-version",
            "--enable-preview", "--list-modules", "--add-modules=x", "--show-module-resolution", "--validate-modules",
            "--help-extra", "--disable-@files", "-X", "-Xmx1g", "-D", "-d64"};
        for (String option : javas) {
            assertEquals(List.of(option), parse(option + " App").javaOptions());
        }
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

    /** Lines as people have them for other MPIs. */
    @ParameterizedTest
    @ValueSource(strings = {"--oversubscribe -np 2 java -cp a.jar App", "--mca btl tcp,self -np 2 java -cp a.jar App",
        "--allow-run-as-root -mca pml ob1 --mca btl ^openib -n 2 -cp a.jar App",
        "-np 2 --map-by node --display-map --timestamp-output -cp a.jar App", "-ppn 2 -genvall -cp a.jar App",
        "-np 2 --host localhost:2 -x PATH -x A=b java -cp a.jar App", "-H localhost,localhost -cp a.jar App",
        "-np 2 -dev niodev -dport 4000 -psl 1 -cp a.jar App", "-launcher fork -print-all-exitcodes -np 2 -cp a.jar App",
        "--prtemca prte_x 1 --use-hwthread-cpus --np 2 --tag-output -cp a.jar App", "-N 2 -cp a.jar App"})
    void linesOfOtherLaunchersStartTheSameJob(String line) {
        LaunchOptions options = parse(line);
        assertEquals("2 a.jar [App] []", options.ranks() + " " + options.classPath() + " " + options.program() + " "
            + options.javaOptions());
    }

    @ParameterizedTest
    @CsvSource({"--foo App,--foo is an option of neither mpjrun nor java", "--foo=3 App,--foo is an option",
        "-q7 App,-q7 is an option", "--timeout 0 App,as in --timeout 60", "-x =a App,-x NAME=VALUE",
        "-np 2 --debug 2 App,from 0 to the last", "-np 2 --debug x:1 App,as in --debug 1:5005",
        "'-np 2 -agentlib:jdwp=transport=dt_socket,server=y,address=5005 App',as in --debug 0:5005",
        "--output-filename :nocopy App,name a folder", "@/nowhere/args App,cannot be read"})
    void whatNeitherMpjrunNorJavaKnowsIsOneSentence(String line, String expected) {
        String message = assertThrows(LaunchException.class, () -> parse(line)).getMessage();
        assertTrue(message.contains(expected) && message.indexOf('\n') < 0, message);
    }

    @Test
    void whatFollowsTheWordJavaIsJavasWhateverItIs() {
        assertEquals(List.of("--newer", "-Xmx1g"), parse("-np 1 java --newer -Xmx1g App").javaOptions());
    }

    @Test
    void helpNamesEveryOptionAndFoldsAtTheTerminalsWidth() {
        for (String columns : new String[] {null, "60", "80", "1000", "x"}) {
            String help = LaunchHelp.text(columns);
            int width = columns == null || columns.equals("x") ? 100 : Math.min(120, Integer.parseInt(columns));
            for (LaunchOption option : LaunchOption.values()) {
                assertEquals(option.text != null, help.contains("\n  " + option.names[0]), option.name());
            }
            assertTrue(help.lines().skip(2).allMatch(line -> line.length() <= width), help);
        }
    }

    @Test
    void noNameMeansTwoThings() {
        List<String> names = new ArrayList<>();
        for (LaunchOption option : LaunchOption.values()) {
            names.addAll(List.of(option.names));
        }
        for (String name : names) {
            assertEquals(-1, ForeignOptions.values(name), name);
            assertFalse(JavaOptions.isValued(name) && !name.equals("-m"), name);
        }
        assertEquals(names.size(), names.stream().distinct().count(), names::toString);
    }
}
