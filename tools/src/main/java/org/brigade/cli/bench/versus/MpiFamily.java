package org.brigade.cli.bench.versus;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The C MPI libraries that {@code bench --vs} knows, and how each is recognised, started and set to its defaults. */
enum MpiFamily {
    OPEN_MPI("openmpi", "Open MPI", "openmpi-bin libopenmpi-dev", List.of("mpirun", "mpiexec"),
        new PeerEnvironment(List.of("OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_", "PRTE_", "UCX_"),
            List.of("OMPI_MCA_plm", "OMPI_MCA_ras", "PRTE_MCA_plm", "PRTE_MCA_ras"),
            Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"))) {
        @Override
        String version(String macros) {
            String major = number(macros, "OMPI_MAJOR_VERSION");
            return major == null ? null
                : major + "." + number(macros, "OMPI_MINOR_VERSION") + "." + number(macros, "OMPI_RELEASE_VERSION");
        }

        @Override
        List<String> placement(boolean ownCores) {
            return ownCores ? List.of("--bind-to", "core") : List.of("--bind-to", "none", "--oversubscribe");
        }
    },
    MPICH("mpich", "MPICH", "mpich libmpich-dev", List.of("mpirun", "mpiexec"),
        new PeerEnvironment(List.of("MPICH_", "MPIR_CVAR_", "MPIR_PARAM_", "HYDRA_", "UCX_", "FI_"),
            List.of("HYDRA_LAUNCHER", "HYDRA_HOST", "HYDRA_RMK"), Map.of())) {
        @Override
        String version(String macros) {
            return number(macros, "MPICH_VERSION");
        }

        @Override
        List<String> placement(boolean ownCores) {
            return ownCores ? List.of("-bind-to", "core") : List.of();
        }
    };

    /** The name on the command line, and Debian's suffix of its programs. */
    final String key;
    final String words;
    /** Debian's packages. */
    final String packages;
    final List<String> launchers;
    final PeerEnvironment environment;

    MpiFamily(String key, String words, String packages, List<String> launchers, PeerEnvironment environment) {
        this.key = key;
        this.words = words;
        this.packages = packages;
        this.launchers = launchers;
        this.environment = environment;
    }

    /** The version from the macros that its mpi.h defines; null if the header is another library's. */
    abstract String version(String macros);

    /** The launcher's options for a job whose ranks have a core each, or have not. */
    abstract List<String> placement(boolean ownCores);

    private static String number(String macros, String name) {
        Matcher macro = Pattern.compile("#define " + name + " \"?([0-9A-Za-z.]+)\"?").matcher(macros);
        return macro.find() ? macro.group(1) : null;
    }
}
