package org.brigade.examples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.brigade.examples.RealRanks;
import org.brigade.examples.gpu.SoftwareGpus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chapters of docs/tutorial.md show their programs as they are, and what they print. */
class TutorialTest {
    private static final Path SOURCES = Path.of("src/main/java/org/brigade/examples/tutorial");

    private static final Path CHAPTERS = Path.of("../docs/tutorial");

    @TempDir
    private static Path folder;

    /** In the order of their names. */
    private static List<Page> chapters() throws IOException {
        List<Page> chapters = new ArrayList<>();
        try (Stream<Path> all = Files.list(CHAPTERS)) {
            for (Path file : all.sorted().toList()) {
                chapters.add(Page.read(file));
            }
        }
        return chapters;
    }

    static List<Page.Listing> listings() throws IOException {
        return chapters().stream().flatMap(page -> page.listings().stream()).toList();
    }

    static List<Page.Output> outputs() throws IOException {
        return chapters().stream().flatMap(page -> page.outputs().stream()).toList();
    }

    @Test
    void theIndexLinksEveryChapter() throws IOException {
        String index = Files.readString(CHAPTERS.resolveSibling("tutorial.md"));
        try (Stream<Path> all = Files.list(CHAPTERS)) {
            all.forEach(file -> assertTrue(index.contains("(tutorial/" + file.getFileName() + ")"), file::toString));
        }
    }

    @ParameterizedTest
    @MethodSource("listings")
    void aListingIsTheFilesText(Page.Listing listing) throws IOException {
        assertEquals(String.join("\n", Page.region(SOURCES.resolve(listing.file()), listing.region())),
            String.join("\n", listing.shown()));
    }

    @Test
    void everyProgramIsShownAndRun() throws IOException {
        TreeSet<String> files = new TreeSet<>();
        try (Stream<Path> all = Files.list(SOURCES)) {
            all.forEach(file -> files.add(file.getFileName().toString()));
        }
        TreeSet<String> shown = new TreeSet<>();
        listings().forEach(listing -> shown.add(listing.file()));
        assertEquals(files, shown, "files that the pages show");
        TreeSet<String> run = new TreeSet<>();
        for (Page.Output output : outputs()) {
            for (String word : output.words()) {
                if (word.startsWith("org.brigade.examples.tutorial.")) {
                    run.add(word.substring(word.lastIndexOf('.') + 1) + ".java");
                }
            }
        }
        assertEquals(files, run, "files whose output the pages show");
    }

    @Tag("slow")
    @Tag("once")
    @ParameterizedTest
    @MethodSource("outputs")
    void aCommandPrintsWhatThePageShows(Page.Output output) throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("XDG_CONFIG_HOME", folder.toRealPath().toString()));
        if (output.command().contains("Device")) {
            SoftwareGpus.build();
            environment.putAll(SoftwareGpus.environment());
        }
        List<String> words = output.words();
        if (words.contains("-cp")) {
            words.add(words.indexOf("-cp"), RealRanks.FEWER_COMPILATIONS);
        }
        String command = switch (words.get(0)) {
            case "bin/mpjrun" -> "org.brigade.launch.Launcher";
            case "bin/brigade" -> "org.brigade.cli.Brigade";
            default -> throw new IllegalArgumentException("the test runs no " + words.get(0));
        };
        List<String> printed =
            RealRanks.run(environment, true, folder, command, words.subList(1, words.size()),
                output.typed());
        assertTrue(output.fits(printed),
            () -> "the page shows\n" + String.join("\n", output.shown()) + "\nbut the command has printed\n"
                + String.join("\n", printed));
    }
}
