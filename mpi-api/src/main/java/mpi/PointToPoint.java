package mpi;

import java.nio.Buffer;
import mpi.spi.SendMode;

/**
 * The point-to-point calls of a communicator, in both dialects; {@link Comm} inherits them.
 *
 * <p>
 * A buffer is an array of the type's element ({@code int[]} for {@link MPI#INT}), an NIO buffer of any kind, direct or
 * with an accessible array, or a pointer object to device memory. It may be null for 0 items. The call begins at index
 * 0 and ignores an NIO buffer's position and limit; its capacity bounds the call. Use {@link MPI#slice} to begin
 * elsewhere. An NIO buffer, or an array of another kind than the type's, is treated as bytes: {@link MPI#BYTE} sends
 * any array. Such an array begins at offset 0. Counts are in items of the type.
 *
 * <p>
 * Nonblocking calls return a request; the buffer belongs to the call until the request is complete.
 *
 * <p>
 * In the capital dialect (Send) a buffer begins at an offset, counted in elements of the type's array ({@code int}s for
 * {@link MPI#INT2}). The other parameters and the errors are those of the camel call.
 *
 * <p>
 * With {@link MPI#PROC_NULL} as peer a call transfers nothing. Every call throws an {@link MPIException} that names the
 * wrong argument and the cure: ERR_BUFFER if a buffer is null though it holds items or read-only though it receives,
 * ERR_COUNT if a count is negative or the buffer too short for it, ERR_TYPE if a type is null or the buffer cannot hold
 * it. ERR_COMM if the communicator is null or freed, ERR_OTHER if MPI is not initialized or is finalized,
 * ERR_PROC_FAILED if the peer has died and the communicator has {@link MPI#ERRORS_RETURN}.
 */
public abstract class PointToPoint {
    final Handle handle;
    final PointToPointCalls messages;

    PointToPoint(Handle handle) {
        this.handle = handle;
        messages = new PointToPointCalls(handle);
    }

    /**
     * Sends items to a rank; returns once the buffer may be used again (MPI_Send).
     *
     * @param buf {@code count} items; not changed
     * @param count items of {@code type}, 0 or more
     * @param type type of one item
     * @param dest rank of the receiver, or {@link MPI#PROC_NULL}
     * @param tag number that the receiver asks for, 0 or more
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if {@code buf} does not hold {@code count} items; ERR_RANK
     * if {@code dest} is not a rank; ERR_TAG if {@code tag} is negative
     */
    public final void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("send", buf, 0, count, type, dest, tag, SendMode.STANDARD);
    }

    /**
     * Sends a copy, which is kept in the buffer of {@link MPI#attachBuffer}; returns once the copy is made (MPI_Bsend).
     * Parameters as of {@link #send}.
     *
     * @throws MPIException as {@link #send}; ERR_BUFFER also if the attached buffer is too small and the message is
     * longer than 256 bytes
     */
    public final void bSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("bSend", buf, 0, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** As {@link #send}, but returns only once the receive has begun (MPI_Ssend). */
    public final void sSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("sSend", buf, 0, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** As {@link #send}, to a receive that must have been posted already (MPI_Rsend). */
    public final void rSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("rSend", buf, 0, count, type, dest, tag, SendMode.READY);
    }

    /**
     * Receives a message (MPI_Recv).
     *
     * @param buf room for {@code count} items
     * @param count the most items of {@code type} that the message may have, 0 or more
     * @param type type of one item
     * @param source rank of the sender, {@link MPI#ANY_SOURCE} or {@link MPI#PROC_NULL}
     * @param tag number that the sender gave, or {@link MPI#ANY_TAG}
     * @return the sender, the tag and the length of the message
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if {@code buf} does not hold {@code count} items; ERR_RANK
     * if {@code source} is not a rank; ERR_TAG if {@code tag} is negative; ERR_TRUNCATE if the message is longer than
     * {@code count} items
     */
    public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.recv("recv", buf, 0, count, type, source, tag);
    }

    /**
     * Sends from one buffer and receives into another at the same time (MPI_Sendrecv).
     *
     * @param sendbuf {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype}, 0 or more
     * @param sendtype type of the items sent
     * @param dest rank of the receiver, or {@link MPI#PROC_NULL}
     * @param sendtag number that the receiver asks for, 0 or more
     * @param recvbuf room for {@code recvcount} items; must not overlap {@code sendbuf}
     * @param recvcount the most items of {@code recvtype} to receive, 0 or more
     * @param recvtype type of the items received
     * @param source rank of the sender, {@link MPI#ANY_SOURCE} or {@link MPI#PROC_NULL}
     * @param recvtag number that the sender gave, or {@link MPI#ANY_TAG}
     * @return the sender, the tag and the length of the message received
     * @throws MPIException as {@link #send} and {@link #recv}
     */
    public final Status sendRecv(Object sendbuf, int sendcount, Datatype sendtype, int dest, int sendtag,
        Object recvbuf, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        return messages.sendrecv("sendRecv", sendbuf, 0, sendcount, sendtype, dest, sendtag, recvbuf, 0, recvcount,
            recvtype, source, recvtag);
    }

    /**
     * Sends the items of a buffer and receives others into it (MPI_Sendrecv_replace). Ranks and tags as of
     * {@link #sendRecv}.
     *
     * @param buf {@code count} items, which those received replace
     * @param count items of {@code type} to send, and the most to receive
     * @param type type of one item
     * @param dest rank of the receiver
     * @param sendtag tag to send with
     * @param source rank of the sender
     * @param recvtag tag to receive
     * @return the sender, the tag and the length of the message received
     * @throws MPIException as {@link #send} and {@link #recv}; ERR_NO_MEM if a copy of the items does not fit into
     * memory
     */
    public final Status sendRecvReplace(Object buf, int count, Datatype type, int dest, int sendtag, int source,
        int recvtag) throws MPIException {
        return messages.sendrecvReplace("sendRecvReplace", buf, 0, count, type, dest, sendtag, source, recvtag);
    }

    /** Begins what {@link #send} does (MPI_Isend). */
    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("iSend", buf, 0, count, type, dest, tag, SendMode.STANDARD);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Isend). */
    public final Request iSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("iSend", buf, 0, count, type, dest, tag, SendMode.STANDARD);
    }

    /** Begins what {@link #bSend} does (MPI_Ibsend). */
    public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("ibSend", buf, 0, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ibsend). */
    public final Request ibSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("ibSend", buf, 0, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** Begins what {@link #sSend} does (MPI_Issend). */
    public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("isSend", buf, 0, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Issend). */
    public final Request isSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("isSend", buf, 0, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** Begins what {@link #rSend} does (MPI_Irsend). */
    public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("irSend", buf, 0, count, type, dest, tag, SendMode.READY);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Irsend). */
    public final Request irSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("irSend", buf, 0, count, type, dest, tag, SendMode.READY);
    }

    /** Begins what {@link #recv} does (MPI_Irecv). */
    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.irecv("iRecv", buf, 0, count, type, source, tag);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Irecv). */
    public final Request iRecv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.irecv("iRecv", buf, 0, count, type, source, tag);
    }

    /**
     * Prepares what {@link #send} does, for many {@linkplain Prequest#start starts} (MPI_Send_init). The buffer is read
     * between a start and its end; from one start to the next its contents may change. Parameters as of {@link #send}.
     *
     * @return an inactive request; free it after its last use
     * @throws MPIException as {@link #send}
     */
    public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sendInit((Object) buf, count, type, dest, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Send_init). */
    public final Prequest sendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.sendInit("sendInit", buf, 0, count, type, dest, tag, SendMode.STANDARD);
    }

    /**
     * As {@link #sendInit}, for {@link #bSend}; a start throws ERR_BUFFER if the attached buffer is too small
     * (MPI_Bsend_init).
     */
    public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return bSendInit((Object) buf, count, type, dest, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Bsend_init). */
    public final Prequest bSendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.sendInit("bSendInit", buf, 0, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** As {@link #sendInit}, for {@link #sSend} (MPI_Ssend_init). */
    public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sSendInit((Object) buf, count, type, dest, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Ssend_init). */
    public final Prequest sSendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.sendInit("sSendInit", buf, 0, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** As {@link #sendInit}, for {@link #rSend} (MPI_Rsend_init). */
    public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return rSendInit((Object) buf, count, type, dest, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Rsend_init). */
    public final Prequest rSendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.sendInit("rSendInit", buf, 0, count, type, dest, tag, SendMode.READY);
    }

    /**
     * Prepares what {@link #recv} does, for many {@linkplain Prequest#start starts} (MPI_Recv_init). Parameters as of
     * {@link #recv}.
     *
     * @return an inactive request; free it after its last use
     * @throws MPIException as {@link #recv}
     */
    public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return recvInit((Object) buf, count, type, source, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Recv_init). */
    public final Prequest recvInit(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.recvInit("recvInit", buf, 0, count, type, source, tag);
    }

    /**
     * Waits for a message that {@link #recv} would receive, and leaves it there (MPI_Probe).
     *
     * @param source rank of the sender, {@link MPI#ANY_SOURCE} or {@link MPI#PROC_NULL}
     * @param tag number that the sender gave, or {@link MPI#ANY_TAG}
     * @return the sender, the tag and the length of the message
     * @throws MPIException ERR_RANK if {@code source} is not a rank; ERR_TAG if {@code tag} is negative
     */
    public final Status probe(int source, int tag) throws MPIException {
        return messages.probe("probe", source, tag);
    }

    /**
     * As {@link #probe}, without waiting (MPI_Iprobe).
     *
     * @return the message that {@link #recv} would receive now; null if there is none
     */
    public final Status iProbe(int source, int tag) throws MPIException {
        return messages.iprobe("iProbe", source, tag);
    }

    // ---- the same in the capital dialect ----

    /** As {@link #send}, with an offset (MPI_Send). */
    public void Send(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Send", buf, offset, count, type, dest, tag, SendMode.STANDARD);
    }

    /** As {@link #bSend}, with an offset (MPI_Bsend). */
    public void Bsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Bsend", buf, offset, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** As {@link #sSend}, with an offset (MPI_Ssend). */
    public void Ssend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Ssend", buf, offset, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** As {@link #rSend}, with an offset (MPI_Rsend). */
    public void Rsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("Rsend", buf, offset, count, type, dest, tag, SendMode.READY);
    }

    /** As {@link #recv}, with an offset (MPI_Recv). */
    public Status Recv(Object buf, int offset, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.recv("Recv", buf, offset, count, type, source, tag);
    }

    /** As {@link #sendRecv}, with an offset for each buffer (MPI_Sendrecv). */
    public Status Sendrecv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype, int dest, int sendtag,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        return messages.sendrecv("Sendrecv", sendbuf, sendoffset, sendcount, sendtype, dest, sendtag,
            recvbuf, recvoffset, recvcount, recvtype, source, recvtag);
    }

    /** As {@link #sendRecvReplace}, with an offset (MPI_Sendrecv_replace). */
    public Status Sendrecv_replace(Object buf, int offset, int count, Datatype type, int dest, int sendtag, int source,
        int recvtag) throws MPIException {
        return messages.sendrecvReplace("Sendrecv_replace", buf, offset, count, type, dest, sendtag, source, recvtag);
    }

    /** Begins what {@link #Send} does (MPI_Isend). */
    public Request Isend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("Isend", buf, offset, count, type, dest, tag, SendMode.STANDARD);
    }

    /** Begins what {@link #Bsend} does (MPI_Ibsend). */
    public Request Ibsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("Ibsend", buf, offset, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** Begins what {@link #Ssend} does (MPI_Issend). */
    public Request Issend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("Issend", buf, offset, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** Begins what {@link #Rsend} does (MPI_Irsend). */
    public Request Irsend(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.isend("Irsend", buf, offset, count, type, dest, tag, SendMode.READY);
    }

    /** Begins what {@link #Recv} does (MPI_Irecv). */
    public Request Irecv(Object buf, int offset, int count, Datatype type, int source, int tag) throws MPIException {
        return messages.irecv("Irecv", buf, offset, count, type, source, tag);
    }

    /** As {@link #sendInit}, with an offset (MPI_Send_init). */
    public Prequest Send_init(Object buf, int offset, int count, Datatype type, int dest, int tag) throws MPIException {
        return messages.sendInit("Send_init", buf, offset, count, type, dest, tag, SendMode.STANDARD);
    }

    /** As {@link #bSendInit}, with an offset (MPI_Bsend_init). */
    public Prequest Bsend_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
        throws MPIException {
        return messages.sendInit("Bsend_init", buf, offset, count, type, dest, tag, SendMode.BUFFERED);
    }

    /** As {@link #sSendInit}, with an offset (MPI_Ssend_init). */
    public Prequest Ssend_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
        throws MPIException {
        return messages.sendInit("Ssend_init", buf, offset, count, type, dest, tag, SendMode.SYNCHRONOUS);
    }

    /** As {@link #rSendInit}, with an offset (MPI_Rsend_init). */
    public Prequest Rsend_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
        throws MPIException {
        return messages.sendInit("Rsend_init", buf, offset, count, type, dest, tag, SendMode.READY);
    }

    /** As {@link #recvInit}, with an offset (MPI_Recv_init). */
    public Prequest Recv_init(Object buf, int offset, int count, Datatype type, int source, int tag)
        throws MPIException {
        return messages.recvInit("Recv_init", buf, offset, count, type, source, tag);
    }

    /** As {@link #probe} (MPI_Probe). */
    public Status Probe(int source, int tag) throws MPIException {
        return messages.probe("Probe", source, tag);
    }

    /** As {@link #iProbe} (MPI_Iprobe). */
    public Status Iprobe(int source, int tag) throws MPIException {
        return messages.iprobe("Iprobe", source, tag);
    }
}
