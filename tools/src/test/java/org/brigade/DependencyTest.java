package org.brigade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Dependencies point one way, module by module and package by package, and no package is too large to be read. Reads
 * the imports of all sources.
 */
class DependencyTest {
    /** Each sees those before it; those of one line do not see each other. */
    private static final List<Set<String>> MODULES = List.of(Set.of("mpi-api"), Set.of("collectives"),
        Set.of("runtime", "lab"), Set.of("transports/shm"),
        Set.of("transports/hostmpi", "transports/ucx", "transports/sisci", "transports/cuda"),
        Set.of("transports/aggregation"), Set.of("launch"), Set.of("tools", "junit"), Set.of("jmh", "examples"),
        Set.of("examples/pytorch"));

    /** Packages of collectives and of the runtime, each with those below it: left may not see right. */
    private static final List<List<Set<String>>> PACKAGES = List.of(
        List.of(Set.of("setting"), Set.of("topology", "pattern"), Set.of("schedule"), Set.of("algorithm"),
            Set.of("verify", "select")),
        List.of(Set.of("memory", "op"), Set.of("transport"), Set.of("aggregation"),
            Set.of("device", "engine", "matching"), Set.of("window", "failure"), Set.of("communicator")));

    private static final int MOST_FILES = 25;
    /** The standard says what is in mpi. */
    private static final Set<String> LARGE = Set.of("mpi");

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);");
    private static final Pattern IMPORT =
        Pattern.compile("^import (?:static )?((?:mpi|org\\.brigade)\\.[\\w.]+|mpi\\.\\w+)");

    /** The errors that all layers throw. The API has them in mpi; they know no other class, and so lie below all. */
    private static final Set<String> ERRORS = Set.of("mpi.MPIException", "mpi.ErrorClass");

    /** Of a package's tests the name ends so: they may see what the package itself must not. */
    private static final String TESTS = " (tests)";

    private record Source(String module, String name, String file, List<String> imports) {
        boolean isTest() {
            return name.endsWith(TESTS);
        }
    }

    private static final List<Source> SOURCES = new ArrayList<>();
    /** The modules that a package has sources in. */
    private static final Map<String, Set<String>> HOMES = new HashMap<>();
    /** The packages, as {@link Source} names them, in which there is a class: by its full name. */
    private static final Map<String, Set<String>> CLASSES = new HashMap<>();

    @BeforeAll
    static void readSources() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("collectives"))) {
            root = root.getParent();
        }
        for (Set<String> level : MODULES) {
            for (String module : level) {
                for (String set : List.of("main", "test", "jcstress")) {
                    readFolder(module, set, root.resolve(module).resolve("src").resolve(set).resolve("java"));
                }
                readFolder(module, "main", root.resolve(module).resolve("target/generated-sources/templates"));
            }
        }
    }

    private static void readFolder(String module, String set, Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
                    read(module, set, file);
                }
            }
        }
    }

    private static void read(String module, String set, Path file) throws IOException {
        String name = "";
        List<String> imports = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            Matcher matcher = PACKAGE.matcher(line);
            if (matcher.find()) {
                name = matcher.group(1);
            }
            matcher = IMPORT.matcher(line);
            if (matcher.find()) {
                imports.add(matcher.group(1));
            }
        }
        String simple = file.getFileName().toString();
        Source source = new Source(module, set.equals("main") ? name : name + TESTS, simple, imports);
        SOURCES.add(source);
        CLASSES.computeIfAbsent(name + "." + simple.substring(0, simple.length() - ".java".length()),
            key -> new TreeSet<>()).add(source.name);
        if (!source.isTest()) {
            HOMES.computeIfAbsent(name, key -> new TreeSet<>()).add(module);
        }
    }

    private static int level(List<Set<String>> levels, String member) {
        for (int level = 0; level < levels.size(); level++) {
            if (levels.get(level).contains(member)) {
                return level;
            }
        }
        return -1;
    }

    /** The package of an imported name: the longest one that has sources. */
    private static String packageOf(String imported) {
        for (String name = imported; name.contains("."); name = name.substring(0, name.lastIndexOf('.'))) {
            String candidate = name.substring(0, name.lastIndexOf('.'));
            if (HOMES.containsKey(candidate)) {
                return candidate;
            }
        }
        return "";
    }

    /**
     * The package of an imported class or member as a node of the graph: a test sees tests of that name before the
     * package itself. Empty if it is none of ours.
     */
    private static String nodeOf(String imported, boolean byTest) {
        for (String name = imported; name.contains("."); name = name.substring(0, name.lastIndexOf('.'))) {
            Set<String> nodes = CLASSES.get(name);
            if (ERRORS.contains(name)) {
                return "mpi (errors)";
            }
            if (nodes != null) {
                String plain = name.substring(0, name.lastIndexOf('.'));
                return byTest && nodes.contains(plain + TESTS) || !nodes.contains(plain) ? plain + TESTS : plain;
            }
        }
        return "";
    }

    @Test
    void theSourcesAreFound() {
        assertTrue(SOURCES.size() > 100, SOURCES.size() + " sources");
        assertTrue(CLASSES.containsKey("org.brigade.memory.IntElements"),
            "the classes that Maven makes from templates");
        Set<String> families = new TreeSet<>();
        HOMES.keySet().forEach(name -> families.add(family(name)));
        for (List<Set<String>> levels : PACKAGES) {
            levels.forEach(level -> assertTrue(families.containsAll(level),
                () -> level + " are not all packages; there are " + families));
        }
    }

    @Test
    void errorsKnowNoOtherClass() {
        for (Source source : SOURCES) {
            if (ERRORS.contains(source.name + "." + source.file.replace(".java", ""))) {
                assertEquals(List.of(), source.imports, source.file);
            }
        }
    }

    @Test
    void aPackageIsOfOneModule() {
        List<String> wrong = new ArrayList<>();
        HOMES.forEach((name, modules) -> {
            if (modules.size() > 1) {
                wrong.add(name + " is in " + modules);
            }
        });
        assertEquals(List.of(), wrong);
    }

    @Test
    void noPackageIsTooLarge() {
        Map<String, Integer> files = new TreeMap<>();
        for (Source source : SOURCES) {
            files.merge(source.module + ": " + source.name, 1, Integer::sum);
        }
        files.keySet().removeIf(name -> LARGE.contains(name.substring(name.indexOf(' ') + 1)));
        files.values().removeIf(count -> count <= MOST_FILES);
        assertEquals(Map.of(), files, "packages with more than " + MOST_FILES + " files");
    }

    /** Whoever reads a class's name knows which one it is. */
    @Test
    void noTwoClassesHaveOneName() {
        Map<String, Set<String>> homes = new TreeMap<>();
        for (Source source : SOURCES) {
            if (!source.isTest() && !source.file.equals("package-info.java")) {
                homes.computeIfAbsent(source.file, key -> new TreeSet<>()).add(source.name);
            }
        }
        homes.values().removeIf(packages -> packages.size() == 1);
        assertEquals(Map.of(), homes, "classes of one name");
    }

    @Test
    void packagesSeeEachOtherInNoCircle() {
        Map<String, Map<String, String>> edges = new TreeMap<>();
        for (Source source : SOURCES) {
            for (String imported : source.imports) {
                String to = nodeOf(imported, source.isTest());
                if (!to.isEmpty() && !to.equals(source.name)) {
                    edges.computeIfAbsent(source.name, key -> new TreeMap<>()).putIfAbsent(to,
                        source.file + " imports " + imported);
                }
            }
        }
        // What nobody sees, or what sees nobody, is in no circle; once all such are gone, only circles and what lies
        // between them are left.
        for (boolean again = true; again;) {
            again = edges.values().removeIf(Map::isEmpty);
            Set<String> seen = new TreeSet<>();
            edges.values().forEach(to -> seen.addAll(to.keySet()));
            again |= edges.keySet().retainAll(seen);
            for (Map<String, String> to : edges.values()) {
                again |= to.keySet().retainAll(edges.keySet());
            }
        }
        assertEquals(Map.of(), edges, "packages in circles");
    }

    @Test
    void modulesSeeOnlyThoseBeforeThem() {
        List<String> wrong = new ArrayList<>();
        for (Source source : SOURCES) {
            for (String imported : source.imports) {
                Set<String> homes = HOMES.getOrDefault(packageOf(imported), Set.of());
                boolean visible = homes.isEmpty();
                for (String home : homes) {
                    visible |= home.equals(source.module) || level(MODULES, home) < level(MODULES, source.module);
                }
                if (!visible) {
                    wrong.add(source.module + ": " + source.name + "." + source.file + " imports " + imported + " of "
                        + homes);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void theApiHasNoDependency() {
        List<String> wrong = new ArrayList<>();
        for (Source source : SOURCES) {
            if (source.module.equals("mpi-api") && !source.isTest()) {
                for (String imported : source.imports) {
                    if (imported.startsWith("org.brigade.")) {
                        wrong.add(source.name + "." + source.file + " imports " + imported);
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void leftDoesNotSeeRight() {
        List<String> wrong = new ArrayList<>();
        for (Source source : SOURCES) {
            if (!Set.of("collectives", "runtime").contains(source.module) || source.isTest()) {
                continue; // what stands above may see all of it
            }
            for (String imported : source.imports) {
                for (List<Set<String>> levels : PACKAGES) {
                    int from = level(levels, family(source.name));
                    int to = level(levels, family(packageOf(imported)));
                    if (from >= 0 && to > from) {
                        wrong.add(source.name + "." + source.file + " imports " + imported);
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    /** {@code algorithm} for {@code org.brigade.algorithm.bcast}. */
    private static String family(String name) {
        return name.startsWith("org.brigade.") ? name.split("[. ]")[2] : "";
    }
}
