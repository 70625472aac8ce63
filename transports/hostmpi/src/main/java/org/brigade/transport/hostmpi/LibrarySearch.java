package org.brigade.transport.hostmpi;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.brigade.process.ProcessStat;

/**
 * Where the library of the MPI that launched this process may be. The search tries the directories from which the
 * launcher, an ancestor of this process, has loaded its own libraries; the directories beside the launcher's program;
 * the places that the environment names; and the system loader's own search.
 */
final class LibrarySearch {
    private static final String[] VARIABLES =
        {"OPAL_LIBDIR", "OPAL_PREFIX", "MPI_HOME", "MPI_ROOT", "I_MPI_ROOT", "MPICH_DIR", "CRAY_MPICH_DIR"};
    private static final String[] BELOW = {"", "/lib", "/lib64", "/lib/release"};
    /** Libraries that show where a launcher's MPI is. */
    private static final String[] BETRAYING =
        {"libmpi", "libopen-rte", "libopen-pal", "libprrte", "libprte", "libpmix"};
    private static final String OPEN_MPI_SYMBOL = "ompi_mpi_comm_world";

    private final List<String> directories = new ArrayList<>();

    /** Collects the directories; loads nothing. */
    LibrarySearch() {
        for (ProcessStat above = parent(ProcessStat.self()); above != null && above.pid() > 1; above = parent(above)) {
            lookAt("/proc/" + above.pid());
        }
        for (String variable : VARIABLES) {
            String place = System.getenv(variable);
            if (place != null && !place.isEmpty()) {
                addBelow(place);
            }
        }
    }

    private static ProcessStat parent(ProcessStat process) {
        return process == null ? null : ProcessStat.of(process.parent());
    }

    private void lookAt(String process) {
        String program;
        try {
            program = Files.readSymbolicLink(new File(process, "exe").toPath()).toString();
        } catch (IOException notOurs) {
            return;
        }
        if (!isLauncher(new File(program).getName())) {
            return;
        }
        try (FileInputStream maps = new FileInputStream(process + "/maps")) {
            addMapped(new String(maps.readAllBytes(), StandardCharsets.ISO_8859_1));
        } catch (IOException unreadable) {
            // the launcher's program is enough to go on
        }
        File bin = new File(program).getParentFile();
        if (bin != null && bin.getParent() != null) {
            addBelow(bin.getParent());
        }
    }

    private static boolean isLauncher(String program) {
        return program.startsWith("orte") || program.startsWith("prte") || program.startsWith("prun")
            || program.startsWith("orted") || program.startsWith("hydra") || program.startsWith("mpiexec")
            || program.startsWith("mpirun") || program.startsWith("slurmstepd");
    }

    private void addMapped(String maps) {
        for (String name : BETRAYING) {
            for (int at = maps.indexOf("/" + name); at >= 0; at = maps.indexOf("/" + name, at + 1)) {
                int start = maps.lastIndexOf(' ', at);
                if (maps.lastIndexOf('\n', at) < start) {
                    add(maps.substring(start + 1, at));
                }
            }
        }
    }

    private void addBelow(String place) {
        for (String below : BELOW) {
            add(place + below);
        }
        // The layout of Debian and its relatives.
        add(place + "/lib/" + (System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch"))
            + "-linux-gnu");
    }

    private void add(String directory) {
        if (!directories.contains(directory) && new File(directory).isDirectory()) {
            directories.add(directory);
        }
    }

    /** Files and names to try, in this order; names without a directory are for the system's loader. */
    List<String> candidates(Kind kind) {
        List<String> candidates = new ArrayList<>();
        for (String directory : directories) {
            for (String name : kind.names) {
                File file = new File(directory, name);
                if (file.isFile() && kind.fits(namesOpenMpi(file))) {
                    candidates.add(file.getPath());
                }
            }
        }
        for (String name : kind.names) {
            // Which MPI a bare libmpi.so belongs to is known only after loading it.
            if (!name.equals("libmpi.so")) {
                candidates.add(name);
            }
        }
        return candidates;
    }

    List<String> directories() {
        return directories;
    }

    private static boolean namesOpenMpi(File file) {
        try {
            return new String(Files.readAllBytes(file.toPath()), StandardCharsets.ISO_8859_1).contains(OPEN_MPI_SYMBOL);
        } catch (IOException unreadable) {
            return false;
        }
    }
}
