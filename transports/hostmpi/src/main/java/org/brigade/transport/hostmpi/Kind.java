package org.brigade.transport.hostmpi;

import org.brigade.bootstrap.Job;

/** The MPI that a launcher belongs to, and the names of its library, the most specific first. */
enum Kind {
    OPEN_MPI("Open MPI", "libmpi.so.40", "libmpi_abi.so.1", "libmpi.so"),
    /** MPICH, and the MPIs with its ABI: Intel MPI, MVAPICH, Cray MPICH. */
    MPICH("MPICH", "libmpich.so.12", "libmpi.so.12", "libmpi_cray.so.12", "libmpi_abi.so.1", "libmpi.so");

    private static final String[] WITH_PMIX = {"PMIX_NAMESPACE", "PMIX_RANK"};

    final String label;
    final String[] names;

    Kind(String label, String... names) {
        this.label = label;
        this.names = names;
    }

    /** The MPIs that may have launched a job, the likelier first; none if the launcher is no MPI. */
    static Kind[] of(Job job) {
        return switch (job.launcher()) {
            case "Open MPI" -> new Kind[] {OPEN_MPI};
            case "PMI" -> new Kind[] {MPICH};
            case "Slurm" -> isPmix() ? new Kind[] {OPEN_MPI, MPICH} : new Kind[] {MPICH, OPEN_MPI};
            default -> new Kind[0];
        };
    }

    private static boolean isPmix() {
        for (String variable : WITH_PMIX) {
            if (System.getenv(variable) != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a library can be of this kind. {@code openMpi} tells whether it has Open MPI's own symbols: a library
     * with the standard ABI has its maker's symbols as well.
     */
    boolean fits(boolean openMpi) {
        return (this == OPEN_MPI) == openMpi;
    }
}
