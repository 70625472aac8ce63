package mpi;

/**
 * Collectives of the capital dialect, which {@link Intracomm} inherits. As in {@link Collectives}, but a buffer begins at an offset,
 * counted in elements of the array ({@code int}s for {@link MPI#INT2}); displacements count from there, in extents of the type. A
 * reduction whose two buffers and offsets are the same is done in place.
 */
abstract class CapitalCollectives extends Comm {
    CapitalCollectives(Handle handle) {
        super(handle);
    }

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
}
