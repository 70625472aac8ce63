package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The software libsisci of src/main/sisci and the claims about it of src/test/sisci, built when they are first asked
 * for, by the system's C compiler. A claim is a process that starts others as nodes.
 */
final class SisciClaims {
    /** A program and one of its claims. */
    record Claim(Path program, String name) {
        @Override
        public String toString() {
            return program.getFileName().toString().replace("_claims", "") + ": " + name.replace('_', ' ');
        }
    }

    private SisciClaims() {
    }

    /**
     * Builds into target/software-sisci/NAME, with further flags; skips the calling test where there is no C compiler.
     */
    static Path folder(String name, String... flags) throws IOException, InterruptedException {
        assumeTrue(installed(compiler()),
            compiler() + " is not installed, and the software libsisci is made with a C compiler (CC names another)");
        Path target = Path.of("target", "software-sisci", name).toAbsolutePath();
        List<String> command =
            new ArrayList<>(List.of("bash", Path.of("src", "test", "sisci", "build").toString(), target.toString()));
        command.addAll(Arrays.asList(flags));
        String log = run(command, 0);
        if (!log.isEmpty()) {
            throw new AssertionError("the software libsisci is made with words:\n" + log);
        }
        return target;
    }

    /**
     * Whether a program that is compiled with such a flag runs here; a sanitizer may lack its library, or not like the
     * kernel.
     */
    static boolean usable(String flag) throws IOException, InterruptedException {
        if (!installed(compiler())) {
            return false;
        }
        Path directory = Files.createTempDirectory("brigade-flag");
        try {
            Path source = Files.writeString(directory.resolve("empty.c"), "int main(void) {return 0;}\n"),
                program = directory.resolve("empty");
            return status(List.of(compiler(), flag, source.toString(), "-o", program.toString())) == 0
                && status(List.of(program.toString())) == 0;
        } finally {
            for (File file : directory.toFile().listFiles()) {
                file.delete();
            }
            Files.delete(directory);
        }
    }

    static List<Claim> claims(Path folder) throws IOException, InterruptedException {
        List<Path> programs;
        try (var files = Files.list(folder)) {
            programs = files.filter(file -> file.getFileName().toString().endsWith("_claims")).sorted().toList();
        }
        List<Claim> claims = new ArrayList<>();
        for (Path program : programs) {
            run(List.of(program.toString()), 0).lines().sorted().forEach(name -> claims.add(new Claim(program, name)));
        }
        return claims;
    }

    /** Tries a claim; empty if it holds, else where it does not. */
    static String failure(Claim claim, String... environment) throws IOException, InterruptedException {
        return run(List.of(claim.program().toString(), claim.name()), -1, environment);
    }

    /**
     * What a process says. It must end with that status, or, if that is -1, gets a line more for a status that is not
     * 0.
     */
    private static String run(List<String> command, int expected, String... environment)
        throws IOException, InterruptedException {
        Path log = Files.createTempFile("software-sisci", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("BRIGADE_"));
            for (int i = 0; i < environment.length; i += 2) {
                builder.environment().put(environment[i], environment[i + 1]);
            }
            Process process = builder.start();
            process.getOutputStream().close();
            int status = process.waitFor();
            String words = Files.readString(log);
            if (expected >= 0 && status != expected) {
                throw new AssertionError(String.join(" ", command) + " ended with status " + status + ":\n" + words);
            }
            return status == 0 ? words : words + "status " + status;
        } finally {
            Files.deleteIfExists(log);
        }
    }

    private static int status(List<String> command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start().waitFor();
    }

    private static String compiler() {
        String named = System.getenv("CC");
        return named == null || named.isEmpty() ? "cc" : named;
    }

    private static boolean installed(String command) {
        if (command.indexOf('/') >= 0) {
            return Files.isExecutable(Path.of(command));
        }
        for (String place : System.getenv("PATH").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(place, command))) {
                return true;
            }
        }
        return false;
    }
}
