package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JCudaNativesTest {
    @TempDir
    private Path folder;

    private List<String> unpacked() {
        String[] names = folder.toFile().list();
        assertNotNull(names);
        Arrays.sort(names);
        return List.of(names);
    }

    @Test
    void theLibrariesOfTheJarOnTheClassPathAreUnpacked() throws Exception {
        JCudaNatives.unpack("a.jar:/m/jcuda-natives-12.6.0-linux-x86_64.jar:b.jar", folder.toFile());
        assertEquals(List.of("libJCudaDriver-12.6.0-linux-x86_64.so", "libJCudaRuntime-12.6.0-linux-x86_64.so"), unpacked());
        assertArrayEquals(jcuda.LibUtils.class.getResourceAsStream("/lib/libJCudaRuntime-12.6.0-linux-x86_64.so").readAllBytes(),
            Files.readAllBytes(folder.resolve("libJCudaRuntime-12.6.0-linux-x86_64.so")));
    }

    @Test
    void withoutTheJarNothingHappens() {
        JCudaNatives.unpack("a.jar:jcuda-12.6.0.jar:classes", folder.toFile());
        JCudaNatives.unpack("/m/jcuda-natives-0.1-linux-x86_64.jar", folder.toFile());
        JCudaNatives.unpack("jcuda-natives-", folder.toFile());
        assertEquals(List.of(), unpacked());
    }

    @Test
    void aFolderThatCannotBeWrittenToIsNoError() {
        JCudaNatives.unpack("jcuda-natives-12.6.0-linux-x86_64.jar", new File(folder.toFile(), "missing"));
        assertEquals(List.of(), unpacked());
    }
}
