package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.tools.ToolProvider;
import org.brigade.cli.verify.VerifyRank;
import org.brigade.communicator.NodesTrial;
import org.brigade.memory.NativeMemory;
import org.brigade.nightly.Nightly;
import org.brigade.process.EndedJob;
import org.brigade.process.TestJava;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.hostmpi.library.HostMpiException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs under the mpirun of Open MPI and of MPICH, whose ranks take themselves for those of several nodes
 * (BRIGADE_EMULATED_NODES): the MPI that launched them joins them.
 */
@Timeout(300)
@Tag("slow")
class HostMpiJobsTest {
    private static final String JAVA = System.getProperty("java.home") + "/bin/java";
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final int SECONDS = 100; // it takes two; a busy machine is no failure

    @TempDir
    Path directory;

    /**
     * Makes a mistake that the MPI below has to find: what it returns is an exception here, and the process goes on.
     */
    static final class Mistaken {
        public static void main(String[] arguments) {
            HostMpi.load(System.getenv("BRIGADE_MPI_LIBRARY"));
            HostMpi.initialize();
            long world = HostMpi.world();
            HostMpi.returnErrors(world);
            NativeMemory memory = NativeMemory.allocate(64);
            try {
                HostMpi.send(memory.address() + HostMpi.REQUEST_BYTES, 8, HostMpi.size(world), 1, world,
                    memory.address());
                System.out.println("it sends to a rank that is none");
            } catch (HostMpiException expected) {
                System.out
                    .println(HostMpi.abi() + ", thread level " + HostMpi.threadLevel() + ": " + expected.getMessage());
            }
            HostMpi.finish(10_000);
        }
    }

    /** Says whether this process has loaded an MPI once it has communicated. */
    static final class Loaded {
        public static void main(String[] arguments) throws Exception {
            mpi.MPI.Init(arguments);
            mpi.MPI.COMM_WORLD.barrier();
            String maps = Files.readString(Path.of("/proc/self/maps"));
            System.out.println("rank " + mpi.MPI.COMM_WORLD.getRank()
                + (maps.contains("/libmpi") ? " has loaded an MPI" : " has loaded none")
                + (maps.contains("jna") ? ", and JNA" : ""));
            mpi.MPI.Finalize();
        }
    }

    /** Moves more than any window that the tests set. */
    static final class Large {
        public static void main(String[] arguments) throws Exception {
            mpi.MPI.Init(arguments);
            mpi.MPI.COMM_WORLD.bcast(new byte[1 << 20], 1 << 20, mpi.MPI.BYTE, 0);
            mpi.MPI.Finalize();
        }
    }

    /** @param map the node of each rank, as many as there are ranks; with "one" in front of their number: all on one */
    private EndedJob run(String mpi, String map, Map<String, String> environment, String... command) throws Exception {
        int ranks = map.startsWith("one") ? Integer.parseInt(map.substring(3)) : map.split(",").length;
        Path text = Files.createTempFile(directory, "job", ".text");
        List<String> line = new ArrayList<>(HostLauncher.ranks(mpi, ranks));
        line.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().putAll(HostLauncher.ENVIRONMENT);
        builder.environment().putAll(environment);
        if (!map.startsWith("one")) {
            builder.environment().put("BRIGADE_EMULATED_NODES", map);
        }
        return EndedJob.of(builder, text, SECONDS);
    }

    private EndedJob java(String mpi, String map, Map<String, String> environment, Class<?> program,
        String... arguments)
        throws Exception {
        List<String> command = TestJava.command(program.getName());
        command.addAll(List.of(arguments));
        return run(mpi, map, environment, command.toArray(new String[0]));
    }

    /**
     * Without what Open MPI 5 itself remarks on some machines' networks, ranks' remarks in one another:
     * {@code [host][[job,1],0][btl_tcp_proc.c:266:...] Unable to find reachable pairing...}.
     */
    private static Set<String> said(EndedJob job) {
        return new TreeSet<>(job.text().lines().filter(
            line -> !line.startsWith("[") && !line.startsWith("Unable to find reachable pairing") && !line.isEmpty())
            .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"openmpi 0,1,0,2", "mpich 1,0,0"})
    @Nightly(delimiter = ' ', value = {"openmpi 0,1,1", "mpich 0,1,1"})
    void aJobOnSeveralNodesNeedsNothingButMpirun(String mpi, String map) throws Exception {
        EndedJob job = java(mpi, map, Map.of(), FaultyProgram.class, "nothing", "nothing");
        assertEquals(0, job.code(), job.text());
        Set<String> expected = new TreeSet<>();
        for (int rank = 0; rank < map.split(",").length; rank++) {
            expected.add("rank " + rank + " finalized");
        }
        assertEquals(expected, said(job), "nothing else is said");
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"openmpi 0,1,0,1"})
    @Nightly(delimiter = ' ', value = "mpich 0,0,1,2")
    void everyCollectiveGivesByEveryAlgorithmWhatMpiSays(String mpi, String map) throws Exception {
        EndedJob job = java(mpi, map, Map.of(), VerifyRank.class, "0", "all", "all", "host", "brief");
        assertEquals(0, job.code(), job.text());
    }

    /**
     * The launcher's library that keeps the ABI of MPI 5, which Open MPI 6 and MPICH 5 bring beside their own; skips
     * the test if there is none.
     */
    private static String standardAbi(String mpi) throws Exception {
        Process search =
            new ProcessBuilder("sh", "-c", "readlink -f $(command -v " + HostLauncher.of(mpi) + ")").start();
        Path prefix = Path.of(new String(search.getInputStream().readAllBytes()).strip()).getParent().getParent();
        for (String place : List.of("lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu")) {
            // The last is Debian's name for it, whose links to MPICH's lead nowhere.
            for (String name : List.of("libmpi_abi.so", "openmpi/lib/libmpi_abi.so", "mpich/lib/libmpi_abi.so",
                "libmpi_abi_" + mpi + ".so.1.0.0")) {
                Path file = prefix.resolve(place).resolve(name);
                if (Files.exists(file) && new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .contains("ompi_mpi_comm_world") == mpi.equals("openmpi")) {
                    return file.toString();
                }
            }
        }
        return abort(mpi + " has no libmpi_abi.so; Open MPI brings it from 6 on, MPICH from 5 on");
    }

    @ParameterizedTest
    @ValueSource(strings = {"openmpi", "mpich"})
    void theLibraryWithTheStandardAbiServesAsWell(String mpi) throws Exception {
        Map<String, String> library = Map.of("BRIGADE_MPI_LIBRARY", standardAbi(mpi));
        EndedJob job = java(mpi, "0,1,0,1", library, VerifyRank.class, "0", "all", "all", "host", "brief");
        assertEquals(0, job.code(), job.text());
        EndedJob mistaken = java(mpi, "one2", library, Mistaken.class);
        assertEquals(0, mistaken.code(), mistaken.text());
        assertEquals(2,
            mistaken.text().lines()
                .filter(line -> line.startsWith("MPI ABI, thread level ") && line.contains("MPI_Isend")).count(),
            mistaken.text());
    }

    @ParameterizedTest
    @CsvSource({"openmpi, libmpi.so.40, Open MPI", "mpich, libmpich.so.12, MPICH"})
    void whatTheLibraryComplainsOfIsReturned(String mpi, String library, String abi) throws Exception {
        EndedJob mistaken = java(mpi, "one2", Map.of("BRIGADE_MPI_LIBRARY", library), Mistaken.class);
        assertEquals(0, mistaken.code(), mistaken.text());
        assertEquals(2,
            mistaken.text().lines()
                .filter(line -> line.startsWith(abi + ", thread level ") && line.contains("MPI_Isend")).count(),
            mistaken.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"openmpi", "mpich"})
    void aJobOnOneNodeLoadsNoMpi(String mpi) throws Exception {
        EndedJob one = java(mpi, "one2", Map.of(), Loaded.class);
        assertEquals(Set.of("rank 0 has loaded none", "rank 1 has loaded none"), said(one));
        EndedJob two = java(mpi, "0,1", Map.of(), Loaded.class);
        assertEquals(Set.of("rank 0 has loaded an MPI, and JNA", "rank 1 has loaded an MPI, and JNA"), said(two));
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource(delimiter = ' ',
        value = {"openmpi throw recv", "openmpi kill bcast", "openmpi finalize recv", "mpich kill recv",
            "mpich leave recv"})
    @Nightly(delimiter = ' ',
        value = {"openmpi exit barrier", "openmpi abort recv", "mpich abort barrier", "mpich throw bcast"})
    void aRankThatDiesEndsTheJob(String mpi, String deed, String where) throws Exception {
        EndedJob job = java(mpi, "0,1,0", Map.of(), FaultyProgram.class, deed, where);
        // Hydra ends the others itself when one leaves, now and then before they have said a word, with code 0 or a
        // banner of its own.
        boolean endedByLauncher = mpi.equals("mpich") && deed.equals("leave");
        if (!endedByLauncher) {
            assertNotEquals(0, job.code(), job.text());
        }
        assertFalse(job.text().contains(" finalized"), job.text());
        // The launcher may end the others before they can say why, but not the rank that knows.
        String said = switch (deed) {
            case "throw" -> "rank 1 of 3 threw java.lang.IllegalStateException";
            case "abort" -> "rank 1 of 3 .*abort";
            case "finalize" -> "rank 1 is in MPI.Finalize and has not sent the awaited message";
            case "leave" -> "rank 1 exited without MPI.Finalize";
            default -> "";
        };
        assertTrue(endedByLauncher && job.text().lines().noneMatch(line -> line.contains("brigade:"))
            || job.text().lines().anyMatch(line -> line.matches(".*" + said + ".*")), job.text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"openmpi libmpich.so.12", "mpich libmpi.so.40"})
    void theLibraryOfAnotherMpiThanTheLaunchersIsAnError(String mpi, String library) throws Exception {
        HostLauncher.of(mpi.equals("mpich") ? "openmpi" : "mpich");
        EndedJob job = java(mpi, "0,1", Map.of("BRIGADE_MPI_LIBRARY", library, "BRIGADE_INIT_TIMEOUT", "20"),
            FaultyProgram.class, "nothing", "nothing");
        assertNotEquals(0, job.code(), job.text());
        // MPICH 5 itself ends a process that Open MPI has launched.
        boolean said =
            job.text().contains("it is not the library of the MPI that launched the job; set BRIGADE_MPI_LIBRARY");
        assertTrue(said || job.text().contains("Runtime environment uses unsupported PMI version"), job.text());
    }

    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich")
    void aLibraryThatIsNotThereIsAnErrorThatSaysWhatWasLookedFor(String mpi) throws Exception {
        EndedJob job = java(mpi, "0,1", Map.of("BRIGADE_MPI_LIBRARY", "/nowhere/libmpi.so"), FaultyProgram.class,
            "nothing", "nothing");
        assertNotEquals(0, job.code(), job.text());
        assertTrue(job.text().contains(" of 2: BRIGADE_MPI_LIBRARY=/nowhere/libmpi.so cannot be used: "), job.text());
    }

    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich")
    void anotherReleaseOnAnotherNodeIsAnErrorOnAllRanks(String mpi) throws Exception {
        Path source = Files.writeString(
            Files.createDirectories(directory.resolve("other/mpi/spi/release")).resolve("Release.java"),
            "package mpi.spi.release; public class Release { public static String number() { return \"99.1\"; } }");
        assertEquals(0,
            ToolProvider.getSystemJavaCompiler().run(null, null, null, "--release", "17", source.toString()));
        Path other = directory.resolve("other");
        String program =
            JAVA + " -XX:TieredStopAtLevel=1 -cp $other:" + CLASS_PATH + " " + FaultyProgram.class.getName()
                + " nothing nothing";
        EndedJob job =
            run(mpi, "0,1,0", Map.of(), "sh", "-c", "[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 1 ] && other=" + other
                + "; " + program + "; code=$?; sleep 1; exit $code");
        assertNotEquals(0, job.code(), job.text());
        for (int rank : new int[] {0, 2}) {
            String sentence = ".*Init on rank " + rank
                + " of 3: rank 1 runs Brigade 99\\.1 \\(.*protocol \\d+\\), this rank \\S+ \\(.*protocol \\d+\\);"
                + " give all ranks the same brigade\\.jar";
            assertTrue(job.text().lines().anyMatch(line -> line.matches(sentence)), job.text());
        }
        assertTrue(job.text().contains("Init on rank 1 of 3: rank 0 runs Brigade "), job.text());
    }

    /**
     * The sender would wait for the credit of a full window, the receiver to owe a quarter of its own, much larger one.
     */
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich")
    void windowsThatDifferAreAnErrorAndNoWaitForEver(String mpi) throws Exception {
        String program = JAVA + " -XX:TieredStopAtLevel=1 -Dbrigade.mpi.window=$window -cp " + CLASS_PATH + " "
            + FaultyProgram.class.getName() + " nothing bcast";
        EndedJob job = run(mpi, "0,1", Map.of(), "sh", "-c",
            "window=64K; [ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 1 ] && window=4M; " + program
                + "; code=$?; sleep 1; exit $code");
        assertNotEquals(0, job.code(), job.text());
        String sentence = ".*Init on rank 0 of 2: rank 1 was given other settings than this rank "
            + "\\(which has -Dbrigade\\.mpi\\.window=64K\\).*";
        assertTrue(job.text().lines().anyMatch(line -> line.matches(sentence)), job.text());
    }

    /** A library that stands before that of an MPI, and can less. */
    private String limited(String mpi, String library) throws Exception {
        HostLauncher.of(mpi);
        Path limited = directory.resolve("limited.so");
        Process build = new ProcessBuilder("cc", "-shared", "-fPIC", "-o", limited.toString(),
            "src/test/hostmpi/limited_mpi.c", "-Wl,--no-as-needed", "-l:" + library).redirectErrorStream(true).start();
        String said = new String(build.getInputStream().readAllBytes());
        assertEquals(0, build.waitFor(), said);
        return limited.toString();
    }

    /** In each, ranks would wait for ever. */
    @Tag("once")
    @ParameterizedTest
    @CsvSource(delimiter = '|',
        value = {"MPI_Init_thread | MPI_Init_thread of .* has not returned for 3 s \\(brigade.init.timeout\\).*",
            "MPI_Test | Init on rank 0 of 2: waited 3 s for the other ranks to reach the same point of Init.*"})
    @Nightly(delimiter = '|',
        value = "MPI_Finalize | MPI_Finalize of .* has not returned for 10 s; continuing without it")
    void anMpiThatNeverComesBackIsWaitedForAsLongAsIsSaid(String call, String said) throws Exception {
        EndedJob job = java("openmpi", "0,1", Map.of("BRIGADE_MPI_LIBRARY", limited("openmpi", "libmpi.so.40"), "HANGS",
            call, "BRIGADE_INIT_TIMEOUT", "3"), FaultyProgram.class, "nothing", "nothing");
        assertTrue(job.text().lines().anyMatch(line -> line.matches(".*" + said)), job.text());
        assertEquals(call.equals("MPI_Finalize"), job.text().contains("rank 0 finalized"), job.text());
    }

    /**
     * One that knows no threads is called by one thread alone; one that wants threads to take turns, by one at a time.
     */
    @Tag("once")
    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = "openmpi libmpi.so.40 2")
    @Nightly(delimiter = ' ', value = {"mpich libmpich.so.12 0", "openmpi libmpi.so.40 0"})
    void threadsMayCallThoughTheMpiDoesNotAllowIt(String mpi, String library, int level) throws Exception {
        EndedJob job =
            java(mpi, "0,1,1", Map.of("BRIGADE_MPI_LIBRARY", limited(mpi, library), "THREAD_LEVEL", "" + level),
                NodesTrial.class, "0,1,1", "messages", "threads", "traffic=2");
        assertEquals(0, job.code(), job.text());
        for (int rank = 0; rank < 3; rank++) {
            assertTrue(job.text().contains("rank " + rank + ": all is right"), job.text());
        }
        assertFalse(job.text().contains("forbids"), job.text());
    }

    /** A halo exchange of 4 KiB in three dimensions on 4 nodes of 2 ranks, which mpirun has placed in turn. */
    @Tag("once")
    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = "openmpi 4,2,1 81920 49152")
    @Nightly(delimiter = ' ', value = "mpich 8,1,1 57344 24576")
    void aReorderedGridSendsLessBetweenNodes(String mpi, String dims, int before, int after) throws Exception {
        EndedJob job = java(mpi, "0,1,2,3,0,1,2,3", Map.of(), HaloProgram.class, "0,1,2,3,0,1,2,3", dims);
        assertEquals(Set.of("bytes between nodes: " + before + ", reordered: " + after), said(job));
        assertEquals(0, job.code());
    }
}
