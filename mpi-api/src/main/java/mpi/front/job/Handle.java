package mpi.front.job;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;
import mpi.spi.window.WindowEnd;

/**
 * What a {@code Comm} stands for below: nothing before Init, a communicator while it is open, nothing once it is freed.
 * Also where the errors of its calls get their call, rank and name from.
 */
public final class Handle {
    /** Of the two communicators that a job begins with. */
    public static final Handle WORLD = predefined("MPI_COMM_WORLD"), SELF = predefined("MPI_COMM_SELF");

    /** This rank, while open. */
    public int rank;
    /** The number of ranks that calls name: all of them, or those of an inter-communicator's other group. */
    public int size;
    /** The number of ranks in this rank's own group. */
    public int group;
    private Communicator lower;
    /** What errors name, of a window's calls; null for a communicator. */
    private WindowEnd window;
    private boolean predefined;
    private boolean promised;
    private String lastName;
    /** Of a rank that is not in the communicator, and yet knows its group; mostly null. */
    private int[] outside;
    /**
     * The same communicator as collective calls see it: what this rank refuses there the others may have to hear of.
     */
    public final Handle ofCollectives;
    /** Whose {@link #ofCollectives} this is; else null. */
    private final Handle origin;

    private Handle() {
        origin = null;
        ofCollectives = new Handle(this);
    }

    private Handle(Handle origin) {
        this.origin = origin;
        ofCollectives = this;
    }

    /** A handle that the job opens when it starts: the communicator cannot be freed. */
    private static Handle predefined(String name) {
        Handle handle = new Handle();
        handle.predefined = true;
        handle.lastName = name;
        return handle;
    }

    /** An open handle, or for null a null one. */
    public static Handle of(Communicator lower) {
        Handle handle = new Handle();
        if (lower != null) {
            handle.open(lower);
        }
        return handle;
    }

    /** The ranks of a window, for the errors of its calls. */
    public static Handle of(WindowEnd window, Handle comm) {
        Handle handle = new Handle();
        handle.window = window;
        handle.rank = comm.rank;
        handle.size = comm.size;
        handle.group = comm.group;
        return handle;
    }

    /** A null handle that knows the ranks of the communicator, in which this rank is not. */
    public static Handle outside(int[] members) {
        Handle handle = new Handle();
        handle.rank = Constants.UNDEFINED;
        handle.group = members.length;
        handle.outside = members;
        return handle;
    }

    /** The group's members if this rank is outside; else null. */
    public int[] outside() {
        return outside;
    }

    /** A handle that opens later, when {@code Duplication} is complete. */
    public static Handle promised() {
        Handle handle = new Handle();
        handle.promised = true;
        return handle;
    }

    public void open(Communicator communicator) {
        promised = false;
        rank = communicator.rank();
        group = communicator.size();
        size = communicator instanceof InterCommunicator inter ? inter.remoteMembers().length : group;
        lower = communicator;
        if (origin == null) {
            ofCollectives.open(communicator);
        }
    }

    /** The communicator below, for this call to use. */
    public Communicator lower(String call) {
        Communicator open = lower;
        if (open == null || !JobState.isRunning()) {
            throw unusable(call);
        }
        return open;
    }

    /** Throws unless MPI is between Init and Finalize. */
    public static void requireRunning(String call) {
        if (!JobState.isRunning()) {
            throw JobState.notRunning(call);
        }
    }

    /**
     * Lets a call pass that needs nobody else: also after Finalize, as threads of MPJ Express's programs may still ask
     * for their rank then.
     */
    public void checkKnown(String call) {
        if (lower == null && outside == null || JobState.isNew()) {
            throw unusable(call);
        }
    }

    public boolean isNull() {
        return lower == null && !predefined && !promised;
    }

    /** Whether this is one of the communicators that a job begins with. */
    public boolean isPredefined() {
        return predefined;
    }

    /** The handle that this one is the {@link #ofCollectives} of, or itself. */
    public Handle plain() {
        return origin == null ? this : origin;
    }

    public boolean sameAs(Handle other) {
        return lower == other.lower;
    }

    /** Ends the communicator; whoever holds this handle finds it null. */
    public void free(String call) {
        close(call).free();
    }

    /** As {@link #free}, together with all other ranks. */
    public void disconnect(String call) {
        close(call).disconnect();
    }

    private Communicator close(String call) {
        Communicator open = lower(call);
        if (predefined) {
            throw error(ErrorClass.COMM, call,
                "this communicator lives as long as the job and cannot be freed; free only what dup, split or create"
                    + " made");
        }
        lastName = open.name();
        lower = null;
        ofCollectives.lower = null;
        return open;
    }

    /** The one form in which errors speak. */
    public MPIException error(ErrorClass errorClass, String call, String what) {
        MPIException error = errorClass.in(call, rank, group,
            window != null ? window.name() : lower == null ? "a null communicator" : lower.name(), what);
        if (window != null) {
            window.threw(call);
        } else if (lower != null) {
            lower.threw(call);
            if (origin != null) {
                lower.refused(call, error);
            }
        }
        return error;
    }

    private MPIException unusable(String call) {
        if (origin != null) {
            return origin.unusable(call);
        }
        if (!JobState.isRunning()) {
            return JobState.notRunning(call);
        }
        if (promised) {
            return ErrorClass.COMM.in(call,
                "this communicator is still being made; complete the request that getRequest() of it returns before"
                    + " using it");
        }
        return ErrorClass.COMM.in(call, lastName == null
            ? "this communicator is null, as split and create return it on ranks that are not in the new one; ask"
                + " isNull() before using it"
            : lastName + " has been freed; free a communicator after its last use");
    }
}
