package mpi;

import java.nio.Buffer;
import mpi.spi.Collective;
import mpi.spi.Neighbourhood;

/**
 * The neighbourhood collectives of the camel dialect, which {@link Comm} inherits: each rank exchanges with its
 * neighbours in the communicator's topology only. For what a buffer is see {@link PointToPoint}; for nonblocking calls
 * see {@link Collectives}, for persistent ones {@link PersistentCollectives}.
 *
 * <p>
 * A rank receives a block from each of its sources and sends to each of its destinations. Who they are, and in which
 * order their blocks lie:
 * <ul>
 * <li>{@link CartComm}: for each dimension first the neighbour one step down, then the one one step up. What a rank
 * sends down its receiver gets from above, and the other way round, also where both neighbours are the same rank. At
 * the border of a dimension that is not periodic there is no neighbour;
 * <li>{@link GraphComm} of {@link Intracomm#createGraph}: the neighbours of {@link GraphComm#getNeighbors}, which are
 * sources and destinations. Every edge must be named at both ends;
 * <li>distributed graph: the sources and destinations of {@link GraphComm#getDistGraphNeighbors}.
 * </ul>
 *
 * Of several blocks that one rank sends to another along edges of a graph, the first goes to the receiver's first.
 * Blocks of neighbours that are {@link MPI#PROC_NULL} have their place in the buffers, and are neither read nor
 * written. There is no form in place.
 *
 * <p>
 * All ranks of the communicator make the same calls in the same order, those without neighbours too. The calls throw
 * what the other collectives throw, and ERR_TOPOLOGY if the communicator has no topology, or has a graph with an edge
 * that is named at one end only.
 */
public abstract class NeighbourCollectives extends PersistentCollectives {
    /** Null until a call asks for it. */
    private Neighbourhood neighbours;

    NeighbourCollectives(Handle handle) {
        super(handle);
    }

    /** This rank's edges; null without a topology. The communicator is open. */
    Neighbourhood edges(String call) {
        return null;
    }

    private CollectiveCall among(CollectiveCall call, String name) {
        if (neighbours == null) {
            neighbours = edges(name);
        }
        return call.among(neighbours);
    }

    private CollectiveCall waiting(String name, Collective collective) {
        return among(blocking(name, collective), name);
    }

    private CollectiveCall beginning(String name, Collective collective) {
        return among(nonblocking(name, collective), name);
    }

    /**
     * Sends one block to all neighbours, and receives a block from each (MPI_Neighbor_allgather).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends to each destination, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each source, in the order of the sources
     * @param recvcount items of {@code recvtype} from each source, not from all together
     * @param recvtype type of the items received
     * @throws MPIException ERR_TOPOLOGY if the communicator has no topology; ERR_BUFFER, ERR_COUNT or ERR_TYPE if a
     * buffer does not hold its items
     */
    public final void neighborAllGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        waiting("neighborAllGather", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /**
     * As {@link #neighborAllGather}, with blocks of different sizes (MPI_Neighbor_allgatherv).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends to each destination, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for the items of all sources
     * @param recvcount for each source, how many items come from it
     * @param displs for each source, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException as {@link #neighborAllGather}; ERR_ARG if {@code recvcount} or {@code displs} is null or has
     * fewer entries than there are sources
     */
    public final void neighborAllGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        waiting("neighborAllGatherv", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).run();
    }

    /**
     * Sends a block of its own to each neighbour, and receives one from each (MPI_Neighbor_alltoall).
     *
     * @param sendbuf {@code sendcount} items for each destination, in the order of the destinations; not changed
     * @param sendcount items of {@code sendtype} to each destination, not to all together
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each source, in the order of the sources
     * @param recvcount items of {@code recvtype} from each source, not from all together
     * @param recvtype type of the items received
     * @throws MPIException ERR_TOPOLOGY if the communicator has no topology; ERR_BUFFER, ERR_COUNT or ERR_TYPE if a
     * buffer does not hold its items
     */
    public final void neighborAllToAll(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        waiting("neighborAllToAll", Collective.NEIGHBOR_ALLTOALL).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /**
     * As {@link #neighborAllToAll}, with blocks of different sizes (MPI_Neighbor_alltoallv).
     *
     * @param sendbuf the items for all destinations; not changed
     * @param sendcount for each destination, how many items go to it
     * @param sdispls for each destination, where its block begins in {@code sendbuf}, in extents of {@code sendtype}
     * @param sendtype type of the items sent
     * @param recvbuf room for the items of all sources
     * @param recvcount for each source, how many items come from it
     * @param rdispls for each source, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException as {@link #neighborAllToAll}; ERR_ARG if counts or displacements are null or fewer than the
     * neighbours
     */
    public final void neighborAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        waiting("neighborAllToAllv", Collective.NEIGHBOR_ALLTOALL).send(sendbuf, 0, sendcount, sdispls, sendtype)
            .recv(recvbuf, 0, recvcount, rdispls, recvtype).run();
    }

    // ---- nonblocking ----

    /** Begins what {@link #neighborAllGather} does (MPI_Ineighbor_allgather). */
    public final Request iNeighborAllGather(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iNeighborAllGather((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ineighbor_allgather). */
    public final Request iNeighborAllGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return beginning("iNeighborAllGather", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /** Begins what {@link #neighborAllGatherv} does (MPI_Ineighbor_allgatherv). */
    public final Request iNeighborAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return iNeighborAllGatherv((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ineighbor_allgatherv). */
    public final Request iNeighborAllGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return beginning("iNeighborAllGatherv", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).start();
    }

    /** Begins what {@link #neighborAllToAll} does (MPI_Ineighbor_alltoall). */
    public final Request iNeighborAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iNeighborAllToAll((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ineighbor_alltoall). */
    public final Request iNeighborAllToAll(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return beginning("iNeighborAllToAll", Collective.NEIGHBOR_ALLTOALL).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /** Begins what {@link #neighborAllToAllv} does (MPI_Ineighbor_alltoallv). */
    public final Request iNeighborAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return iNeighborAllToAllv((Object) sendbuf, sendcount, sdispls, sendtype, recvbuf, recvcount, rdispls,
            recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ineighbor_alltoallv). */
    public final Request iNeighborAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return beginning("iNeighborAllToAllv", Collective.NEIGHBOR_ALLTOALL)
            .send(sendbuf, 0, sendcount, sdispls, sendtype)
            .recv(recvbuf, 0, recvcount, rdispls, recvtype).start();
    }

    // ---- persistent ----

    /** Prepares what {@link #neighborAllGather} does (MPI_Neighbor_allgather_init). */
    public final Prequest neighborAllGatherInit(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, Info info) throws MPIException {
        return beginning("neighborAllGatherInit", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).prepare();
    }

    /** Prepares what {@link #neighborAllGatherv} does (MPI_Neighbor_allgatherv_init). */
    public final Prequest neighborAllGathervInit(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, Info info) throws MPIException {
        return beginning("neighborAllGathervInit", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).prepare();
    }

    /** Prepares what {@link #neighborAllToAll} does (MPI_Neighbor_alltoall_init). */
    public final Prequest neighborAllToAllInit(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, Info info) throws MPIException {
        return beginning("neighborAllToAllInit", Collective.NEIGHBOR_ALLTOALL).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).prepare();
    }

    /** Prepares what {@link #neighborAllToAllv} does (MPI_Neighbor_alltoallv_init). */
    public final Prequest neighborAllToAllvInit(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype, Info info) throws MPIException {
        return beginning("neighborAllToAllvInit", Collective.NEIGHBOR_ALLTOALL)
            .send(sendbuf, 0, sendcount, sdispls, sendtype).recv(recvbuf, 0, recvcount, rdispls, recvtype).prepare();
    }
}
