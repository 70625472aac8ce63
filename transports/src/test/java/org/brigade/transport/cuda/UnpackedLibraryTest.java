package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import jcuda.LibUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedLibraryTest {
    private static final String LIBRARY = "/lib/libJCudaDriver-12.6.0-linux-x86_64.so";

    @TempDir
    private Path folder;

    private static byte[] expected() throws Exception {
        try (InputStream in = LibUtils.class.getResourceAsStream(LIBRARY)) {
            return in.readAllBytes();
        }
    }

    @Test
    void whoeverReadsTheFileFindsAllOfIt() throws Exception {
        byte[] expected = expected();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            Callable<byte[]> unpackAndRead = () -> Files.readAllBytes(UnpackedLibrary.unpack(LibUtils.class, LIBRARY, folder));
            List<Future<byte[]>> found = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                found.add(threads.submit(unpackAndRead));
            }
            for (Future<byte[]> file : found) {
                assertArrayEquals(expected, file.get());
            }
        } finally {
            threads.shutdown();
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(1, left.count(), "parts are left behind");
        }
    }

    @Test
    void aFileThatWasCutShortIsReplaced() throws Exception {
        Path file = folder.resolve(LIBRARY.substring(5));
        Files.write(file, new byte[] {1, 2, 3});
        assertEquals(file, UnpackedLibrary.unpack(LibUtils.class, LIBRARY, folder));
        assertArrayEquals(expected(), Files.readAllBytes(file));
    }

    @Test
    void aFileThatIsThereIsUsedAsItIs() throws Exception {
        Path file = UnpackedLibrary.unpack(LibUtils.class, LIBRARY, folder);
        Object inode = Files.getAttribute(file, "unix:ino");
        UnpackedLibrary.unpack(LibUtils.class, LIBRARY, folder);
        assertEquals(inode, Files.getAttribute(file, "unix:ino"));
    }

    @Test
    void theDriversLibraryIsFoundByTheNameThatJCudaUses() {
        assertEquals(LIBRARY, CudaDriver.library());
    }

    @Test
    void aLibraryForAnotherSystemIsNotThere() throws Exception {
        assertNull(UnpackedLibrary.unpack(LibUtils.class, "/lib/libJCudaDriver-12.6.0-linux-alpha.so", folder));
    }
}
