package org.brigade.aggregation.sharp;

import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The libsharp_coll of the tests: compiled once in this process by the system's C compiler. */
public final class FakeSharp {
    private static NativeLibrary library;
    private static Path file;

    private FakeSharp() {
    }

    /** Where it is. */
    public static synchronized Path file() throws IOException, InterruptedException {
        if (file == null) {
            Path source = Path.of("src/test/sharp/fake_sharp_coll.c").toAbsolutePath();
            Path built = Files.createTempDirectory("fake-sharp").resolve("libsharp_coll.so");
            Process compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-pthread", "-o",
                built.toString(), source.toString()).redirectErrorStream(true).start();
            String text = new String(compiler.getInputStream().readAllBytes());
            if (compiler.waitFor() != 0) {
                throw new IOException("cc " + source + ": " + text);
            }
            built.toFile().deleteOnExit();
            built.getParent().toFile().deleteOnExit();
            file = built;
            library = NativeLibrary.getInstance(built.toString());
        }
        return file;
    }

    /** Sets what contexts that are made from now on do wrong: {@code quota,lock=3}. */
    static void fault(String faults) throws IOException, InterruptedException {
        file();
        library.getFunction("fake_sharp_fault").invokeVoid(new Object[] {faults});
    }

    /** Contexts, communicators, registrations and requests that have not been given back, as digits; 0: none. */
    static int left() {
        return library.getFunction("fake_sharp_left").invokeInt(new Object[0]);
    }

    /** An offset or size as the C compiler lays the structs out. */
    public static long layout(int which) {
        return library.getFunction("fake_sharp_layout").invokeLong(new Object[] {which});
    }
}
