package mpi;

import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.job.MemberLists;
import mpi.front.requests.Duplication;
import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;

/**
 * A communicator between two groups of ranks. In its calls a rank is one of the other group: {@code send} to rank 0
 * sends to the other group's rank 0. {@link #getRank} and {@link #getSize} are those of this rank's own group.
 *
 * <p>
 * In a collective with a root the data goes from one group to the other. The root passes {@link MPI#ROOT}, the other
 * ranks of its group pass {@link MPI#PROC_NULL} and need no buffers, and the other group's ranks pass the root's rank
 * in its group. In collectives without a root each group gets what the other group gives: of an allReduce, the result
 * of the other group's items. Lists of counts and displacements have an entry for each rank of the other group; those
 * of {@link #reduceScatter} have one for each rank of this group. There is no form in place, except for rooted
 * collectives, where it is the form with one buffer.
 */
public class Intercomm extends Comm {
    /** Null before the first question for it. */
    private static Intercomm parent;

    Intercomm(Handle handle) {
        super(handle);
    }

    /** See {@link Comm#createIntercomm}. */
    static Intercomm of(String call, Comm peer, Comm localComm, int localLeader, int remoteLeader, int tag) {
        if (localComm == null) {
            throw peer.handle.error(ErrorClass.COMM, call,
                "the local communicator is null; pass an intracommunicator of this rank's group");
        }
        Handle local = localComm.handle;
        Communicator group = local.lower(call);
        if (group instanceof InterCommunicator) {
            throw local.error(ErrorClass.COMM, call,
                "the local communicator is an inter-communicator; pass an intracommunicator, such as merge() makes");
        }
        MPIException wrong = refusal(call, peer, local, localLeader, remoteLeader, tag);
        Communicator meeting = wrong == null && local.rank == localLeader ? peer.handle.lower(call) : null;
        Intercomm made = new Intercomm(
            Handle.of(group.connect(call, localLeader, meeting, remoteLeader, tag, wrong)));
        made.inheritHandler(localComm);
        return made;
    }

    /** What is wrong with this rank's arguments; null if nothing is. */
    private static MPIException refusal(String call, Comm peer, Handle local, int localLeader, int remoteLeader,
        int tag) {
        if (localLeader < 0 || localLeader >= local.size) {
            return local.error(ErrorClass.RANK, call, "local leader " + localLeader
                + " is not a rank of the local communicator; pass 0 <= localLeader < " + local.size);
        }
        if (tag < 0) {
            return local.error(ErrorClass.TAG, call, "tag " + tag + " is negative; pass 0 or more");
        }
        if (local.rank != localLeader) {
            return null;
        }
        Communicator meeting;
        try {
            meeting = peer.handle.lower(call);
        } catch (MPIException e) {
            return e;
        }
        int[] named = meeting instanceof InterCommunicator inter ? inter.remoteMembers() : meeting.members();
        if (remoteLeader < 0 || remoteLeader >= named.length) {
            return peer.handle.error(ErrorClass.RANK, call, "remote leader " + remoteLeader
                + " is not a rank of this communicator; pass 0 <= remoteLeader < " + named.length);
        }
        if (MemberLists.indexOf(local.lower(call).members(), named[remoteLeader]) != Constants.UNDEFINED) {
            return peer.handle.error(ErrorClass.RANK, call, "remote leader " + remoteLeader
                + " is in the local group; pass the rank of the other group's leader in the communicator of the call");
        }
        return null;
    }

    private InterCommunicator lower(String call) {
        return (InterCommunicator) handle.lower(call);
    }

    /** Number of ranks in the other group (MPI_Comm_remote_size). */
    public int getRemoteSize() throws MPIException {
        return lower("getRemoteSize").remoteMembers().length;
    }

    /** The other group (MPI_Comm_remote_group). */
    public Group getRemoteGroup() throws MPIException {
        return new Group(lower("getRemoteGroup").remoteMembers().clone());
    }

    /**
     * Makes an intracommunicator of both groups. All ranks of both call it (MPI_Intercomm_merge).
     *
     * @param high true: this group's ranks come after the other's; the same on all ranks of a group. If both groups
     * pass the same, one of them comes first
     * @throws MPIException ERR_ARG on all ranks if ranks of one group pass different values
     */
    public Intracomm merge(boolean high) throws MPIException {
        return merged("merge", high);
    }

    private Intracomm merged(String call, boolean high) {
        Intracomm made = new Intracomm(Handle.of(lower(call).merge(high)));
        made.inheritHandler(this);
        return made;
    }

    /**
     * An inter-communicator of the ranks that are left in both groups, in their order; the dead ones are left out. All
     * ranks of both groups that are left call it; it works on a revoked communicator, too. If nobody is left in the
     * other group, {@link #getRemoteSize} is 0. A rank that dies meanwhile may be in the new communicator: then the
     * first call there that needs it says so (MPIX_Comm_shrink).
     *
     * @throws MPIException ERR_OTHER if other ranks call {@link #agree}
     */
    public final Intercomm shrink() throws MPIException {
        return shrunk("shrink");
    }

    private Intercomm shrunk(String call) {
        Intercomm made = new Intercomm(Handle.of(handle.lower(call).shrink(call)));
        made.inheritHandler(this);
        return made;
    }

    /**
     * The inter-communicator to the processes that have spawned this job: a null one if none have, or once it has been
     * freed or disconnected (MPI_Comm_get_parent).
     */
    public static synchronized Intercomm getParent() throws MPIException {
        Communicator lower = JobState.parent("Intercomm.getParent");
        if (parent == null) {
            parent = new Intercomm(Handle.of(lower));
        }
        return parent;
    }

    @Override
    public Intercomm dup() throws MPIException {
        return duplicate("dup");
    }

    @Override
    public Intercomm iDup() throws MPIException {
        Communicator lower = handle.lower("iDup");
        Handle promised = Handle.promised();
        Intercomm copy = new Intercomm(promised);
        copy.inherit(this);
        copy.madeBy(new Request(new Duplication(lower, promised)));
        return copy;
    }

    @Override
    public Intercomm dupWithInfo(Info info) throws MPIException {
        Intercomm copy = duplicate("dupWithInfo");
        copy.setInfo(info);
        return copy;
    }

    @Override
    public Intercomm clone() {
        return duplicate("clone");
    }

    private Intercomm duplicate(String call) {
        Intercomm copy = new Intercomm(Handle.of(handle.lower(call).duplicate()));
        copy.inherit(this);
        return copy;
    }

    // ---- the same in the capital dialect ----

    /** As {@link #getRemoteSize} (MPI_Comm_remote_size). */
    public int Remote_size() throws MPIException {
        return lower("Remote_size").remoteMembers().length;
    }

    /** As {@link #getRemoteGroup} (MPI_Comm_remote_group). */
    public Group Remote_group() throws MPIException {
        return new Group(lower("Remote_group").remoteMembers().clone());
    }

    /** As {@link #shrink} (MPIX_Comm_shrink). */
    public final Intercomm Shrink() throws MPIException {
        return shrunk("Shrink");
    }

    /** As {@link #merge} (MPI_Intercomm_merge). */
    public Intracomm Merge(boolean high) throws MPIException {
        return merged("Merge", high);
    }
}
