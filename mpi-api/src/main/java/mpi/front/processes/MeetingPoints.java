package mpi.front.processes;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.job.Handle;
import mpi.front.job.Hints;
import mpi.front.job.JobState;
import mpi.spi.InterCommunicator;
import mpi.spi.PortNames;

/** Checks the arguments of the calls with ports. */
public final class MeetingPoints {
    private MeetingPoints() {
    }

    public static String open(Hints info) {
        check("openPort", info);
        return ports("openPort").open(where("openPort"));
    }

    public static void close(String port) {
        ports("closePort").close(where("closePort"), port);
    }

    public static void publish(String service, Hints info, String port) {
        check("publishName", service, info);
        ports("publishName").publish(where("publishName"), service, port);
    }

    public static void unpublish(String service, Hints info, String port) {
        check("unpublishName", service, info);
        ports("unpublishName").unpublish(where("unpublishName"), service, port);
    }

    public static String lookup(String service, Hints info) {
        check("lookupName", service, info);
        return ports("lookupName").lookup(where("lookupName"), service);
    }

    /** Connect or accept. What is wrong with this rank's arguments, the other ranks must hear of. */
    public static InterCommunicator meet(Handle handle, String call, String port, Hints info, int root) {
        handle.lower(call);
        MPIException wrong = rootless(handle, call, root);
        if (wrong == null && Hints.isFreed(info)) {
            wrong = handle.error(ErrorClass.INFO, call, FREED);
        }
        if (wrong == null && handle.rank == root && port == null) {
            wrong = handle.error(ErrorClass.PORT, call,
                "the port is null; pass what openPort or lookupName has returned");
        }
        return handle.lower(call).meet(call, port, call.equals("accept"), root, wrong);
    }

    /** What is wrong with the root; null if nothing is. */
    static MPIException rootless(Handle handle, String call, int root) {
        return root >= 0 && root < handle.size ? null : handle.error(ErrorClass.ROOT, call,
            "root " + root + " is not a rank of this communicator; pass 0 <= root < " + handle.size);
    }

    static final String FREED = "the info has been freed; pass MPI.INFO_NULL for no hints";

    private static void check(String call, String service, Hints info) {
        if (service == null || service.isEmpty()) {
            JobState.provider(call);
            throw ErrorClass.ARG.in(where(call), "the service name is null or empty; pass a name");
        }
        check(call, info);
    }

    private static void check(String call, Hints info) {
        JobState.provider(call);
        if (Hints.isFreed(info)) {
            throw ErrorClass.INFO.in(where(call), FREED);
        }
    }

    private static PortNames ports(String call) {
        return JobState.provider(call).ports();
    }

    private static String where(String call) {
        return call + " on rank " + Handle.WORLD.rank + " of " + Handle.WORLD.size;
    }
}
