package org.brigade.transport.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.brigade.nativ.PrivateFolder;
import org.brigade.process.Strangers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JCudaNativesTest {
    private static final String JAR = "jcuda-natives-12.6.0-linux-x86_64.jar";
    private static final String DRIVER = "libJCudaDriver-12.6.0-linux-x86_64.so";
    private static final String RUNTIME = "libJCudaRuntime-12.6.0-linux-x86_64.so";

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
        JCudaNatives.unpack("a.jar:/m/jcuda-natives-12.6.0-linux-x86_64.jar:b.jar", folder);
        assertEquals(List.of("libJCudaDriver-12.6.0-linux-x86_64.so", "libJCudaRuntime-12.6.0-linux-x86_64.so"),
            unpacked());
        assertArrayEquals(
            jcuda.LibUtils.class.getResourceAsStream("/lib/libJCudaRuntime-12.6.0-linux-x86_64.so").readAllBytes(),
            Files.readAllBytes(folder.resolve("libJCudaRuntime-12.6.0-linux-x86_64.so")));
    }

    /** As JCuda leaves it that was killed while it unpacked. */
    @Test
    void aTornLibraryIsUnpackedAnewAndAWholeOneStays() throws Exception {
        String jar = Path.of(jcuda.LibUtils.class.getResource("/lib/" + DRIVER).toString()
            .replaceFirst("^jar:file:", "").replaceFirst("!.*", "")).toString();
        JCudaNatives.unpack("a.jar:" + jar + ":b.jar", folder);
        Object inode = Files.getAttribute(folder.resolve(DRIVER), "unix:ino");
        byte[] torn = content(RUNTIME);
        Arrays.fill(torn, torn.length / 2, torn.length, (byte) 0);
        Files.write(folder.resolve(RUNTIME), torn);
        JCudaNatives.unpack("a.jar:" + jar + ":b.jar", folder);
        assertEquals(inode, Files.getAttribute(folder.resolve(DRIVER), "unix:ino"));
        assertArrayEquals(content(RUNTIME), Files.readAllBytes(folder.resolve(RUNTIME)));
    }

    @Test
    void withoutTheJarNothingHappens() throws Exception {
        JCudaNatives.unpack("a.jar:jcuda-12.6.0.jar:classes", folder);
        JCudaNatives.unpack("/m/jcuda-natives-0.1-linux-x86_64.jar", folder);
        JCudaNatives.unpack("jcuda-natives-", folder);
        assertEquals(List.of(), unpacked());
    }

    @Test
    void aFolderThatCannotBeWrittenToIsNotUsed() throws Exception {
        assertNotEquals(folder.resolve("missing"), JCudaNatives.unpack(JAR, folder.resolve("missing")));
        assertEquals(List.of(), unpacked());
    }

    /** The attack: somebody else has put a library of his own where JCuda looks. */
    @Test
    void aLibraryOfAnotherUsersIsNotLoaded() throws Exception {
        Path planted = folder.resolve(DRIVER);
        Files.write(planted, new byte[] {1, 2, 3});
        Strangers.give(planted);
        Path place = JCudaNatives.unpack(JAR, folder);
        assertArrayEquals(content(DRIVER), Files.readAllBytes(place.resolve(DRIVER)));
        assertNull(PrivateFolder.complaint(place.resolve(DRIVER)));
    }

    @Test
    void aFolderInWhichOthersMayExchangeFilesIsNotUsed() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path place = JCudaNatives.unpack(JAR, folder);
        assertNotEquals(folder, place);
        for (String name : List.of(DRIVER, RUNTIME)) {
            assertArrayEquals(content(name), Files.readAllBytes(place.resolve(name)));
        }
        assertEquals(List.of(), unpacked());
    }

    @Test
    void aLibraryThatNoJarHasIsNotLookedForInAFolderOfOthers() throws Exception {
        assertNotEquals(folder,
            JCudaNatives.place(jcuda.LibUtils.class, "/lib/libJCudaDriver-12.6.0-linux-alpha.so", folder));
    }

    @Test
    void theDriversLibraryIsFoundByTheNameThatJCudaUses() {
        assertEquals("/lib/" + DRIVER, CudaDriver.library());
    }

    private static byte[] content(String name) throws Exception {
        return jcuda.LibUtils.class.getResourceAsStream("/lib/" + name).readAllBytes();
    }
}
