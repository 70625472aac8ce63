package org.brigade.cli.tune;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import mpi.MPIException;
import org.brigade.cli.device.DeviceJob;
import org.brigade.cli.device.OtherPrograms;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.MeasuringBar;
import org.brigade.cli.shared.RankOptions;
import org.brigade.cli.shared.SizeList;
import org.brigade.cli.shared.SpaceName;
import org.brigade.cli.shared.SubCommand;
import org.brigade.cli.simulate.SimulatedTuning;
import org.brigade.select.MemorySpace;
import org.brigade.select.Settings;
import org.brigade.simulate.wiring.NamedWirings;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.brigade.tuned.ClusterTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code brigade tune}: measures the algorithms of host or device memory with many parameters on this machine, or
 * simulates those of host memory on another, and makes rules of a tuning table of the fastest.
 */
@Command(name = "tune", mixinStandardHelpOptions = true,
    description = "Finds the fastest algorithms for host memory or for the GPUs of this machine, or with --simulate for"
        + " another machine.",
    footer = {"",
        "Host memory: takes three minutes, shows a bar, and writes a table for each number of ranks into your",
        "configuration folder ($XDG_CONFIG_HOME/brigade or ~/.config/brigade). Jobs of so many ranks on one machine of",
        "this shape (processors, cores, shared caches, NUMA nodes) use it by themselves. A rule is made only where",
        "another algorithm is clearly faster than the default in alternated turns. Let nothing else run meanwhile.",
        "  brigade tune --space host",
        "  brigade info                                               # says which tables are used, and which are old",
        "  bin/mpjrun -np 2 -Dbrigade.tuning=none App                 # without them",
        "", "GPUs: prints rules. For each size all algorithms run with default parameters, then the fastest ones with",
        "other numbers of blocks, windows, and shares through host memory. Times are microseconds of a blocking call,",
        "as in brigade bench. Lines that begin with # say what was measured.",
        "  brigade tune --space device --np 2 > my.table",
        "  bin/mpjrun -np 2 -Dbrigade.device.tuning=my.table App      # the same file on all ranks",
        "", "Nodes of a cluster: writes a table for jobs on as many nodes of this cluster with as many ranks on each.",
        "  mpirun --host node1:2,node2:2 bin/brigade tune --nodes     # later such jobs use the table by themselves",
        "  brigade tune --nodes --simulate rx1 --np 64                # a cluster that is planned",
        "", "A first table of schedules (for brigade.tuning) for a machine that was never measured:",
        "  brigade tune --simulate fat-tree:64 --np 64 > first.table"})
public final class TuneCommand extends SubCommand implements Callable<Integer> {
    private static final String OPERATIONS = "bcast,allreduce,reduce-scatter,allgather,reduce,alltoall";
    private static final String HOST_OPERATIONS =
        "barrier,bcast,reduce,allreduce,gather,scatter,allgather,reduce-scatter,alltoall";
    private static final String NODES_OPERATIONS = "barrier,bcast,reduce,allreduce,allgather,reduce-scatter,alltoall";
    private static final String NODES_SIZES = "8,4K,64K,1M,8M";
    private static final String SIZES = "1K,16K,64K,256K,1M,4M,16M,64M,256M,1G";
    private static final String HOST_SIZES = "8,512,4K,32K,256K,2M";

    @Mixin
    private RankOptions.OnDevices started;

    @Option(names = "--space", paramLabel = "SPACE", completionCandidates = SpaceName.class,
        description = "Memory of GPUs (device) or of processors (host) (default: device if there is a GPU, else host).")
    private MemorySpace space;

    @Option(names = {"--np", "-np"}, paramLabel = "N", split = ",",
        description = "Ranks to start; for host memory also several, as 2,8 (default: powers of two up to the number of"
            + " processors, and that number; on devices one for each GPU, at least 2).")
    private List<Integer> ranks = new ArrayList<>();

    @Option(names = "--nodes",
        description = "Tunes jobs on several nodes. Start it by your MPI, as those jobs, with as many processes on each"
            + " node: mpirun --host a:2,b:2 bin/brigade tune --nodes. With --simulate: writes the table of a cluster that"
            + " is planned, for jobs of --np ranks.")
    private boolean nodes;

    @Option(names = "--simulate", paramLabel = "NAME",
        description = "Measures nothing: simulates the schedules on this network or machine (brigade simulate lists"
            + " them).")
    private String network;

    @Option(names = "--ops", paramLabel = "LIST",
        description = "Collectives (default: " + OPERATIONS + "; for host memory " + HOST_OPERATIONS + ").")
    private String operations;

    @Option(names = "--sizes", paramLabel = "SIZES",
        description = "Bytes of the vector, or of all that is gathered, scattered or exchanged (default: " + SIZES
            + "; for host memory " + HOST_SIZES + ").")
    private String sizes;

    @Option(names = "--time", paramLabel = "LIMIT",
        description = "For host memory and --nodes: how long to measure in all, as 90s or 10m (default:"
            + " ${DEFAULT-VALUE}).",
        defaultValue = "3m")
    private String time;

    @Override
    public Integer call() {
        boolean between = nodes && network == null;
        if (between && (space == MemorySpace.DEVICE || !ranks.isEmpty())) {
            throw wrong("--nodes is for host memory, and your MPI's launcher says how many ranks; leave out --space and"
                + " --np");
        }
        boolean host =
            network == null && (between || (space == null ? CudaDriver.missing() != null : space == MemorySpace.HOST));
        operations = operations != null ? operations
            : between ? NODES_OPERATIONS : host ? HOST_OPERATIONS : OPERATIONS;
        sizes = sizes != null ? sizes : between ? NODES_SIZES : host ? HOST_SIZES : SIZES;
        try {
            SizeList.parse(sizes);
        } catch (IllegalArgumentException e) {
            throw wrong("--sizes: " + e.getMessage());
        }
        try {
            Arrays.stream(operations.split(",", -1))
                .forEach(host ? HostTuneRank::check : TuneRank::collective);
        } catch (IllegalArgumentException e) {
            throw wrong("--ops: " + e.getMessage());
        }
        if (ranks.stream().anyMatch(each -> each < 1) || started.gpus < 0) {
            throw wrong("--np and --gpus must be 1 or more");
        }
        if (host) {
            return measureHost(between);
        }
        if (ranks.size() > 1) {
            throw wrong("--np: several numbers of ranks are for --space host");
        }
        int asked = ranks.isEmpty() ? 0 : ranks.get(0);
        if (network != null) {
            return simulate(asked);
        }
        OtherPrograms.note("brigade tune", err());
        try (MeasuringBar bar = new MeasuringBar("measured", " sizes", out())) {
            return DeviceJob.run(DeviceJob.ranks(asked, started.gpus), started.java,
                List.of(TuneRank.class.getName(), operations, sizes, Integer.toString(started.gpus)), bar::take);
        }
    }

    private int measureHost(boolean between) {
        if (ranks.contains(1)) {
            throw wrong("--np 1: a single rank has nothing to choose; give 2 or more");
        }
        String forced = HostTuning.forced(Settings.ofThisProcess(), operations);
        if (!forced.isEmpty()) {
            throw wrong(forced + " forces what is to be measured; unset it");
        }
        double seconds;
        try {
            seconds = MeasuringBar.seconds(time);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        if (between) {
            try (MeasuringBar bar = new MeasuringBar("measured", " sizes", out())) {
                return NodesTuning.run(operations.split(","), sizes, seconds, bar::take) ? 0 : 1;
            } catch (MPIException | IOException e) {
                throw new BenchException(e.getMessage());
            }
        }
        return new HostTuning(started.java, out(), err()).run(
            ranks.isEmpty() ? HostTuning.ranks(Runtime.getRuntime().availableProcessors())
                : ranks.stream().distinct().sorted().toList(),
            operations, sizes, seconds);
    }

    private int simulate(int asked) {
        RoutingModel wiring;
        try {
            wiring = NamedWirings.find(network);
        } catch (IllegalArgumentException e) {
            throw wrong("--simulate: " + e.getMessage());
        }
        int simulated = asked > 0 ? asked : wiring.ranks();
        if (simulated < 2 || simulated > wiring.ranks()) {
            throw wrong("--np: " + network + " has places for 2 to " + wiring.ranks() + " ranks, not " + simulated);
        }
        PrintWriter out = out();
        String how = "simulated on " + network + " with " + simulated + " ranks";
        long[] ascending = SizeList.parse(sizes).stream().mapToLong(Long::longValue).sorted().toArray();
        String[] names = operations.split(",");
        StringBuilder rules = new StringBuilder();
        int on;
        try (MeasuringBar bar = new MeasuringBar("simulated", " collectives", out)) {
            bar.take(how);
            SimulatedTuning tuning = new SimulatedTuning(wiring, simulated, nodes, line -> {
                bar.take(line);
                rules.append(line.isEmpty() || line.startsWith("#") ? "" : line + "\n");
            });
            on = tuning.nodes();
            if (nodes && on == 1) {
                throw wrong("--nodes: all " + simulated + " ranks are on one node of " + network
                    + "; give more --np, or leave out --nodes");
            }
            for (int i = 0; i < names.length; i++) {
                tuning.tune(TuneRank.collective(names[i]), ascending);
                bar.at(i + 1, names.length);
            }
        }
        if (nodes) {
            try {
                out.println("Jobs of " + simulated + " ranks on " + on + " nodes now follow "
                    + ClusterTable.writePlanned(network, on, simulated, how, rules.toString())
                    + ", until brigade tune --nodes measures there");
            } catch (IOException e) {
                throw new BenchException("the table cannot be written: " + e.getMessage()
                    + "; see that only you can write to the folder, or set XDG_CONFIG_HOME to one of yours");
            }
        }
        return 0;
    }
}
