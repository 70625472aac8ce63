package mpi;

import mpi.spi.PersistentOperation;

/**
 * A persistent request: an operation that is prepared once and started many times. It is inactive until {@link #start},
 * then active until a wait or a test completes it; then it is inactive again. It keeps its buffers until {@link #free}
 * makes it null.
 *
 * <p>
 * The calls whose name ends with {@code Init}, or {@code _init} in the capital dialect, make persistent requests.
 */
public class Prequest extends Request {
    private final Handle handle;
    /** One thread at a time starts or frees it. Not the request itself: a program may hold that while it waits. */
    private final Object turn = new Object();
    /** Null once freed. */
    private volatile PersistentOperation prepared;

    /** @param handle the communicator, for errors */
    Prequest(Handle handle, PersistentOperation prepared, Datatype type) {
        this(handle, prepared, type, 0);
    }

    Prequest(Handle handle, PersistentOperation prepared, Datatype type, int capacity) {
        super(null, type, capacity);
        this.handle = handle;
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
        synchronized (turn) {
            checkStart("start");
            PersistentOperation mine = prepared;
            mine.start();
            begun(mine);
        }
    }

    private void checkStart(String call) {
        JobState.provider(call);
        if (prepared == null) {
            throw handle.error(ErrorClass.REQUEST, call,
                "the persistent request has been freed; make a new one, or free it after its last start");
        }
        if (isActive()) {
            throw handle.error(ErrorClass.REQUEST, call,
                "the persistent request is active: complete its last start by a wait or a test first");
        }
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
            requests[i].checkStart(call);
        }
        for (Prequest request : requests) {
            request.start();
        }
    }

    /** Makes this request null; if it is active, its operation completes by itself (MPI_Request_free). */
    @Override
    public void free() throws MPIException {
        PersistentOperation mine;
        synchronized (turn) {
            mine = prepared;
            prepared = null;
        }
        boolean freed = false;
        try {
            if (mine != null && JobState.phase == JobState.RUNNING) {
                mine.free(); // not in its turn: some wait for the end of the last start
            }
            freed = true;
            super.free();
        } finally {
            if (!freed) {
                prepared = mine;
            }
        }
    }

    @Override
    final boolean canStart() {
        return prepared != null;
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
