package org.brigade.aggregation.tcp;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Consumer;

/** An aggregator made from words, as its command has them. */
public final class AggregatorProcess implements Closeable {
    private final AggregatorOptions options;
    private Consumer<String> log = line -> { };
    private final Aggregator aggregator;

    private AggregatorProcess(AggregatorOptions options) throws IOException {
        this.options = options;
        try {
            aggregator = new Aggregator(options, line -> log.accept(line));
        } catch (IOException | RuntimeException e) {
            throw new IOException("--listen " + options.listen() + ": " + e.getMessage() + "; name an address of this machine and a port that is free");
        }
    }

    /**
     * Listens from now on. Parameters as the options of {@code brigade aggregator}; null where one is not given.
     *
     * @throws IllegalArgumentException if one cannot be, naming it
     * @throws IOException if the secret cannot be read, or the address not be listened on
     */
    public static AggregatorProcess open(String listen, Path secret, String parent, int place, int children, int slots, int payload, int groups, long memory, int connections, String fault) throws IOException {
        byte[] shared;
        try {
            shared = TcpAggregation.secret(secret);
        } catch (IOException e) {
            throw new IOException("--secret: " + e.getMessage());
        }
        if (place < 0 || children < 0 || groups < 1 || memory < 1 || connections < 1) {
            throw new IllegalArgumentException("--place and --children may not be below 0, nor --groups, --memory and --connections below 1");
        }
        return new AggregatorProcess(new AggregatorOptions(address("--listen", listen), parent == null ? null : address("--parent", parent), place, children, shared,
            new Terms(slots, payload, false), groups, memory, connections, faults(fault)));
    }

    private static InetSocketAddress address(String option, String text) {
        InetSocketAddress address = TcpAggregation.address(text);
        if (address == null || address.isUnresolved()) {
            throw new IllegalArgumentException(option + ": '" + text + "' is no HOST:PORT" + (address == null ? "" : " of a host that is known") + ", as in 10.0.0.1:7070");
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
                throw new IllegalArgumentException("--fault: '" + each + "' is none of loss=P, duplicate=P, late=P and seed=N");
            }
        }
        return new Faults(loss, duplicate, late, seed);
    }

    /** {@code 10.0.0.1:7070}. */
    public String address() throws IOException {
        InetSocketAddress address = aggregator.address();
        return options.listen().getHostString() + ":" + address.getPort();
    }

    /** Serves until it is closed; tells of what goes wrong. */
    public void run(Consumer<String> told) {
        log = told;
        aggregator.run();
    }

    @Override
    public void close() {
        aggregator.close();
    }
}
