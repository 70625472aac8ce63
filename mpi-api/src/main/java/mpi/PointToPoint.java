package mpi;

import java.nio.Buffer;
import mpi.spi.SendMode;

/**
 * The point-to-point calls of a communicator, in both dialects; {@link Comm} inherits them.
 *
 * <p>A buffer is an array of the type's element ({@code int[]} for {@link MPI#INT}) or an NIO buffer of any kind, whose bytes are
 * meant; it begins at index 0, and an NIO buffer's position and limit are ignored: its capacity bounds the call. Use
 * {@link MPI#slice} to begin elsewhere. Counts are in items of the type. Nonblocking calls take NIO buffers, direct or with an
 * accessible array; the buffer is the call's until the request is complete.
 *
 * <p>In the capital dialect (Send) a buffer begins at an offset, counted in elements of the type's array ({@code int}s for {@link MPI#INT2}), and
 * nonblocking calls take arrays too.
 *
 * <p>An array of another kind than the type's is the bytes that lie in it: {@link MPI#BYTE} sends any array. It has to begin at offset 0.
 *
 * <p>To and from {@link MPI#PROC_NULL} nothing is sent and nothing received. All calls throw an {@link MPIException} that says
 * which argument is wrong, and how to set it right.
 */
public abstract class PointToPoint {
    final Handle handle;
    final PointToPointCalls messages;
    final CollectiveCalls collectives;

    PointToPoint(Handle handle) {
        this.handle = handle;
        messages = new PointToPointCalls(handle);
        collectives = new CollectiveCalls(handle.ofCollectives);
    }

    /** Sends; returns once the buffer may be used again. */
    public final void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("send", buf, 0, count, type, dest, tag, SendMode.STANDARD);
    }

    /** Sends a copy that is kept in the space given to {@link MPI#attachBuffer}; returns once the copy is made. */
    public final void bSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("bSend", buf, 0, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** Sends; returns once the receive has begun as well. */
    public final void sSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("sSend", buf, 0, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** Sends to a receive that must have been posted already. */
    public final void rSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("rSend", buf, 0, count, type, dest, tag, SendMode.READY);
    }

    /** Receives at most {@code count} items from {@code source} or {@link MPI#ANY_SOURCE}, with {@code tag} or {@link MPI#ANY_TAG}. */
    public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.recv("recv", buf, 0, count, type, source, tag);
    }

    /** Sends from one buffer and receives into another, in whatever order the peers make possible. */
    public final Status sendRecv(Object sendbuf, int sendcount, Datatype sendtype, int dest, int sendtag,
                                 Object recvbuf, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        return messages.sendrecv("sendRecv", sendbuf, 0, sendcount, sendtype, dest, sendtag, recvbuf, 0, recvcount, recvtype, source, recvtag);
    }

    /** Sends what is in the buffer and receives into it. */
    public final Status sendRecvReplace(Object buf, int count, Datatype type, int dest, int sendtag, int source, int recvtag) throws MPIException {
        return messages.sendrecvReplace("sendRecvReplace", buf, 0, count, type, dest, sendtag, source, recvtag);
    }

    /** Begins what {@link #send} does. */
    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("iSend", buf, 0, count, type, dest, tag, SendMode.STANDARD);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("iSend", buf, 0, count, type, dest, tag, SendMode.STANDARD);
    }

    /** Begins what {@link #bSend} does. */
    public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("ibSend", buf, 0, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request ibSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("ibSend", buf, 0, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** Begins what {@link #sSend} does. */
    public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("isSend", buf, 0, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request isSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("isSend", buf, 0, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** Begins what {@link #rSend} does. */
    public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("irSend", buf, 0, count, type, dest, tag, SendMode.READY);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request irSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("irSend", buf, 0, count, type, dest, tag, SendMode.READY);
    }

    /** Begins what {@link #recv} does. */
    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.irecv("iRecv", buf, 0, count, type, source, tag);
    }

    /** The same, with any buffer: a pointer to device memory too. */
    public final Request iRecv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.irecv("iRecv", buf, 0, count, type, source, tag);
    }

    /** Waits for a message that {@link #recv} would receive, and says what it is. */
    public final Status probe(int source, int tag) throws MPIException {
        return messages.probe("probe", source, tag);
    }

    /** The message that {@link #recv} would receive now; null if there is none. */
    public final Status iProbe(int source, int tag) throws MPIException {
        return messages.iprobe("iProbe", source, tag);
    }

    // ---- the same in the capital dialect ----

    /** As {@link #send}. */
    public void Send(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Send", buf, offset, count, type, dest, tag, SendMode.STANDARD);
    }

    /** As {@link #bSend}. */
    public void Bsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Bsend", buf, offset, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** As {@link #sSend}. */
    public void Ssend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Ssend", buf, offset, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** As {@link #rSend}. */
    public void Rsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Rsend", buf, offset, count, type, dest, tag, SendMode.READY);
    }

    /** As {@link #recv}. */
    public Status Recv(Object buf, int offset, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.recv("Recv", buf, offset, count, type, source, tag);
    }

    /** As {@link #sendRecv}. */
    public Status Sendrecv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, int dest, int sendtag,
                           Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        return messages.sendrecv("Sendrecv", sendbuf, sendoffset, sendcount, sendtype, dest, sendtag,
            recvbuf, recvoffset, recvcount, recvtype, source, recvtag);
    }

    /** As {@link #sendRecvReplace}. */
    public Status Sendrecv_replace(Object buf, int offset, int count, Datatype type, int dest, int sendtag, int source, int recvtag) throws MPIException {
        return messages.sendrecvReplace("Sendrecv_replace", buf, offset, count, type, dest, sendtag, source, recvtag);
    }

    /** Begins what {@link #Send} does. */
    public Request Isend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("Isend", buf, offset, count, type, dest, tag, SendMode.STANDARD);
    }

    /** Begins what {@link #Bsend} does. */
    public Request Ibsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("Ibsend", buf, offset, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** Begins what {@link #Ssend} does. */
    public Request Issend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("Issend", buf, offset, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** Begins what {@link #Rsend} does. */
    public Request Irsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("Irsend", buf, offset, count, type, dest, tag, SendMode.READY);
    }

    /** Begins what {@link #Recv} does. */
    public Request Irecv(Object buf, int offset, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.irecv("Irecv", buf, offset, count, type, source, tag);
    }

    /** As {@link #probe}. */
    public Status Probe(int source, int tag) throws MPIException {
        return messages.probe("Probe", source, tag);
    }

    /** As {@link #iProbe}. */
    public Status Iprobe(int source, int tag) throws MPIException {
        return messages.iprobe("Iprobe", source, tag);
    }
}
