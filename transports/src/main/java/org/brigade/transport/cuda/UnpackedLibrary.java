package org.brigade.transport.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Puts a native library from a jar where JCuda looks for it, whole or not at all. JCuda unpacks its libraries into {@code java.io.tmpdir} itself, under a
 * fixed name and while others may be loading the half-written file: several JVMs that start at once die of SIGBUS. A file that is
 * already there in full is used as it is.
 */
final class UnpackedLibrary {
    private UnpackedLibrary() {
    }

    /**
     * Unpacks a resource into a folder, safely beside any number of other processes that do the same.
     *
     * @return the file; null if there is no such resource
     * @throws IOException if the folder cannot be written to
     */
    static Path unpack(Class<?> owner, String resource, Path folder) throws IOException {
        URL url = owner.getResource(resource);
        if (url == null) {
            return null;
        }
        Path file = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false); // else closing the stream closes the jar that the class loader reads from
        try (InputStream in = connection.getInputStream()) {
            if (Files.exists(file) && Files.size(file) == connection.getContentLengthLong()) {
                return file;
            }
            // In the same folder, so that the move is a rename: whoever has the old file open keeps it, whoever comes later gets the new one.
            Path whole = Files.createTempFile(folder, file.getFileName() + ".", ".part");
            try {
                Files.copy(in, whole, StandardCopyOption.REPLACE_EXISTING);
                Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(whole);
            }
        }
        return file;
    }
}
