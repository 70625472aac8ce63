package mpi;

import mpi.front.requests.PersistentState;

/**
 * A persistent request: an operation that is prepared once and started many times. It is inactive until {@link #start},
 * then active until a wait or a test completes it; then it is inactive again. It keeps its buffers until {@link #free}
 * makes it null.
 *
 * <p>
 * The calls whose name ends with {@code Init}, or {@code _init} in the capital dialect, make persistent requests.
 */
public class Prequest extends Request {
    private final PersistentState prepared;

    Prequest(PersistentState prepared) {
        super(prepared);
        this.prepared = prepared;
    }

    /**
     * Starts the operation (MPI_Start). It never waits for another rank. Every start needs a wait or a test before the
     * next one.
     *
     * @throws MPIException ERR_REQUEST if the request is active or has been freed; ERR_BUFFER if a buffered send does
     * not fit into the attached buffer
     */
    public void start() throws MPIException {
        prepared.start();
    }

    /**
     * Starts all of them, in the array's order (MPI_Startall). They may be of any kinds and communicators.
     *
     * @throws MPIException ERR_REQUEST if the array or a request is null, or one is active, freed or named twice; then
     * none is started, save those before one that is named twice. Else as {@link #start}
     */
    public static void startAll(Prequest[] requests) throws MPIException {
        startAll("Prequest.startAll", requests);
    }

    private static void startAll(String call, Prequest[] requests) {
        if (requests == null) {
            throw ErrorClass.REQUEST.in(call, "the array of requests is null; pass an array, which may be empty");
        }
        for (int i = 0; i < requests.length; i++) {
            if (requests[i] == null) {
                throw ErrorClass.REQUEST.in(call,
                    "request " + i + " is null; pass persistent requests, as sendInit and recvInit make them");
            }
            requests[i].prepared.checkStart(call);
        }
        for (Prequest request : requests) {
            request.start();
        }
    }

    /** Makes this request null; if it is active, its operation completes by itself (MPI_Request_free). */
    @Override
    public void free() throws MPIException {
        prepared.free();
    }

    /** As {@link #start} (MPI_Start). */
    public void Start() throws MPIException {
        start();
    }

    /** As {@link #startAll} (MPI_Startall). */
    public static void Startall(Prequest[] requests) throws MPIException {
        startAll("Prequest.Startall", requests);
    }
}
