package org.brigade.cli.bench.versus;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.brigade.cli.shared.BenchException;

/** A private temporary folder for a peer's program. It is deleted when it is closed, or when this process ends. */
final class PeerFolder implements AutoCloseable {
    private final Path folder;
    private final Thread hook = new Thread("end of the peer's folder") {
        @Override
        public void run() {
            delete(folder.toFile());
        }
    };

    PeerFolder() {
        try {
            folder = Files.createTempDirectory("brigade-peer"); // for this user only
        } catch (IOException e) {
            throw new BenchException("--vs: no folder in " + System.getProperty("java.io.tmpdir") + " ("
                + e.getMessage() + "); set java.io.tmpdir to a folder that you may write to");
        }
        Runtime.getRuntime().addShutdownHook(hook);
    }

    Path path() {
        return folder;
    }

    /** Copies a resource that stands beside {@link PeerFolder}. @return the copy */
    Path unpack(String resource, String as) {
        Path copy = folder.resolve(as);
        try (InputStream in = PeerFolder.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new BenchException("brigade-tools.jar lacks " + resource + "; use the whole jar");
            }
            Files.createDirectories(copy.getParent());
            Files.copy(in, copy);
        } catch (IOException e) {
            throw new BenchException("--vs: " + copy + " cannot be written (" + e.getMessage()
                + "); set java.io.tmpdir to a folder with room");
        }
        return copy;
    }

    /** Copies classes into this folder, which a class path may name then. */
    void unpack(Class<?>... classes) {
        for (Class<?> each : classes) {
            unpack(each.getSimpleName() + ".class", each.getName().replace('.', '/') + ".class");
        }
    }

    @Override
    public void close() {
        delete(folder.toFile());
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook finds nothing left to do.
        }
    }

    private static void delete(File file) {
        File[] inside = file.listFiles();
        for (File each : inside == null ? new File[0] : inside) {
            delete(each);
        }
        file.delete();
    }
}
