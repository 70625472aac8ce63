package org.brigade.transport.hostmpi;

import java.util.List;
import org.brigade.bootstrap.Job;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.transport.hostmpi.library.HostMpi;

/** The MPI library of this process. It is found and loaded on first use, but not started. */
final class HostMpiLibrary {
    /** Names the library's file, for cases where the search would find none or the wrong one. */
    static final String VARIABLE = "BRIGADE_MPI_LIBRARY";
    private static final String SETTING = "mpi.library";

    private static boolean tried;
    private static String missing;
    private static TuningException wrong;

    private HostMpiLibrary() {
    }

    /**
     * Null if the library of the MPI that launched a job is loaded; else why not, as a sentence with its cure.
     *
     * @throws TuningException if the user has named a library that cannot be used
     */
    static synchronized String missing(Job job) {
        Kind[] kinds = Kind.of(job);
        if (kinds.length == 0) {
            return "this process was started by " + (job.launcher().equals("none") ? "hand" : job.launcher())
                + ", not by an MPI; start the job with the mpirun of Open MPI or MPICH, or with srun";
        }
        return missing(kinds);
    }

    /** Null if any MPI is loaded, whatever launched this process; else why not. */
    static synchronized String missingAny() {
        return missing(Kind.values());
    }

    private static String missing(Kind[] kinds) {
        if (!tried) {
            tried = true;
            try {
                missing = load(kinds);
            } catch (TuningException e) {
                wrong = e;
            }
        }
        if (wrong != null) {
            throw wrong;
        }
        return missing;
    }

    private static String load(Kind[] kinds) {
        Settings settings = Settings.ofThisProcess();
        String wish = settings.get(SETTING);
        if (wish != null) {
            String failure = load(wish);
            if (failure != null) {
                throw new TuningException(settings.origin(SETTING) + " cannot be used: " + failure
                    + "; set it to the file of an MPI library, or unset it");
            }
            return null;
        }
        LibrarySearch search = new LibrarySearch();
        StringBuilder looked = new StringBuilder();
        for (Kind kind : kinds) {
            List<String> candidates = search.candidates(kind);
            for (String candidate : candidates) {
                String failure = load(candidate);
                if (failure == null) {
                    return null;
                }
                looked.append(looked.isEmpty() ? "" : ", ").append(candidate)
                    .append(candidate.indexOf('/') >= 0 ? " (" + failure + ")" : "");
            }
        }
        StringBuilder names = new StringBuilder();
        for (Kind kind : kinds) {
            names.append(names.isEmpty() ? "" : " or ").append(kind.label);
        }
        return "the library of " + names + " was not found: looked for " + looked
            + " in LD_LIBRARY_PATH, the system's directories"
            + (search.directories().isEmpty() ? "" : " and " + String.join(", ", search.directories()))
            + "; install it on this node, or set " + VARIABLE + " to its file";
    }

    /** Null if the library was loaded; else why not. */
    private static String load(String library) {
        try {
            HostMpi.load(library);
            return null;
        } catch (UnsatisfiedLinkError e) {
            String text = e.getMessage() == null ? e.toString() : e.getMessage();
            int end = text.indexOf('\n');
            String first = end < 0 ? text : text.substring(0, end);
            return first.endsWith(":") ? first.substring(0, first.length() - 1) : first;
        }
    }
}
