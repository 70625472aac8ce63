package org.brigade.cli.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.brigade.cli.bench.versus.PeerProgram;
import org.brigade.cli.shared.BenchException;

/**
 * The other side of {@code bench --sockets}: Open MPI in C over TCP, between network namespaces of this machine with
 * links of limited rate ({@code bin/cluster}). The program is unpacked from brigade-tools.jar and compiled. A child
 * process holds the namespaces and ends with this process, so no namespace is left behind, however this process ends.
 */
final class SocketsPeer implements AutoCloseable {
    private static final String PROGRAM = "bus_bench.c";
    private static final String[] NEEDED = {"mpicc", "mpirun", "ip", "tc", "unshare", "nsenter"};

    private final String shape;
    private final String cluster;
    private final String key = "bench-" + ProcessHandle.current().pid();
    private final Path folder;
    private final Process hosts;
    private final Thread hook = new Thread("end of the hosts") {
        @Override
        public void run() {
            end();
        }
    };

    /**
     * @param rate rate of each node's link in tc's notation, for example 1gbit
     * @throws BenchException if this machine or this user cannot do it, with the cure
     */
    SocketsPeer(int nodes, int ranks, String rate) {
        StringBuilder blocks = new StringBuilder();
        for (int node = 0; node < nodes; node++) {
            // The same blocks of ranks as mpjrun makes.
            long first = ((long) node * ranks + nodes - 1) / nodes;
            long next = ((node + 1L) * ranks + nodes - 1) / nodes;
            blocks.append(node == 0 ? "" : ",").append(next - first);
        }
        shape = blocks.toString();
        String complaint = complaint(System.getenv("PATH"), System.getProperty("brigade.launch.home"), rate);
        if (complaint != null) {
            throw new BenchException(complaint);
        }
        cluster = System.getProperty("brigade.launch.home") + "/bin/cluster";
        try {
            folder = Files.createTempDirectory("brigade-sockets");
        } catch (IOException e) {
            throw new BenchException("--sockets: no folder in " + System.getProperty("java.io.tmpdir") + " ("
                + e.getMessage() + "); set java.io.tmpdir");
        }
        Runtime.getRuntime().addShutdownHook(hook);
        Process held = null;
        try {
            compile();
            held = new ProcessBuilder(cluster, "hold", "--rate", rate, "-k", key, "--share", folder.toString(),
                Integer.toString(nodes)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            String answer =
                new BufferedReader(new InputStreamReader(held.getInputStream(), StandardCharsets.UTF_8)).readLine();
            if (!"ready".equals(answer)) {
                throw new BenchException(
                    "--sockets: there are no hosts with limited links (above is why); run it as root, on a kernel"
                        + " with network namespaces, bridges and tbf, or measure sockets elsewhere");
            }
        } catch (IOException e) {
            close();
            throw new BenchException("--sockets: " + e.getMessage());
        } catch (BenchException e) {
            close();
            throw e;
        } finally {
            hosts = held;
        }
    }

    private void compile() throws IOException {
        try (InputStream in = SocketsPeer.class.getResourceAsStream(PROGRAM)) {
            if (in == null) {
                throw new BenchException("brigade-tools.jar lacks " + PROGRAM + "; use the whole jar");
            }
            Files.copy(in, folder.resolve(PROGRAM));
        }
        try {
            if (new ProcessBuilder("mpicc", "-O3", "-o", "bus_bench", PROGRAM).directory(folder.toFile()).inheritIO()
                .start().waitFor() != 0) {
                throw new BenchException("--sockets: mpicc cannot compile " + PROGRAM
                    + " (above is why); install a C MPI's development files (Debian, Ubuntu: libopenmpi-dev)");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("--sockets: interrupted");
        }
    }

    /** What is missing, as a sentence with its cure; null if nothing is. */
    static String complaint(String path, String home, String rate) {
        if (!rate.matches("[1-9][0-9]{0,5}(kbit|mbit|gbit)")) {
            return "--sockets " + rate + ": a rate is a number and kbit, mbit or gbit, as in --sockets 1gbit";
        }
        if (home == null || !new File(home, "bin/cluster").canExecute()) {
            return "--sockets needs bin/cluster beside bin/brigade; start it as bin/brigade bench, from a whole"
                + " source tree";
        }
        for (String command : NEEDED) {
            boolean found = false;
            for (String place : (path == null ? "" : path).split(":")) {
                found |= !place.isEmpty() && new File(place, command).canExecute();
            }
            if (!found) {
                return "--sockets needs " + command
                    + " on the PATH; install it (Debian, Ubuntu: apt-get install openmpi-bin libopenmpi-dev"
                    + " iproute2 util-linux)";
            }
        }
        return null;
    }

    /**
     * Runs the job once.
     *
     * @param sink takes each row when it is printed
     * @throws BenchException if the job fails or prints nothing
     */
    void run(List<BusOperation> operations, String sizes, Consumer<BusRow> sink) {
        List<String> command =
            List.of(cluster, "run", "-k", key, "--mpi", "openmpi", shape, folder.resolve("bus_bench").toString(), sizes,
                operations.stream().map(SocketsPeer::argument).collect(Collectors.joining(",")));
        int[] rows = new int[1];
        int code =
            PeerProgram.read(command, "--sockets", "the job over sockets cannot be run", BusRow::parse, row -> {
                rows[0]++;
                sink.accept(row);
            });
        if (code != 0 || rows[0] == 0) {
            throw new BenchException("--sockets: the job over sockets "
                + (code != 0 ? "ended with code " + code : "printed nothing") + "; its output is above");
        }
    }

    /** An operation as an argument of bus_bench; for an exchange, with the floats of each message. */
    private static String argument(BusOperation operation) {
        int[] tensors = operation.tensors();
        return tensors == null ? operation.key() : operation.key() + "="
            + IntStream.of(tensors).mapToObj(Integer::toString).collect(Collectors.joining(":"));
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook finds nothing left to do.
        }
    }

    /** Ends the hosts by closing their standard input, and deletes the folder. */
    private void end() {
        try {
            if (hosts != null) {
                hosts.getOutputStream().close();
                hosts.waitFor(10, TimeUnit.SECONDS);
            }
        } catch (IOException ended) {
            // The hosts have ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        File[] files = folder.toFile().listFiles();
        for (File file : files == null ? new File[0] : files) {
            file.delete();
        }
        folder.toFile().delete();
    }
}
