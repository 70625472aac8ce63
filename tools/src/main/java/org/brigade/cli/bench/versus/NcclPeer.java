package org.brigade.cli.bench.versus;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.SizeList;

/**
 * NCCL as a peer: nccl_bench.cu, compiled by this machine's nvcc against its NCCL. It runs with plain and with
 * symmetric buffers; the faster counts.
 */
final class NcclPeer {
    private static final String PROGRAM = "nccl_bench.cu";
    private static final String HEADER = "nccl.h";
    private static final String LIBRARY = "libnccl.so";
    /** Prints the folders of pip's packages named nvidia.nccl, one a line. */
    private static final List<String> PIP = List.of("python3", "-c",
        "import nvidia.nccl\nfor folder in nvidia.nccl.__path__: print(folder)");
    /** Brigade does not use multicast in the switch either. */
    private static final String MULTICAST = "NCCL_NVLS_ENABLE";
    private static final Pattern VERSION = Pattern.compile("#define\\s+NCCL_(?:MAJOR|MINOR|PATCH)\\s+(\\d+)");
    private static final String MISSING = "--vs nccl: there is no ";

    private record Installed(Path include, Path library) {
        /** As the header says: major, minor, patch. */
        List<Integer> numbers() {
            try {
                Matcher number = VERSION.matcher(Files.readString(include.resolve(HEADER)));
                List<Integer> numbers = new ArrayList<>();
                while (number.find()) {
                    numbers.add(Integer.parseInt(number.group(1)));
                }
                return numbers;
            } catch (IOException e) {
                throw new BenchException("--vs nccl: " + include.resolve(HEADER) + " cannot be read (" + e + ")");
            }
        }

        /** {@code 2.28.9} */
        String words() {
            return String.join(".", numbers().stream().map(String::valueOf).toList());
        }

        boolean isNewerThan(Installed other) {
            return Arrays.compare(numbers().toArray(new Integer[0]), other.numbers().toArray(new Integer[0])) > 0;
        }
    }

    private NcclPeer() {
    }

    /**
     * Makes it ready to run.
     *
     * @param environment of this process
     * @throws BenchException if it cannot be made here, with what is missing
     */
    static PeerProgram open(BenchJob job, Map<String, String> environment) {
        Path compiler = compiler(environment);
        Installed nccl = installed(environment, compiler);
        PeerFolder folder = new PeerFolder();
        try {
            compile(compiler, nccl, folder.unpack(PROGRAM, PROGRAM), folder.path().resolve("nccl_bench"));
        } catch (BenchException e) {
            folder.close();
            throw e;
        }
        long most = SizeList.parse(job.sizes()).stream().mapToLong(Long::longValue).max().orElse(0);
        String sized = most + " " + job.operations();
        String line = "./nccl_bench " + job.ranks() + " " + sized + " && ./nccl_bench " + job.ranks() + " symmetric "
            + sized;
        Map<String, String> set = new TreeMap<>();
        set.put(MULTICAST, environment.getOrDefault(MULTICAST, "0"));
        return new PeerProgram(NamedPeers.NCCL, "NCCL " + nccl.words() + ", " + nccl.library,
            "a process a GPU", List.of(List.of("/bin/sh", "-c", line)), new PeerEnvironment(List.of(), List.of(), set),
            folder, "above is why");
    }

    private static Path compiler(Map<String, String> environment) {
        List<Path> folders = new ArrayList<>();
        for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
            if (!folder.isEmpty()) {
                folders.add(Path.of(folder));
            }
        }
        for (String name : List.of("CUDA_HOME", "CUDA_PATH")) {
            if (environment.containsKey(name)) {
                folders.add(Path.of(environment.get(name), "bin"));
            }
        }
        folders.add(Path.of("/usr/local/cuda/bin"));
        return folders.stream().map(folder -> folder.resolve("nvcc")).filter(Files::isExecutable).findFirst()
            .orElseThrow(() -> new BenchException(MISSING + "nvcc on the PATH, in CUDA_HOME/bin or in"
                + " /usr/local/cuda/bin; install a CUDA toolkit, or say where it is: CUDA_HOME=/opt/cuda"));
    }

    /** Where NCCL_HOME says; else the newest of what the system has and pip has put somewhere. */
    private static Installed installed(Map<String, String> environment, Path compiler) {
        List<Path> looked = new ArrayList<>();
        if (environment.containsKey("NCCL_HOME")) {
            looked.add(Path.of(environment.get("NCCL_HOME")));
        } else {
            looked.add(Path.of("/usr"));
            looked.add(compiler.toAbsolutePath().getParent().getParent());
            looked.addAll(ofPip());
        }
        Installed best = null;
        for (Path home : looked) {
            Path include = home.resolve("include");
            if (Files.isReadable(include.resolve(HEADER))) {
                for (String lib : List.of("lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu")) {
                    Path library = library(home.resolve(lib));
                    Installed found = library == null ? null : new Installed(include, library);
                    best = found != null && (best == null || found.isNewerThan(best)) ? found : best;
                }
            }
        }
        if (best != null) {
            return best;
        }
        throw new BenchException(MISSING + "NCCL: neither include/" + HEADER + " with a lib/" + LIBRARY + " in "
            + String.join(", ", looked.stream().map(Path::toString).toList())
            + (environment.containsKey("NCCL_HOME") ? "" : ", nor python3's package nvidia.nccl")
            + "; install it (Debian, Ubuntu: libnccl-dev; pip: nvidia-nccl-cu13), or say where it is:"
            + " NCCL_HOME=/opt/nccl");
    }

    private static List<Path> ofPip() {
        try {
            Process process = new ProcessBuilder(PIP).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() != 0 ? List.of() : text.lines().map(Path::of).toList();
        } catch (IOException e) {
            return List.of(); // there is no python3
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("--vs nccl: interrupted");
        }
    }

    /** libnccl.so, or libnccl.so.2 as pip has it alone; null if there is none. */
    private static Path library(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(LIBRARY)).sorted().findFirst()
                .orElse(null);
        } catch (IOException e) {
            return null; // no such folder
        }
    }

    private static void compile(Path compiler, Installed nccl, Path source, Path program) {
        int code = PeerProgram.read(
            List.of(compiler.toString(), "-O2", "-std=c++17", "-I" + nccl.include, "-o", program.toString(),
                source.toString(), "-Xlinker", nccl.library + ",-rpath=" + nccl.library.getParent()),
            "--vs nccl", compiler + " cannot be run", line -> null, row -> {
            });
        if (code != 0) {
            throw new BenchException("--vs nccl: " + compiler + " cannot compile " + PROGRAM + " with "
                + nccl.library + " (above is why); use a CUDA toolkit and an NCCL that fit together");
        }
    }
}
