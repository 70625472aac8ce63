package org.brigade.aggregation.aggregator;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.brigade.aggregation.process.GroupTerms;
import org.brigade.aggregation.process.TcpAggregation;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.environment.EnvironmentBootstrap;
import org.brigade.bootstrap.secret.SecretFile;
import org.brigade.transport.hostmpi.SetAside;

/** An aggregator made from the options of its command. */
public final class AggregatorProcess implements Closeable {
    private final String address;
    private Consumer<String> log = line -> {};
    private final Aggregator aggregator;

    private AggregatorProcess(String address, AggregatorOptions options, Acceptor door) {
        this.address = address;
        aggregator = new Aggregator(options, door, line -> log.accept(line));
    }

    /**
     * Listens from now on. Parameters as the options of {@code brigade aggregator}; null for an absent one.
     *
     * @throws IllegalArgumentException if an option is wrong; names it
     * @throws IOException if the secret cannot be read, or the address cannot be listened on
     */
    public static AggregatorProcess open(String listen, Path secret, String parent, int place, int children, int slots,
        int payload, int groups, long memory, int connections, String fault) throws IOException {
        byte[] shared;
        try {
            shared = SecretFile.read(secret);
        } catch (IOException e) {
            throw new IOException("--secret: " + e.getMessage());
        }
        AggregatorOptions options = new AggregatorOptions(place, children, new GroupTerms(slots, payload, false),
            groups, memory, connections, faults(fault));
        InetSocketAddress here = address("--listen", listen);
        InetSocketAddress above = parent == null ? null : address("--parent", parent);
        try {
            SocketAcceptor door = new SocketAcceptor(here, above, shared);
            return new AggregatorProcess("tcp:" + here.getHostString() + ":" + door.address().getPort(), options, door);
        } catch (IOException | RuntimeException e) {
            throw new IOException("--listen " + here + ": " + e.getMessage()
                + "; name an address of this machine and a port that is free");
        }
    }

    /**
     * One of the processes that the MPI's launcher has started beside a job's ranks, which reach it through that MPI.
     * Parameters as above.
     *
     * @return null if the whole job is on one node, so that there is nothing to do
     * @throws mpi.MPIException if no MPI has launched it, or the ranks do not know of it
     */
    public static AggregatorProcess inJob(int slots, int payload, int groups, long memory, int connections,
        String fault) {
        GroupTerms terms = new GroupTerms(slots, payload, false);
        Faults faults = faults(fault);
        EnvironmentBootstrap bootstrap = new EnvironmentBootstrap();
        Job launched = bootstrap.launched();
        if (launched.size() > 1 && launched.onOneNode() && !bootstrap.emulates()) {
            return null; // its ranks need no MPI, and would never connect
        }
        SetAside aside = SetAside.begin(launched);
        AggregatorOptions options = new AggregatorOptions(aside.place(), 0, terms, groups, memory, connections, faults);
        return new AggregatorProcess("mpi:" + aside.count() + ", number " + aside.place(), options,
            new LinkAcceptor(aside));
    }

    private static InetSocketAddress address(String option, String text) {
        InetSocketAddress address = TcpAggregation.address(text);
        if (address == null || address.isUnresolved()) {
            throw new IllegalArgumentException(option + ": '" + text + "' is no HOST:PORT"
                + (address == null ? "" : " with a known host") + ", as in 10.0.0.1:7070");
        }
        return address;
    }

    private static Faults faults(String text) {
        double loss = 0;
        double duplicate = 0;
        double late = 0;
        long seed = 0;
        for (String each : text == null ? new String[0] : text.split(",")) {
            String[] parts = each.split("=", 2);
            try {
                switch (parts.length == 2 ? parts[0] : "") {
                    case "loss" -> loss = Double.parseDouble(parts[1]);
                    case "duplicate" -> duplicate = Double.parseDouble(parts[1]);
                    case "late" -> late = Double.parseDouble(parts[1]);
                    case "seed" -> seed = Long.parseLong(parts[1]);
                    default -> throw new NumberFormatException();
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                    "--fault: '" + each + "' is none of loss=P, duplicate=P, late=P and seed=N");
            }
        }
        return new Faults(loss, duplicate, late, seed);
    }

    /** The address that jobs use: {@code tcp:10.0.0.1:7070}. */
    public String address() {
        return address;
    }

    /** Serves until it is closed; reports problems. */
    public void run(Consumer<String> told) {
        log = told;
        aggregator.run();
    }

    @Override
    public void close() {
        aggregator.close();
    }
}
