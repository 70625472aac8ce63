package mpi.front.calls;

import java.lang.reflect.Array;
import mpi.ErrorClass;
import mpi.front.arguments.Arguments;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.objects.ObjectMessage;
import mpi.front.objects.ObjectReceive;
import mpi.front.objects.PersistentObjects;
import mpi.front.requests.PartitionedState;
import mpi.front.types.Bytes;
import mpi.front.types.ItemType;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.PersistentOperation.Completed;
import mpi.spi.SendMode;

/**
 * The point-to-point calls of one communicator, for both dialects: checks the arguments, handles {@code MPI.PROC_NULL},
 * and calls the layer below. Offsets are in elements of the type's array.
 */
public final class PointToPointCalls {
    /** Length of the longest array that every JVM can make. */
    private static final long MOST_LONGS = Integer.MAX_VALUE - 8;

    private final Handle handle;

    public PointToPointCalls(Handle handle) {
        this.handle = handle;
    }

    public void send(String call, Object buf, int offset, int count, ItemType type, int dest, int tag, SendMode mode) {
        Communicator lower = handle.lower(call);
        if (Arguments.destination(handle, call, dest, tag)) {
            if (isOfObjects(type)) {
                ObjectReceive.send(lower, encoded(call, "buf", buf, offset, count, type), dest, tag, mode);
                return;
            }
            Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, false);
            lower.send(data, type.at(offset), count, type.layout(), dest, tag, mode);
        }
    }

    public Operation isend(String call, Object buf, int offset, int count, ItemType type, int dest, int tag,
        SendMode mode) {
        Communicator lower = handle.lower(call);
        if (!Arguments.destination(handle, call, dest, tag)) {
            return Completed.SENT;
        }
        if (isOfObjects(type)) {
            long[] message = encoded(call, "buf", buf, offset, count, type);
            return ObjectReceive.isend(lower, message, dest, tag, mode);
        }
        Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, false);
        return lower.isend(data, type.at(offset), count, type.layout(), dest, tag, mode);
    }

    public PersistentOperation sendInit(String call, Object buf, int offset, int count, ItemType type, int dest,
        int tag, SendMode mode) {
        Communicator lower = handle.lower(call);
        if (!Arguments.destination(handle, call, dest, tag)) {
            return Completed.SENT;
        }
        if (isOfObjects(type)) {
            checkObjects(call, buf, offset, count, type);
            return new PersistentObjects(() -> ObjectReceive.isend(lower,
                encoded(call, "buf", buf, offset, count, type), dest, tag, mode));
        }
        Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, false);
        return lower.sendInit(data, type.at(offset), count, type.layout(), dest, tag, mode);
    }

    public PersistentOperation recvInit(String call, Object buf, int offset, int count, ItemType type, int source,
        int tag) {
        Communicator lower = handle.lower(call);
        if (!Arguments.source(handle, call, source, tag)) {
            return Completed.RECEIVED_FROM_NOBODY;
        }
        if (isOfObjects(type)) {
            checkObjects(call, buf, offset, count, type);
            return new PersistentObjects(() -> receive(call, lower, "buf", buf, offset, count, type, source, tag));
        }
        Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, true);
        return lower.recvInit(data, type.at(offset), count, type.layout(), source, tag, call);
    }

    public PartitionedState partitionedSendInit(String call, Object buf, int offset, int partitions, int count,
        ItemType type, int dest, int tag) {
        Communicator lower = handle.lower(call);
        boolean sends = Arguments.destination(handle, call, dest, tag);
        Object data = partitioned(call, buf, offset, partitions, count, type, false);
        return new PartitionedState(handle, sends
            ? lower.partitionedSendInit(data, type.at(offset), partitions, (long) count * type.layout().extent, dest,
                tag,
                call)
            : Completed.SENT, null, partitions, true);
    }

    public PartitionedState partitionedRecvInit(String call, Object buf, int offset, int partitions, int count,
        ItemType type, int source, int tag) {
        Communicator lower = handle.lower(call);
        boolean receives = Arguments.source(handle, call, source, tag);
        if (source == Constants.ANY_SOURCE || tag == Constants.ANY_TAG) {
            throw handle.error(source == Constants.ANY_SOURCE ? ErrorClass.RANK : ErrorClass.TAG, call,
                "a receive in partitions takes neither MPI.ANY_SOURCE nor MPI.ANY_TAG; name the sender and the tag");
        }
        Object data = partitioned(call, buf, offset, partitions, count, type, true);
        return new PartitionedState(handle, receives
            ? lower.partitionedRecvInit(data, type.at(offset), partitions, (long) count * type.layout().extent, source,
                tag, call)
            : Completed.RECEIVED_FROM_NOBODY, type, partitions, false);
    }

    /** Checks that partitions of {@code count} items lie in a buffer, and returns what to hand down. */
    private Object partitioned(String call, Object buf, int offset, int partitions, int count, ItemType type,
        boolean written) {
        if (partitions < 0) {
            throw handle.error(ErrorClass.ARG, call, "partitions is " + partitions + "; pass 0 or more");
        }
        Arguments.type(handle, call, type);
        long items = (long) partitions * Math.max(0, count);
        if (Math.multiplyHigh(items, 2L * type.shape.extent()) != 0) {
            throw handle.error(ErrorClass.COUNT, call, partitions + " partitions of " + count + " items of " + type
                + " fit into no memory; pass fewer");
        }
        return Arguments.buffer(handle, call, "buf", buf, offset, count, partitions, type, written);
    }

    /**
     * Receives, and fills in the envelope.
     *
     * @return whether there was somebody to receive from
     */
    public boolean recv(String call, Object buf, int offset, int count, ItemType type, int source, int tag,
        Envelope envelope) {
        Communicator lower = handle.lower(call);
        if (!Arguments.source(handle, call, source, tag)) {
            return fromNobody(envelope);
        }
        if (isOfObjects(type)) {
            return awaited(receive(call, lower, "buf", buf, offset, count, type, source, tag), envelope);
        }
        Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, true);
        lower.recv(data, type.at(offset), count, type.layout(), source, tag, envelope, call);
        return true;
    }

    public Operation irecv(String call, Object buf, int offset, int count, ItemType type, int source, int tag) {
        Communicator lower = handle.lower(call);
        if (!Arguments.source(handle, call, source, tag)) {
            return Completed.RECEIVED_FROM_NOBODY;
        }
        if (isOfObjects(type)) {
            return receive(call, lower, "buf", buf, offset, count, type, source, tag);
        }
        Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, true);
        return lower.irecv(data, type.at(offset), count, type.layout(), source, tag, call);
    }

    /** Sends and receives, and fills in the envelope; as {@link #recv}. */
    public boolean sendrecv(String call, Object sendbuf, int sendOffset, int sendCount, ItemType sendType, int dest,
        int sendTag,
        Object recvbuf, int recvOffset, int recvCount, ItemType recvType, int source, int recvTag,
        Envelope envelope) {
        Communicator lower = handle.lower(call);
        boolean sends = Arguments.destination(handle, call, dest, sendTag);
        boolean receives = Arguments.source(handle, call, source, recvTag);
        // All arguments are checked before anything is posted, so that a wrong one leaves nothing under way.
        if (isOfObjects(sendType) || isOfObjects(recvType)) {
            long[] message = sends ? encoded(call, "sendbuf", sendbuf, sendOffset, sendCount, sendType) : null;
            Operation receive = receives
                ? receive(call, lower, "recvbuf", recvbuf, recvOffset, recvCount, recvType, source, recvTag) : null;
            return exchanged(lower, message, dest, sendTag, receive, envelope);
        }
        Object out = sends
            ? Arguments.buffer(handle, call, "sendbuf", sendbuf, sendOffset, sendCount, 1, sendType, false) : null;
        Object in = receives
            ? Arguments.buffer(handle, call, "recvbuf", recvbuf, recvOffset, recvCount, 1, recvType, true) : null;
        Operation receive = receives
            ? lower.irecv(in, recvType.at(recvOffset), recvCount, recvType.layout(), source, recvTag, call)
            : null;
        if (sends) {
            lower.send(out, sendType.at(sendOffset), sendCount, sendType.layout(), dest, sendTag,
                SendMode.STANDARD);
        }
        return receive == null ? fromNobody(envelope) : awaited(receive, envelope);
    }

    private static boolean awaited(Operation receive, Envelope envelope) {
        receive.await();
        receive.describe(envelope);
        return true;
    }

    // ---- objects ----

    private static boolean isOfObjects(ItemType type) {
        return type != null && type.holdsObjects;
    }

    private void checkObjects(String call, Object buffer, int offset, int count, ItemType type) {
        ObjectMessage.elements(handle, call, "buf", objects(call, "buf", buffer, type), offset, count, type);
    }

    private long[] encoded(String call, String role, Object buffer, int offset, int count, ItemType type) {
        Object[] array = objects(call, role, buffer, type);
        return ObjectMessage.encode(handle, call, array,
            ObjectMessage.elements(handle, call, role, array, offset, count, type));
    }

    private Operation receive(String call, Communicator lower, String role, Object buffer, int offset, int count,
        ItemType type, int source, int tag) {
        Object[] array = objects(call, role, buffer, type);
        return new ObjectReceive(handle, lower, call, array,
            ObjectMessage.elements(handle, call, role, array, offset, count, type), source, tag);
    }

    private Object[] objects(String call, String role, Object buffer, ItemType type) {
        Arguments.type(handle, call, type);
        if (!type.holdsObjects) {
            throw handle.error(ErrorClass.TYPE, call,
                role + " is of " + type + " and the other buffer of objects; pass MPI.OBJECT for both");
        }
        return ObjectMessage.array(handle, call, role, buffer);
    }

    /** @param message null if there is nobody to send to; receive likewise */
    private static boolean exchanged(Communicator lower, long[] message, int dest, int tag, Operation receive,
        Envelope envelope) {
        if (message != null) {
            ObjectReceive.send(lower, message, dest, tag, SendMode.STANDARD);
        }
        return receive == null ? fromNobody(envelope) : awaited(receive, envelope);
    }

    /** The same in one buffer. */
    public boolean sendrecvReplace(String call, Object buf, int offset, int count, ItemType type, int dest, int sendTag,
        int source, int recvTag, Envelope envelope) {
        Communicator lower = handle.lower(call);
        boolean sends = Arguments.destination(handle, call, dest, sendTag);
        boolean receives = Arguments.source(handle, call, source, recvTag);
        if (isOfObjects(type)) {
            long[] message = sends ? encoded(call, "buf", buf, offset, count, type) : null;
            Operation receive =
                receives ? receive(call, lower, "buf", buf, offset, count, type, source, recvTag) : null;
            return exchanged(lower, message, dest, sendTag, receive, envelope);
        }
        Operation send = null;
        if (sends) {
            Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, receives);
            send = sendCopy(call, lower, data, offset, count, type, dest, sendTag);
        }
        if (receives) {
            Object data = Arguments.buffer(handle, call, "buf", buf, offset, count, 1, type, true);
            lower.recv(data, type.at(offset), count, type.layout(), source, recvTag, envelope, call);
        } else {
            fromNobody(envelope);
        }
        if (send != null) {
            send.await();
        }
        return receives;
    }

    /** Sends a copy of a buffer, so that the buffer may be received into. */
    private Operation sendCopy(String call, Communicator lower, Object data, int offset, int count, ItemType type,
        int dest, int tag) {
        if (data.getClass() == type.direct()) {
            int elements = count * type.layout().elements;
            Object copy = Array.newInstance(type.arrayClass.getComponentType(), elements);
            System.arraycopy(data, offset, copy, 0, elements);
            return lower.isend(copy, 0, count, type.layout(), dest, tag, SendMode.STANDARD);
        }
        // NIO buffers may hold more bytes than a byte[] can; a long[] can hold as many as any buffer.
        long bytes = (long) count * type.size;
        if (bytes > MOST_LONGS << 3) {
            throw handle.error(ErrorClass.NO_MEM, call,
                "a copy of " + bytes + " bytes does not fit into memory; call sendRecv with two buffers");
        }
        long[] copy = new long[(int) (bytes + 7 >> 3)];
        Bytes.copy(data, type.at(offset), copy, 0, bytes);
        return lower.isend(copy, 0, count, type.layout(), dest, tag, SendMode.STANDARD);
    }

    /** Fills in the envelope of a message to receive. */
    public void probe(String call, int source, int tag, Envelope envelope) {
        Communicator lower = handle.lower(call);
        if (Arguments.source(handle, call, source, tag)) {
            lower.probe(source, tag, envelope);
        } else {
            fromNobody(envelope);
        }
    }

    /** As {@link #probe}; false if there is no message to receive. */
    public boolean iprobe(String call, int source, int tag, Envelope envelope) {
        Communicator lower = handle.lower(call);
        if (!Arguments.source(handle, call, source, tag)) {
            fromNobody(envelope);
            return true;
        }
        return lower.iprobe(source, tag, envelope);
    }

    private static boolean fromNobody(Envelope envelope) {
        Completed.RECEIVED_FROM_NOBODY.describe(envelope);
        return false;
    }
}
