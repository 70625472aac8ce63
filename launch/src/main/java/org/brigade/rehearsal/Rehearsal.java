package org.brigade.rehearsal;

import java.io.IOException;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import mpi.MPI;
import mpi.MPIException;
import org.brigade.launch.Launcher;
import org.brigade.topology.system.HostShape;

/**
 * A short program of 2 ranks that loads the classes which programs and mpjrun use. The commands of bin/ run it once for
 * each JDK to make an archive of those classes, which later JVMs map instead of loading and verifying them.
 *
 * <p>
 * The JDK's classes come from what the program does. Of the jar's own classes all are loaded, as other numbers of ranks
 * use other algorithms.
 */
public final class Rehearsal {
    /** The argument of a program that mpjrun starts in the rehearsal, and that does nothing. */
    private static final String SILENT = "silent";
    private static final String[] PACKAGES = {"mpi/", "org/brigade/"};
    private static final String CLASS = ".class";

    private Rehearsal() {
    }

    public static void main(String[] arguments) throws MPIException, IOException {
        if (arguments.length > 0 && arguments[0].equals(SILENT)) {
            return;
        }
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        RehearsedCalls.all(MPI.COMM_WORLD);
        HostShape.here(); // as Init does where brigade tune has written a table
        MPI.Finalize();
        if (rank == 0) {
            loadJar();
            Launcher.main(new String[] {"-np", "2", Rehearsal.class.getName(), SILENT});
        }
    }

    private static void loadJar() throws IOException {
        ClassLoader loader = Rehearsal.class.getClassLoader();
        try (JarFile jar = new JarFile(System.getProperty("java.class.path"))) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements();) {
                String name = entries.nextElement().getName();
                if (name.endsWith(CLASS) && (name.startsWith(PACKAGES[0]) || name.startsWith(PACKAGES[1]))) {
                    load(name.substring(0, name.length() - CLASS.length()).replace('/', '.'), loader);
                }
            }
        }
    }

    private static void load(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            // It needs a library that is not there, such as JCuda, so no program uses it here.
        }
    }
}
