package mpi;

import java.nio.Buffer;

/**
 * Nonblocking collectives of the camel dialect, which {@link Comm} inherits. They take the arguments of their blocking twins in
 * {@link Collectives}, in NIO buffers that are direct or give access to their array.
 */
abstract class NonblockingCollectives extends Collectives {
    NonblockingCollectives(Handle handle) {
        super(handle);
    }

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
