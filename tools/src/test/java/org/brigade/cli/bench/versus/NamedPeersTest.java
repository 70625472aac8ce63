package org.brigade.cli.bench.versus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map;
import org.brigade.cli.shared.BenchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Peers by name, with compilers and launchers that are shell scripts. */
class NamedPeersTest {
    private static final BenchJob JOB = new BenchJob("bcast", "8,16", 2, 0);
    private static final String OPEN_MPI =
        "#define OMPI_MAJOR_VERSION 4\n#define OMPI_MINOR_VERSION 1\n#define OMPI_RELEASE_VERSION 9\n";
    private static final String MPICH = "#define MPICH_VERSION \"4.2.1\"\n";

    @TempDir
    Path folder;

    private Path script(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text);
        assertTrue(file.toFile().setExecutable(true));
        return file;
    }

    /** A compiler of a library, whose programs print one row and their arguments, and a launcher. */
    private void install(String suffix, String macros) throws IOException {
        script("mpicc" + suffix, "if [ \"$1\" = -E ]; then cat > /dev/null; cat <<'E'\n" + macros + "E\nexit; fi\n"
            + "while [ \"$1\" != -o ]; do shift; done\n"
            + "grep -q MPI_Init \"$3\" || exit 1\n"
            + "printf '#!/bin/sh\\necho bcast,2,8,1.5\\n' > \"$2\"; chmod +x \"$2\"\n");
        script("mpirun" + suffix, "echo \"$@\" > '" + folder + "/launched'\n"
            + "env > '" + folder + "/environment'\n"
            + "while [ \"$1\" != -np ]; do shift; done; shift 2; exec \"$@\"\n");
    }

    private String path() {
        return folder + ":/usr/bin:/bin";
    }

    private List<BenchRow> run(String name, MpiFamily family, List<String> options, BenchJob job) {
        List<String> notes = new ArrayList<>();
        try (PeerBenchmark peer = NamedPeers.compiled(name, family, options, job, path(), notes::add)) {
            List<BenchRow> rows = new ArrayList<>();
            peer.run(rows::add);
            return rows;
        }
    }

    @Test
    void namesStandAloneOrInAListAndAnythingElseIsACommandLine() {
        assertEquals(List.of("openmpi"), NamedPeers.names("openmpi"));
        assertEquals(List.of("openmpi", "mpich"), NamedPeers.names("openmpi, mpich,openmpi"));
        assertEquals(List.of(), NamedPeers.names("mpirun -np 2 ./mpi_bench {sizes}"));
        assertEquals(List.of(), NamedPeers.names("./openmpi"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> NamedPeers.names("openmpi,mvapich")).getMessage()
            .contains("'mvapich' is no peer; there are openmpi, openmpi-ucx"));
    }

    @Test
    void debiansNameComesBeforeThePlainOne() throws IOException {
        install("", MPICH);
        install(".openmpi", OPEN_MPI);
        InstalledMpi mpi = InstalledMpi.find(MpiFamily.OPEN_MPI, folder.toString());
        assertEquals("Open MPI 4.1.9", mpi.words());
        assertEquals(folder.resolve("mpirun.openmpi"), mpi.launcher());
    }

    @Test
    void aPlainCompilerIsRecognisedByItsHeader() throws IOException {
        install("", MPICH);
        assertEquals("MPICH 4.2.1", InstalledMpi.find(MpiFamily.MPICH, folder.toString()).words());
        String message = assertThrows(BenchException.class,
            () -> InstalledMpi.find(MpiFamily.OPEN_MPI, folder.toString())).getMessage();
        assertTrue(message.contains("no mpicc of Open MPI") && message.contains("mpicc is MPICH's")
            && message.contains("apt-get install gcc openmpi-bin libopenmpi-dev"), message);
    }

    @Test
    void aMissingLauncherIsNamed() throws IOException {
        install(".mpich", MPICH);
        Files.delete(folder.resolve("mpirun.mpich"));
        assertTrue(assertThrows(BenchException.class, () -> InstalledMpi.find(MpiFamily.MPICH, folder.toString()))
            .getMessage().contains("no mpirun.mpich beside"));
    }

    @Test
    void theProgramIsCompiledInAFolderOfItsOwnThatIsDeleted() throws IOException {
        install(".openmpi", OPEN_MPI);
        assertEquals(List.of(new BenchRow("bcast", 2, 8, "", 1.5)),
            run("openmpi", MpiFamily.OPEN_MPI, List.of(), new BenchJob("bcast", "8,16", 2, 4096)));
        String launched = Files.readString(folder.resolve("launched")).strip();
        assertTrue(launched.endsWith("/mpi_bench 8,16 bcast fresh=4096"), launched);
        String program = launched.replaceFirst(".* (/[^ ]*/mpi_bench) .*", "$1");
        assertFalse(Files.exists(Path.of(program).getParent()), program);
    }

    @Test
    void ucxIsChosenByOptionsAndAFailureSaysWhatToDo() throws IOException {
        install(".openmpi", OPEN_MPI);
        run("openmpi-ucx", MpiFamily.OPEN_MPI, List.of("--mca", "pml", "ucx"), JOB);
        assertTrue(Files.readString(folder.resolve("launched")).startsWith("--mca pml ucx "));
        script("mpirun.openmpi", "exit 1\n");
        assertTrue(assertThrows(BenchException.class,
            () -> run("openmpi-ucx", MpiFamily.OPEN_MPI, List.of("--mca", "pml", "ucx"), JOB)).getMessage()
            .contains("leave out openmpi-ucx"));
    }

    @Test
    void variablesThatTuneThePeerAreClearedAndThoseThatStartItStay() {
        Map<String, String> environment = new HashMap<>(Map.of("OMPI_MCA_btl_vader_single_copy_mechanism", "none",
            "OMPI_MCA_plm", "isolated", "PRTE_MCA_x", "1", "UCX_TLS", "tcp", "MPICH_ASYNC_PROGRESS", "1", "HOME", "/"));
        assertEquals(List.of("OMPI_MCA_btl_vader_single_copy_mechanism=none", "PRTE_MCA_x=1", "UCX_TLS=tcp"),
            MpiFamily.OPEN_MPI.environment.found(environment));
        MpiFamily.OPEN_MPI.environment.apply(environment);
        assertEquals(Map.of("OMPI_MCA_plm", "isolated", "MPICH_ASYNC_PROGRESS", "1", "HOME", "/",
            "OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"), environment);
        assertEquals(List.of("MPICH_ASYNC_PROGRESS=1"), MpiFamily.MPICH.environment.found(environment));
    }

    @Test
    void mpjExpressIsLookedForWhereItsVariableSays() throws IOException {
        assertTrue(assertThrows(BenchException.class, () -> MpjExpress.home(folder.toString())).getMessage()
            .contains("set MPJ_HOME"));
        Files.createDirectories(folder.resolve("lib"));
        Files.createFile(folder.resolve("lib/starter.jar"));
        Files.createFile(folder.resolve("lib/mpj.jar"));
        Files.createFile(folder.resolve("lib/mpj-0.44.jar"));
        Files.createFile(folder.resolve("lib/log4j-1.2.11.jar"));
        assertEquals(folder, MpjExpress.home(folder.toString()));
        try (PeerBenchmark peer = MpjExpress.peer(folder, JOB)) {
            assertEquals("MPJ Express 0.44", peer.version());
            List<String> command = ((PeerProgram) peer).commands().get(0);
            assertTrue(command.contains("-Xbootclasspath/a:" + folder.resolve("lib/log4j-1.2.11.jar")),
                command::toString);
            Path classes = Path.of(command.get(command.indexOf(MpjExpressBench.class.getName()) - 1));
            assertTrue(Files.exists(classes.resolve(MpjExpressBench.class.getName().replace('.', '/') + ".class")));
        }
    }

    /** Other libraries find these classes beside their own package mpi, and no other of ours. */
    @Test
    void programsForOtherLibrariesUseOnlyPackageMpiAndWhatIsUnpackedWithThem() throws IOException {
        for (Class<?> program : List.of(MpjExpressBench.class, ColdCalls.class, CallSpan.class)) {
            String name = program.getSimpleName();
            assertEquals(null, program.getResource(name + "$1.class"));
            String bytes;
            try (var in = program.getResourceAsStream(name + ".class")) {
                bytes = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
            }
            String place = "org/brigade/cli/bench/versus/";
            assertFalse(bytes.replace(place + name, "").replace(place + "CallSpan", "").contains("org/brigade/"), name);
        }
    }

    @Test
    void coldCallsStartAProcessForEachOperationAndSize() throws IOException {
        install(".openmpi", OPEN_MPI);
        script("mpirun.openmpi", "echo \"$@\" >> '" + folder + "/launched'; echo bcast,2,8,1,,1.5\n");
        BenchJob cold = new BenchJob("bcast,barrier", "8,16", 2, 0, 30);
        List<BenchRow> rows = run("openmpi", MpiFamily.OPEN_MPI, List.of(), cold);
        assertEquals(3, rows.size());
        assertEquals("1", rows.get(0).calls());
        assertEquals(List.of("8 bcast cold=30", "16 bcast cold=30", "0 barrier cold=30"),
            Files.readAllLines(folder.resolve("launched")).stream().map(line -> line.replaceFirst(".*/mpi_bench ", ""))
                .toList());
        assertEquals(3 * (4 + 2), cold.rows());
    }

    @Test
    void openMpisBindingsAreThoseBesideItsLibraries() throws IOException {
        BenchJob cold = new BenchJob("bcast", "8", 2, 0, 30);
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (String name : List.of("mpicc", "mpirun")) {
            install("", OPEN_MPI);
            Files.move(folder.resolve(name), bin.resolve(name));
        }
        String message = assertThrows(BenchException.class, () -> NamedPeers.openMpiJava(cold, bin + ":/usr/bin:/bin"))
            .getMessage();
        assertTrue(message.contains("has no lib/mpi.jar; build it with --enable-mpi-java"), message);
        assertTrue(assertThrows(BenchException.class, () -> NamedPeers.openMpiJava(JOB, bin.toString())).getMessage()
            .contains("give --cold"));
        Path jar = Files.createDirectories(folder.resolve("lib")).resolve("mpi.jar");
        Files.createFile(jar);
        try (PeerBenchmark peer = NamedPeers.openMpiJava(cold, bin + ":/usr/bin:/bin")) {
            List<String> command = ((PeerProgram) peer).commands().get(0);
            assertEquals(List.of(ColdCalls.class.getName(), "8", "bcast", "cold=30", "openmpi"),
                command.subList(command.size() - 5, command.size()));
            Path classes = Path.of(command.get(command.indexOf("-cp") + 1).substring((jar + ":").length()));
            assertTrue(Files.exists(classes.resolve(ColdCalls.class.getName().replace('.', '/') + ".class")));
        }
    }

    @Test
    void spansOfCallsAreThoseOfTheProgramInC() throws IOException {
        String source;
        try (var in = CallSpan.class.getResourceAsStream("mpi_bench.c")) {
            source = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
        StringBuilder lasts = new StringBuilder();
        for (int last : CallSpan.lasts(CallSpan.MOST_CALLS)) {
            lasts.append(lasts.isEmpty() ? "" : ", ").append(last);
        }
        assertTrue(source.contains("LASTS[] = {" + lasts + "};"), lasts.toString());
        assertArrayEquals(new int[] {1, 2, 10, 25}, CallSpan.lasts(25));
        assertArrayEquals(new int[] {1}, CallSpan.lasts(1));
    }

    private void installNccl(Path home) throws IOException {
        Files.createDirectories(home.resolve("include"));
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("include/nccl.h"),
            "#define NCCL_MAJOR 2\n#define NCCL_MINOR 28\n#define NCCL_PATCH 9\n#define NCCL_SUFFIX \"\"\n");
        Files.writeString(home.resolve("lib/libnccl.so.2"), "");
    }

    @Test
    void ncclIsCompiledByNvccAndRunWithPlainAndSymmetricBuffers() throws IOException {
        script("nvcc", "echo \"$@\" > '" + folder + "/compiled'\nwhile [ \"$1\" != -o ]; do shift; done\n"
            + "grep -q ncclAllReduce \"$3\" || exit 1\n"
            + "printf '#!/bin/sh\\necho \"$@ $NCCL_NVLS_ENABLE\" >> " + folder + "/launched\\n"
            + "echo bcast,plain,2,16,1.5,1,1,1\\n' > \"$2\"; chmod +x \"$2\"\n");
        Path home = folder.resolve("nccl");
        installNccl(home);
        Map<String, String> environment = Map.of("PATH", path(), "NCCL_HOME", home.toString());
        List<BenchRow> rows = new ArrayList<>();
        try (PeerBenchmark peer = NcclPeer.open(JOB, environment)) {
            assertTrue(peer.version().startsWith("NCCL 2.28.9, "), peer.version());
            peer.run(rows::add);
        }
        assertEquals(2, rows.size());
        assertEquals(1.5, rows.get(0).microseconds());
        assertEquals("2 16 bcast 0\n2 symmetric 16 bcast 0\n", Files.readString(folder.resolve("launched")));
        String compiled = Files.readString(folder.resolve("compiled"));
        assertTrue(compiled.contains("-I" + home.resolve("include")) && compiled.contains("libnccl.so.2,-rpath="),
            compiled);
    }

    @Test
    void whatNcclLacksIsSaid() throws IOException {
        Map<String, String> environment = Map.of("PATH", folder.toString(), "NCCL_HOME", folder.toString());
        String message = assertThrows(BenchException.class, () -> NcclPeer.open(JOB, environment)).getMessage();
        assertTrue(Files.isExecutable(Path.of("/usr/local/cuda/bin/nvcc"))
            || message.contains("there is no nvcc on the PATH") && message.contains("CUDA_HOME="), message);
        script("nvcc", "exit 1\n");
        message = assertThrows(BenchException.class, () -> NcclPeer.open(JOB, environment)).getMessage();
        assertTrue(message.contains("there is no NCCL") && message.contains("NCCL_HOME="), message);
        installNccl(folder);
        message = assertThrows(BenchException.class, () -> NcclPeer.open(JOB, environment)).getMessage();
        assertTrue(message.contains("cannot compile nccl_bench.cu"), message);
    }
}
