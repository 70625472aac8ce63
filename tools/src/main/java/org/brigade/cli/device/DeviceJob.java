package org.brigade.cli.device;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.brigade.cli.shared.BenchException;
import org.brigade.launch.RankCommand;
import org.brigade.launch.RankProcesses;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.transport.cuda.driver.CudaDriver;

/** Ranks of a command that work on this machine's GPUs. */
public final class DeviceJob {
    private DeviceJob() {
    }

    /** Number of GPUs, one or more. @throws BenchException if there is none; says what is missing */
    public static int gpus() {
        String missing = CudaDriver.missing();
        if (missing != null) {
            throw new BenchException("--space device: " + missing);
        }
        return CudaDriver.devices();
    }

    /** Ranks to start: as asked for, or one for each GPU that may be used, at least 2; 0 asks for nothing. */
    public static int ranks(int asked, int mostGpus) {
        int found = gpus();
        return asked > 0 ? asked : Math.max(2, mostGpus > 0 ? Math.min(mostGpus, found) : found);
    }

    /** Runs a program on so many ranks to its end and passes on what they print. */
    public static int run(int ranks, List<String> javaOptions, List<String> program, PrintWriter out) {
        return run(ranks, javaOptions, program, line -> {
            out.println(line);
            out.flush();
        });
    }

    /**
     * Runs a program on this many ranks to its end.
     *
     * @param program its class and arguments
     * @param lines takes what ranks print
     * @return 0, or the code of the first rank that failed
     */
    public static int run(int ranks, List<String> javaOptions, List<String> program, Consumer<String> lines) {
        List<String> line = new ArrayList<>(List.of("-np", Integer.toString(ranks)));
        line.addAll(javaOptions);
        line.addAll(program);
        List<String> command = RankCommand.of(LaunchOptions.parse(line.toArray(new String[0])));
        return RankProcesses.run(command, ranks, null, (rank, error, text) -> lines.accept(text), false);
    }
}
