package mpi.front.calls;

import mpi.front.job.Handle;
import mpi.spi.Collective;
import mpi.spi.Communicator;

/** Makes the collective calls of one communicator. */
public final class CollectiveCalls {
    private final Handle handle;
    private static final int COLLECTIVES = Collective.values().length;

    /** For blocking calls of each collective, one after another. Null before the first. */
    private CollectiveCall[] spare = new CollectiveCall[COLLECTIVES];

    /** @param handle as collective calls see the communicator; see {@link Handle#ofCollectives} */
    public CollectiveCalls(Handle handle) {
        this.handle = handle;
    }

    /** A blocking collective call, to be filled in and {@linkplain CollectiveCall#run run}. */
    public CollectiveCall blocking(String call, Collective collective) {
        Communicator open = handle.lower(call);
        CollectiveCall[] all = spare;
        CollectiveCall made = all[collective.ordinal()];
        if (made == null || made.busy || made.lower != open) {
            made = CollectiveCall.of(handle, open);
            all[collective.ordinal()] = made;
        }
        made.busy = true;
        return made.begin(call, collective, true);
    }

    /** The communicator has been freed: nothing here may keep it in memory. */
    public void forget() {
        spare = new CollectiveCall[COLLECTIVES];
    }

    /** A nonblocking collective call, to be filled in and {@linkplain CollectiveCall#start started}. */
    public CollectiveCall nonblocking(String call, Collective collective) {
        return CollectiveCall.of(handle, handle.lower(call)).begin(call, collective, false);
    }
}
