package org.brigade.cli.bench.versus;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.brigade.cli.shared.BenchException;

/**
 * A C MPI of this machine. Debian calls the compilers of several MPIs mpicc.openmpi and mpicc.mpich; elsewhere the one
 * on the PATH is mpicc. The macros of its mpi.h say what a compiler belongs to, whatever it is called.
 */
record InstalledMpi(MpiFamily family, String version, Path compiler, Path launcher) {
    /** @throws BenchException if there is none, with the cure */
    static InstalledMpi find(MpiFamily family, String searched) {
        List<String> others = new ArrayList<>();
        for (String folder : (searched == null ? "" : searched).split(File.pathSeparator)) {
            for (String name : List.of("mpicc." + family.key, "mpicc")) {
                Path compiler = Path.of(folder, name);
                if (folder.isEmpty() || !compiler.toFile().canExecute()) {
                    continue;
                }
                String macros = macros(family, compiler);
                String version = family.version(macros);
                if (version != null) {
                    return new InstalledMpi(family, version, compiler, launcher(family, compiler));
                }
                for (MpiFamily other : MpiFamily.values()) {
                    if (other.version(macros) != null) {
                        others.add(compiler + " is " + other.words + "'s");
                    }
                }
            }
        }
        throw new BenchException("--vs " + family.key + ": there is no mpicc of " + family.words + " on the PATH"
            + (others.isEmpty() ? "" : " (" + String.join(", ", others) + ")") + "; " + cure(family));
    }

    private static String cure(MpiFamily family) {
        return "install it (Debian, Ubuntu: apt-get install gcc " + family.packages
            + ") or put the folder of its mpicc and mpirun on the PATH";
    }

    /** The macros that a compiler's mpi.h defines. */
    private static String macros(MpiFamily family, Path compiler) {
        try {
            Process process = new ProcessBuilder(compiler.toString(), "-E", "-dM", "-x", "c", "-")
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try (var in = process.getOutputStream()) {
                in.write("#include <mpi.h>\n".getBytes(StandardCharsets.US_ASCII));
            }
            String macros = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new BenchException("--vs " + family.key + ": " + compiler
                    + " cannot compile (above is why); " + cure(family));
            }
            return macros;
        } catch (IOException e) {
            throw new BenchException(
                "--vs " + family.key + ": " + compiler + " cannot be run: " + e.getMessage() + "; " + cure(family));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("--vs " + family.key + ": interrupted");
        }
    }

    /** The launcher beside a compiler, with the same suffix. */
    private static Path launcher(MpiFamily family, Path compiler) {
        String suffix = compiler.getFileName().toString().substring("mpicc".length());
        for (String name : family.launchers) {
            Path launcher = compiler.resolveSibling(name + suffix);
            if (launcher.toFile().canExecute()) {
                return launcher;
            }
        }
        throw new BenchException("--vs " + family.key + ": there is no mpirun" + suffix + " beside " + compiler + "; "
            + cure(family));
    }

    /**
     * The jar of its bindings for Java, which it installs beside its libraries.
     *
     * @throws BenchException if it was built without them
     */
    Path bindings() {
        try {
            Path root = compiler.toAbsolutePath().getParent().getParent();
            for (Path folder : List.of(root.resolve("lib"), root.resolve("lib64"),
                launcher.toRealPath().getParent().resolveSibling("lib"))) {
                if (Files.isReadable(folder.resolve("mpi.jar"))) {
                    return folder.resolve("mpi.jar");
                }
            }
        } catch (IOException e) {
            throw new BenchException("--vs openmpi-java: " + launcher + " cannot be read: " + e.getMessage());
        }
        throw new BenchException("--vs openmpi-java: " + words() + " of " + compiler + " has no lib/mpi.jar; build it"
            + " with --enable-mpi-java and put its mpicc and mpirun first on the PATH");
    }

    /**
     * Compiles a program into a file.
     *
     * @throws BenchException if the compiler fails; it has said why on standard error
     */
    void compile(Path source, Path program) {
        int code = PeerProgram.read(
            List.of(compiler.toString(), "-O3", "-w", "-o", program.toString(), source.toString()),
            "--vs " + family.key,
            compiler + " cannot be run", line -> null, row -> {
            });
        if (code != 0) {
            throw new BenchException("--vs " + family.key + ": " + compiler + " cannot compile "
                + source.getFileName() + " (above is why); " + cure(family));
        }
    }

    /** The words for a report: {@code Open MPI 4.1.4}. */
    String words() {
        return family.words + " " + version;
    }
}
