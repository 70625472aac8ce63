package org.brigade.launch;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The launchers of Open MPI ({@code openmpi}) and MPICH ({@code mpich}) that this machine has, by whatever names:
 * distributions that have both, call neither of them mpirun for sure.
 */
public final class HostLauncher {
    private static final Map<String, List<String>> NAMES = Map.of("openmpi",
        List.of("mpirun.openmpi", "mpirun", "mpiexec"), "mpich", List.of("mpiexec.hydra", "mpiexec.mpich", "mpiexec"));
    private static final Map<String, String> SAYS =
        Map.of("openmpi", "(?s).*Open(RTE| MPI).*", "mpich", "(?s).*HYDRA.*");
    private static final Map<String, String> FOUND = new ConcurrentHashMap<>();

    /** What lets tests be root, and wait without keeping others from running; each release knows some of them. */
    public static final Map<String, String> ENVIRONMENT = Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", "OMPI_MCA_mpi_yield_when_idle", "1",
        "MPIR_CVAR_POLLS_BEFORE_YIELD", "1");

    private HostLauncher() {
    }

    /** The program; skips the test if there is none. */
    public static String of(String mpi) {
        String found = FOUND.computeIfAbsent(mpi, HostLauncher::find);
        assumeTrue(!found.isEmpty(),
            "the launcher of " + mpi + " is not installed (" + String.join(", ", NAMES.get(mpi)) + ")");
        return found;
    }

    /** A command that starts so many ranks of what is put behind it, be there cores for them or not. */
    public static List<String> ranks(String mpi, int ranks) {
        return mpi.equals("openmpi") ? List.of(of(mpi), "--oversubscribe", "-np", "" + ranks)
            : List.of(of(mpi), "-np", "" + ranks);
    }

    private static String find(String mpi) {
        for (String name : NAMES.get(mpi)) {
            try {
                Process process = new ProcessBuilder(name, "--version").redirectErrorStream(true).start();
                process.getOutputStream().close();
                if (new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .matches(SAYS.get(mpi))) {
                    return name;
                }
            } catch (IOException absent) {
                // the next
            }
        }
        return "";
    }
}
