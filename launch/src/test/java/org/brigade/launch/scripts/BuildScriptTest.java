package org.brigade.launch.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When the commands of bin/ build the jars. A function of the shell stands for Maven. */
@Timeout(300)
@Tag("once")
class BuildScriptTest {
    private static final Path SCRIPT = Path.of("../bin/common.sh").toAbsolutePath().normalize();
    private static final String TREE = """
        root=$PWD java=%s/bin/java builds=0
        mkdir -p {mpi-api,collectives,runtime,transports/{shm,cuda},launch,lab,tools}/{src/main/java/mpi,target}
        touch pom.xml {mpi-api,collectives,runtime,transports/{shm,cuda},launch,lab,tools}/pom.xml mpi-api/src/main/java/mpi/{A,B,package-info}.java
        find . -exec touch -d '1 hour ago' {} +
        find_jar() { find_brigade; }
        compile() { echo class > mpi-api/target/classes/mpi/$1.class; }
        mvn() {
            echo build >> builds
            mkdir -p mpi-api/target/classes/mpi
            [[ -e mpi-api/target/classes/mpi/A.class ]] || { compile A; compile B; }
            "${java%%/*}/jar" cf0 "$jar" -C mpi-api/target/classes mpi && cp "$jar" "$cuda" && echo tools > "$tools"
        }
        say() { find_jar 2> /dev/null; echo $(wc -l < builds) $("${java%%/*}/jar" tf "$jar" | grep -c class); }
        """.formatted(System.getProperty("java.home"));

    @TempDir
    Path folder;

    @BeforeEach
    void files() {
        assumeTrue(Files.exists(SCRIPT), "no bin/ beside this module");
    }

    private String run(String script) throws Exception {
        Process shell = new ProcessBuilder("bash", "-c", ". " + SCRIPT + "; " + TREE + script)
            .redirectErrorStream(true).directory(folder.toFile()).start();
        return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    }

    @Test
    void jarsAreMadeOnceForTheSameSources() throws Exception {
        assertEquals("1 2\n1 2\n2 2", run("say; say; touch tools/src/main/java; say"));
    }

    @Test
    void aJarThatAnotherRunOfMavenHasReplacedIsMadeAgain() throws Exception {
        assertEquals("1 2\n2 2\n3 2", run("say; echo half > \"$jar\"; say; touch -d '1 minute ago' \"$tools\"; say"));
    }

    @Test
    void aBuildThatIsBrokenOffIsBegunAnewAndItsClassesAreNotTaken() throws Exception {
        assertEquals("3\n2 2\n2 2", run("""
            (mvn() { echo build >> builds; mkdir -p mpi-api/target/classes/mpi; compile A; exit 3; }; find_jar 2> /dev/null)
            echo $?; say; say"""));
    }

    @Test
    void aJarThatLacksAClassIsMadeAgain() throws Exception {
        assertEquals("2 2", run("mkdir -p mpi-api/target/classes/mpi; compile A; say"));
    }
}
