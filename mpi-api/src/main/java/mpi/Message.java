package mpi;

import java.nio.Buffer;
import mpi.front.arguments.Arguments;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.objects.ObjectMessage;
import mpi.front.objects.ObjectReceive;
import mpi.front.types.ItemType;
import mpi.spi.Communicator;
import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation.Completed;

/**
 * A message that a matched probe has found. The probe takes it away from all other calls: only {@link #mRecv} or
 * {@link #imRecv} of this object receives it, whatever other threads receive or probe meanwhile. A message that is
 * never received stays in this process's memory, and its sender may wait.
 *
 * <p>
 * An object holds one message at a time: it is null (MPI_MESSAGE_NULL) when it is made and after its message is
 * received.
 */
public final class Message {
    private Handle handle;
    private MatchedMessage matched;
    /** Whether it is MPI_MESSAGE_NO_PROC. */
    private boolean fromNobody;

    /** A null message, to probe with. */
    public Message() {
    }

    /** Whether it holds no message: neither one to receive nor the one from {@link MPI#PROC_NULL}. Never throws. */
    public boolean isNull() {
        return matched == null && !fromNobody;
    }

    /** Whether it holds the message from {@link MPI#PROC_NULL}, which has no items. Never throws. */
    public boolean isNoProc() {
        return fromNobody;
    }

    /**
     * Waits for a message that a receive of the same source and tag would receive, and takes it (MPI_Mprobe).
     *
     * @param source rank of the sender, {@link MPI#ANY_SOURCE} or {@link MPI#PROC_NULL}
     * @param tag number that the sender gave, or {@link MPI#ANY_TAG}
     * @param comm the communicator of the message
     * @return the sender, the tag and the length of the message
     * @throws MPIException ERR_COMM if {@code comm} is null or freed; ERR_RANK if {@code source} is not a rank; ERR_TAG
     * if {@code tag} is negative; ERR_REQUEST if this object holds a message that has not been received
     */
    public Status mProbe(int source, int tag, Comm comm) throws MPIException {
        Status status = new Status();
        Communicator lower = begin("Message.mProbe", source, tag, comm);
        if (lower == null) {
            return fromNobody(status);
        }
        matched = lower.mprobe(source, tag, status);
        return status;
    }

    /**
     * As {@link #mProbe}, without waiting (MPI_Improbe).
     *
     * @return null if there is no such message; then this object stays null
     */
    public Status imProbe(int source, int tag, Comm comm) throws MPIException {
        Status status = new Status();
        Communicator lower = begin("Message.imProbe", source, tag, comm);
        if (lower == null) {
            return fromNobody(status);
        }
        matched = lower.improbe(source, tag, status);
        return matched == null ? null : status;
    }

    private static Status fromNobody(Status status) {
        Completed.RECEIVED_FROM_NOBODY.describe(status);
        return status;
    }

    /** Checks a probe's arguments; null if there is nobody to receive from. */
    private Communicator begin(String call, int source, int tag, Comm comm) {
        if (comm == null) {
            throw ErrorClass.COMM.in(call, "the communicator is null; pass one such as MPI.COMM_WORLD");
        }
        Communicator lower = comm.handle.lower(call);
        if (matched != null) {
            throw comm.handle.error(ErrorClass.REQUEST, call,
                "this object holds a message that has not been received; receive it, or probe with a new Message()");
        }
        handle = comm.handle;
        fromNobody = !Arguments.source(handle, call, source, tag);
        return fromNobody ? null : lower;
    }

    /**
     * Receives the message; this object is null then (MPI_Mrecv). Parameters as of {@link Comm#recv}.
     *
     * @param buf room for {@code count} items
     * @param count the most items of {@code type} that the message may have, 0 or more
     * @param type type of one item
     * @return the sender, the tag and the length of the message
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if {@code buf} does not hold {@code count} items: the
     * message can still be received; ERR_TRUNCATE if the message is longer than {@code count} items, and is lost;
     * ERR_REQUEST if this object holds no message
     */
    public Status mRecv(Object buf, int count, Datatype type) throws MPIException {
        Status status = new Status();
        Operation receive = receive("Message.mRecv", buf, count, Datatype.items(type));
        receive.await();
        receive.describe(status);
        return type == null ? status : status.counted(type.items, count);
    }

    /** Begins what {@link #mRecv} does; this object is null at once (MPI_Imrecv). */
    public Request imRecv(Buffer buf, int count, Datatype type) throws MPIException {
        return imRecv((Object) buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Imrecv). */
    public Request imRecv(Object buf, int count, Datatype type) throws MPIException {
        return new Request(receive("Message.imRecv", buf, count, Datatype.items(type)), type, count);
    }

    private Operation receive(String call, Object buf, int count, ItemType type) {
        JobState.provider(call);
        if (fromNobody) {
            fromNobody = false;
            return Completed.RECEIVED_FROM_NOBODY;
        }
        if (matched == null) {
            throw ErrorClass.REQUEST.in(call, "this object holds no message; probe with it first (mProbe, imProbe)");
        }
        MatchedMessage taken = matched;
        if (type != null && type.holdsObjects) {
            Object[] array = ObjectMessage.array(handle, call, "buf", buf);
            int[] elements = ObjectMessage.elements(handle, call, "buf", array, 0, count, type);
            matched = null;
            return new ObjectReceive(handle, taken, call, array, elements);
        }
        Object data = Arguments.buffer(handle, call, "buf", buf, 0, count, 1, type, true);
        matched = null;
        return taken.irecv(data, type.at(0), count, type.layout(), call);
    }
}
