package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import mpi.MPI;
import org.brigade.launch.Launcher;
import org.brigade.process.EndedJob;
import org.brigade.process.TestJava;
import org.brigade.transport.sisci.adapter.SisciLibrary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Without libsisci everything else works; who needs it is told what is missing; who does not never touches it. */
@Timeout(300)
@Tag("slow")
@Tag("once")
class SisciAbsenceTest {
    @TempDir
    Path directory;

    /** A sum over all ranks. */
    public static final class Sum {
        public static void main(String[] arguments) throws Exception {
            MPI.Init(arguments);
            int[] sum = {1};
            MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
            if (MPI.COMM_WORLD.getRank() == 0) {
                System.out.println("sum " + sum[0]);
            }
            MPI.Finalize();
        }
    }

    private EndedJob run(Map<String, String> environment, String... words) throws Exception {
        Path text = directory.resolve("text");
        List<String> command = TestJava.launching(words);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("BRIGADE_"));
        builder.environment().putAll(environment);
        return EndedJob.of(builder, text, 150);
    }

    private EndedJob job(Map<String, String> environment, String... options) throws Exception {
        List<String> words = new ArrayList<>(
            List.of(Launcher.class.getName(), "-np", "2"));
        words.addAll(List.of(options));
        words.add(Sum.class.getName());
        return run(environment, words.toArray(new String[0]));
    }

    @Test
    void aJobOnOneNodeNeverTouchesTheAdapter() throws Exception {
        // Whoever looked for the library would have to complain of this.
        EndedJob ended = job(Map.of("BRIGADE_SISCI", "no such library"));
        assertEquals(0, ended.code(), ended.text());
        assertEquals("sum 2", ended.text().strip());
    }

    @Test
    void aJobOnSeveralNodesIsToldWhyThereIsNoAdapter() throws Exception {
        assumeTrue(SisciLibrary.missing() != null && System.getenv(SisciLibrary.VARIABLE) == null,
            "there is a libsisci here");
        EndedJob ended = job(Map.of(), "--nodes", "2", "-Dbrigade.fabric=sisci");
        assertNotEquals(0, ended.code(), ended.text());
        assertTrue(ended.text().contains("sisci: libsisci.so is not there")
            && ended.text().contains("install Dolphin's eXpressWare"), ended.text());
    }

    /** Not that nothing joins nodes: all is there, but for what the user has written. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "BRIGADE_SISCI_MODE=wek;BRIGADE_SISCI_MODE: 'wek' is not understood; it must be a list of weak,"
            + " weak=SEED, timed",
        "BRIGADE_SISCI_FAULT=iommu=borken;BRIGADE_SISCI_FAULT: 'iommu=borken' is not understood; it must be a"
            + " list of iommu=broken[@NODE]",
        "BRIGADE_SISCI_RING=1;BRIGADE_SISCI_RING=1 must be a number from 256K to 16M, such as 4M",
        "BRIGADE_SISCI_RING=300K;BRIGADE_SISCI_RING=300K is no power of two"})
    void aSettingThatCannotBeFollowedIsNamedAndNothingElseIsBlamed(String setting, String expected) throws Exception {
        int equals = setting.indexOf('=');
        EndedJob ended = job(Map.of(setting.substring(0, equals), setting.substring(equals + 1)), "--nodes", "2",
            "--fabric", "sisci");
        assertNotEquals(0, ended.code(), ended.text());
        assertTrue(ended.text().lines()
            .anyMatch(line -> line.contains("MPI_ERR_OTHER: Init on rank ") && line.contains(expected)), ended.text());
        assertFalse(ended.text().contains("on one node"), ended.text());
    }

    @Test
    void aVariableThatIsNoneIsSaidOnce() throws Exception {
        EndedJob ended = job(Map.of("BRIGADE_FABRICS", "sisci"));
        assertEquals(0, ended.code(), ended.text());
        assertEquals(1,
            ended.text().lines()
                .filter(line -> line.equals(
                    "brigade: BRIGADE_FABRICS is no variable of Brigade and does nothing; did you mean BRIGADE_FABRIC?"
                        + " brigade info --settings lists what there is"))
                .count(),
            ended.text());
    }

    @Test
    void infoSaysWhyThereIsNoAdapter() throws Exception {
        assumeTrue(SisciLibrary.missing() != null && System.getenv(SisciLibrary.VARIABLE) == null,
            "there is a libsisci here");
        EndedJob ended = run(Map.of(), "org.brigade.cli.Brigade", "info");
        assertEquals(0, ended.code(), ended.text());
        assertTrue(
            ended.text().lines().anyMatch(
                line -> line.matches("SISCI +not available: libsisci.so is not there.*BRIGADE_SISCI=emulated.*")),
            ended.text());
    }

    @Test
    void infoDescribesTheEmulatedAdapter() throws Exception {
        EndedJob ended =
            run(Map.of("BRIGADE_SISCI", "emulated", "BRIGADE_SISCI_FABRIC", "info-" + ProcessHandle.current().pid()),
                "org.brigade.cli.Brigade", "info");
        assertEquals(0, ended.code(), ended.text());
        assertTrue(
            ended.text().contains("software libsisci") && ended.text().contains("DMA from registered memory works"),
            ended.text());
    }
}
