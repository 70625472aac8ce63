package mpi;

import java.nio.Buffer;
import mpi.spi.Communicator;

/**
 * A communicator of one group of ranks: adds to {@link Comm} the prefix reductions, the making of other communicators, and the collectives of the
 * capital dialect.
 *
 * <p>In these a buffer begins at an offset, counted in elements of the type's array ({@code int}s for {@link MPI#INT2}); displacements count from
 * there, in extents of the type. A reduction whose two buffers and offsets are the same is done in place.
 */
public class Intracomm extends Comm {
    Intracomm(Handle handle) {
        super(handle);
    }

    /** Combines the items of ranks 0 to this one. */
    public final void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        collectives.scan("scan", false, sendbuf, 0, recvbuf, 0, count, type, op, true);
    }

    /** Combines in place the items of ranks 0 to this one. */
    public final void scan(Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        collectives.scan("scan", true, null, 0, recvbuf, 0, count, type, op, true);
    }

    /** Combines the items of the ranks before this one; at rank 0 {@code recvbuf} is left as it is. */
    public final void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        collectives.exscan("exScan", false, sendbuf, 0, recvbuf, 0, count, type, op, true);
    }

    /** Combines in place the items of the ranks before this one; at rank 0 {@code buf} is left as it is. */
    public final void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        collectives.exscan("exScan", true, null, 0, buf, 0, count, type, op, true);
    }

    /** Begins what {@link #scan(Object, Object, int, Datatype, Op)} does. */
    public final Request iScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.scan("iScan", false, sendbuf, 0, recvbuf, 0, count, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.scan("iScan", false, sendbuf, 0, recvbuf, 0, count, type, op, false), null);
    }

    /** Begins what {@link #scan(Object, int, Datatype, Op)} does. */
    public final Request iScan(Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.scan("iScan", true, null, 0, recvbuf, 0, count, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScan(Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.scan("iScan", true, null, 0, recvbuf, 0, count, type, op, false), null);
    }

    /** Begins what {@link #exScan(Object, Object, int, Datatype, Op)} does. */
    public final Request iExScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.exscan("iExScan", false, sendbuf, 0, recvbuf, 0, count, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iExScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.exscan("iExScan", false, sendbuf, 0, recvbuf, 0, count, type, op, false), null);
    }

    /** Begins what {@link #exScan(Object, int, Datatype, Op)} does. */
    public final Request iExScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.exscan("iExScan", true, null, 0, buf, 0, count, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iExScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.exscan("iExScan", true, null, 0, buf, 0, count, type, op, false), null);
    }

    @Override
    public Intracomm dup() throws MPIException {
        return duplicate("dup");
    }

    @Override
    public Intracomm iDup() throws MPIException {
        Communicator lower = handle.lower("iDup");
        Handle promised = Handle.promised();
        Intracomm copy = new Intracomm(promised);
        copy.inherit(this);
        copy.madeBy(new Request(new Duplication(lower, promised), null));
        return copy;
    }

    @Override
    public Intracomm dupWithInfo(Info info) throws MPIException {
        Intracomm copy = duplicate("dupWithInfo");
        copy.setInfo(info);
        return copy;
    }

    @Override
    public Intracomm clone() {
        return duplicate("clone");
    }

    private Intracomm duplicate(String call) {
        Intracomm copy = new Intracomm(Handle.of(handle.lower(call).duplicate()));
        copy.inherit(this);
        return copy;
    }

    /** A communicator made from this one of some of its ranks. */
    private Intracomm made(Communicator lower) {
        Intracomm part = new Intracomm(Handle.of(lower));
        part.inheritHandler(this);
        return part;
    }

    /**
     * Parts the ranks into new communicators, one for each colour, in the order of their keys, then of their ranks here.
     *
     * @return this rank's; a null one for colour {@link MPI#UNDEFINED}
     */
    public final Intracomm split(int colour, int key) throws MPIException {
        return made(part("split", colour, key));
    }

    /** As {@link #split}, but null for colour {@link MPI#UNDEFINED}. */
    public Intracomm Split(int colour, int key) throws MPIException {
        Communicator mine = part("Split", colour, key);
        return mine == null ? null : made(mine);
    }

    private Communicator part(String call, int colour, int key) {
        Communicator lower = handle.lower(call);
        if (colour < 0 && colour != MPI.UNDEFINED) {
            throw handle.error(ErrorClass.ARG, call, "colour " + colour + " is negative; pass 0 or more, or MPI.UNDEFINED to stay out");
        }
        return lower.split(colour, key);
    }

    /**
     * Parts the ranks by what they share.
     *
     * @param splitType {@link Comm#TYPE_SHARED}: ranks that share memory come together; {@link MPI#UNDEFINED}: this rank stays out
     * @param info      hints; none are used
     */
    public final Intracomm splitType(int splitType, int key, Info info) throws MPIException {
        Communicator lower = handle.lower("splitType");
        if (splitType != TYPE_SHARED && splitType != MPI.UNDEFINED) {
            throw handle.error(ErrorClass.ARG, "splitType", "type " + splitType + " is unknown; pass Comm.TYPE_SHARED or MPI.UNDEFINED");
        }
        return made(splitType == MPI.UNDEFINED ? lower.split(splitType, key) : lower.splitShared(key));
    }

    /** A communicator of the group's ranks, in its order; a null one at ranks outside. All ranks call it, with the same group. */
    public final Intracomm create(Group group) throws MPIException {
        Communicator lower = handle.lower("create");
        return made(lower.create(ranksOf("create", group)));
    }

    /** As {@link #create}, but null at ranks outside the group. */
    public Intracomm Create(Group group) throws MPIException {
        Communicator lower = handle.lower("Create");
        Communicator mine = lower.create(ranksOf("Create", group));
        return mine == null ? null : made(mine);
    }

    /** As {@link #create}, but only the group's ranks call it; the tag tells calls at the same time apart. */
    public final Intracomm createGroup(Group group, int tag) throws MPIException {
        Communicator lower = handle.lower("createGroup");
        if (tag < 0) {
            throw handle.error(ErrorClass.TAG, "createGroup", "tag " + tag + " is negative; pass 0 or more");
        }
        int[] ranks = ranksOf("createGroup", group);
        return made(group.getRank() == MPI.UNDEFINED ? null : lower.createGroup(ranks, tag));
    }

    /** The group's members as ranks of this communicator. */
    private int[] ranksOf(String call, Group group) {
        if (group == null || group.isNull()) {
            throw handle.error(ErrorClass.GROUP, call, "the group is null or has been freed; take one from getGroup()");
        }
        int[] ranks = group.ranksAmong(handle.lower(call).members());
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == MPI.UNDEFINED) {
                throw handle.error(ErrorClass.GROUP, call, "member " + i + " of the group is not in this communicator; pass a subgroup of its getGroup()");
            }
        }
        return ranks;
    }

    // ---- collectives of the capital dialect ----

    /** As {@link #barrier}. */
    public void Barrier() throws MPIException {
        collectives.barrier("Barrier", true);
    }

    /** As {@link #bcast}. */
    public void Bcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        collectives.bcast("Bcast", buf, offset, count, type, root, true);
    }

    /** As {@link #gather(Object, int, Datatype, Object, int, Datatype, int)}. */
    public void Gather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
                       Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.gather("Gather", false, sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root, true);
    }

    /** As {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)}. */
    public void Gatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
                        Object recvbuf, int recvoffset, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        collectives.gatherv("Gatherv", false, sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, displs, recvtype, root, true);
    }

    /** As {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)}. */
    public void Scatter(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
                        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.scatter("Scatter", false, sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, root, true);
    }

    /** As {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)}. */
    public void Scatterv(Object sendbuf, int sendoffset, int[] sendcount, int[] displs, Datatype sendtype,
                         Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.scatterv("Scatterv", false, sendbuf, sendoffset, sendcount, displs, sendtype, recvbuf, recvoffset, recvcount, recvtype, root, true);
    }

    /** As {@link #allGather(Object, int, Datatype, Object, int, Datatype)}. */
    public void Allgather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
                          Object recvbuf, int recvoffset, int recvcount, Datatype recvtype) throws MPIException {
        collectives.allgather("Allgather", false, sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, true);
    }

    /** As {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)}. */
    public void Allgatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
                           Object recvbuf, int recvoffset, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        collectives.allgatherv("Allgatherv", false, sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, displs, recvtype, true);
    }

    /** As {@link #allToAll}. */
    public void Alltoall(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
                         Object recvbuf, int recvoffset, int recvcount, Datatype recvtype) throws MPIException {
        collectives.alltoall("Alltoall", sendbuf, sendoffset, sendcount, sendtype, recvbuf, recvoffset, recvcount, recvtype, true);
    }

    /** As {@link #allToAllv}. */
    public void Alltoallv(Object sendbuf, int sendoffset, int[] sendcount, int[] sdispls, Datatype sendtype,
                          Object recvbuf, int recvoffset, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        collectives.alltoallv("Alltoallv", sendbuf, sendoffset, sendcount, sdispls, sendtype, recvbuf, recvoffset, recvcount, rdispls, recvtype, true);
    }

    /** As {@link #reduce(Object, Object, int, Datatype, Op, int)}. */
    public void Reduce(Object sendbuf, int sendoffset,
                       Object recvbuf, int recvoffset, int count, Datatype type, Op op, int root) throws MPIException {
        collectives.reduce("Reduce", false, sendbuf, sendoffset, recvbuf, recvoffset, count, type, op, root, true);
    }

    /** As {@link #allReduce(Object, Object, int, Datatype, Op)}. */
    public void Allreduce(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type, Op op) throws MPIException {
        collectives.allreduce("Allreduce", false, sendbuf, sendoffset, recvbuf, recvoffset, count, type, op, true);
    }

    /** As {@link #reduceScatter(Object, Object, int[], Datatype, Op)}. */
    public void Reduce_scatter(Object sendbuf, int sendoffset,
                               Object recvbuf, int recvoffset, int[] recvcounts, Datatype type, Op op) throws MPIException {
        collectives.reduceScatter("Reduce_scatter", false, sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, type, op, true);
    }

    /** As {@link Intracomm#scan(Object, Object, int, Datatype, Op)}. */
    public void Scan(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type, Op op) throws MPIException {
        collectives.scan("Scan", false, sendbuf, sendoffset, recvbuf, recvoffset, count, type, op, true);
    }

    /** As {@link Comm#compare}. */
    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        return Comm.Compare(comm1, comm2);
    }
}
