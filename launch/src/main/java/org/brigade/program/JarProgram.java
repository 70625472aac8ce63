package org.brigade.program;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * A program in a jar, run with Brigade before it on the class path. {@code java -jar} ignores any other class path, so
 * this class reads the manifest.
 */
public final class JarProgram {
    private JarProgram() {
    }

    /** @throws IllegalArgumentException if the jar cannot be read or names no main class */
    public static Attributes manifest(String jar) {
        try (JarFile file = new JarFile(jar)) {
            Manifest manifest = file.getManifest();
            if (manifest == null || manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS) == null) {
                throw new IllegalArgumentException(
                    "-jar " + jar + ": its manifest names no Main-Class; name the class instead: -cp " + jar + " App");
            }
            return manifest.getMainAttributes();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                "-jar " + jar + ": cannot be read as a jar (" + e.getMessage() + "); check the path");
        }
    }

    /**
     * Runs the main class of the jar that is the first argument, with the other arguments. The jar must be on the class
     * path.
     */
    public static void main(String[] line) throws Throwable {
        String name;
        try {
            name = manifest(line[0]).getValue(Attributes.Name.MAIN_CLASS).trim();
        } catch (IllegalArgumentException e) {
            System.err.println("mpjava: " + e.getMessage());
            System.exit(1);
            return;
        }
        try {
            Class.forName(name).getMethod("main", String[].class).invoke(null,
                (Object) Arrays.copyOfRange(line, 1, line.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
