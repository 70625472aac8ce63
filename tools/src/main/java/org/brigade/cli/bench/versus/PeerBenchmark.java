package org.brigade.cli.bench.versus;

import java.util.function.Consumer;
import org.brigade.cli.shared.BenchException;

/** A benchmark that runs in turn with ours. */
public interface PeerBenchmark extends AutoCloseable {
    /** A short name for tables: {@code openmpi}. */
    String name();

    /** The library and its version, for reports: {@code Open MPI 4.1.4}. For a command line, the command. */
    String version();

    /** How its ranks are bound to cores, in words; empty if it is not known. */
    String binding();

    /**
     * Measures everything once.
     *
     * @param sink takes each row when it is printed
     * @throws BenchException if the benchmark cannot be run, fails or prints no row
     */
    void run(Consumer<BenchRow> sink);

    /** Deletes what was made for the runs. */
    @Override
    default void close() {
    }
}
