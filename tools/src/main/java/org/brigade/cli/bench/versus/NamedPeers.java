package org.brigade.cli.bench.versus;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.brigade.cli.shared.BenchException;
import org.brigade.profile.HostMachine;

/** The peers that {@code bench --vs} knows by name. Each is compiled or unpacked into a private folder. */
public final class NamedPeers {
    public static final String OPENMPI = "openmpi";
    static final String OPENMPI_UCX = "openmpi-ucx";
    static final String MPICH = "mpich";
    static final String MPJ_EXPRESS = "mpj-express";
    static final String OPENMPI_JAVA = "openmpi-java";
    /** On GPUs; the others are for host memory. */
    public static final String NCCL = "nccl";
    public static final List<String> ALL =
        List.of(OPENMPI, OPENMPI_UCX, MPICH, MPJ_EXPRESS, OPENMPI_JAVA, NCCL);

    private static final String BOUND = "each rank bound to a core";
    public static final String NOT_BOUND = "ranks not bound";
    private static final String PROGRAM = "mpi_bench.c";
    /** Which it includes. */
    private static final String FAMILIES = "mpi_families.h";
    /** Open MPI takes UCX by itself only for networks that need it. */
    private static final List<String> UCX = List.of("--mca", "pml", "ucx", "--mca", "opal_common_ucx_tls", "any",
        "--mca", "opal_common_ucx_devices", "any");

    private NamedPeers() {
    }

    /**
     * The names in a list; empty if the text is a command line.
     *
     * @throws IllegalArgumentException for a list in which some names are known and others are not
     */
    public static List<String> names(String text) {
        List<String> words = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (words.stream().noneMatch(ALL::contains)) {
            return List.of();
        }
        for (String word : words) {
            if (!ALL.contains(word)) {
                throw new IllegalArgumentException(
                    "--vs: '" + word + "' is no peer; there are " + String.join(", ", ALL)
                        + "; a command line stands alone");
            }
        }
        return words.stream().distinct().toList();
    }

    /**
     * Makes the peers ready to run.
     *
     * @param notes receives a sentence about each variable that is cleared
     * @throws BenchException if one cannot run here, with the cure
     */
    public static List<PeerBenchmark> open(List<String> names, BenchJob job, Consumer<String> notes) {
        List<PeerBenchmark> peers = new ArrayList<>();
        try {
            for (String name : names) {
                peers.add(open(name, job, notes));
            }
        } catch (BenchException e) {
            peers.forEach(PeerBenchmark::close);
            throw e;
        }
        return peers;
    }

    private static PeerBenchmark open(String name, BenchJob job, Consumer<String> notes) {
        return switch (name) {
            case OPENMPI -> compiled(name, MpiFamily.OPEN_MPI, List.of(), job, System.getenv("PATH"), notes);
            case OPENMPI_UCX -> compiled(name, MpiFamily.OPEN_MPI, UCX, job, System.getenv("PATH"), notes);
            case NCCL -> NcclPeer.open(job, System.getenv());
            case MPICH -> compiled(name, MpiFamily.MPICH, List.of(), job, System.getenv("PATH"), notes);
            case OPENMPI_JAVA -> openMpiJava(job, System.getenv("PATH"));
            default -> MpjExpress.peer(MpjExpress.home(System.getenv("MPJ_HOME")), job);
        };
    }

    /** @param options of the launcher, beyond placement */
    static PeerBenchmark compiled(String name, MpiFamily family, List<String> options, BenchJob job, String searched,
        Consumer<String> notes) {
        InstalledMpi mpi = InstalledMpi.find(family, searched);
        PeerFolder folder = new PeerFolder();
        try {
            Path program = folder.path().resolve("mpi_bench");
            folder.unpack(FAMILIES, FAMILIES);
            mpi.compile(folder.unpack(PROGRAM, PROGRAM), program);
            List<String> command = new ArrayList<>();
            command.add(mpi.launcher().toString());
            command.addAll(options);
            boolean bound = haveCores(job.processes());
            command.addAll(family.placement(bound));
            command.addAll(List.of("-np", Integer.toString(job.ranks()), program.toString()));
            List<String> cleared = family.environment.found(System.getenv());
            if (!cleared.isEmpty()) {
                notes.accept("--vs " + name + ": cleared for it: " + String.join(" ", cleared));
            }
            return new PeerProgram(name, mpi.words() + (options.isEmpty() ? "" : " over UCX"),
                bound ? BOUND : NOT_BOUND, started(command, job, List.of()),
                family.environment, folder, options.isEmpty() ? "above is why"
                    : "if it says that pml ucx cannot be selected, this " + mpi.words() + " or this machine is without"
                        + " UCX: leave out openmpi-ucx, or install Open MPI with UCX");
        } catch (BenchException e) {
            folder.close();
            throw e;
        }
    }

    /** Open MPI's bindings for Java, which its distributors seldom build. They run {@link ColdCalls} only. */
    static PeerBenchmark openMpiJava(BenchJob job, String searched) {
        if (!job.isCold()) {
            throw new BenchException("--vs openmpi-java: there is no program of warm calls for Open MPI's bindings;"
                + " give --cold, or leave it out");
        }
        InstalledMpi mpi = InstalledMpi.find(MpiFamily.OPEN_MPI, searched);
        Path jar = mpi.bindings();
        PeerFolder folder = new PeerFolder();
        folder.unpack(ColdCalls.class, CallSpan.class);
        boolean bound = haveCores(job.processes());
        List<String> command = new ArrayList<>(List.of(mpi.launcher().toString()));
        command.addAll(mpi.family().placement(bound));
        command.addAll(List.of("-np", Integer.toString(job.ranks()), System.getProperty("java.home") + "/bin/java",
            "-Djava.library.path=" + jar.getParent(), "-cp", jar + File.pathSeparator + folder.path(),
            ColdCalls.class.getName()));
        return new PeerProgram(OPENMPI_JAVA, mpi.words() + "'s bindings for Java", bound ? BOUND : NOT_BOUND,
            started(command, job, List.of(ColdCalls.OPEN_MPI)), mpi.family().environment, folder, "above is why");
    }

    /** A command for each start of a job. */
    static List<List<String>> started(List<String> command, BenchJob job, List<String> last) {
        List<List<String>> commands = new ArrayList<>();
        for (BenchJob start : job.starts()) {
            List<String> whole = new ArrayList<>(command);
            whole.addAll(start.arguments());
            whole.addAll(last);
            commands.add(whole);
        }
        return commands;
    }

    /** Whether the ranks of all these libraries that have processes are bound to a core each. */
    public static boolean bind(List<PeerBenchmark> peers) {
        return peers.stream().anyMatch(peer -> peer.binding().equals(BOUND));
    }

    /** Whether each rank can have a core of its own. */
    private static boolean haveCores(int ranks) {
        BitSet all = new BitSet();
        all.set(0, 1 << 14);
        return ranks <= Runtime.getRuntime().availableProcessors()
            && new HostMachine().spread(all, ranks).size() >= ranks;
    }
}
