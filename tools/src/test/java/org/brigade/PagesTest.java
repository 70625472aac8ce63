package org.brigade;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every class, file and package that the pages about the code name exists: in the text between back quotes. */
class PagesTest {
    private static final Pattern QUOTED = Pattern.compile("`([^`\n]+)`");
    /** {@code CallLine}, {@code device.CallLine} or {@code CallLine.look}: at least two words in capitals. */
    private static final Pattern CLASS =
        Pattern.compile("(?<![\\w/.$-])((?:[a-z0-9]+\\.)*)([A-Z][a-z0-9]+[A-Z]\\w*)(?![\\w/])(?!\\.(?:java|md|cu))");
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern FILE = Pattern.compile("(?<![\\w/.*-])(?:[\\w.-]+/)*\\w+\\.(?:java|cu|cuh)\\b");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|enum|record|@interface) (\\w+)");

    private static final List<String> MODULES = List.of("mpi-api", "collectives", "runtime", "transports/shm",
        "transports/hostmpi", "transports/ucx", "transports/sisci", "transports/cuda", "transports/aggregation",
        "launch", "junit", "lab", "tools", "jmh", "examples");

    /** By full and by simple name, nested ones too. */
    private final Set<String> classes = new HashSet<>();
    /** Of sources, from the module's folder on, without what lies between that and the packages. */
    private final Set<String> files = new HashSet<>();

    private void readSources(Path root) throws IOException {
        for (String module : MODULES) {
            Path sources = root.resolve(module).resolve("src");
            try (Stream<Path> found = Files.walk(sources)) {
                for (Path file : found.filter(Files::isRegularFile).toList()) {
                    String path = sources.relativize(file).toString()
                        .replaceFirst("^\\w+/(?:java|resources|templates)/", "").replaceFirst("^org/brigade/", "");
                    files.add((module + "/" + path).replaceFirst("^mpi-api/mpi/", "api/")); // as extending.md says it
                    if (path.endsWith(".java")) {
                        String text = path.substring(0, path.length() - ".java".length());
                        classes.add(text.replace('/', '.'));
                        Matcher declared = DECLARED.matcher(Files.readString(file));
                        while (declared.find()) {
                            classes.add(declared.group(1));
                        }
                    }
                }
            }
        }
    }

    private boolean isClass(String room, String name) {
        if (classes.contains(name) && (room.isEmpty()
            || classes.stream().anyMatch(each -> ("." + each).endsWith("." + room + name)))) {
            return true;
        }
        for (String java : List.of("java.lang.", "java.lang.invoke.", "java.nio.", "java.util.")) {
            try {
                Class.forName(java + name, false, null);
                return true;
            } catch (ClassNotFoundException e) {
                // no class of that package
            }
        }
        return false;
    }

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs"))) {
            root = root.getParent();
        }
        return root;
    }

    /** GitHub's anchors of a page's titles. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new HashSet<>();
        for (String line : Files.readAllLines(page)) {
            if (line.startsWith("#")) {
                anchors.add(line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'));
            }
        }
        return anchors;
    }

    @Test
    void linksOfPagesLeadSomewhere() throws IOException {
        Path root = root();
        List<Path> pages = new ArrayList<>(
            List.of(root.resolve("README.md"), root.resolve("CONTRIBUTING.md"), root.resolve("CHANGELOG.md")));
        try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            docs.filter(each -> each.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        List<String> lost = new ArrayList<>();
        for (Path page : pages) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
                if (!Files.exists(target) || link.group(2) != null && !anchors(target).contains(link.group(2))) {
                    lost.add(root.relativize(page) + ": " + link.group());
                }
            }
        }
        assertEquals(List.of(), lost, "links to what is not there");
    }

    /** What running.md shows of the pom and of the Gradle script are lines that examples/consumers/run builds with. */
    @Test
    void builtSnippetsAreThoseOfThePage() throws IOException {
        Path consumers = root().resolve("examples/consumers");
        String page = Files.readString(root().resolve("docs/running.md"));
        List<String> lost = new ArrayList<>();
        for (String[] each : new String[][] {{"xml", "maven/pom.xml"}, {"groovy", "gradle/build.gradle"}}) {
            Matcher block = Pattern.compile("```" + each[0] + "\n(.*?)```", Pattern.DOTALL).matcher(page);
            String built = Files.readString(consumers.resolve(each[1])).lines().map(String::strip)
                .collect(Collectors.joining("\n"));
            if (!block.find() || !built.contains(block.group(1).lines().map(String::strip)
                .collect(Collectors.joining("\n")))) {
                lost.add(each[1]);
            }
        }
        assertEquals(List.of(), lost, "examples of which docs/running.md shows other lines");
    }

    @Test
    void whatPagesNameExists() throws IOException {
        Path root = root();
        readSources(root);
        List<Path> pages = new ArrayList<>(List.of(root.resolve("docs/architecture.md"),
            root.resolve("docs/extending.md"), root.resolve("CONTRIBUTING.md")));
        try (Stream<Path> design = Files.list(root.resolve("docs/design"))) {
            pages.addAll(design.sorted().toList());
        }
        List<String> missing = new ArrayList<>();
        for (Path page : pages) {
            Matcher quoted = QUOTED.matcher(Files.readString(page));
            while (quoted.find()) {
                Matcher name = CLASS.matcher(quoted.group(1));
                while (name.find()) {
                    if (!isClass(name.group(1).replace("org.brigade.", ""), name.group(2))) {
                        missing.add(root.relativize(page) + ": " + name.group());
                    }
                }
                Matcher file = FILE.matcher(quoted.group(1));
                while (file.find()) {
                    String path = file.group();
                    if (files.stream().noneMatch(each -> ("/" + each).endsWith("/" + path))) {
                        missing.add(root.relativize(page) + ": " + path);
                    }
                }
            }
        }
        assertEquals(List.of(), missing, "names in pages that nothing has");
    }
}
