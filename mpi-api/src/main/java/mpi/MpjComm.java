package mpi;

import static mpi.Datatype.items;
import static mpi.Op.operation;

import mpi.front.calls.CollectiveCall;
import mpi.front.calls.CollectiveCalls;
import mpi.front.calls.PackCalls;
import mpi.front.calls.PointToPointCalls;
import mpi.front.job.Attributes;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.requests.PersistentState;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.PersistentOperation.Completed;
import mpi.spi.SendMode;

/**
 * The calls of a communicator in mpiJava's dialect, which MPJ Express has too; {@link Comm} inherits them and has those
 * of Open MPI's dialect. {@link Intracomm} has the blocking collectives.
 *
 * <p>
 * A buffer begins at an offset, 0 or more, counted in elements of the type's array ({@code int}s for {@link MPI#INT2});
 * displacements count from there, in extents of the type. All other parameters and the errors are those of the call
 * that the method refers to.
 */
public abstract class MpjComm {
    final Handle handle;
    final PointToPointCalls messages;
    final Attributes attributes = new Attributes();
    private final CollectiveCalls collectives;

    MpjComm(Handle handle) {
        this.handle = handle;
        messages = new PointToPointCalls(handle);
        collectives = new CollectiveCalls(handle.ofCollectives);
    }

    // ---- calls under way ----

    final CollectiveCall blocking(String call, Collective collective) {
        return collectives.blocking(call, collective);
    }

    final CollectiveCall blocking(String call, Collective collective, int root) {
        return collectives.blocking(call, collective).root(root);
    }

    final CollectiveCall nonblocking(String call, Collective collective) {
        return collectives.nonblocking(call, collective);
    }

    final CollectiveCall nonblocking(String call, Collective collective, int root) {
        return collectives.nonblocking(call, collective).root(root);
    }

    final CollectiveCalls collectives() {
        return collectives;
    }

    static Request started(CollectiveCall call) {
        return new Request(call.start());
    }

    final Prequest prepared(CollectiveCall call) {
        return prepared(call.prepare(), null, 0);
    }

    /**
     * A persistent request.
     *
     * @param type of a receive; else null
     * @param count items that a receive has room for
     */
    final Prequest prepared(PersistentOperation operation, Datatype type, int count) {
        return new Prequest(new PersistentState(handle, operation, items(type), capacity(operation, count)));
    }

    static Request received(Operation receive, Datatype type, int count) {
        return new Request(receive, type, capacity(receive, count));
    }

    private static int capacity(Operation operation, int count) {
        return operation instanceof Completed ? 0 : count;
    }

    /** @param fromSomebody whether a message has been received */
    static Status received(boolean fromSomebody, Status status, Datatype type, int count) {
        return fromSomebody ? status.counted(type.items, count) : status;
    }

    final Operation agreement(String call, int[] flag) {
        Communicator lower = handle.lower(call);
        if (flag == null || flag.length == 0) {
            throw handle.error(ErrorClass.ARG, call,
                "the flag is " + (flag == null ? "null" : "an empty array") + "; pass an array of one number");
        }
        return lower.agree(call, flag);
    }

    final int acknowledge(String call, int count) {
        Communicator lower = handle.lower(call);
        if (count < 0) {
            throw handle.error(ErrorClass.ARG, call,
                "the count " + count + " is negative; pass 0 or more, such as the size of getFailed()");
        }
        return lower.acknowledge(count);
    }

    final void abort(String call, int errorcode) {
        String name = handle.lower(call).name();
        JobState.provider(call).abort(errorcode, "called " + call + "(" + errorcode + ") on " + name);
    }

    /** The kind of its topology; {@link MPI#UNDEFINED} without one. */
    int topology() {
        return Constants.UNDEFINED;
    }

    // ---- messages ----

    /** As {@link Comm#send}, with an offset (MPI_Send). */
    public void Send(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Send", buf, offset, count, items(type), dest, tag, SendMode.STANDARD);
    }

    /** As {@link Comm#bSend}, with an offset (MPI_Bsend). */
    public void Bsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Bsend", buf, offset, count, items(type), dest, tag, SendMode.BUFFERED);
    }

    /** As {@link Comm#sSend}, with an offset (MPI_Ssend). */
    public void Ssend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Ssend", buf, offset, count, items(type), dest, tag, SendMode.SYNCHRONOUS);
    }

    /** As {@link Comm#rSend}, with an offset (MPI_Rsend). */
    public void Rsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Rsend", buf, offset, count, items(type), dest, tag, SendMode.READY);
    }

    /** As {@link Comm#recv}, with an offset (MPI_Recv). */
    public Status Recv(Object buf, int offset, int count, Datatype type, int source, int tag) throws MPIException {
        Status status = new Status();
        return received(messages.recv("Recv", buf, offset, count, items(type), source, tag, status), status, type,
            count);
    }

    /** As {@link Comm#sendRecv}, with an offset for each buffer (MPI_Sendrecv). */
    public Status Sendrecv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, int dest, int sendtag,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        Status status = new Status();
        return received(messages.sendrecv("Sendrecv", sendbuf, sendoffset, sendcount, items(sendtype), dest, sendtag,
            recvbuf, recvoffset, recvcount, items(recvtype), source, recvtag, status), status, recvtype, recvcount);
    }

    /** As {@link Comm#sendRecvReplace}, with an offset (MPI_Sendrecv_replace). */
    public Status Sendrecv_replace(Object buf, int offset, int count, Datatype type, int dest, int sendtag, int source,
        int recvtag) throws MPIException {
        Status status = new Status();
        return received(messages.sendrecvReplace("Sendrecv_replace", buf, offset, count, items(type), dest, sendtag,
            source, recvtag, status), status, type, count);
    }

    /** Begins what {@link #Send} does (MPI_Isend). */
    public Request Isend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("Isend", buf, offset, count, items(type), dest, tag, SendMode.STANDARD));
    }

    /** Begins what {@link #Bsend} does (MPI_Ibsend). */
    public Request Ibsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("Ibsend", buf, offset, count, items(type), dest, tag, SendMode.BUFFERED));
    }

    /** Begins what {@link #Ssend} does (MPI_Issend). */
    public Request Issend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("Issend", buf, offset, count, items(type), dest, tag, SendMode.SYNCHRONOUS));
    }

    /** Begins what {@link #Rsend} does (MPI_Irsend). */
    public Request Irsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("Irsend", buf, offset, count, items(type), dest, tag, SendMode.READY));
    }

    /** Begins what {@link #Recv} does (MPI_Irecv). */
    public Request Irecv(Object buf, int offset, int count, Datatype type, int source, int tag) throws MPIException {
        return received(messages.irecv("Irecv", buf, offset, count, items(type), source, tag), type, count);
    }

    /** As {@link Comm#sendInit}, with an offset (MPI_Send_init). */
    public Prequest Send_init(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return prepared(messages.sendInit("Send_init", buf, offset, count, items(type), dest, tag, SendMode.STANDARD),
            null, 0);
    }

    /** As {@link Comm#bSendInit}, with an offset (MPI_Bsend_init). */
    public Prequest Bsend_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
        throws MPIException {
        return prepared(messages.sendInit("Bsend_init", buf, offset, count, items(type), dest, tag, SendMode.BUFFERED),
            null, 0);
    }

    /** As {@link Comm#sSendInit}, with an offset (MPI_Ssend_init). */
    public Prequest Ssend_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
        throws MPIException {
        return prepared(
            messages.sendInit("Ssend_init", buf, offset, count, items(type), dest, tag, SendMode.SYNCHRONOUS), null, 0);
    }

    /** As {@link Comm#rSendInit}, with an offset (MPI_Rsend_init). */
    public Prequest Rsend_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
        throws MPIException {
        return prepared(messages.sendInit("Rsend_init", buf, offset, count, items(type), dest, tag, SendMode.READY),
            null, 0);
    }

    /** As {@link Comm#recvInit}, with an offset (MPI_Recv_init). */
    public Prequest Recv_init(Object buf, int offset, int count, Datatype type, int source, int tag)
        throws MPIException {
        return prepared(messages.recvInit("Recv_init", buf, offset, count, items(type), source, tag), type, count);
    }

    /** As {@link Comm#probe} (MPI_Probe). */
    public Status Probe(int source, int tag) throws MPIException {
        Status status = new Status();
        messages.probe("Probe", source, tag, status);
        return status;
    }

    /** As {@link Comm#iProbe} (MPI_Iprobe). */
    public Status Iprobe(int source, int tag) throws MPIException {
        Status status = new Status();
        return messages.iprobe("Iprobe", source, tag, status) ? status : null;
    }

    // ---- messages in partitions ----

    /** As {@link Comm#pSendInit}, with an offset (MPI_Psend_init). */
    public PartitionedRequest Psend_init(Object buf, int offset, int partitions, int count, Datatype type, int dest,
        int tag, Info info) throws MPIException {
        return new PartitionedRequest(
            messages.partitionedSendInit("Psend_init", buf, offset, partitions, count, items(type), dest, tag));
    }

    /** As {@link Comm#pRecvInit}, with an offset (MPI_Precv_init). */
    public PartitionedRequest Precv_init(Object buf, int offset, int partitions, int count, Datatype type, int source,
        int tag, Info info) throws MPIException {
        return new PartitionedRequest(
            messages.partitionedRecvInit("Precv_init", buf, offset, partitions, count, items(type), source, tag));
    }

    // ---- persistent collectives ----

    /** As {@link Comm#barrierInit(Info)} (MPI_Barrier_init). */
    public Prequest Barrier_init(Info info) throws MPIException {
        return prepared(nonblocking("Barrier_init", Collective.BARRIER));
    }

    /** As {@link Comm#bcastInit(Object, int, Datatype, int, Info)}, with an offset (MPI_Bcast_init). */
    public Prequest Bcast_init(Object buf, int offset, int count, Datatype type, int root, Info info)
        throws MPIException {
        return prepared(nonblocking("Bcast_init", Collective.BCAST, root).recv(buf, offset, count, items(type)));
    }

    /**
     * As {@link Comm#gatherInit(Object, int, Datatype, Object, int, Datatype, int, Info)}, with an offset for each
     * buffer (MPI_Gather_init).
     */
    public Prequest Gather_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int recvcount, Datatype recvtype, int root, Info info) throws MPIException {
        return prepared(
            nonblocking("Gather_init", Collective.GATHER, root).send(sendbuf, sendoffset, sendcount, items(sendtype))
                .recv(recvbuf, recvoffset, recvcount, items(recvtype)));
    }

    /**
     * As {@link Comm#gathervInit(Object, int, Datatype, Object, int[], int[], Datatype, int, Info)}, with an offset for
     * each buffer (MPI_Gatherv_init).
     */
    public Prequest Gatherv_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int[] recvcount, int[] displs, Datatype recvtype, int root, Info info) throws MPIException {
        return prepared(
            nonblocking("Gatherv_init", Collective.GATHERV, root).send(sendbuf, sendoffset, sendcount, items(sendtype))
                .recv(recvbuf, recvoffset, recvcount, displs, items(recvtype)));
    }

    /**
     * As {@link Comm#scatterInit(Object, int, Datatype, Object, int, Datatype, int, Info)}, with an offset for each
     * buffer (MPI_Scatter_init).
     */
    public Prequest Scatter_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int recvcount, Datatype recvtype, int root, Info info) throws MPIException {
        return prepared(
            nonblocking("Scatter_init", Collective.SCATTER, root).recv(recvbuf, recvoffset, recvcount, items(recvtype))
                .send(sendbuf, sendoffset, sendcount, items(sendtype)));
    }

    /**
     * As {@link Comm#scattervInit(Object, int[], int[], Datatype, Object, int, Datatype, int, Info)}, with an offset
     * for each buffer (MPI_Scatterv_init).
     */
    public Prequest Scatterv_init(Object sendbuf, int sendoffset, int[] sendcount, int[] displs, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root, Info info) throws MPIException {
        return prepared(nonblocking("Scatterv_init", Collective.SCATTERV, root)
            .recv(recvbuf, recvoffset, recvcount, items(recvtype))
            .send(sendbuf, sendoffset, sendcount, displs, items(sendtype)));
    }

    /**
     * As {@link Comm#allGatherInit(Object, int, Datatype, Object, int, Datatype, Info)}, with an offset for each buffer
     * (MPI_Allgather_init).
     */
    public Prequest Allgather_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int recvcount, Datatype recvtype, Info info) throws MPIException {
        return prepared(
            nonblocking("Allgather_init", Collective.ALLGATHER).send(sendbuf, sendoffset, sendcount, items(sendtype))
                .recv(recvbuf, recvoffset, recvcount, items(recvtype)));
    }

    /**
     * As {@link Comm#allGathervInit(Object, int, Datatype, Object, int[], int[], Datatype, Info)}, with an offset for
     * each buffer (MPI_Allgatherv_init).
     */
    public Prequest Allgatherv_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int[] recvcount, int[] displs, Datatype recvtype, Info info) throws MPIException {
        return prepared(
            nonblocking("Allgatherv_init", Collective.ALLGATHERV).send(sendbuf, sendoffset, sendcount, items(sendtype))
                .recv(recvbuf, recvoffset, recvcount, displs, items(recvtype)));
    }

    /**
     * As {@link Comm#allToAllInit(Object, int, Datatype, Object, int, Datatype, Info)}, with an offset for each buffer
     * (MPI_Alltoall_init).
     */
    public Prequest Alltoall_init(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, Object recvbuf,
        int recvoffset, int recvcount, Datatype recvtype, Info info) throws MPIException {
        return prepared(
            nonblocking("Alltoall_init", Collective.ALLTOALL).send(sendbuf, sendoffset, sendcount, items(sendtype))
                .recv(recvbuf, recvoffset, recvcount, items(recvtype)));
    }

    /**
     * As {@link Comm#allToAllvInit(Object, int[], int[], Datatype, Object, int[], int[], Datatype, Info)}, with an
     * offset for each buffer (MPI_Alltoallv_init).
     */
    public Prequest Alltoallv_init(Object sendbuf, int sendoffset, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int recvoffset, int[] recvcount, int[] rdispls, Datatype recvtype, Info info)
        throws MPIException {
        return prepared(nonblocking("Alltoallv_init", Collective.ALLTOALLV)
            .send(sendbuf, sendoffset, sendcount, sdispls, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, rdispls, items(recvtype)));
    }

    /**
     * As {@link Comm#reduceInit(Object, Object, int, Datatype, Op, int, Info)}, with an offset for each buffer
     * (MPI_Reduce_init).
     */
    public Prequest Reduce_init(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count,
        Datatype type, Op op, int root, Info info) throws MPIException {
        return prepared(nonblocking("Reduce_init", Collective.REDUCE, root)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)));
    }

    /**
     * As {@link Comm#allReduceInit(Object, Object, int, Datatype, Op, Info)}, with an offset for each buffer
     * (MPI_Allreduce_init).
     */
    public Prequest Allreduce_init(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count,
        Datatype type, Op op, Info info) throws MPIException {
        return prepared(nonblocking("Allreduce_init", Collective.ALLREDUCE)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)));
    }

    /**
     * As {@link Comm#reduceScatterInit(Object, Object, int[], Datatype, Op, Info)}, with an offset for each buffer
     * (MPI_Reduce_scatter_init).
     */
    public Prequest Reduce_scatter_init(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset,
        int[] recvcounts, Datatype type, Op op, Info info) throws MPIException {
        return prepared(nonblocking("Reduce_scatter_init", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, items(type), operation(op)));
    }

    // ---- after the death of ranks ----

    /** As {@link Comm#revoke} (MPIX_Comm_revoke). */
    public final void Revoke() throws MPIException {
        handle.lower("Revoke").revoke();
    }

    /** As {@link Comm#isRevoked} (MPIX_Comm_is_revoked). */
    public final boolean Is_revoked() throws MPIException {
        return handle.lower("Is_revoked").isRevoked();
    }

    /** As {@link Comm#getFailed} (MPIX_Comm_get_failed). */
    public final Group Get_failed() throws MPIException {
        return new Group(handle.lower("Get_failed").failed());
    }

    /** As {@link Comm#ackFailed} (MPIX_Comm_ack_failed). */
    public final int Ack_failed(int count) throws MPIException {
        return acknowledge("Ack_failed", count);
    }

    /** As {@link Comm#agree} (MPIX_Comm_agree). */
    public final void Agree(int[] flag) throws MPIException {
        agreement("Agree", flag).await();
    }

    /** As {@link Comm#iAgree} (MPIX_Comm_iagree). */
    public final Request Iagree(int[] flag) throws MPIException {
        return new Request(agreement("Iagree", flag));
    }

    // ---- the communicator ----

    /** As {@link Comm#getRank}, but allowed after Finalize, as in MPJ Express (MPI_Comm_rank). */
    public int Rank() throws MPIException {
        handle.checkKnown("Rank");
        return handle.rank;
    }

    /** As {@link Comm#getSize}, but allowed after Finalize, as in MPJ Express (MPI_Comm_size). */
    public int Size() throws MPIException {
        handle.checkKnown("Size");
        return handle.group;
    }

    /** As {@link Comm#getGroup} (MPI_Comm_group). */
    public Group Group() throws MPIException {
        int[] outside = handle.outside();
        return new Group(outside != null ? outside.clone() : handle.lower("Group").members().clone());
    }

    /** As {@link Comm#isInter} (MPI_Comm_test_inter). */
    public boolean Test_inter() throws MPIException {
        return handle.lower("Test_inter") instanceof InterCommunicator;
    }

    /** As {@link Comm#getTopology} (MPI_Topo_test). */
    public int Topo_test() throws MPIException {
        handle.lower("Topo_test");
        return topology();
    }

    /** As {@link Comm#free} (MPI_Comm_free). */
    public void Free() throws MPIException {
        handle.free("Free");
        collectives.forget();
    }

    /** As {@link Comm#abort} (MPI_Abort). */
    public void Abort(int errorcode) throws MPIException {
        abort("Abort", errorcode);
    }

    /** As {@link Comm#getAttr} (MPI_Comm_get_attr). */
    public Object Attr_get(int keyval) throws MPIException {
        handle.lower("Attr_get");
        return attributes.get(handle, "Attr_get", keyval);
    }

    /** As {@link Comm#deleteAttr} (MPI_Comm_delete_attr). */
    public void Attr_delete(int keyval) throws MPIException {
        handle.lower("Attr_delete");
        attributes.delete(handle, "Attr_delete", keyval);
    }

    /** As {@link Comm#pack}, from an offset in elements of the array (MPI_Pack). */
    public int Pack(Object inbuf, int offset, int incount, Datatype type, byte[] outbuf, int position)
        throws MPIException {
        return PackCalls.pack(handle, "Pack", inbuf, offset, incount, items(type), outbuf, position);
    }

    /** As {@link Comm#unpack}, to an offset in elements of the array (MPI_Unpack). */
    public int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype type)
        throws MPIException {
        return PackCalls.unpack(handle, "Unpack", inbuf, position, outbuf, offset, outcount, items(type));
    }

    /** As {@link Comm#packSize} (MPI_Pack_size). */
    public int Pack_size(int incount, Datatype type) throws MPIException {
        return PackCalls.size(handle, "Pack_size", incount, items(type));
    }
}
