package mpi;

import mpi.spi.InterCommunicator;
import mpi.spi.PortNames;

/** Checks the arguments of the calls with ports. */
final class MeetingPoints {
    private MeetingPoints() {
    }

    static String open(Info info) {
        check("openPort", info);
        return ports("openPort").open(where("openPort"));
    }

    static void close(String port) {
        ports("closePort").close(where("closePort"), port);
    }

    static void publish(String service, Info info, String port) {
        check("publishName", service, info);
        ports("publishName").publish(where("publishName"), service, port);
    }

    static void unpublish(String service, Info info, String port) {
        check("unpublishName", service, info);
        ports("unpublishName").unpublish(where("unpublishName"), service, port);
    }

    static String lookup(String service, Info info) {
        check("lookupName", service, info);
        return ports("lookupName").lookup(where("lookupName"), service);
    }

    /** Connect or accept. What is wrong with this rank's arguments, the other ranks must hear of. */
    static Intercomm meet(Intracomm comm, String call, String port, Info info, int root) {
        Handle handle = comm.handle;
        handle.lower(call);
        MPIException wrong = rootless(handle, call, root);
        if (wrong == null && info != null && info.isNull() && info != MPI.INFO_NULL) {
            wrong = handle.error(ErrorClass.INFO, call, FREED);
        }
        if (wrong == null && handle.rank == root && port == null) {
            wrong = handle.error(ErrorClass.PORT, call,
                "the port is null; pass what openPort or lookupName has returned");
        }
        return made(comm, handle.lower(call).meet(call, port, call.equals("accept"), root, wrong));
    }

    /** What is wrong with the root; null if nothing is. */
    static MPIException rootless(Handle handle, String call, int root) {
        return root >= 0 && root < handle.size ? null : handle.error(ErrorClass.ROOT, call,
            "root " + root + " is not a rank of this communicator; pass 0 <= root < " + handle.size);
    }

    static Intercomm made(Intracomm from, InterCommunicator lower) {
        Intercomm made = new Intercomm(Handle.of(lower));
        made.inheritHandler(from);
        return made;
    }

    static final String FREED = "the info has been freed; pass MPI.INFO_NULL for no hints";

    private static void check(String call, String service, Info info) {
        if (service == null || service.isEmpty()) {
            JobState.provider(call);
            throw ErrorClass.ARG.in(where(call), "the service name is null or empty; pass a name");
        }
        check(call, info);
    }

    private static void check(String call, Info info) {
        JobState.provider(call);
        if (info != null && info.isNull() && info != MPI.INFO_NULL) {
            throw ErrorClass.INFO.in(where(call), FREED);
        }
    }

    private static PortNames ports(String call) {
        return JobState.provider(call).ports();
    }

    private static String where(String call) {
        Handle world = MPI.COMM_WORLD.handle;
        return call + " on rank " + world.rank + " of " + world.size;
    }
}
