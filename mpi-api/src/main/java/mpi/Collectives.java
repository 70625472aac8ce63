package mpi;

import java.nio.Buffer;
import mpi.spi.Collective;

/**
 * The collectives of the camel dialect, which {@link Comm} inherits; for buffers see {@link PointToPoint}. All ranks of the communicator make the
 * same calls in the same order. Arguments that only the root uses may be anything elsewhere. Nonblocking calls take the arguments of their blocking
 * twins, in NIO buffers that are direct or give access to their array. The capital dialect has its collectives in {@link Intracomm}.
 */
public abstract class Collectives extends PointToPoint {
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

    /** Waits until all ranks have called it. */
    public final void barrier() throws MPIException {
        blocking("barrier", Collective.BARRIER).run();
    }

    /** Copies the root's buffer to all ranks. */
    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        blocking("bcast", Collective.BCAST, root).recv(buf, 0, count, type).run();
    }

    /** Collects {@code sendcount} items of each rank at the root, in the order of the ranks; {@code recvcount} is that of one rank. */
    public final void gather(Object sendbuf, int sendcount, Datatype sendtype,
                             Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("gather", Collective.GATHER, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /** Collects in place: at the root {@code buf} has room for all and holds its own items already, elsewhere it is what is sent. */
    public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
        blocking("gather", Collective.GATHER, root).inPlace(buf, 0, count, type).run();
    }

    /** Collects blocks of different sizes at the root: of each rank {@code recvcount[rank]} items to {@code displs[rank]}, in extents of the type. */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype,
                              Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        blocking("gatherv", Collective.GATHERV, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).run();
    }

    /** Collects in place, at the root: its own block is where it belongs already. */
    public final void gatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        blocking("gatherv", Collective.GATHERV, root).atRoot("gatherv(sendbuf, sendcount, sendtype, root)")
            .inPlace(recvbuf, 0, recvcount, displs, recvtype).run();
    }

    /** Sends a block to be collected, at ranks other than the root. */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        blocking("gatherv", Collective.GATHERV, root).elsewhere("gatherv(recvbuf, recvcount, displs, recvtype, root)")
            .send(sendbuf, 0, sendcount, sendtype).run();
    }

    /** Deals out the root's buffer, {@code sendcount} items to each rank in the order of the ranks. */
    public final void scatter(Object sendbuf, int sendcount, Datatype sendtype,
                              Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("scatter", Collective.SCATTER, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, sendtype).run();
    }

    /** Deals out in place: at the root {@code buf} is what is sent and its own items stay in it, elsewhere it receives. */
    public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
        blocking("scatter", Collective.SCATTER, root).inPlace(buf, 0, count, type).run();
    }

    /** Deals out blocks of different sizes: to each rank {@code sendcount[rank]} items from {@code displs[rank]}, in extents of the type. */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
                               Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("scatterv", Collective.SCATTERV, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, displs, sendtype).run();
    }

    /** Deals out in place, at the root: its own block stays where it is. */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) throws MPIException {
        blocking("scatterv", Collective.SCATTERV, root).atRoot("scatterv(recvbuf, recvcount, recvtype, root)")
            .inPlace(sendbuf, 0, sendcount, displs, sendtype).run();
    }

    /** Receives a block that is dealt out, at ranks other than the root. */
    public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("scatterv", Collective.SCATTERV, root)
            .elsewhere("scatterv(sendbuf, sendcount, displs, sendtype, root)")
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /** Collects {@code sendcount} items of each rank at all ranks, in the order of the ranks. */
    public final void allGather(Object sendbuf, int sendcount, Datatype sendtype,
                                Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        blocking("allGather", Collective.ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /** Collects in place: {@code buf} has room for {@code count} items of each rank, and holds this rank's already. */
    public final void allGather(Object buf, int count, Datatype type) throws MPIException {
        blocking("allGather", Collective.ALLGATHER).inPlace(buf, 0, count, type).run();
    }

    /** Collects blocks of different sizes at all ranks, as {@link #gatherv} does at one. */
    public final void allGatherv(Object sendbuf, int sendcount, Datatype sendtype,
                                 Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        blocking("allGatherv", Collective.ALLGATHERV).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).run();
    }

    /** Collects blocks in place: this rank's is where it belongs already. */
    public final void allGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        blocking("allGatherv", Collective.ALLGATHERV).inPlace(recvbuf, 0, recvcount, displs, recvtype).run();
    }

    /** Sends a block of {@code sendcount} items to each rank and receives one of each. */
    public final void allToAll(Object sendbuf, int sendcount, Datatype sendtype,
                               Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        blocking("allToAll", Collective.ALLTOALL).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).run();
    }

    /** Sends each rank a block of its own size and receives one of each; displacements in extents of the type. */
    public final void allToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
                                Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        blocking("allToAllv", Collective.ALLTOALLV).send(sendbuf, 0, sendcount, sdispls, sendtype)
            .recv(recvbuf, 0, recvcount, rdispls, recvtype).run();
    }

    /** Sends each rank a block of its own size and type and receives one of each; displacements in bytes. */
    public final void allToAllw(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
                                Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        blocking("allToAllw", Collective.ALLTOALLV).send(sendbuf, sendcount, sdispls, sendtypes)
            .recv(recvbuf, recvcount, rdispls, recvtypes).run();
    }

    /** As {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])}, as older programs link to it. */
    public final void allToAllw(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
                                Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        allToAllw((Object) sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes);
    }

    /** Combines the ranks' items, each with those at the same index, at the root. */
    public final void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) throws MPIException {
        blocking("reduce", Collective.REDUCE, root).reduce(sendbuf, 0, recvbuf, 0, count, type, op).run();
    }

    /** Combines in place: {@code buf} holds what is combined and, at the root, the result. */
    public final void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        blocking("reduce", Collective.REDUCE, root).reduce(buf, 0, buf, 0, count, type, op).run();
    }

    /** Combines the ranks' items at all ranks. */
    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        blocking("allReduce", Collective.ALLREDUCE).reduce(sendbuf, 0, recvbuf, 0, count, type, op).run();
    }

    /** Combines in place at all ranks. */
    public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        blocking("allReduce", Collective.ALLREDUCE).reduce(buf, 0, buf, 0, count, type, op).run();
    }

    /** Combines the ranks' items and deals the result out, {@code recvcounts[rank]} items to each rank. */
    public final void reduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
        blocking("reduceScatter", Collective.REDUCE_SCATTER).reduce(sendbuf, 0, recvbuf, 0, recvcounts, type, op).run();
    }

    /** Combines in place; this rank's part of the result lies at the beginning of {@code buf}. */
    public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        blocking("reduceScatter", Collective.REDUCE_SCATTER).reduce(buf, 0, buf, 0, counts, type, op).run();
    }

    /** Combines the ranks' items and deals the result out, {@code recvcount} items to each rank. */
    public final void reduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
        blocking("reduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcount, type, op).run();
    }

    /** Combines in place; this rank's part of the result lies at the beginning of {@code buf}. */
    public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        blocking("reduceScatterBlock", Collective.REDUCE_SCATTER).reduce(buf, 0, buf, 0, count, type, op).run();
    }

    // ---- nonblocking ----

    /** Begins what {@link #barrier()} does. */
    public final Request iBarrier() throws MPIException {
        return nonblocking("iBarrier", Collective.BARRIER).start();
    }

    /** Begins what {@link #bcast(Object, int, Datatype, int)} does. */
    public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iBcast((Object) buf, count, type, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iBcast(Object buf, int count, Datatype type, int root) throws MPIException {
        return nonblocking("iBcast", Collective.BCAST, root).recv(buf, 0, count, type).start();
    }

    /** Begins what {@link #gather(Object, int, Datatype, Object, int, Datatype, int)} does. */
    public final Request iGather(Buffer sendbuf, int sendcount, Datatype sendtype,
                                 Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iGather((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGather(Object sendbuf, int sendcount, Datatype sendtype,
                                 Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iGather", Collective.GATHER, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /** Begins what {@link #gather(Object, int, Datatype, int)} does. */
    public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iGather((Object) buf, count, type, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGather(Object buf, int count, Datatype type, int root) throws MPIException {
        return nonblocking("iGather", Collective.GATHER, root).inPlace(buf, 0, count, type).start();
    }

    /** Begins what {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)} does. */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
                                  Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return iGatherv((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGatherv(Object sendbuf, int sendcount, Datatype sendtype,
                                  Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iGatherv", Collective.GATHERV, root).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).start();
    }

    /** Begins what {@link #gatherv(Object, int[], int[], Datatype, int)} does. */
    public final Request iGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return iGatherv((Object) recvbuf, recvcount, displs, recvtype, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iGatherv", Collective.GATHERV, root).atRoot("iGatherv(sendbuf, sendcount, sendtype, root)")
            .inPlace(recvbuf, 0, recvcount, displs, recvtype).start();
    }

    /** Begins what {@link #gatherv(Object, int, Datatype, int)} does. */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        return iGatherv((Object) sendbuf, sendcount, sendtype, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iGatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        return nonblocking("iGatherv", Collective.GATHERV, root)
            .elsewhere("iGatherv(recvbuf, recvcount, displs, recvtype, root)")
            .send(sendbuf, 0, sendcount, sendtype).start();
    }

    /** Begins what {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)} does. */
    public final Request iScatter(Buffer sendbuf, int sendcount, Datatype sendtype,
                                  Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatter((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatter(Object sendbuf, int sendcount, Datatype sendtype,
                                  Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iScatter", Collective.SCATTER, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, sendtype).start();
    }

    /** Begins what {@link #scatter(Object, int, Datatype, int)} does. */
    public final Request iScatter(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iScatter((Object) buf, count, type, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatter(Object buf, int count, Datatype type, int root) throws MPIException {
        return nonblocking("iScatter", Collective.SCATTER, root).inPlace(buf, 0, count, type).start();
    }

    /** Begins what {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)} does. */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
                                   Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatterv((Object) sendbuf, sendcount, displs, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
                                   Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iScatterv", Collective.SCATTERV, root).recv(recvbuf, 0, recvcount, recvtype)
            .send(sendbuf, 0, sendcount, displs, sendtype).start();
    }

    /** Begins what {@link #scatterv(Object, int[], int[], Datatype, int)} does. */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) throws MPIException {
        return iScatterv((Object) sendbuf, sendcount, displs, sendtype, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root) throws MPIException {
        return nonblocking("iScatterv", Collective.SCATTERV, root)
            .atRoot("iScatterv(recvbuf, recvcount, recvtype, root)")
            .inPlace(sendbuf, 0, sendcount, displs, sendtype).start();
    }

    /** Begins what {@link #scatterv(Object, int, Datatype, int)} does. */
    public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatterv((Object) recvbuf, recvcount, recvtype, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iScatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return nonblocking("iScatterv", Collective.SCATTERV, root)
            .elsewhere("iScatterv(sendbuf, sendcount, displs, sendtype, root)")
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /** Begins what {@link #allGather(Object, int, Datatype, Object, int, Datatype)} does. */
    public final Request iAllGather(Buffer sendbuf, int sendcount, Datatype sendtype,
                                    Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iAllGather((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllGather(Object sendbuf, int sendcount, Datatype sendtype,
                                    Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return nonblocking("iAllGather", Collective.ALLGATHER).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /** Begins what {@link #allGather(Object, int, Datatype)} does. */
    public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
        return iAllGather((Object) buf, count, type);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllGather(Object buf, int count, Datatype type) throws MPIException {
        return nonblocking("iAllGather", Collective.ALLGATHER).inPlace(buf, 0, count, type).start();
    }

    /** Begins what {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)} does. */
    public final Request iAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
                                     Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return iAllGatherv((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllGatherv(Object sendbuf, int sendcount, Datatype sendtype,
                                     Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return nonblocking("iAllGatherv", Collective.ALLGATHERV).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, displs, recvtype).start();
    }

    /** Begins what {@link #allGatherv(Object, int[], int[], Datatype)} does. */
    public final Request iAllGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return iAllGatherv((Object) recvbuf, recvcount, displs, recvtype);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return nonblocking("iAllGatherv", Collective.ALLGATHERV)
            .inPlace(recvbuf, 0, recvcount, displs, recvtype).start();
    }

    /** Begins what {@link #allToAll(Object, int, Datatype, Object, int, Datatype)} does. */
    public final Request iAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype,
                                   Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iAllToAll((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllToAll(Object sendbuf, int sendcount, Datatype sendtype,
                                   Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return nonblocking("iAllToAll", Collective.ALLTOALL).send(sendbuf, 0, sendcount, sendtype)
            .recv(recvbuf, 0, recvcount, recvtype).start();
    }

    /** Begins what {@link #allToAllv(Object, int[], int[], Datatype, Object, int[], int[], Datatype)} does. */
    public final Request iAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
                                    Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return iAllToAllv((Object) sendbuf, sendcount, sdispls, sendtype, recvbuf, recvcount, rdispls, recvtype);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
                                    Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return nonblocking("iAllToAllv", Collective.ALLTOALLV).send(sendbuf, 0, sendcount, sdispls, sendtype)
            .recv(recvbuf, 0, recvcount, rdispls, recvtype).start();
    }

    /** Begins what {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])} does. */
    public final Request iAllToAllw(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
                                    Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        return iAllToAllw((Object) sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllToAllw(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
                                    Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        return nonblocking("iAllToAllw", Collective.ALLTOALLV).send(sendbuf, sendcount, sdispls, sendtypes)
            .recv(recvbuf, recvcount, rdispls, recvtypes).start();
    }

    /** Begins what {@link #reduce(Object, Object, int, Datatype, Op, int)} does. */
    public final Request iReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root) throws MPIException {
        return iReduce((Object) sendbuf, recvbuf, count, type, op, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root) throws MPIException {
        return nonblocking("iReduce", Collective.REDUCE, root).reduce(sendbuf, 0, recvbuf, 0, count, type, op).start();
    }

    /** Begins what {@link #reduce(Object, int, Datatype, Op, int)} does. */
    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) throws MPIException {
        return iReduce((Object) buf, count, type, op, root);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        return nonblocking("iReduce", Collective.REDUCE, root).reduce(buf, 0, buf, 0, count, type, op).start();
    }

    /** Begins what {@link #allReduce(Object, Object, int, Datatype, Op)} does. */
    public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return iAllReduce((Object) sendbuf, recvbuf, count, type, op);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        return nonblocking("iAllReduce", Collective.ALLREDUCE).reduce(sendbuf, 0, recvbuf, 0, count, type, op).start();
    }

    /** Begins what {@link #allReduce(Object, int, Datatype, Op)} does. */
    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iAllReduce((Object) buf, count, type, op);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iAllReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        return nonblocking("iAllReduce", Collective.ALLREDUCE).reduce(buf, 0, buf, 0, count, type, op).start();
    }

    /** Begins what {@link #reduceScatter(Object, Object, int[], Datatype, Op)} does. */
    public final Request iReduceScatter(Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
        return iReduceScatter((Object) sendbuf, recvbuf, recvcounts, type, op);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
        return nonblocking("iReduceScatter", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcounts, type, op).start();
    }

    /** Begins what {@link #reduceScatter(Object, int[], Datatype, Op)} does. */
    public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op) throws MPIException {
        return iReduceScatter((Object) buf, counts, type, op);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        return nonblocking("iReduceScatter", Collective.REDUCE_SCATTER)
            .reduce(buf, 0, buf, 0, counts, type, op).start();
    }

    /** Begins what {@link #reduceScatterBlock(Object, Object, int, Datatype, Op)} does. */
    public final Request iReduceScatterBlock(Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
        return iReduceScatterBlock((Object) sendbuf, recvbuf, recvcount, type, op);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
        return nonblocking("iReduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcount, type, op).start();
    }

    /** Begins what {@link #reduceScatterBlock(Object, int, Datatype, Op)} does. */
    public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iReduceScatterBlock((Object) buf, count, type, op);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iReduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        return nonblocking("iReduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(buf, 0, buf, 0, count, type, op).start();
    }
}
