package org.brigade.cli.tune;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.brigade.cli.device.DeviceJob;
import org.brigade.cli.shared.SizeList;
import org.brigade.cli.simulate.SimulatedTuning;
import org.brigade.simulate.wiring.NamedWirings;
import org.brigade.simulate.wiring.RoutingModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code brigade tune}: measures the algorithms of device memory with many parameters on this machine, or simulates
 * those of host memory on another, and prints the best as rules of a tuning table.
 */
@Command(name = "tune", mixinStandardHelpOptions = true,
    description = "Finds the fastest algorithms for this machine's GPUs, or with --simulate for another machine, and"
        + " prints them as rules of a tuning table.",
    footer = {"",
        "For each size all algorithms run with default parameters, then the fastest ones with other numbers of blocks,",
        "windows, and shares through host memory.",
        "Times are microseconds of a blocking call, as in brigade bench. Lines that begin with # say what was"
            + " measured.",
        "", "Use what it prints:", "  brigade tune --np 2 > my.table",
        "  bin/mpjrun -np 2 -Dbrigade.device.tuning=my.table App      # the same file on all ranks",
        "", "A first table of schedules (for brigade.tuning) for a machine that was never measured:",
        "  brigade tune --simulate fat-tree:64 --np 64 > first.table"})
public final class TuneCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = {"--np", "-np"}, paramLabel = "N",
        description = "Ranks to start (default: one for each GPU, at least 2).")
    private int ranks;

    @Option(names = "--gpus", paramLabel = "N", description = "Most GPUs to use (default: all).")
    private int gpus;

    @Option(names = "--simulate", paramLabel = "NAME",
        description = "Measures nothing: simulates the schedules on this network or machine (brigade simulate lists"
            + " them).")
    private String network;

    @Option(names = "--ops", paramLabel = "LIST", description = "Collectives (default: ${DEFAULT-VALUE}).",
        defaultValue = "bcast,allreduce,reduce-scatter,allgather,reduce,alltoall")
    private String operations;

    @Option(names = "--sizes", paramLabel = "SIZES",
        description = "Bytes, as brigade bench counts them (default: ${DEFAULT-VALUE}).",
        defaultValue = "1K,16K,64K,256K,1M,4M,16M,64M,256M,1G")
    private String sizes;

    @Option(names = "-J", paramLabel = "OPTION", description = "An option for the ranks' java.")
    private List<String> javaOptions = new ArrayList<>();

    @Override
    public Integer call() {
        try {
            SizeList.parse(sizes);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--sizes: " + e.getMessage());
        }
        try {
            Arrays.stream(operations.split(",", -1)).forEach(TuneRank::collective);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--ops: " + e.getMessage());
        }
        if (ranks < 0 || gpus < 0) {
            throw new ParameterException(spec.commandLine(), "--np and --gpus must be 1 or more");
        }
        if (network != null) {
            return simulate();
        }
        return DeviceJob.run(DeviceJob.ranks(ranks, gpus), javaOptions,
            List.of(TuneRank.class.getName(), operations, sizes, Integer.toString(gpus)),
            spec.commandLine().getOut());
    }

    private int simulate() {
        RoutingModel wiring;
        try {
            wiring = NamedWirings.find(network);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--simulate: " + e.getMessage());
        }
        int simulated = ranks > 0 ? ranks : wiring.ranks();
        if (simulated < 2 || simulated > wiring.ranks()) {
            throw new ParameterException(spec.commandLine(),
                "--np: " + network + " has places for 2 to " + wiring.ranks() + " ranks, not " + simulated);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("simulated on " + network + " with " + simulated + " ranks");
        SimulatedTuning tuning = new SimulatedTuning(wiring, simulated, line -> {
            out.println(line);
            out.flush();
        });
        long[] ascending = SizeList.parse(sizes).stream().mapToLong(Long::longValue).sorted().toArray();
        for (String name : operations.split(",")) {
            tuning.tune(TuneRank.collective(name), ascending);
        }
        return 0;
    }
}
