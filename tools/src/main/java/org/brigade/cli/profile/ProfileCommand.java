package org.brigade.cli.profile;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import mpi.MPIException;
import org.brigade.cli.device.DeviceJob;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.MeasuringBar;
import org.brigade.cli.shared.RankOptions;
import org.brigade.cli.shared.SizeConverter;
import org.brigade.cli.shared.SpaceName;
import org.brigade.cli.shared.SubCommand;
import org.brigade.cli.simulate.SimulatedProfile;
import org.brigade.nativ.Affinity;
import org.brigade.nativ.UserFolders;
import org.brigade.profile.HostMachine;
import org.brigade.select.MemorySpace;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.profile.MachineFingerprint;
import org.brigade.topology.search.Mover;
import org.brigade.transport.cuda.driver.CudaDriver;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code brigade profile}: measures sets of transfers on this machine, and writes the fastest rings and chains. */
@Command(name = "profile", mixinStandardHelpOptions = true,
    description = "Finds the fastest rings and chains over this machine's GPUs or processor cores, or over the nodes of"
        + " a network, by measuring transfers that run at the same time.",
    footer = {"",
        "Data go from device to device by a direct write, a direct read, or bounce buffers in the memory of some NUMA"
            + " node.",
        "What counts is the slowest transfer of a ring while all run. An interrupted profile continues where it ended.",
        "Rings and chains follow the profile if they find it: in its default place, or by",
        "  bin/mpjrun -np 4 -Dbrigade.topology.profile=FILE App        # none: no profile",
        "  mpirun ... bin/mpjava -Dbrigade.network.profile=FILE App    # of the network"})
public final class ProfileCommand extends SubCommand implements Callable<Integer> {
    private static final int MOST_PROCESSORS = 4;
    private static final int MOST_GPUS = 8;

    @Mixin
    private RankOptions started;

    @Option(names = "--space", paramLabel = "SPACE", completionCandidates = SpaceName.class,
        description = "Memory of GPUs (device) or of processors (host) (default: device if there are two GPUs, else"
            + " host).")
    private MemorySpace space;

    @Option(names = "--gpus", paramLabel = "LIST", description = "GPUs to profile, as 0,1,3 (default: all, at most 8).")
    private String gpus;

    @Option(names = "--cpus", paramLabel = "LIST",
        description = "With --space host: processors to profile (default: up to 4, if possible on different NUMA nodes"
            + " and caches).")
    private String cpus;

    @Option(names = "--movers", paramLabel = "LIST",
        description = "What moves the data of GPUs: copy-engine, kernel, or both with a comma between them, which takes"
            + " several times as long (default: copy-engine).")
    private String movers;

    @Option(names = "--nodes",
        description = "Profiles the network between nodes: which order of nodes makes the fastest ring and chains."
            + " Start it by your MPI, one process on each node: mpirun --host a,b,c --map-by node bin/brigade"
            + " profile --nodes")
    private boolean nodes;

    @Option(names = "--machine", paramLabel = "NAME",
        description = "Measures nothing, but simulates a described machine: a name that brigade simulate knows, or a"
            + " machine file.")
    private String machine;

    @Option(names = "--across", description = "With --machine: also paths from node to node; may take minutes.")
    private boolean across;

    @Option(names = "--out", paramLabel = "FILE",
        description = "The profile (default: where ranks look for it, in .brigade of your home, one for each space).")
    private Path out;

    @Option(names = "--recording", paramLabel = "FILE",
        description = "Keeps all measurements, and continues from existing ones (default: the profile's name with"
            + " .recording, removed at the end).")
    private Path recording;

    @Option(names = "--bytes", paramLabel = "N", converter = SizeConverter.class,
        description = "Bytes of each transfer (default: 32M; with --nodes 8M).")
    private Long bytes;

    @Option(names = "--iterations", paramLabel = "N",
        description = "How often a set is timed; the median counts, with --nodes the fastest (default:"
            + " ${DEFAULT-VALUE}).",
        defaultValue = "9")
    private int iterations;

    @Option(names = "--time", paramLabel = "LIMIT",
        description = "When to stop measuring: 90s, 10m, 2h (default: ${DEFAULT-VALUE}).", defaultValue = "10m")
    private String time;

    @Override
    public Integer call() {
        PrintWriter console = out();
        if (nodes && (machine != null || space != null || gpus != null || cpus != null || movers != null)) {
            throw wrong(
                "--nodes profiles the network between nodes; leave out --machine, --space, --gpus, --cpus, --movers");
        }
        if (machine != null) {
            return simulated(console);
        }
        if (across) {
            throw wrong("--across is for --machine; the network between nodes is measured with --nodes");
        }
        if (nodes) {
            return network(console);
        }
        ProfilePlan plan = plan(console);
        List<String> options = new ArrayList<>(started.java);
        long memory = (2L + 2L * new HostMachine().numaNodes()) * plan.bytes() + (64 << 20);
        options.add("-XX:MaxDirectMemorySize=" + memory);
        List<String> program = new ArrayList<>(List.of(ProfileRank.class.getName()));
        program.addAll(plan.arguments());
        try (MeasuringBar bar = new MeasuringBar("measured", " sets", console)) {
            return DeviceJob.run(plan.devices().size(), options, program, bar::take);
        }
    }

    private int network(PrintWriter console) {
        NetworkProfiling.Plan task;
        try {
            task = new NetworkProfiling.Plan(size(8 << 20), iterations, MeasuringBar.seconds(time), out, recording);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        try (MeasuringBar bar = new MeasuringBar("measured", " sets", console)) {
            return NetworkProfiling.run(task, bar::take) ? 0 : 1;
        } catch (MPIException | IOException e) {
            throw new BenchException(e.getMessage());
        }
    }

    /** Bytes of each transfer. @throws IllegalArgumentException for impossible numbers of bytes or iterations */
    private int size(long usual) {
        long size = bytes == null ? usual : bytes;
        if (size < 4096 || size > 256 << 20 || iterations < 1 || iterations > 10_000) {
            throw new IllegalArgumentException("--bytes " + bytes + ", --iterations " + iterations
                + ": give 4K to 256M bytes and 1 to 10000 iterations");
        }
        return (int) size;
    }

    private int simulated(PrintWriter console) {
        try {
            Machine described = Machines.find(machine);
            try (MeasuringBar bar = new MeasuringBar("searched", " sets", console)) {
                return SimulatedProfile.run(described, across, out, console, bar);
            }
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private ProfilePlan plan(PrintWriter console) {
        try {
            boolean host = host(console);
            if (host ? gpus != null : cpus != null) {
                throw new IllegalArgumentException(host ? "--gpus is for --space device; name processors with --cpus"
                    : "--cpus is for --space host; name GPUs with --gpus");
            }
            if (host && movers != null) {
                throw new IllegalArgumentException("--movers is for --space device; a core moves data of host memory");
            }
            List<Mover> moving = ProfilePlan.movers(movers == null ? "copy-engine" : movers);
            List<Integer> devices = host ? processors() : devices();
            MemorySpace memory = host ? MemorySpace.HOST : MemorySpace.DEVICE;
            int size = size(32 << 20);
            Path home = UserFolders.home();
            if (out == null && home == null) {
                throw new IllegalArgumentException("this user has no home folder; name a file with --out, or set HOME");
            }
            Path profile = (out == null ? MachineFingerprint.here().defaultFile(home,
                memory.name().toLowerCase(Locale.ROOT)) : out).toAbsolutePath();
            Path log = recording == null ? profile.resolveSibling(profile.getFileName() + ".recording")
                : recording.toAbsolutePath();
            if (Files.isDirectory(profile) || Files.isDirectory(log)) {
                throw new IllegalArgumentException(profile + " or " + log + " is a folder; name a file");
            }
            requireFolder(profile, out == null, out != null ? "name another file with --out"
                : "name a file with --out, or set HOME to a folder of yours");
            requireFolder(log, false, "name another file with --recording");
            return new ProfilePlan(memory, moving, devices, size, iterations, MeasuringBar.seconds(time), profile, log,
                recording != null);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    /** Before anything is measured. */
    private static void requireFolder(Path file, boolean mine, String cure) {
        String wrong = UserFolders.complaint(file.getParent(), mine);
        if (wrong != null) {
            throw new BenchException(wrong + "; " + cure);
        }
    }

    private boolean host(PrintWriter console) {
        if (space != null || gpus != null || cpus != null) {
            return space == null ? gpus == null : space == MemorySpace.HOST;
        }
        String missing = CudaDriver.missing();
        if (missing == null && CudaDriver.devices() >= 2) {
            return false;
        }
        console.println(
            "no GPUs to profile (" + (missing == null ? "there is one, and paths are between two or more" : missing)
                + "); profiling host memory instead");
        return true;
    }

    private List<Integer> devices() {
        int found = DeviceJob.gpus();
        if (gpus == null) {
            if (found < 2) {
                throw new BenchException("there is one GPU, and paths are between two or more; give --space host");
            }
            return IntStream.range(0, Math.min(found, MOST_GPUS)).boxed().toList();
        }
        List<Integer> devices = ProfilePlan.devices(gpus);
        for (int gpu : devices) {
            if (gpu >= found) {
                throw new IllegalArgumentException(
                    "--gpus " + gpus + ": there is no GPU " + gpu + "; name GPUs from 0 to " + (found - 1));
            }
        }
        return devices;
    }

    private List<Integer> processors() {
        BitSet allowed = Affinity.current();
        if (allowed.isEmpty()) {
            allowed.set(0, Runtime.getRuntime().availableProcessors());
        }
        if (cpus != null) {
            List<Integer> named = ProfilePlan.devices(cpus);
            for (int processor : named) {
                if (!allowed.get(processor)) {
                    throw new IllegalArgumentException("--cpus " + cpus + ": processor " + processor
                        + " does not exist or this process may not use it; it may use: " + allowed);
                }
            }
            return named;
        }
        List<Integer> chosen = new HostMachine().spread(allowed, MOST_PROCESSORS);
        if (chosen.size() < 2) {
            throw new BenchException(
                "this process may use one processor core, and paths are between two or more; allow it more cores");
        }
        return chosen;
    }
}
