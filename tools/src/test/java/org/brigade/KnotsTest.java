package org.brigade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Classes that reach each other in circles make a knot: none of them can be read, or changed, without the others. No
 * knot is large. Reads the compiled classes of all modules that come before this one's tests; a class with those inside
 * it counts as one.
 */
class KnotsTest {
    private static final int MOST = 8;

    private static final Pattern NAMED = Pattern.compile("(?:mpi|org[./]brigade)(?:[./]\\w+)*[./][A-Z]\\w*");

    /** By class: the classes that it uses. */
    private static final Map<String, Set<String>> USES = new TreeMap<>();
    /** The same with the classes that it names in strings. */
    private static final Map<String, Set<String>> USES_BY_NAME = new TreeMap<>();

    @BeforeAll
    static void readClasses() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("collectives"))) {
            root = root.getParent();
        }
        Set<String> sources = new HashSet<>();
        try (Stream<Path> modules = Files.walk(root, 2)) {
            for (Path module : modules.filter(path -> Files.isDirectory(path.resolve("src/main/java"))).toList()) {
                collectSources(module.resolve("src/main/java"), sources);
                collectSources(module.resolve("target/generated-sources/templates"), sources);
                collectClasses(module.resolve("target/classes"));
            }
        }
        for (Map<String, Set<String>> uses : List.of(USES, USES_BY_NAME)) {
            uses.keySet().retainAll(sources); // others are left over from before a class was moved
            uses.values().forEach(used -> used.retainAll(sources));
        }
    }

    private static void collectSources(Path folder, Set<String> sources) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.map(file -> folder.relativize(file).toString()).filter(file -> file.endsWith(".java"))
                    .forEach(
                        file -> sources.add(file.substring(0, file.length() - ".java".length()).replace('/', '.')));
            }
        }
    }

    private static void collectClasses(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                    String path = folder.relativize(file).toString();
                    if (!path.startsWith("META-INF")) {
                        String name = outermost(path.substring(0, path.length() - ".class".length()));
                        collectNames(Files.readAllBytes(file), USES.computeIfAbsent(name, key -> new TreeSet<>()),
                            USES_BY_NAME.computeIfAbsent(name, key -> new TreeSet<>()));
                    }
                }
            }
        }
    }

    /** {@code mpi.Struct} for {@code mpi/Struct$Data}. */
    private static String outermost(String name) {
        int inner = name.indexOf('$');
        return (inner < 0 ? name : name.substring(0, inner)).replace('/', '.');
    }

    /** The names of this project's classes in a class file's constants: classes, types of members, strings. */
    private static void collectNames(byte[] classFile, Set<String> inCode, Set<String> withStrings)
        throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        in.skipBytes(8);
        int constants = in.readUnsignedShort();
        String[] texts = new String[constants];
        Set<Integer> strings = new HashSet<>();
        for (int i = 1; i < constants; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF(); // every name is in a constant of this kind
                case 8 -> strings.add(in.readUnsignedShort());
                case 5, 6 -> {
                    in.skipBytes(8);
                    i++; // a long or a double takes two places
                }
                case 15 -> in.skipBytes(3);
                case 7, 16, 19, 20 -> in.skipBytes(2);
                default -> in.skipBytes(4);
            }
        }
        for (int i = 1; i < constants; i++) {
            Matcher matcher = NAMED.matcher(texts[i] == null ? "" : texts[i]);
            if (strings.contains(i)) {
                if (matcher.matches()) { // as a whole: a message may mention a class
                    withStrings.add(outermost(matcher.group()));
                }
                continue;
            }
            while (matcher.find()) {
                inCode.add(outermost(matcher.group()));
                withStrings.add(outermost(matcher.group()));
            }
        }
    }

    @Test
    void theClassesAreFound() {
        assertTrue(USES.size() > 1000, USES.size() + " classes");
        assertTrue(USES.get("mpi.Comm").contains("mpi.front.job.Handle"), "a class that another one calls");
    }

    @Test
    void aCircleIsFound() {
        Map<String, Set<String>> uses =
            Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("b", "d"), "d", Set.of("b"), "e", Set.of("a"));
        assertEquals(List.of(Set.of("b", "c", "d")), knots(uses, 2));
    }

    @Test
    void noKnotIsLarge() {
        assertEquals("", tooLarge(USES));
    }

    @Test
    void noKnotIsLargeThroughClassNamesInStrings() {
        assertEquals("", tooLarge(USES_BY_NAME));
    }

    private static String tooLarge(Map<String, Set<String>> uses) {
        return knots(uses, MOST).stream().map(knot -> knot.size() + " classes, and " + MOST + " are allowed: " + knot)
            .sorted().collect(Collectors.joining("\n"));
    }

    /** The knots of more than some classes: the strongly connected components (Tarjan 1972), without recursion. */
    private static List<Set<String>> knots(Map<String, Set<String>> uses, int most) {
        List<Set<String>> knots = new ArrayList<>();
        Map<String, Integer> number = new HashMap<>();
        Map<String, Integer> lowest = new HashMap<>();
        Deque<String> open = new ArrayDeque<>();
        Set<String> isOpen = new HashSet<>();
        for (String start : new TreeSet<>(uses.keySet())) {
            Deque<Visit> path = new ArrayDeque<>();
            if (!number.containsKey(start)) {
                path.push(new Visit(start, uses.get(start)));
            }
            while (!path.isEmpty()) {
                Visit visit = path.peek();
                if (!number.containsKey(visit.name)) {
                    number.put(visit.name, number.size());
                    lowest.put(visit.name, number.get(visit.name));
                    open.push(visit.name);
                    isOpen.add(visit.name);
                }
                String next = visit.rest.poll();
                if (next != null) {
                    if (!number.containsKey(next)) {
                        path.push(new Visit(next, uses.getOrDefault(next, Set.of())));
                    } else if (isOpen.contains(next)) {
                        lowest.merge(visit.name, number.get(next), Math::min);
                    }
                    continue;
                }
                path.pop();
                if (!path.isEmpty()) {
                    lowest.merge(path.peek().name, lowest.get(visit.name), Math::min);
                }
                if (lowest.get(visit.name).equals(number.get(visit.name))) {
                    Set<String> knot = new TreeSet<>();
                    String last;
                    do {
                        last = open.pop();
                        isOpen.remove(last);
                        knot.add(last);
                    } while (!last.equals(visit.name));
                    if (knot.size() > most) {
                        knots.add(knot);
                    }
                }
            }
        }
        return knots;
    }

    /** A class on the path, and those that it uses and that have not been looked at. */
    private static final class Visit {
        final String name;
        final Deque<String> rest;

        Visit(String name, Collection<String> uses) {
            this.name = name;
            rest = new ArrayDeque<>(uses);
        }
    }
}
