package org.brigade.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import mpi.MPIException;
import org.brigade.aggregation.aggregator.AggregatorProcess;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.SizeConverter;
import org.brigade.cli.shared.SubCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code brigade aggregator}: a process that acts as a reducing switch. */
@Command(name = "aggregator", mixinStandardHelpOptions = true,
    description = "Acts as a reducing switch: each node of a job sends its vector here once and receives the sum once.",
    footer = {"",
        "With the ranks of a job: mpirun -np 8 java -Dbrigade.aggregation=mpi ... App : -np 1 brigade aggregator --mpi",
        "Started apart, jobs use it with -Dbrigade.aggregation=tcp:HOST:PORT and -Dbrigade.aggregation.secret=FILE,"
            + " where FILE holds the same secret.",
        "A tree: start one aggregator without --parent, the others with --parent and different --place numbers."
            + " Jobs name those at the bottom, separated by commas.",
        "To keep up with its members it needs a core of its own, and a link as fast as all their links together;"
            + " see docs/aggregation.md.",
        "", "Ends with SIGTERM or SIGINT."})
final class AggregatorCommand extends SubCommand implements Callable<Integer> {
    @Option(names = "--listen", paramLabel = "HOST:PORT",
        description = "Where to listen: an address of this machine, and a port (0: any free port)."
            + " Nothing listens without this option.")
    private String listen;

    @Option(names = "--secret", paramLabel = "FILE",
        description = "File with the secret, which members need as well: at least 16 bytes, readable by its owner"
            + " only.")
    private Path secret;

    @Option(names = "--mpi",
        description = "Serves the ranks that the same mpirun starts before it, through their MPI. Needs no --listen and"
            + " no --secret, and finds its parent and children itself.")
    private boolean mpi;

    @Option(names = "--parent", paramLabel = "HOST:PORT", description = "The aggregator above.")
    private String parent;

    @Option(names = "--place", paramLabel = "N",
        description = "Place among the parent's children: the order in which it sums (default: ${DEFAULT-VALUE}).",
        defaultValue = "0")
    private int place;

    @Option(names = "--children", paramLabel = "N",
        description = "In the middle of a tree: how many aggregators name this one as their parent. Not needed by the"
            + " root and by aggregators that members connect to.",
        defaultValue = "0")
    private int children;

    @Option(names = "--slots", paramLabel = "N",
        description = "Operations of a group that may be outstanding, a power of two (default: ${DEFAULT-VALUE}).",
        defaultValue = "32")
    private int slots;

    @Option(names = "--payload", paramLabel = "SIZE", converter = SizeConverter.class,
        description = "Largest operation in bytes (default: ${DEFAULT-VALUE}).", defaultValue = "32K")
    private long payload;

    @Option(names = "--groups", paramLabel = "N",
        description = "Most groups at a time; each communicator has one (default: ${DEFAULT-VALUE}).",
        defaultValue = "64")
    private int groups;

    @Option(names = "--memory", paramLabel = "SIZE", converter = SizeConverter.class,
        description = "Most memory for all groups together (default: ${DEFAULT-VALUE}).", defaultValue = "256M")
    private long memory;

    @Option(names = "--connections", paramLabel = "N",
        description = "Most connections at once (default: ${DEFAULT-VALUE}).", defaultValue = "1024")
    private int connections;

    @Option(names = "--fault", paramLabel = "loss=P,duplicate=P,late=P,seed=N",
        description = "For tests: loses, duplicates and delays these shares of the data packets.")
    private String fault;

    @Override
    public Integer call() {
        PrintWriter out = out();
        if (mpi ? listen != null || secret != null || parent != null || place != 0 || children != 0
            : listen == null || secret == null) {
            throw wrong(
                "give --listen and --secret; or --mpi without --listen, --secret, --parent, --place and --children");
        }
        try (AggregatorProcess process = open()) {
            if (process == null) {
                out.println("aggregator: the whole job is on one node, so there is nothing to reduce between nodes");
                return 0;
            }
            Runtime.getRuntime().addShutdownHook(new Thread(process::close));
            if (!mpi) {
                out.println("aggregator listens: " + process.address());
                out.flush();
            }
            PrintWriter log = mpi ? err() : out; // standard output is the job's
            process.run(line -> {
                log.println((mpi ? "brigade: aggregator: " : "") + line);
                log.flush();
            });
            return 0;
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        } catch (IOException | MPIException e) {
            throw new BenchException(e.getMessage());
        }
    }

    private AggregatorProcess open() throws IOException {
        int most = (int) payload;
        if (most != payload) {
            throw new IllegalArgumentException("--payload: " + payload + " is more than 2 GiB; give at most 1M");
        }
        if (mpi) {
            return AggregatorProcess.inJob(slots, most, groups, memory, connections, fault);
        }
        return AggregatorProcess.open(listen, secret, parent, place, children, slots, most, groups,
            memory, connections, fault);
    }
}
