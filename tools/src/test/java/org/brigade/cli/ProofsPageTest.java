package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.junit.jupiter.api.Test;

class ProofsPageTest {
    @Test
    void thePageInDocsIsTheOneThatIsGenerated() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs"))) {
            root = root.getParent();
        }
        String page = Ended.brigade("verify", "--markdown").out();
        assertEquals(Files.readString(root.resolve("docs/design/proofs.md")), page,
            "make it anew: bin/brigade verify --markdown > docs/design/proofs.md");
        for (Algorithm algorithm : Catalogue.all()) {
            boolean named = page.lines().anyMatch(line -> line.startsWith("| " + algorithm.collective().key() + " |")
                && line.contains("`" + algorithm.name() + "`"));
            assertTrue(named || algorithm == algorithm.schedule(), algorithm + " has no schedule of its own");
        }
    }
}
