package mpi;

import static mpi.Datatype.items;
import static mpi.Op.operation;

import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.job.MemberLists;
import mpi.spi.Collective;
import mpi.spi.Communicator;

/**
 * The calls of a communicator of one group in mpiJava's dialect, which MPJ Express has too; {@link Intracomm} inherits
 * them and has those of Open MPI's dialect. Offsets, parameters and errors are as {@link MpjComm} says. A reduction is
 * in place if its two buffers and offsets are the same.
 */
public abstract class MpjIntracomm extends Comm {
    MpjIntracomm(Handle handle) {
        super(handle);
    }

    // ---- making communicators ----

    /** A communicator of this one's kind and topology. */
    abstract Intracomm alike(Handle other);

    /** A communicator of some of this one's ranks. */
    final Intracomm made(Communicator lower) {
        return descended(new Intracomm(Handle.of(lower)));
    }

    /** Gives a communicator that was made from this one what it inherits. */
    final <C extends Intracomm> C descended(C part) {
        part.inheritHandler(this);
        return part;
    }

    final Communicator part(String call, int colour, int key) {
        Communicator lower = handle.lower(call);
        if (colour < 0 && colour != Constants.UNDEFINED) {
            throw handle.ofCollectives.error(ErrorClass.ARG, call,
                "colour " + colour + " is negative; pass 0 or more, or MPI.UNDEFINED to stay out");
        }
        return lower.split(colour, key);
    }

    /** The group's members as ranks of this communicator. */
    static int[] ranksOf(Handle handle, String call, Group group) {
        if (group == null || group.isNull()) {
            throw handle.error(ErrorClass.GROUP, call, "the group is null or has been freed; take one from getGroup()");
        }
        int[] ranks = MemberLists.ranksAmong(Group.members(group), handle.lower(call).members());
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == Constants.UNDEFINED) {
                throw handle.error(ErrorClass.GROUP, call,
                    "member " + i + " of the group is not in this communicator; pass a subgroup of its getGroup()");
            }
        }
        return ranks;
    }

    /** As {@link Intracomm#split}, but returns null for colour {@link MPI#UNDEFINED} (MPI_Comm_split). */
    public Intracomm Split(int colour, int key) throws MPIException {
        Communicator mine = part("Split", colour, key);
        return mine == null ? null : made(mine);
    }

    /** As {@link Intracomm#shrink} (MPIX_Comm_shrink). */
    public final Intracomm Shrink() throws MPIException {
        return made(handle.lower("Shrink").shrink("Shrink"));
    }

    /**
     * As {@link Intracomm#create}, but returns null on ranks outside the group (MPI_Comm_create). Under
     * {@code mpjrun -dev} such a rank gets what MPJ Express gives: a communicator whose Rank is {@link MPI#UNDEFINED}
     * and whose Size and Group are the group's. Calls that communicate throw ERR_COMM there.
     */
    public Intracomm Create(Group group) throws MPIException {
        Communicator lower = handle.lower("Create");
        Communicator mine = lower.create(ranksOf(handle.ofCollectives, "Create", group));
        return mine != null ? made(mine)
            : JobState.isMpj() ? new Intracomm(Handle.outside(Group.members(group).clone())) : null;
    }

    /** As {@link Intracomm#createCart}, but returns null on ranks outside the grid (MPI_Cart_create). */
    public Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        return Cartcomm.of(this, dims, periods, reorder);
    }

    /** As {@link Intracomm#createGraph}, but returns null on ranks outside the graph (MPI_Graph_create). */
    public Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) throws MPIException {
        return Graphcomm.of(this, index, edges, reorder);
    }

    /** As {@link Intracomm#barrier} (MPI_Barrier). */
    public void Barrier() throws MPIException {
        blocking("Barrier", Collective.BARRIER).run();
    }

    /** As {@link Intracomm#bcast}, with an offset (MPI_Bcast). */
    public void Bcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        blocking("Bcast", Collective.BCAST, root).recv(buf, offset, count, items(type)).run();
    }

    /**
     * As {@link Intracomm#gather(Object, int, Datatype, Object, int, Datatype, int)}, with an offset for each buffer
     * (MPI_Gather).
     */
    public void Gather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("Gather", Collective.GATHER, root).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, items(recvtype)).run();
    }

    /**
     * As {@link Intracomm#gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)}, with an offset for each
     * buffer (MPI_Gatherv).
     */
    public void Gatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int[] recvcount, int[] displs, Datatype recvtype, int root)
        throws MPIException {
        blocking("Gatherv", Collective.GATHERV, root).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, displs, items(recvtype)).run();
    }

    /**
     * As {@link Intracomm#scatter(Object, int, Datatype, Object, int, Datatype, int)}, with an offset for each buffer
     * (MPI_Scatter).
     */
    public void Scatter(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("Scatter", Collective.SCATTER, root).recv(recvbuf, recvoffset, recvcount, items(recvtype))
            .send(sendbuf, sendoffset, sendcount, items(sendtype)).run();
    }

    /**
     * As {@link Intracomm#scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)}, with an offset for
     * each buffer (MPI_Scatterv).
     */
    public void Scatterv(Object sendbuf, int sendoffset, int[] sendcount, int[] displs, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("Scatterv", Collective.SCATTERV, root).recv(recvbuf, recvoffset, recvcount, items(recvtype))
            .send(sendbuf, sendoffset, sendcount, displs, items(sendtype)).run();
    }

    /**
     * As {@link Intracomm#allGather(Object, int, Datatype, Object, int, Datatype)}, with an offset for each buffer
     * (MPI_Allgather).
     */
    public void Allgather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype) throws MPIException {
        blocking("Allgather", Collective.ALLGATHER).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, items(recvtype)).run();
    }

    /**
     * As {@link Intracomm#allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)}, with an offset for each
     * buffer (MPI_Allgatherv).
     */
    public void Allgatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        blocking("Allgatherv", Collective.ALLGATHERV).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, displs, items(recvtype)).run();
    }

    /** As {@link Intracomm#allToAll}, with an offset for each buffer (MPI_Alltoall). */
    public void Alltoall(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype) throws MPIException {
        blocking("Alltoall", Collective.ALLTOALL).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, items(recvtype)).run();
    }

    /** As {@link Intracomm#allToAllv}, with an offset for each buffer (MPI_Alltoallv). */
    public void Alltoallv(Object sendbuf, int sendoffset, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int recvoffset, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        blocking("Alltoallv", Collective.ALLTOALLV).send(sendbuf, sendoffset, sendcount, sdispls, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, rdispls, items(recvtype)).run();
    }

    /**
     * As {@link Intracomm#reduce(Object, Object, int, Datatype, Op, int)}, with an offset for each buffer (MPI_Reduce).
     */
    public void Reduce(Object sendbuf, int sendoffset,
        Object recvbuf, int recvoffset, int count, Datatype type, Op op, int root) throws MPIException {
        blocking("Reduce", Collective.REDUCE, root)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)).run();
    }

    /**
     * As {@link Intracomm#allReduce(Object, Object, int, Datatype, Op)}, with an offset for each buffer
     * (MPI_Allreduce).
     */
    public void Allreduce(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type,
        Op op) throws MPIException {
        blocking("Allreduce", Collective.ALLREDUCE)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)).run();
    }

    /**
     * As {@link Intracomm#reduceScatter(Object, Object, int[], Datatype, Op)}, with an offset for each buffer
     * (MPI_Reduce_scatter).
     */
    public void Reduce_scatter(Object sendbuf, int sendoffset,
        Object recvbuf, int recvoffset, int[] recvcounts, Datatype type, Op op) throws MPIException {
        blocking("Reduce_scatter", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, items(type), operation(op)).run();
    }

    /** As {@link Intracomm#scan(Object, Object, int, Datatype, Op)}, with an offset for each buffer (MPI_Scan). */
    public void Scan(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type, Op op)
        throws MPIException {
        blocking("Scan", Collective.SCAN)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)).run();
    }

    /**
     * As {@link Intracomm#scanInit(Object, Object, int, Datatype, Op, Info)}, with an offset for each buffer
     * (MPI_Scan_init).
     */
    public Prequest Scan_init(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type,
        Op op, Info info) throws MPIException {
        return prepared(nonblocking("Scan_init", Collective.SCAN)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)));
    }
}
