package mpi.front.requests;

import mpi.ErrorClass;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.types.ItemType;
import mpi.spi.PersistentOperation;

/** What a {@code Prequest} wraps: an operation that is started again and again. */
public class PersistentState extends RequestState {
    private final Handle handle;
    /** One thread at a time starts or frees it. Not the request itself: a program may hold that while it waits. */
    private final Object turn = new Object();
    /** Null once freed. */
    private volatile PersistentOperation prepared;

    /**
     * @param handle the communicator, for errors
     * @param type of a receive; else null
     * @param capacity items that a receive has room for
     */
    public PersistentState(Handle handle, PersistentOperation prepared, ItemType type, int capacity) {
        super(null, type, capacity);
        this.handle = handle;
        this.prepared = prepared;
    }

    /** Starts the operation. */
    public final void start() {
        synchronized (turn) {
            checkStart("start");
            PersistentOperation mine = prepared;
            mine.start();
            begun(mine);
        }
    }

    public final void checkStart(String call) {
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

    @Override
    public final void free() {
        PersistentOperation mine;
        synchronized (turn) {
            mine = prepared;
            prepared = null;
        }
        boolean freed = false;
        try {
            if (mine != null && JobState.isRunning()) {
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

    /** Whether it has been freed. */
    final boolean isFreed() {
        return prepared == null;
    }
}
