package org.brigade.transport.hostmpi;

import java.util.ArrayList;
import java.util.List;
import mpi.MPIException;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.Job;
import org.brigade.select.TuningException;
import org.brigade.setting.Portable;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.hostmpi.library.HostMpiException;

/** Describes this node's MPI to people. */
public final class HostMpiInventory {
    private static final String[] LEVELS =
        {"single: one thread calls for all", "funneled: the thread that began calls for all",
            "serialized: threads may call one at a time", "multiple: all threads may call"};

    private HostMpiInventory() {
    }

    /**
     * Null if an MPI can be loaded, and it is the launcher's if a launcher has one; else why not, as a sentence with
     * its cure. That may be JNA, through which an MPI is called, or the user's setting.
     */
    public static String missing() {
        if (Portable.ON) {
            return Portable.WHY;
        }
        Job job = job();
        try {
            return job != null && Kind.of(job).length > 0 ? HostMpiLibrary.missing(job) : HostMpiLibrary.missingAny();
        } catch (TuningException wrong) {
            return wrong.getMessage();
        } catch (LinkageError e) {
            return "JNA cannot be loaded (" + e.getMessage() + "); set XDG_CACHE_HOME to a folder of yours where files"
                + " may be written and executed";
        }
    }

    private static Job job() {
        try {
            return Parts.load().bootstrap().job();
        } catch (MPIException e) {
            return null;
        }
    }

    /**
     * Describes the library and the thread level that it grants. The library is started for this only under its own
     * launcher. Call this only if nothing is {@link #missing}.
     */
    public static List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
            HostMpi.version() + ", MPI " + HostMpi.standard() + ", ABI of " + HostMpi.abi() + ", " + HostMpi.path());
        Job job = job();
        if (job == null || Kind.of(job).length == 0) {
            lines.add("thread level: unknown until it runs, under its mpirun");
            return lines;
        }
        try {
            if (!HostMpi.isInitialized()) {
                HostMpi.initialize();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> HostMpi.finish(HostMpiSession.FINISH_MILLIS)));
            }
            lines.add("thread level " + LEVELS[HostMpi.threadLevel()]);
            lines.add(HostMpi.isCudaAware() ? "CUDA-aware: reads and writes device memory itself"
                : "not CUDA-aware: device memory goes by way of page-locked host memory");
        } catch (HostMpiException e) {
            lines.add("does not start: " + e.getMessage());
        }
        return lines;
    }
}
