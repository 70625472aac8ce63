package mpi;

import java.nio.Buffer;

/**
 * The collectives of the camel dialect, which {@link Comm} inherits; for buffers see {@link PointToPoint}. All ranks of the communicator make the
 * same calls in the same order. Arguments that only the root uses may be anything elsewhere. Nonblocking calls take the arguments of their blocking
 * twins, in NIO buffers that are direct or give access to their array. The capital dialect has its collectives in {@link Intracomm}.
 */
public abstract class Collectives extends PointToPoint {
    Collectives(Handle handle) {
        super(handle);
    }

    /** Waits until all ranks have called it. */
    public final void barrier() throws MPIException {
        collectives.barrier("barrier", true);
    }

    /** Copies the root's buffer to all ranks. */
    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        collectives.bcast("bcast", buf, 0, count, type, root, true);
    }

    /** Collects {@code sendcount} items of each rank at the root, in the order of the ranks; {@code recvcount} is that of one rank. */
    public final void gather(Object sendbuf, int sendcount, Datatype sendtype,
                             Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.gather("gather", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, root, true);
    }

    /** Collects in place: at the root {@code buf} has room for all and holds its own items already, elsewhere it is what is sent. */
    public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
        collectives.gather("gather", true, buf, 0, count, type, buf, 0, count, type, root, true);
    }

    /** Collects blocks of different sizes at the root: of each rank {@code recvcount[rank]} items to {@code displs[rank]}, in extents of the type. */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype,
                              Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        collectives.gatherv("gatherv", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, displs, recvtype, root, true);
    }

    /** Collects in place, at the root: its own block is where it belongs already. */
    public final void gatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        collectives.role("gatherv", root, true, "gatherv(sendbuf, sendcount, sendtype, root)");
        collectives.gatherv("gatherv", true, null, 0, 0, null, recvbuf, 0, recvcount, displs, recvtype, root, true);
    }

    /** Sends a block to be collected, at ranks other than the root. */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        collectives.role("gatherv", root, false, "gatherv(recvbuf, recvcount, displs, recvtype, root)");
        collectives.gatherv("gatherv", false, sendbuf, 0, sendcount, sendtype, null, 0, null, null, null, root, true);
    }

    /** Deals out the root's buffer, {@code sendcount} items to each rank in the order of the ranks. */
    public final void scatter(Object sendbuf, int sendcount, Datatype sendtype,
                              Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.scatter("scatter", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, root, true);
    }

    /** Deals out in place: at the root {@code buf} is what is sent and its own items stay in it, elsewhere it receives. */
    public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
        collectives.scatter("scatter", true, buf, 0, count, type, buf, 0, count, type, root, true);
    }

    /** Deals out blocks of different sizes: to each rank {@code sendcount[rank]} items from {@code displs[rank]}, in extents of the type. */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
                               Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.scatterv("scatterv", false, sendbuf, 0, sendcount, displs, sendtype, recvbuf, 0, recvcount, recvtype, root, true);
    }

    /** Deals out in place, at the root: its own block stays where it is. */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) throws MPIException {
        collectives.role("scatterv", root, true, "scatterv(recvbuf, recvcount, recvtype, root)");
        collectives.scatterv("scatterv", true, sendbuf, 0, sendcount, displs, sendtype, null, 0, 0, null, root, true);
    }

    /** Receives a block that is dealt out, at ranks other than the root. */
    public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.role("scatterv", root, false, "scatterv(sendbuf, sendcount, displs, sendtype, root)");
        collectives.scatterv("scatterv", false, null, 0, null, null, null, recvbuf, 0, recvcount, recvtype, root, true);
    }

    /** Collects {@code sendcount} items of each rank at all ranks, in the order of the ranks. */
    public final void allGather(Object sendbuf, int sendcount, Datatype sendtype,
                                Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        collectives.allgather("allGather", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, true);
    }

    /** Collects in place: {@code buf} has room for {@code count} items of each rank, and holds this rank's already. */
    public final void allGather(Object buf, int count, Datatype type) throws MPIException {
        collectives.allgather("allGather", true, null, 0, 0, null, buf, 0, count, type, true);
    }

    /** Collects blocks of different sizes at all ranks, as {@link #gatherv} does at one. */
    public final void allGatherv(Object sendbuf, int sendcount, Datatype sendtype,
                                 Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        collectives.allgatherv("allGatherv", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, displs, recvtype, true);
    }

    /** Collects blocks in place: this rank's is where it belongs already. */
    public final void allGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        collectives.allgatherv("allGatherv", true, null, 0, 0, null, recvbuf, 0, recvcount, displs, recvtype, true);
    }

    /** Sends a block of {@code sendcount} items to each rank and receives one of each. */
    public final void allToAll(Object sendbuf, int sendcount, Datatype sendtype,
                               Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        collectives.alltoall("allToAll", sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, true);
    }

    /** Sends each rank a block of its own size and receives one of each; displacements in extents of the type. */
    public final void allToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
                                Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        collectives.alltoallv("allToAllv", sendbuf, 0, sendcount, sdispls, sendtype, recvbuf, 0, recvcount, rdispls, recvtype, true);
    }

    /** Sends each rank a block of its own size and type and receives one of each; displacements in bytes. */
    public final void allToAllw(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
                                Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        collectives.alltoallw("allToAllw", sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes, true);
    }

    /** As {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])}, as older programs link to it. */
    public final void allToAllw(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
                                Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        collectives.alltoallw("allToAllw", sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes, true);
    }

    /** Combines the ranks' items, each with those at the same index, at the root. */
    public final void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) throws MPIException {
        collectives.reduce("reduce", false, sendbuf, 0, recvbuf, 0, count, type, op, root, true);
    }

    /** Combines in place: {@code buf} holds what is combined and, at the root, the result. */
    public final void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        collectives.reduce("reduce", true, buf, 0, buf, 0, count, type, op, root, true);
    }

    /** Combines the ranks' items at all ranks. */
    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        collectives.allreduce("allReduce", false, sendbuf, 0, recvbuf, 0, count, type, op, true);
    }

    /** Combines in place at all ranks. */
    public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        collectives.allreduce("allReduce", true, null, 0, buf, 0, count, type, op, true);
    }

    /** Combines the ranks' items and deals the result out, {@code recvcounts[rank]} items to each rank. */
    public final void reduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
        collectives.reduceScatter("reduceScatter", false, sendbuf, 0, recvbuf, 0, recvcounts, type, op, true);
    }

    /** Combines in place; this rank's part of the result lies at the beginning of {@code buf}. */
    public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        collectives.reduceScatter("reduceScatter", true, null, 0, buf, 0, counts, type, op, true);
    }

    /** Combines the ranks' items and deals the result out, {@code recvcount} items to each rank. */
    public final void reduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
        collectives.reduceScatterBlock("reduceScatterBlock", false, sendbuf, 0, recvbuf, 0, recvcount, type, op, true);
    }

    /** Combines in place; this rank's part of the result lies at the beginning of {@code buf}. */
    public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        collectives.reduceScatterBlock("reduceScatterBlock", true, null, 0, buf, 0, count, type, op, true);
    }

    // ---- nonblocking ----

    /** Begins what {@link #barrier()} does. */
    public final Request iBarrier() throws MPIException {
        return new Request(collectives.barrier("iBarrier", false), null);
    }

    /** Begins what {@link #bcast(Object, int, Datatype, int)} does. */
    public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return new Request(collectives.bcast("iBcast", buf, 0, count, type, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iBcast(Object buf, int count, Datatype type, int root) throws MPIException {
        return new Request(collectives.bcast("iBcast", buf, 0, count, type, root, false), null);
    }

    /** Begins what {@link #gather(Object, int, Datatype, Object, int, Datatype, int)} does. */
    public final Request iGather(Buffer sendbuf, int sendcount, Datatype sendtype,
                                 Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return new Request(collectives.gather("iGather", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGather(Object sendbuf, int sendcount, Datatype sendtype,
                                 Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return new Request(collectives.gather("iGather", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, root, false), null);
    }

    /** Begins what {@link #gather(Object, int, Datatype, int)} does. */
    public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return new Request(collectives.gather("iGather", true, buf, 0, count, type, buf, 0, count, type, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGather(Object buf, int count, Datatype type, int root) throws MPIException {
        return new Request(collectives.gather("iGather", true, buf, 0, count, type, buf, 0, count, type, root, false), null);
    }

    /** Begins what {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)} does. */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
                                  Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return new Request(collectives.gatherv("iGatherv", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, displs, recvtype, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGatherv(Object sendbuf, int sendcount, Datatype sendtype,
                                  Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return new Request(collectives.gatherv("iGatherv", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, displs, recvtype, root, false), null);
    }

    /** Begins what {@link #gatherv(Object, int[], int[], Datatype, int)} does. */
    public final Request iGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        collectives.role("iGatherv", root, true, "iGatherv(sendbuf, sendcount, sendtype, root)");
        return new Request(collectives.gatherv("iGatherv", true, null, 0, 0, null, recvbuf, 0, recvcount, displs, recvtype, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        collectives.role("iGatherv", root, true, "iGatherv(sendbuf, sendcount, sendtype, root)");
        return new Request(collectives.gatherv("iGatherv", true, null, 0, 0, null, recvbuf, 0, recvcount, displs, recvtype, root, false), null);
    }

    /** Begins what {@link #gatherv(Object, int, Datatype, int)} does. */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        collectives.role("iGatherv", root, false, "iGatherv(recvbuf, recvcount, displs, recvtype, root)");
        return new Request(collectives.gatherv("iGatherv", false, sendbuf, 0, sendcount, sendtype, null, 0, null, null, null, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        collectives.role("iGatherv", root, false, "iGatherv(recvbuf, recvcount, displs, recvtype, root)");
        return new Request(collectives.gatherv("iGatherv", false, sendbuf, 0, sendcount, sendtype, null, 0, null, null, null, root, false), null);
    }

    /** Begins what {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)} does. */
    public final Request iScatter(Buffer sendbuf, int sendcount, Datatype sendtype,
                                  Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return new Request(collectives.scatter("iScatter", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatter(Object sendbuf, int sendcount, Datatype sendtype,
                                  Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return new Request(collectives.scatter("iScatter", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, root, false), null);
    }

    /** Begins what {@link #scatter(Object, int, Datatype, int)} does. */
    public final Request iScatter(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return new Request(collectives.scatter("iScatter", true, buf, 0, count, type, buf, 0, count, type, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatter(Object buf, int count, Datatype type, int root) throws MPIException {
        return new Request(collectives.scatter("iScatter", true, buf, 0, count, type, buf, 0, count, type, root, false), null);
    }

    /** Begins what {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)} does. */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
                                   Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return new Request(collectives.scatterv("iScatterv", false, sendbuf, 0, sendcount, displs, sendtype, recvbuf, 0, recvcount, recvtype, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
                                   Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return new Request(collectives.scatterv("iScatterv", false, sendbuf, 0, sendcount, displs, sendtype, recvbuf, 0, recvcount, recvtype, root, false), null);
    }

    /** Begins what {@link #scatterv(Object, int[], int[], Datatype, int)} does. */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) throws MPIException {
        collectives.role("iScatterv", root, true, "iScatterv(recvbuf, recvcount, recvtype, root)");
        return new Request(collectives.scatterv("iScatterv", true, sendbuf, 0, sendcount, displs, sendtype, null, 0, 0, null, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) throws MPIException {
        collectives.role("iScatterv", root, true, "iScatterv(recvbuf, recvcount, recvtype, root)");
        return new Request(collectives.scatterv("iScatterv", true, sendbuf, 0, sendcount, displs, sendtype, null, 0, 0, null, root, false), null);
    }

    /** Begins what {@link #scatterv(Object, int, Datatype, int)} does. */
    public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.role("iScatterv", root, false, "iScatterv(sendbuf, sendcount, displs, sendtype, root)");
        return new Request(collectives.scatterv("iScatterv", false, null, 0, null, null, null, recvbuf, 0, recvcount, recvtype, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        collectives.role("iScatterv", root, false, "iScatterv(sendbuf, sendcount, displs, sendtype, root)");
        return new Request(collectives.scatterv("iScatterv", false, null, 0, null, null, null, recvbuf, 0, recvcount, recvtype, root, false), null);
    }

    /** Begins what {@link #allGather(Object, int, Datatype, Object, int, Datatype)} does. */
    public final Request iAllGather(Buffer sendbuf, int sendcount, Datatype sendtype,
                                    Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return new Request(collectives.allgather("iAllGather", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllGather(Object sendbuf, int sendcount, Datatype sendtype,
                                    Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return new Request(collectives.allgather("iAllGather", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, false), null);
    }

    /** Begins what {@link #allGather(Object, int, Datatype)} does. */
    public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
        return new Request(collectives.allgather("iAllGather", true, null, 0, 0, null, buf, 0, count, type, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllGather(Object buf, int count, Datatype type) throws MPIException {
        return new Request(collectives.allgather("iAllGather", true, null, 0, 0, null, buf, 0, count, type, false), null);
    }

    /** Begins what {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)} does. */
    public final Request iAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
                                     Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return new Request(collectives.allgatherv("iAllGatherv", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, displs, recvtype, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllGatherv(Object sendbuf, int sendcount, Datatype sendtype,
                                     Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return new Request(collectives.allgatherv("iAllGatherv", false, sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, displs, recvtype, false), null);
    }

    /** Begins what {@link #allGatherv(Object, int[], int[], Datatype)} does. */
    public final Request iAllGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return new Request(collectives.allgatherv("iAllGatherv", true, null, 0, 0, null, recvbuf, 0, recvcount, displs, recvtype, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return new Request(collectives.allgatherv("iAllGatherv", true, null, 0, 0, null, recvbuf, 0, recvcount, displs, recvtype, false), null);
    }

    /** Begins what {@link #allToAll(Object, int, Datatype, Object, int, Datatype)} does. */
    public final Request iAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype,
                                   Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return new Request(collectives.alltoall("iAllToAll", sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllToAll(Object sendbuf, int sendcount, Datatype sendtype,
                                   Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return new Request(collectives.alltoall("iAllToAll", sendbuf, 0, sendcount, sendtype, recvbuf, 0, recvcount, recvtype, false), null);
    }

    /** Begins what {@link #allToAllv(Object, int[], int[], Datatype, Object, int[], int[], Datatype)} does. */
    public final Request iAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
                                    Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return new Request(collectives.alltoallv("iAllToAllv", sendbuf, 0, sendcount, sdispls, sendtype, recvbuf, 0, recvcount, rdispls, recvtype, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
                                    Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return new Request(collectives.alltoallv("iAllToAllv", sendbuf, 0, sendcount, sdispls, sendtype, recvbuf, 0, recvcount, rdispls, recvtype, false), null);
    }

    /** Begins what {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])} does. */
    public final Request iAllToAllw(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
                                    Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        return new Request(collectives.alltoallw("iAllToAllw", sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllToAllw(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
                                    Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        return new Request(collectives.alltoallw("iAllToAllw", sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes, false), null);
    }

    /** Begins what {@link #reduce(Object, Object, int, Datatype, Op, int)} does. */
    public final Request iReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root) throws MPIException {
        return new Request(collectives.reduce("iReduce", false, sendbuf, 0, recvbuf, 0, count, type, op, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) throws MPIException {
        return new Request(collectives.reduce("iReduce", false, sendbuf, 0, recvbuf, 0, count, type, op, root, false), null);
    }

    /** Begins what {@link #reduce(Object, int, Datatype, Op, int)} does. */
    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) throws MPIException {
        return new Request(collectives.reduce("iReduce", true, buf, 0, buf, 0, count, type, op, root, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        return new Request(collectives.reduce("iReduce", true, buf, 0, buf, 0, count, type, op, root, false), null);
    }

    /** Begins what {@link #allReduce(Object, Object, int, Datatype, Op)} does. */
    public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.allreduce("iAllReduce", false, sendbuf, 0, recvbuf, 0, count, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.allreduce("iAllReduce", false, sendbuf, 0, recvbuf, 0, count, type, op, false), null);
    }

    /** Begins what {@link #allReduce(Object, int, Datatype, Op)} does. */
    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.allreduce("iAllReduce", true, null, 0, buf, 0, count, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.allreduce("iAllReduce", true, null, 0, buf, 0, count, type, op, false), null);
    }

    /** Begins what {@link #reduceScatter(Object, Object, int[], Datatype, Op)} does. */
    public final Request iReduceScatter(Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
        return new Request(collectives.reduceScatter("iReduceScatter", false, sendbuf, 0, recvbuf, 0, recvcounts, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
        return new Request(collectives.reduceScatter("iReduceScatter", false, sendbuf, 0, recvbuf, 0, recvcounts, type, op, false), null);
    }

    /** Begins what {@link #reduceScatter(Object, int[], Datatype, Op)} does. */
    public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op) throws MPIException {
        return new Request(collectives.reduceScatter("iReduceScatter", true, null, 0, buf, 0, counts, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        return new Request(collectives.reduceScatter("iReduceScatter", true, null, 0, buf, 0, counts, type, op, false), null);
    }

    /** Begins what {@link #reduceScatterBlock(Object, Object, int, Datatype, Op)} does. */
    public final Request iReduceScatterBlock(Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
        return new Request(collectives.reduceScatterBlock("iReduceScatterBlock", false, sendbuf, 0, recvbuf, 0, recvcount, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
        return new Request(collectives.reduceScatterBlock("iReduceScatterBlock", false, sendbuf, 0, recvbuf, 0, recvcount, type, op, false), null);
    }

    /** Begins what {@link #reduceScatterBlock(Object, int, Datatype, Op)} does. */
    public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.reduceScatterBlock("iReduceScatterBlock", true, null, 0, buf, 0, count, type, op, false), null);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        return new Request(collectives.reduceScatterBlock("iReduceScatterBlock", true, null, 0, buf, 0, count, type, op, false), null);
    }
}
