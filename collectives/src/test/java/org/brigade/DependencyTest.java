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
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dependencies point one way, module by module and, inside collectives, package by package. Reads the imports of all sources. */
class DependencyTest {
    /** Each sees those before it; jmh and examples do not see each other. */
    private static final List<Set<String>> MODULES = List.of(Set.of("mpi-api"), Set.of("collectives"), Set.of("transports"), Set.of("tools"),
        Set.of("jmh", "examples"));

    /** Left may not see right. */
    private static final List<List<Set<String>>> PACKAGES = List.of(
        List.of(Set.of("picture", "setting"), Set.of("memory", "datatype", "op", "topology", "pattern"), Set.of("schedule"), Set.of("algorithm"),
            Set.of("verify", "simulate", "select")),
        List.of(Set.of("memory", "schedule", "transport", "select"), Set.of("aggregation"), Set.of("device", "engine", "matching", "cuda"), Set.of("communicator")));

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);");
    private static final Pattern IMPORT = Pattern.compile("^import (?:static )?((?:mpi|org\\.brigade)\\.[\\w.]+|mpi\\.\\w+)");

    private record Source(String module, String name, String file, List<String> imports) {
    }

    private static final List<Source> SOURCES = new ArrayList<>();
    /** The modules that a package has sources in. */
    private static final Map<String, Set<String>> HOMES = new HashMap<>();

    @BeforeAll
    static void readSources() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("collectives"))) {
            root = root.getParent();
        }
        for (Set<String> level : MODULES) {
            for (String module : level) {
                readSources(module, root.resolve(module).resolve("src/main/java"));
                readSources(module, root.resolve(module).resolve("src/main/templates"));
            }
        }
    }

    private static void readSources(String module, Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
                read(module, file);
            }
        }
    }

    private static void read(String module, Path file) throws IOException {
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
        SOURCES.add(new Source(module, name, file.getFileName().toString(), imports));
        HOMES.computeIfAbsent(name, key -> new TreeSet<>()).add(module);
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

    @Test
    void theSourcesAreFound() {
        assertTrue(SOURCES.size() > 100, SOURCES.size() + " sources");
        assertTrue(HOMES.containsKey("org.brigade.schedule") && HOMES.containsKey("mpi.spi"), HOMES.keySet().toString());
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
                    wrong.add(source.module + ": " + source.name + "." + source.file + " imports " + imported + " of " + homes);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void theApiHasNoDependency() {
        List<String> wrong = new ArrayList<>();
        for (Source source : SOURCES) {
            if (source.module.equals("mpi-api")) {
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
    void inCollectivesLeftDoesNotSeeRight() {
        List<String> wrong = new ArrayList<>();
        for (Source source : SOURCES) {
            if (!source.module.equals("collectives")) {
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

    /** {@code algorithm} for {@code org.brigade.algorithm.bcast}. What carries out collectives on devices is more than a transport. */
    private static String family(String name) {
        if (name.startsWith("org.brigade.transport.cuda")) {
            return "cuda";
        }
        return name.startsWith("org.brigade.") ? name.split("\\.")[2] : "";
    }
}
