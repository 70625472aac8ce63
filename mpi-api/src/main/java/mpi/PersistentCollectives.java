package mpi;

import mpi.spi.Collective;

/**
 * The persistent collectives of MPI 4, in both dialects; {@link Comm} inherits them. Each prepares the collective of
 * its name, with the same parameters, and returns an inactive request. {@link Prequest#start} starts the collective. A
 * start costs less than a call, as arguments are checked, the algorithm is chosen and its schedule is bound once.
 *
 * <p>
 * All ranks prepare in the same order among their other collectives; that may wait for other ranks. A start never
 * waits. Ranks may start their prepared collectives in any order, but each the same number of times. From one start to
 * the next the contents of the buffers may change, not the buffers themselves. Free a request after its last use.
 *
 * <p>
 * The last parameter, {@code info}, holds hints. None is used; null and {@link MPI#INFO_NULL} are fine. Errors of
 * arguments are those of the blocking collective, and are thrown when it is prepared. A failure of one start is thrown
 * by its wait or test; later starts are not affected.
 */
public abstract class PersistentCollectives extends Collectives {
    PersistentCollectives(Handle handle) {
        super(handle);
    }

    /** Prepares what {@link #barrier()} does (MPI_Barrier_init). */
    public final Prequest barrierInit(Info info) throws MPIException {
        return nonblocking("barrierInit", Collective.BARRIER).prepare();
    }

    /** Prepares what {@link #bcast(Object, int, Datatype, int)} does (MPI_Bcast_init). */
    public final Prequest bcastInit(Object buf, int count, Datatype type, int root, Info info) throws MPIException {
        return nonblocking("bcastInit", Collective.BCAST, root).recv(buf, 0, count, type).prepare();
    }

    /** Prepares what {@link #gather(Object, int, Datatype, Object, int, Datatype, int)} does (MPI_Gather_init). */
    public final Prequest gatherInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
        Datatype recvtype, int root, Info info) throws MPIException {
        return nonblocking("gatherInit", Collective.GATHER, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).prepare();
    }

    /** Prepares what {@link #gather(Object, int, Datatype, int)} does (MPI_Gather_init). */
    public final Prequest gatherInit(Object buf, int count, Datatype type, int root, Info info) throws MPIException {
        return nonblocking("gatherInit", Collective.GATHER, root).inPlace(buf, 0, count, type).prepare();
    }

    /**
     * Prepares what {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)} does
     * (MPI_Gatherv_init).
     */
    public final Prequest gathervInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int[] recvcount,
        int[] displs, Datatype recvtype, int root, Info info) throws MPIException {
        return nonblocking("gathervInit", Collective.GATHERV, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).prepare();
    }

    /** Prepares what {@link #gatherv(Object, int[], int[], Datatype, int)} does (MPI_Gatherv_init). */
    public final Prequest gathervInit(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root,
        Info info) throws MPIException {
        return nonblocking("gathervInit", Collective.GATHERV, root)
            .atRoot("gathervInit(sendbuf, sendcount, sendtype, root, info)")
            .inPlace(recvbuf, 0, recvcount, displs, recvtype).prepare();
    }

    /** Prepares what {@link #gatherv(Object, int, Datatype, int)} does (MPI_Gatherv_init). */
    public final Prequest gathervInit(Object sendbuf, int sendcount, Datatype sendtype, int root, Info info)
        throws MPIException {
        return nonblocking("gathervInit", Collective.GATHERV, root)
            .elsewhere("gathervInit(recvbuf, recvcount, displs, recvtype, root, info)")
            .send(sendbuf, 0, sendcount, sendtype).prepare();
    }

    /** Prepares what {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)} does (MPI_Scatter_init). */
    public final Prequest scatterInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
        Datatype recvtype, int root, Info info) throws MPIException {
        return nonblocking("scatterInit", Collective.SCATTER, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, sendtype).prepare();
    }

    /** Prepares what {@link #scatter(Object, int, Datatype, int)} does (MPI_Scatter_init). */
    public final Prequest scatterInit(Object buf, int count, Datatype type, int root, Info info) throws MPIException {
        return nonblocking("scatterInit", Collective.SCATTER, root).inPlace(buf, 0, count, type).prepare();
    }

    /**
     * Prepares what {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)} does
     * (MPI_Scatterv_init).
     */
    public final Prequest scattervInit(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, Object recvbuf,
        int recvcount, Datatype recvtype, int root, Info info) throws MPIException {
        return nonblocking("scattervInit", Collective.SCATTERV, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, displs, sendtype).prepare();
    }

    /** Prepares what {@link #scatterv(Object, int[], int[], Datatype, int)} does (MPI_Scatterv_init). */
    public final Prequest scattervInit(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root,
        Info info) throws MPIException {
        return nonblocking("scattervInit", Collective.SCATTERV, root)
            .atRoot("scattervInit(recvbuf, recvcount, recvtype, root, info)")
            .inPlace(sendbuf, 0, sendcount, displs, sendtype).prepare();
    }

    /** Prepares what {@link #scatterv(Object, int, Datatype, int)} does (MPI_Scatterv_init). */
    public final Prequest scattervInit(Object recvbuf, int recvcount, Datatype recvtype, int root, Info info)
        throws MPIException {
        return nonblocking("scattervInit", Collective.SCATTERV, root)
            .elsewhere("scattervInit(sendbuf, sendcount, displs, sendtype, root, info)")
            .recv(recvbuf, 0, recvcount, recvtype).prepare();
    }

    /** Prepares what {@link #allGather(Object, int, Datatype, Object, int, Datatype)} does (MPI_Allgather_init). */
    public final Prequest allGatherInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
        Datatype recvtype, Info info) throws MPIException {
        return nonblocking("allGatherInit", Collective.ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).prepare();
    }

    /** Prepares what {@link #allGather(Object, int, Datatype)} does (MPI_Allgather_init). */
    public final Prequest allGatherInit(Object buf, int count, Datatype type, Info info) throws MPIException {
        return nonblocking("allGatherInit", Collective.ALLGATHER).inPlace(buf, 0, count, type).prepare();
    }

    /**
     * Prepares what {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)} does
     * (MPI_Allgatherv_init).
     */
    public final Prequest allGathervInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
        int[] recvcount, int[] displs, Datatype recvtype, Info info) throws MPIException {
        return nonblocking("allGathervInit", Collective.ALLGATHERV).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).prepare();
    }

    /** Prepares what {@link #allGatherv(Object, int[], int[], Datatype)} does (MPI_Allgatherv_init). */
    public final Prequest allGathervInit(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, Info info)
        throws MPIException {
        return nonblocking("allGathervInit", Collective.ALLGATHERV).inPlace(recvbuf, 0, recvcount, displs, recvtype)
            .prepare();
    }

    /** Prepares what {@link #allToAll(Object, int, Datatype, Object, int, Datatype)} does (MPI_Alltoall_init). */
    public final Prequest allToAllInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
        Datatype recvtype, Info info) throws MPIException {
        return nonblocking("allToAllInit", Collective.ALLTOALL).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).prepare();
    }

    /**
     * Prepares what {@link #allToAllv(Object, int[], int[], Datatype, Object, int[], int[], Datatype)} does
     * (MPI_Alltoallv_init).
     */
    public final Prequest allToAllvInit(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype, Info info) throws MPIException {
        return nonblocking("allToAllvInit", Collective.ALLTOALLV).send(sendbuf, 0, sendcount, sdispls, sendtype)
            .recv(recvbuf, 0, recvcount, rdispls, recvtype).prepare();
    }

    /**
     * Prepares what {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])} does
     * (MPI_Alltoallw_init).
     */
    public final Prequest allToAllwInit(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes, Info info) throws MPIException {
        return nonblocking("allToAllwInit", Collective.ALLTOALLV).send(sendbuf, sendcount, sdispls, sendtypes)
            .recv(recvbuf, recvcount, rdispls, recvtypes).prepare();
    }

    /** Prepares what {@link #reduce(Object, Object, int, Datatype, Op, int)} does (MPI_Reduce_init). */
    public final Prequest reduceInit(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root,
        Info info) throws MPIException {
        return nonblocking("reduceInit", Collective.REDUCE, root).reduce(sendbuf, 0, recvbuf, 0, count, type, op)
            .prepare();
    }

    /** Prepares what {@link #reduce(Object, int, Datatype, Op, int)} does (MPI_Reduce_init). */
    public final Prequest reduceInit(Object buf, int count, Datatype type, Op op, int root, Info info)
        throws MPIException {
        return nonblocking("reduceInit", Collective.REDUCE, root).reduce(buf, 0, buf, 0, count, type, op).prepare();
    }

    /** Prepares what {@link #allReduce(Object, Object, int, Datatype, Op)} does (MPI_Allreduce_init). */
    public final Prequest allReduceInit(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, Info info)
        throws MPIException {
        return nonblocking("allReduceInit", Collective.ALLREDUCE).reduce(sendbuf, 0, recvbuf, 0, count, type, op)
            .prepare();
    }

    /** Prepares what {@link #allReduce(Object, int, Datatype, Op)} does (MPI_Allreduce_init). */
    public final Prequest allReduceInit(Object buf, int count, Datatype type, Op op, Info info) throws MPIException {
        return nonblocking("allReduceInit", Collective.ALLREDUCE).reduce(buf, 0, buf, 0, count, type, op).prepare();
    }

    /** Prepares what {@link #reduceScatter(Object, Object, int[], Datatype, Op)} does (MPI_Reduce_scatter_init). */
    public final Prequest reduceScatterInit(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op,
        Info info) throws MPIException {
        return nonblocking("reduceScatterInit", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcounts, type, op).prepare();
    }

    /** Prepares what {@link #reduceScatter(Object, int[], Datatype, Op)} does (MPI_Reduce_scatter_init). */
    public final Prequest reduceScatterInit(Object buf, int[] counts, Datatype type, Op op, Info info)
        throws MPIException {
        return nonblocking("reduceScatterInit", Collective.REDUCE_SCATTER).reduce(buf, 0, buf, 0, counts, type, op)
            .prepare();
    }

    /**
     * Prepares what {@link #reduceScatterBlock(Object, Object, int, Datatype, Op)} does
     * (MPI_Reduce_scatter_block_init).
     */
    public final Prequest reduceScatterBlockInit(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op,
        Info info) throws MPIException {
        return nonblocking("reduceScatterBlockInit", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcount, type, op).prepare();
    }

    /** Prepares what {@link #reduceScatterBlock(Object, int, Datatype, Op)} does (MPI_Reduce_scatter_block_init). */
    public final Prequest reduceScatterBlockInit(Object buf, int count, Datatype type, Op op, Info info)
        throws MPIException {
        return nonblocking("reduceScatterBlockInit", Collective.REDUCE_SCATTER).reduce(buf, 0, buf, 0, count, type, op)
            .prepare();
    }

    // ---- the same in the capital dialect ----

    /** As {@link #barrierInit(Info)} (MPI_Barrier_init). */
    public Prequest Barrier_init(Info info) throws MPIException {
        return nonblocking("Barrier_init", Collective.BARRIER).prepare();
    }

    /** As {@link #bcastInit(Object, int, Datatype, int, Info)}, with an offset (MPI_Bcast_init). */
    public Prequest Bcast_init(Object buf, int offset, int count, Datatype type, int root, Info info)
        throws MPIException {
        return nonblocking("Bcast_init", Collective.BCAST, root).recv(buf, offset, count, type).prepare();
    }

    /**
     * As {@link #gatherInit(Object, int, Datatype, Object, int, Datatype, int, Info)}, with an offset for each buffer
     * (MPI_Gather_init).
     */
    public Prequest Gather_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int recvcount, Datatype recvtype, int root, Info info) throws MPIException {
        return nonblocking("Gather_init", Collective.GATHER, root).send(sendbuf, sendoffset, sendcount, sendtype)
            .recv(recvbuf, recvoffset, recvcount, recvtype).prepare();
    }

    /**
     * As {@link #gathervInit(Object, int, Datatype, Object, int[], int[], Datatype, int, Info)}, with an offset for
     * each buffer (MPI_Gatherv_init).
     */
    public Prequest Gatherv_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int[] recvcount, int[] displs, Datatype recvtype, int root, Info info) throws MPIException {
        return nonblocking("Gatherv_init", Collective.GATHERV, root).send(sendbuf, sendoffset, sendcount, sendtype)
            .recv(recvbuf, recvoffset, recvcount, displs, recvtype).prepare();
    }

    /**
     * As {@link #scatterInit(Object, int, Datatype, Object, int, Datatype, int, Info)}, with an offset for each buffer
     * (MPI_Scatter_init).
     */
    public Prequest Scatter_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int recvcount, Datatype recvtype, int root, Info info) throws MPIException {
        return nonblocking("Scatter_init", Collective.SCATTER, root).recv(recvbuf, recvoffset, recvcount, recvtype)
            .send(sendbuf, sendoffset, sendcount, sendtype).prepare();
    }

    /**
     * As {@link #scattervInit(Object, int[], int[], Datatype, Object, int, Datatype, int, Info)}, with an offset for
     * each buffer (MPI_Scatterv_init).
     */
    public Prequest Scatterv_init(Object sendbuf, int sendoffset, int[] sendcount, int[] displs, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root, Info info) throws MPIException {
        return nonblocking("Scatterv_init", Collective.SCATTERV, root).recv(recvbuf, recvoffset, recvcount, recvtype)
            .send(sendbuf, sendoffset, sendcount, displs, sendtype).prepare();
    }

    /**
     * As {@link #allGatherInit(Object, int, Datatype, Object, int, Datatype, Info)}, with an offset for each buffer
     * (MPI_Allgather_init).
     */
    public Prequest Allgather_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int recvcount, Datatype recvtype, Info info) throws MPIException {
        return nonblocking("Allgather_init", Collective.ALLGATHER).send(sendbuf, sendoffset, sendcount, sendtype)
            .recv(recvbuf, recvoffset, recvcount, recvtype).prepare();
    }

    /**
     * As {@link #allGathervInit(Object, int, Datatype, Object, int[], int[], Datatype, Info)}, with an offset for each
     * buffer (MPI_Allgatherv_init).
     */
    public Prequest Allgatherv_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int[] recvcount, int[] displs, Datatype recvtype, Info info) throws MPIException {
        return nonblocking("Allgatherv_init", Collective.ALLGATHERV).send(sendbuf, sendoffset, sendcount, sendtype)
            .recv(recvbuf, recvoffset, recvcount, displs, recvtype).prepare();
    }

    /**
     * As {@link #allToAllInit(Object, int, Datatype, Object, int, Datatype, Info)}, with an offset for each buffer
     * (MPI_Alltoall_init).
     */
    public Prequest Alltoall_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int recvcount, Datatype recvtype, Info info) throws MPIException {
        return nonblocking("Alltoall_init", Collective.ALLTOALL).send(sendbuf, sendoffset, sendcount, sendtype)
            .recv(recvbuf, recvoffset, recvcount, recvtype).prepare();
    }

    /**
     * As {@link #allToAllvInit(Object, int[], int[], Datatype, Object, int[], int[], Datatype, Info)}, with an offset
     * for each buffer (MPI_Alltoallv_init).
     */
    public Prequest Alltoallv_init(Object sendbuf, int sendoffset, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int recvoffset, int[] recvcount, int[] rdispls, Datatype recvtype, Info info)
        throws MPIException {
        return nonblocking("Alltoallv_init", Collective.ALLTOALLV)
            .send(sendbuf, sendoffset, sendcount, sdispls, sendtype)
            .recv(recvbuf, recvoffset, recvcount, rdispls, recvtype).prepare();
    }

    /**
     * As {@link #reduceInit(Object, Object, int, Datatype, Op, int, Info)}, with an offset for each buffer
     * (MPI_Reduce_init).
     */
    public Prequest Reduce_init(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count,
        Datatype type, Op op, int root, Info info) throws MPIException {
        return nonblocking("Reduce_init", Collective.REDUCE, root)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, type, op).prepare();
    }

    /**
     * As {@link #allReduceInit(Object, Object, int, Datatype, Op, Info)}, with an offset for each buffer
     * (MPI_Allreduce_init).
     */
    public Prequest Allreduce_init(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count,
        Datatype type, Op op, Info info) throws MPIException {
        return nonblocking("Allreduce_init", Collective.ALLREDUCE)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, type, op).prepare();
    }

    /**
     * As {@link #reduceScatterInit(Object, Object, int[], Datatype, Op, Info)}, with an offset for each buffer
     * (MPI_Reduce_scatter_init).
     */
    public Prequest Reduce_scatter_init(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset,
        int[] recvcounts, Datatype type, Op op, Info info) throws MPIException {
        return nonblocking("Reduce_scatter_init", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, type, op).prepare();
    }
}
