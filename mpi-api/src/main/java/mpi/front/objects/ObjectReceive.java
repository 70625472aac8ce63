package mpi.front.objects;

import mpi.front.job.Handle;
import mpi.spi.ArrivingBuffer;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;

/** A receive of {@code MPI.OBJECT} under way: the message is read when it has arrived. */
public final class ObjectReceive implements Operation {
    private static final TypeLayout WORDS = TypeLayout.objects("MPI.OBJECT");

    private final Handle handle;
    private final String call;
    private final Object[] target;
    private final int[] elements;
    private final ArrivingBuffer message = new ArrivingBuffer();
    private final Operation lower;
    private boolean read;
    private int count;

    /** Posts the receive; the arguments have been checked. */
    public ObjectReceive(Handle handle, Communicator lower, String call, Object[] target, int[] elements, int source,
        int tag) {
        this.handle = handle;
        this.call = call;
        this.target = target;
        this.elements = elements;
        this.lower = lower.irecv(message, 0, Integer.MAX_VALUE, WORDS, source, tag, call);
    }

    /** Begins to receive a message that a matched probe has taken; the arguments have been checked. */
    public ObjectReceive(Handle handle, MatchedMessage taken, String call, Object[] target, int[] elements) {
        this.handle = handle;
        this.call = call;
        this.target = target;
        this.elements = elements;
        this.lower = taken.irecv(message, 0, Integer.MAX_VALUE, WORDS, call);
    }

    /** Sends a message of {@link ObjectMessage}. */
    public static void send(Communicator lower, long[] message, int dest, int tag, SendMode mode) {
        lower.send(message, 0, message.length, WORDS, dest, tag, mode);
    }

    /** As {@link #send}, without waiting. */
    public static Operation isend(Communicator lower, long[] message, int dest, int tag, SendMode mode) {
        return lower.isend(message, 0, message.length, WORDS, dest, tag, mode);
    }

    @Override
    public boolean test() {
        if (!lower.test()) {
            return false;
        }
        read();
        return true;
    }

    @Override
    public void await() {
        lower.await();
        read();
    }

    /** Of several threads that complete it, one reads the message, and the others have it then. */
    private synchronized void read() {
        long[] words = message.words();
        if (!read && words.length > 0) { // none has arrived if the receive was cancelled
            read = true;
            count = ObjectMessage.decode(handle, call, words, 0, words.length, target, elements);
        }
    }

    @Override
    public void cancel() {
        lower.cancel();
    }

    @Override
    public void describe(Envelope envelope) {
        lower.describe(envelope);
        envelope.fillSent(count, true);
    }
}
