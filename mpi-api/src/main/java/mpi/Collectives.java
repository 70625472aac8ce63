package mpi;

import java.nio.Buffer;
import mpi.spi.Collective;

/**
 * The collectives of the camel dialect, which {@link Comm} inherits. Those of the capital dialect are in
 * {@link Intracomm}. For what a buffer is see {@link PointToPoint}.
 *
 * <p>
 * All ranks of the communicator make the same calls in the same order. Arguments that only the root uses may be
 * anything on other ranks. What one rank sends to another must be as many bytes as that rank receives.
 *
 * <p>
 * On an {@link Intercomm} data goes from one group to the other, and the root is {@link MPI#ROOT} or
 * {@link MPI#PROC_NULL} in its own group; see there.
 *
 * <p>
 * The calls whose name begins with an i are nonblocking: they take the arguments of their blocking twins and return a
 * request. The buffers belong to the call until the request is complete. Forms with {@link Buffer} parameters are there
 * for programs that were compiled against them.
 *
 * <p>
 * Every call checks its arguments before it moves data, and throws an {@link MPIException} of these classes:
 * <ul>
 * <li>ERR_BUFFER: a buffer is null though it holds items, is read-only though it receives, or its numbers, which are to
 * be reduced, are in foreign byte order; or an offset lies outside the buffer
 * <li>ERR_COUNT: a count is negative, or its items do not fit into the buffer
 * <li>ERR_TYPE: a type is null, or the buffer is of a kind that cannot hold it
 * <li>ERR_ROOT, ERR_OP, ERR_ARG: as said at each call
 * <li>ERR_COMM: the communicator is null or has been freed; ERR_OTHER: MPI is not initialized, or is finalized
 * <li>ERR_TRUNCATE: the ranks mean different numbers of bytes, if this is noticed
 * <li>ERR_PROC_FAILED: a rank that the call needs has died, and the communicator has {@link MPI#ERRORS_RETURN}
 * </ul>
 */
public abstract class Collectives extends PartitionedPointToPoint {
    Collectives(Handle handle) {
        super(handle);
    }

    final CollectiveCall blocking(String call, Collective collective) {
        return handle.ofCollectives.blocking(call, collective);
    }

    final CollectiveCall blocking(String call, Collective collective, int root) {
        return handle.ofCollectives.blocking(call, collective).root(root);
    }

    final CollectiveCall nonblocking(String call, Collective collective) {
        return handle.ofCollectives.nonblocking(call, collective);
    }

    final CollectiveCall nonblocking(String call, Collective collective, int root) {
        return handle.ofCollectives.nonblocking(call, collective).root(root);
    }

    /**
     * Waits until all ranks of the communicator have called it (MPI_Barrier).
     *
     * @throws MPIException ERR_COMM if the communicator is null or has been freed
     */
    public final void barrier() throws MPIException {
        blocking("barrier", Collective.BARRIER).run();
    }

    /**
     * Copies the root's items to all ranks (MPI_Bcast).
     *
     * @param buf at the root the {@code count} items to send, elsewhere room for them
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        blocking("bcast", Collective.BCAST, root).recv(buf, 0, count, type).run();
    }

    /**
     * Collects a block of each rank at the root, in rank order (MPI_Gather). All blocks have the same size.
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each rank, in rank order; only the root uses it
     * @param recvcount items of {@code recvtype} from each rank, not from all together
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void gather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("gather", Collective.GATHER, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /**
     * Collects blocks in place: the root's own block is in its buffer already (MPI_Gather with MPI_IN_PLACE at the
     * root).
     *
     * @param buf at the root room for {@code count} items of each rank, elsewhere the {@code count} items to send
     * @param count items of {@code type} of each rank
     * @param type type of one item
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
        blocking("gather", Collective.GATHER, root).inPlace(buf, 0, count, type).run();
    }

    /**
     * Collects blocks of different sizes at the root (MPI_Gatherv).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for all blocks; only the root uses it
     * @param recvcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcount} or {@code displs} is null or has fewer entries than there are ranks; ERR_ROOT if {@code root}
     * is not a rank
     */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        blocking("gatherv", Collective.GATHERV, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).run();
    }

    /**
     * Collects blocks of different sizes in place: only the root calls this form (MPI_Gatherv with MPI_IN_PLACE).
     *
     * @param recvbuf room for all blocks, in which the root's own block is already
     * @param recvcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcount} or {@code displs} is null or has fewer entries than there are ranks; ERR_ROOT if this rank is
     * not the root or {@code root} is not a rank
     */
    public final void gatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
        throws MPIException {
        blocking("gatherv", Collective.GATHERV, root).atRoot("gatherv(sendbuf, sendcount, sendtype, root)")
            .inPlace(recvbuf, 0, recvcount, displs, recvtype).run();
    }

    /**
     * Sends this rank's block to the root; all ranks but the root call this form (MPI_Gatherv).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if this rank
     * is the root or {@code root} is not a rank
     */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        blocking("gatherv", Collective.GATHERV, root).elsewhere("gatherv(recvbuf, recvcount, displs, recvtype, root)")
            .send(sendbuf, 0, sendcount, sendtype).run();
    }

    /**
     * Sends each rank one block of the root's buffer, in rank order (MPI_Scatter). All blocks have the same size.
     *
     * @param sendbuf {@code sendcount} items for each rank, in rank order; only the root uses it
     * @param sendcount items of {@code sendtype} to each rank, not to all together
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items
     * @param recvcount items of {@code recvtype} that this rank receives, 0 or more
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void scatter(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("scatter", Collective.SCATTER, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, sendtype).run();
    }

    /**
     * Sends each rank one block of the root's buffer in place: the root's own block stays there (MPI_Scatter with
     * MPI_IN_PLACE at the root).
     *
     * @param buf at the root {@code count} items for each rank, elsewhere room for {@code count} items
     * @param count items of {@code type} for each rank
     * @param type type of one item
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
        blocking("scatter", Collective.SCATTER, root).inPlace(buf, 0, count, type).run();
    }

    /**
     * Sends each rank a block of its own size from the root's buffer (MPI_Scatterv).
     *
     * @param sendbuf the blocks of all ranks; only the root uses it
     * @param sendcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code sendbuf}, in extents of {@code sendtype}
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items
     * @param recvcount items of {@code recvtype} that this rank receives, 0 or more
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code sendcount} or {@code displs} is null or has fewer entries than there are ranks; ERR_ROOT if {@code root}
     * is not a rank
     */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("scatterv", Collective.SCATTERV, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, displs, sendtype).run();
    }

    /**
     * Sends each rank a block of its own size; the root's stays in place, and only the root calls this form
     * (MPI_Scatterv with MPI_IN_PLACE).
     *
     * @param sendbuf the blocks of all ranks
     * @param sendcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code sendbuf}, in extents of {@code sendtype}
     * @param sendtype type of the items sent
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code sendcount} or {@code displs} is null or has fewer entries than there are ranks; ERR_ROOT if this rank is
     * not the root or {@code root} is not a rank
     */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
        throws MPIException {
        blocking("scatterv", Collective.SCATTERV, root).atRoot("scatterv(recvbuf, recvcount, recvtype, root)")
            .inPlace(sendbuf, 0, sendcount, displs, sendtype).run();
    }

    /**
     * Receives this rank's block from the root; all ranks but the root call this form (MPI_Scatterv).
     *
     * @param recvbuf room for {@code recvcount} items
     * @param recvcount items of {@code recvtype} that this rank receives, 0 or more
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if this rank
     * is the root or {@code root} is not a rank
     */
    public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("scatterv", Collective.SCATTERV, root)
            .elsewhere("scatterv(sendbuf, sendcount, displs, sendtype, root)")
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /**
     * Collects a block of each rank at all ranks, in rank order (MPI_Allgather). All blocks have the same size.
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each rank, in rank order
     * @param recvcount items of {@code recvtype} from each rank, not from all together
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items
     */
    public final void allGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        blocking("allGather", Collective.ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /**
     * Collects blocks at all ranks in place (MPI_Allgather with MPI_IN_PLACE).
     *
     * @param buf room for {@code count} items of each rank; this rank's block is in its place already
     * @param count items of {@code type} of each rank, not of all together
     * @param type type of one item
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items
     */
    public final void allGather(Object buf, int count, Datatype type) throws MPIException {
        blocking("allGather", Collective.ALLGATHER).inPlace(buf, 0, count, type).run();
    }

    /**
     * Collects blocks of different sizes at all ranks (MPI_Allgatherv).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for all blocks
     * @param recvcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcount} or {@code displs} is null or has fewer entries than there are ranks
     */
    public final void allGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        blocking("allGatherv", Collective.ALLGATHERV).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).run();
    }

    /**
     * Collects blocks of different sizes at all ranks in place (MPI_Allgatherv with MPI_IN_PLACE).
     *
     * @param recvbuf room for all blocks; this rank's block is in its place already
     * @param recvcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcount} or {@code displs} is null or has fewer entries than there are ranks
     */
    public final void allGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        blocking("allGatherv", Collective.ALLGATHERV).inPlace(recvbuf, 0, recvcount, displs, recvtype).run();
    }

    /**
     * Sends a block to each rank and receives a block from each (MPI_Alltoall). All blocks have the same size.
     *
     * @param sendbuf {@code sendcount} items for each rank, in rank order
     * @param sendcount items of {@code sendtype} to each rank, not to all together
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each rank, in rank order
     * @param recvcount items of {@code recvtype} from each rank, not from all together
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items
     */
    public final void allToAll(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        blocking("allToAll", Collective.ALLTOALL).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /**
     * Sends each rank a block of its own size and receives one from each (MPI_Alltoallv).
     *
     * @param sendbuf the blocks of all ranks
     * @param sendcount for each rank, the items of its block
     * @param sdispls for each rank, where its block begins in {@code sendbuf}, in extents of {@code sendtype}
     * @param sendtype type of the items sent
     * @param recvbuf room for all blocks
     * @param recvcount for each rank, the items of its block
     * @param rdispls for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if a list is
     * null or has fewer entries than there are ranks
     */
    public final void allToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        blocking("allToAllv", Collective.ALLTOALLV).send(sendbuf, 0, sendcount, sdispls, sendtype)
            .recv(recvbuf, 0, recvcount, rdispls, recvtype).run();
    }

    /**
     * Sends each rank a block of its own size and type and receives one from each (MPI_Alltoallw).
     *
     * @param sendbuf the blocks for all ranks; not changed
     * @param sendcount for each rank, the items of the block to it
     * @param sdispls for each rank, where the block to it begins in {@code sendbuf}, in bytes
     * @param sendtypes for each rank, the type of the items to it
     * @param recvbuf room for all blocks
     * @param recvcount for each rank, the items of the block from it
     * @param rdispls for each rank, where the block from it begins in {@code recvbuf}, in bytes
     * @param recvtypes for each rank, the type of the items from it
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if a list is
     * null or has fewer entries than there are ranks
     */
    public final void allToAllw(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        blocking("allToAllw", Collective.ALLTOALLV).send(sendbuf, sendcount, sdispls, sendtypes)
            .recv(recvbuf, recvcount, rdispls, recvtypes).run();
    }

    /**
     * As {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])}, as older programs link
     * to it.
     */
    public final void allToAllw(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        allToAllw((Object) sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes);
    }

    /**
     * Combines the items of all ranks, index by index, and gives the root the result (MPI_Reduce).
     *
     * @param sendbuf this rank's {@code count} items; not changed
     * @param recvbuf room for {@code count} items; only the root uses it; {@code sendbuf} itself (in place), or no
     * overlap with it
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank; ERR_OP if {@code op} is null, freed, or not defined on {@code type}
     */
    public final void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
        throws MPIException {
        blocking("reduce", Collective.REDUCE, root).reduce(sendbuf, 0, recvbuf, 0, count, type, op).run();
    }

    /**
     * Combines items in place (MPI_Reduce with MPI_IN_PLACE at the root).
     *
     * @param buf this rank's {@code count} items; at the root the result replaces them
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank; ERR_OP if {@code op} is null, freed, or not defined on {@code type}
     */
    public final void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        blocking("reduce", Collective.REDUCE, root).reduce(buf, 0, buf, 0, count, type, op).run();
    }

    /**
     * Combines the items of all ranks, index by index, and gives all ranks the result (MPI_Allreduce).
     *
     * @param sendbuf this rank's {@code count} items; not changed
     * @param recvbuf room for {@code count} items; {@code sendbuf} itself (in place), or no overlap with it
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        blocking("allReduce", Collective.ALLREDUCE).reduce(sendbuf, 0, recvbuf, 0, count, type, op).run();
    }

    /**
     * Combines items at all ranks in place (MPI_Allreduce with MPI_IN_PLACE).
     *
     * @param buf this rank's {@code count} items; the result replaces them
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        blocking("allReduce", Collective.ALLREDUCE).reduce(buf, 0, buf, 0, count, type, op).run();
    }

    /**
     * Combines the items of all ranks, index by index, and gives each rank a block of the result (MPI_Reduce_scatter).
     *
     * @param sendbuf this rank's items for all blocks, side by side; not changed
     * @param recvbuf room for this rank's block; must not overlap {@code sendbuf}
     * @param recvcounts for each rank, the items of its block; the same on all ranks
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcounts} is null or has fewer entries than there are ranks; ERR_OP if {@code op} is null, freed, or not
     * defined on {@code type}
     */
    public final void reduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op)
        throws MPIException {
        blocking("reduceScatter", Collective.REDUCE_SCATTER).reduce(sendbuf, 0, recvbuf, 0, recvcounts, type, op).run();
    }

    /**
     * Combines items in place and gives each rank a block of the result (MPI_Reduce_scatter with MPI_IN_PLACE).
     *
     * @param buf this rank's items for all blocks, side by side; its block of the result replaces the first of them
     * @param counts for each rank, the items of its block; the same on all ranks
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code counts} is null or has fewer entries than there are ranks; ERR_OP if {@code op} is null, freed, or not
     * defined on {@code type}
     */
    public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        blocking("reduceScatter", Collective.REDUCE_SCATTER).reduce(buf, 0, buf, 0, counts, type, op).run();
    }

    /**
     * Combines the items of all ranks and gives each rank a block of the same size (MPI_Reduce_scatter_block).
     *
     * @param sendbuf {@code recvcount} items for each rank, in rank order; not changed
     * @param recvbuf room for {@code recvcount} items; must not overlap {@code sendbuf}
     * @param recvcount items of {@code type} in one block, the same on all ranks
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void reduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op)
        throws MPIException {
        blocking("reduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcount, type, op).run();
    }

    /**
     * Combines items in place and gives each rank a block of the same size (MPI_Reduce_scatter_block with
     * MPI_IN_PLACE).
     *
     * @param buf {@code count} items for each rank, in rank order; this rank's block of the result replaces the first
     * of them
     * @param count items of {@code type} in one block, the same on all ranks
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        blocking("reduceScatterBlock", Collective.REDUCE_SCATTER).reduce(buf, 0, buf, 0, count, type, op).run();
    }

    // ---- nonblocking ----

    /** Begins what {@link #barrier()} does (MPI_Ibarrier). */
    public final Request iBarrier() throws MPIException {
        return nonblocking("iBarrier", Collective.BARRIER).start();
    }

    /** Begins what {@link #bcast(Object, int, Datatype, int)} does (MPI_Ibcast). */
    public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iBcast((Object) buf, count, type, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ibcast). */
    public final Request iBcast(Object buf, int count, Datatype type, int root) throws MPIException {
        return nonblocking("iBcast", Collective.BCAST, root).recv(buf, 0, count, type).start();
    }

    /** Begins what {@link #gather(Object, int, Datatype, Object, int, Datatype, int)} does (MPI_Igather). */
    public final Request iGather(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iGather((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igather). */
    public final Request iGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iGather", Collective.GATHER, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /** Begins what {@link #gather(Object, int, Datatype, int)} does (MPI_Igather). */
    public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iGather((Object) buf, count, type, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igather). */
    public final Request iGather(Object buf, int count, Datatype type, int root) throws MPIException {
        return nonblocking("iGather", Collective.GATHER, root).inPlace(buf, 0, count, type).start();
    }

    /** Begins what {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)} does (MPI_Igatherv). */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return iGatherv((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igatherv). */
    public final Request iGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iGatherv", Collective.GATHERV, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).start();
    }

    /** Begins what {@link #gatherv(Object, int[], int[], Datatype, int)} does (MPI_Igatherv). */
    public final Request iGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
        throws MPIException {
        return iGatherv((Object) recvbuf, recvcount, displs, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igatherv). */
    public final Request iGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
        throws MPIException {
        return nonblocking("iGatherv", Collective.GATHERV, root).atRoot("iGatherv(sendbuf, sendcount, sendtype, root)")
            .inPlace(recvbuf, 0, recvcount, displs, recvtype).start();
    }

    /** Begins what {@link #gatherv(Object, int, Datatype, int)} does (MPI_Igatherv). */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        return iGatherv((Object) sendbuf, sendcount, sendtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igatherv). */
    public final Request iGatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        return nonblocking("iGatherv", Collective.GATHERV, root)
            .elsewhere("iGatherv(recvbuf, recvcount, displs, recvtype, root)")
            .send(sendbuf, 0, sendcount, sendtype).start();
    }

    /** Begins what {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)} does (MPI_Iscatter). */
    public final Request iScatter(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatter((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatter). */
    public final Request iScatter(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iScatter", Collective.SCATTER, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, sendtype).start();
    }

    /** Begins what {@link #scatter(Object, int, Datatype, int)} does (MPI_Iscatter). */
    public final Request iScatter(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iScatter((Object) buf, count, type, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatter). */
    public final Request iScatter(Object buf, int count, Datatype type, int root) throws MPIException {
        return nonblocking("iScatter", Collective.SCATTER, root).inPlace(buf, 0, count, type).start();
    }

    /**
     * Begins what {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)} does (MPI_Iscatterv).
     */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatterv((Object) sendbuf, sendcount, displs, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatterv). */
    public final Request iScatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iScatterv", Collective.SCATTERV, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, displs, sendtype).start();
    }

    /** Begins what {@link #scatterv(Object, int[], int[], Datatype, int)} does (MPI_Iscatterv). */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
        throws MPIException {
        return iScatterv((Object) sendbuf, sendcount, displs, sendtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatterv). */
    public final Request iScatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
        throws MPIException {
        return nonblocking("iScatterv", Collective.SCATTERV, root)
            .atRoot("iScatterv(recvbuf, recvcount, recvtype, root)")
            .inPlace(sendbuf, 0, sendcount, displs, sendtype).start();
    }

    /** Begins what {@link #scatterv(Object, int, Datatype, int)} does (MPI_Iscatterv). */
    public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatterv((Object) recvbuf, recvcount, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatterv). */
    public final Request iScatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iScatterv", Collective.SCATTERV, root)
            .elsewhere("iScatterv(sendbuf, sendcount, displs, sendtype, root)")
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /** Begins what {@link #allGather(Object, int, Datatype, Object, int, Datatype)} does (MPI_Iallgather). */
    public final Request iAllGather(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iAllGather((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallgather). */
    public final Request iAllGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return nonblocking("iAllGather", Collective.ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /** Begins what {@link #allGather(Object, int, Datatype)} does (MPI_Iallgather). */
    public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
        return iAllGather((Object) buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallgather). */
    public final Request iAllGather(Object buf, int count, Datatype type) throws MPIException {
        return nonblocking("iAllGather", Collective.ALLGATHER).inPlace(buf, 0, count, type).start();
    }

    /**
     * Begins what {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)} does (MPI_Iallgatherv).
     */
    public final Request iAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return iAllGatherv((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallgatherv). */
    public final Request iAllGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return nonblocking("iAllGatherv", Collective.ALLGATHERV).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).start();
    }

    /** Begins what {@link #allGatherv(Object, int[], int[], Datatype)} does (MPI_Iallgatherv). */
    public final Request iAllGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype)
        throws MPIException {
        return iAllGatherv((Object) recvbuf, recvcount, displs, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallgatherv). */
    public final Request iAllGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype)
        throws MPIException {
        return nonblocking("iAllGatherv", Collective.ALLGATHERV)
            .inPlace(recvbuf, 0, recvcount, displs, recvtype).start();
    }

    /** Begins what {@link #allToAll(Object, int, Datatype, Object, int, Datatype)} does (MPI_Ialltoall). */
    public final Request iAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iAllToAll((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ialltoall). */
    public final Request iAllToAll(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return nonblocking("iAllToAll", Collective.ALLTOALL).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /**
     * Begins what {@link #allToAllv(Object, int[], int[], Datatype, Object, int[], int[], Datatype)} does
     * (MPI_Ialltoallv).
     */
    public final Request iAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return iAllToAllv((Object) sendbuf, sendcount, sdispls, sendtype, recvbuf, recvcount, rdispls, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ialltoallv). */
    public final Request iAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return nonblocking("iAllToAllv", Collective.ALLTOALLV).send(sendbuf, 0, sendcount, sdispls, sendtype)
            .recv(recvbuf, 0, recvcount, rdispls, recvtype).start();
    }

    /**
     * Begins what {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])} does
     * (MPI_Ialltoallw).
     */
    public final Request iAllToAllw(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        return iAllToAllw((Object) sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ialltoallw). */
    public final Request iAllToAllw(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        return nonblocking("iAllToAllw", Collective.ALLTOALLV).send(sendbuf, sendcount, sdispls, sendtypes)
            .recv(recvbuf, recvcount, rdispls, recvtypes).start();
    }

    /** Begins what {@link #reduce(Object, Object, int, Datatype, Op, int)} does (MPI_Ireduce). */
    public final Request iReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root)
        throws MPIException {
        return iReduce((Object) sendbuf, recvbuf, count, type, op, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce). */
    public final Request iReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
        throws MPIException {
        return nonblocking("iReduce", Collective.REDUCE, root).reduce(sendbuf, 0, recvbuf, 0, count, type, op).start();
    }

    /** Begins what {@link #reduce(Object, int, Datatype, Op, int)} does (MPI_Ireduce). */
    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) throws MPIException {
        return iReduce((Object) buf, count, type, op, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce). */
    public final Request iReduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        return nonblocking("iReduce", Collective.REDUCE, root).reduce(buf, 0, buf, 0, count, type, op).start();
    }

    /** Begins what {@link #allReduce(Object, Object, int, Datatype, Op)} does (MPI_Iallreduce). */
    public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
        throws MPIException {
        return iAllReduce((Object) sendbuf, recvbuf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallreduce). */
    public final Request iAllReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
        throws MPIException {
        return nonblocking("iAllReduce", Collective.ALLREDUCE).reduce(sendbuf, 0, recvbuf, 0, count, type, op).start();
    }

    /** Begins what {@link #allReduce(Object, int, Datatype, Op)} does (MPI_Iallreduce). */
    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iAllReduce((Object) buf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallreduce). */
    public final Request iAllReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        return nonblocking("iAllReduce", Collective.ALLREDUCE).reduce(buf, 0, buf, 0, count, type, op).start();
    }

    /** Begins what {@link #reduceScatter(Object, Object, int[], Datatype, Op)} does (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op)
        throws MPIException {
        return iReduceScatter((Object) sendbuf, recvbuf, recvcounts, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op)
        throws MPIException {
        return nonblocking("iReduceScatter", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcounts, type, op).start();
    }

    /** Begins what {@link #reduceScatter(Object, int[], Datatype, Op)} does (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op) throws MPIException {
        return iReduceScatter((Object) buf, counts, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        return nonblocking("iReduceScatter", Collective.REDUCE_SCATTER)
            .reduce(buf, 0, buf, 0, counts, type, op).start();
    }

    /** Begins what {@link #reduceScatterBlock(Object, Object, int, Datatype, Op)} does (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op)
        throws MPIException {
        return iReduceScatterBlock((Object) sendbuf, recvbuf, recvcount, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op)
        throws MPIException {
        return nonblocking("iReduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcount, type, op).start();
    }

    /** Begins what {@link #reduceScatterBlock(Object, int, Datatype, Op)} does (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iReduceScatterBlock((Object) buf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        return nonblocking("iReduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(buf, 0, buf, 0, count, type, op).start();
    }
}
