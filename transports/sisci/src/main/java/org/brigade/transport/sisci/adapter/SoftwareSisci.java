package org.brigade.transport.sisci.adapter;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.brigade.interrupt.Nap;
import org.brigade.nativ.PrivateFolder;
import org.brigade.select.Settings;

/**
 * The software libsisci, built by the system's C compiler from the sources in brigade.jar, once for each version of
 * them, in a folder of this user's. Any number of processes may ask at once: each builds for itself, and the last
 * rename wins.
 */
public final class SoftwareSisci {
    public static final String[] SOURCES = {"connections.c", "dma.c", "events.c", "fabric.c", "faults.c",
        "interrupts.c", "library.c", "maps.c", "memory.c", "query.c", "segments.c", "sequences.c", "settings.c",
        "symbols.c", "timing.c", "weak.c", "fabric.h", "faults.h", "library.h", "settings.h", "sisci.h", "symbols.h",
        "timing.h"};

    private static final String FOLDER = "software/";
    private static final String[] COMPILERS = {"cc", "gcc", "clang"};
    private static final String[] OPTIONS = {"-std=c11", "-O2", "-fPIC", "-fvisibility=hidden", "-pthread", "-shared"};
    private static final long NAP_NANOS = 10_000_000L;
    private static final long PATIENCE_SECONDS = 120;

    private SoftwareSisci() {
    }

    /**
     * The library's file; builds it if it is missing.
     *
     * @throws IOException with a sentence that says what is missing, and the cure
     */
    public static Path library() throws IOException {
        String set = Settings.ofThisProcess().get("sisci.cache");
        return library(set != null ? Path.of(set) : PrivateFolder.ofThisUser());
    }

    public static Path library(Path folder) throws IOException {
        Map<String, byte[]> sources = sources();
        Path library = folder.resolve("libsisci-" + fingerprint(sources) + ".so");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new IOException("the software libsisci cannot be built in " + folder + " (" + e.getMessage()
                + "); set brigade.sisci.cache to a folder that this user may write to", e);
        }
        requireTrusted(folder);
        if (PrivateFolder.complaint(library) != null) { // missing, or not made by this user
            build(sources, folder, library);
        }
        requireTrusted(library);
        return library;
    }

    private static void requireTrusted(Path place) throws IOException {
        String complaint = PrivateFolder.complaint(place);
        if (complaint != null) {
            throw new IOException("the software libsisci cannot be loaded from " + place + ": " + complaint
                + "; set brigade.sisci.cache to a folder that only this user may write to");
        }
    }

    private static Map<String, byte[]> sources() throws IOException {
        Map<String, byte[]> sources = new TreeMap<>();
        for (String name : SOURCES) {
            try (InputStream in = SoftwareSisci.class.getResourceAsStream(FOLDER + name)) {
                if (in == null) {
                    throw new IOException("brigade.jar lacks " + name + " of the software libsisci; use the whole jar");
                }
                sources.put(name, in.readAllBytes());
            }
        }
        return sources;
    }

    private static String fingerprint(Map<String, byte[]> sources) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String option : OPTIONS) {
                digest.update(option.getBytes(StandardCharsets.US_ASCII));
            }
            for (Map.Entry<String, byte[]> source : sources.entrySet()) {
                digest.update(source.getKey().getBytes(StandardCharsets.US_ASCII));
                digest.update(source.getValue());
            }
            return System.getProperty("os.arch") + "-" + HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    private static void build(Map<String, byte[]> sources, Path folder, Path library) throws IOException {
        Path work = Files.createTempDirectory(folder, "build",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            for (Map.Entry<String, byte[]> source : sources.entrySet()) {
                Files.write(work.resolve(source.getKey()), source.getValue());
            }
            compile(work);
            Files.move(work.resolve("libsisci.so"), library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            File[] left = work.toFile().listFiles();
            for (File file : left == null ? new File[0] : left) {
                Files.deleteIfExists(file.toPath());
            }
            Files.deleteIfExists(work);
        }
    }

    private static void compile(Path work) throws IOException {
        for (String compiler : COMPILERS) {
            List<String> command = new ArrayList<>(List.of(compiler));
            command.addAll(List.of(OPTIONS));
            command.addAll(List.of("-o", "libsisci.so"));
            for (String name : SOURCES) {
                if (name.endsWith(".c")) {
                    command.add(name);
                }
            }
            command.add("-lrt");
            Path words = work.resolve("compiler.txt");
            Process process;
            try {
                process = new ProcessBuilder(command).directory(work.toFile()).redirectErrorStream(true)
                    .redirectOutput(words.toFile()).start();
            } catch (IOException absent) {
                continue;
            }
            finish(process, compiler, words);
            return;
        }
        throw new IOException(
            "BRIGADE_SISCI=emulated needs a C compiler to build the software libsisci, and there is none (cc, gcc,"
                + " clang); install one");
    }

    private static void finish(Process process, String compiler, Path words) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (process.isAlive()) {
            if (System.nanoTime() - deadline > 0) {
                process.destroyForcibly();
                throw new IOException(compiler + " did not build the software libsisci in " + PATIENCE_SECONDS
                    + " s; look what holds it up");
            }
            Nap.nanos(NAP_NANOS);
        }
        if (process.exitValue() != 0) {
            throw new IOException(compiler + " cannot build the software libsisci: "
                + Files.readString(words, StandardCharsets.UTF_8).strip());
        }
    }
}
