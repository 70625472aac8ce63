package mpi;

import mpi.spi.SendMode;

/**
 * Point-to-point calls of the capital dialect, which {@link Comm} inherits. As in {@link PointToPoint}, but a buffer begins at an
 * offset, counted in elements of the array ({@code int}s for {@link MPI#INT2}), and nonblocking calls take arrays too.
 */
abstract class CapitalPointToPoint extends PointToPoint {
    CapitalPointToPoint(Handle handle) {
        super(handle);
    }

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
