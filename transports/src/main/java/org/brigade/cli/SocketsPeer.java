package org.brigade.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The other side of {@code bench --sockets}: Open MPI in C over TCP, between network namespaces of this machine whose links carry so much and no more. The program and the script that makes the namespaces
 * are unpacked from brigade.jar, the program is compiled. The namespaces have no names and end with the script, and the script with this process: nothing is left behind, however it ends.
 */
final class SocketsPeer implements AutoCloseable {
    private static final String PROGRAM = "bus_bench.c";
    private static final String SCRIPT = "sockets.sh";
    private static final String[] NEEDED = {"mpicc", "mpirun", "ip", "tc", "unshare", "nsenter", "bash"};

    private final int nodes;
    private final int ranks;
    private final String rate;
    private final Path folder;
    private final Thread hook = new Thread("sockets' folder") {
        @Override
        public void run() {
            delete();
        }
    };

    /**
     * @param rate of each node's link, as tc has it: 1gbit
     * @throws BenchException if this machine or this user cannot do that, with the cure
     */
    SocketsPeer(int nodes, int ranks, String rate) {
        this.nodes = nodes;
        this.ranks = ranks;
        this.rate = rate;
        String complaint = complaint(System.getenv("PATH"), System.getProperty("user.name"), rate);
        if (complaint != null) {
            throw new BenchException(complaint);
        }
        try {
            folder = Files.createTempDirectory("brigade-sockets");
        } catch (IOException e) {
            throw new BenchException("--sockets: no folder in " + System.getProperty("java.io.tmpdir") + " (" + e.getMessage() + "); set java.io.tmpdir");
        }
        Runtime.getRuntime().addShutdownHook(hook);
        unpack(PROGRAM);
        unpack(SCRIPT);
        int code;
        try {
            code = new ProcessBuilder("mpicc", "-O3", "-o", "bus_bench", PROGRAM).directory(folder.toFile()).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new BenchException("--sockets: mpicc cannot be started: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("--sockets: interrupted");
        }
        if (code != 0) {
            throw new BenchException("--sockets: mpicc cannot compile " + PROGRAM + " (above is why); install a C MPI's development files (Debian, Ubuntu: libopenmpi-dev)");
        }
    }

    /** What is missing, as a sentence with its cure; null if nothing is. */
    static String complaint(String path, String user, String rate) {
        if (!rate.matches("[1-9][0-9]{0,5}(kbit|mbit|gbit)")) {
            return "--sockets " + rate + ": a rate is a number and kbit, mbit or gbit, as in --sockets 1gbit";
        }
        if (!user.equals("root")) {
            return "--sockets makes network namespaces and limits links, which only root may; run it as root, or measure sockets elsewhere";
        }
        for (String command : NEEDED) {
            boolean found = false;
            for (String place : (path == null ? "" : path).split(":")) {
                found |= !place.isEmpty() && new File(place, command).canExecute();
            }
            if (!found) {
                return "--sockets needs " + command + " on the PATH; install it (Debian, Ubuntu: apt-get install openmpi-bin libopenmpi-dev iproute2 util-linux)";
            }
        }
        return null;
    }

    private void unpack(String name) {
        try (InputStream in = SocketsPeer.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new BenchException("brigade.jar lacks " + name + "; use the whole jar");
            }
            Files.copy(in, folder.resolve(name));
        } catch (IOException e) {
            throw new BenchException("--sockets: " + name + " cannot be written into " + folder + ": " + e.getMessage());
        }
    }

    /** Runs it once. @throws BenchException if it fails or prints nothing */
    List<BusRow> run(List<BusOperation> operations, String sizes) {
        List<String> command = List.of("bash", folder.resolve(SCRIPT).toString(), Integer.toString(nodes), Integer.toString(ranks), rate, folder.resolve("bus_bench").toString(), sizes,
            operations.stream().map(SocketsPeer::argument).collect(Collectors.joining(",")));
        List<BusRow> rows = new ArrayList<>();
        int code;
        try {
            // Its standard input stays open: its end is what ends the script with us.
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    BusRow row = BusRow.parse(line);
                    if (row != null) {
                        rows.add(row);
                    }
                }
            }
            code = process.waitFor();
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new BenchException("--sockets: the job over sockets cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("--sockets: interrupted");
        }
        if (code != 0 || rows.isEmpty()) {
            throw new BenchException("--sockets: the job over sockets " + (code != 0 ? "ended with code " + code : "printed nothing") + "; what it said is above");
        }
        return rows;
    }

    /** An operation as bus_bench has it: exchanges with the floats of each message. */
    private static String argument(BusOperation operation) {
        int[] tensors = operation.tensors();
        return tensors == null ? operation.key() : operation.key() + "=" + IntStream.of(tensors).mapToObj(Integer::toString).collect(Collectors.joining(":"));
    }

    @Override
    public void close() {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook finds nothing left to do.
        }
    }

    private void delete() {
        File[] files = folder.toFile().listFiles();
        for (File file : files == null ? new File[0] : files) {
            file.delete();
        }
        folder.toFile().delete();
    }
}
