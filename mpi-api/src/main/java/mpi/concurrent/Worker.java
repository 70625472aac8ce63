package mpi.concurrent;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/**
 * What the ranks but rank 0 do: they take chunks of tasks and answer with the results, until they are told to stop. The
 * function of a map comes once before its first chunk. An answer is (failed or not, results or exceptions), or (null,
 * why) if the chunk could not be read or answered. Messages consist of classes that every rank accepts, and of the
 * program's; {@link #PLAIN} of the inputs or results alone.
 */
final class Worker {
    /** The function of all chunks until the next one. */
    static final int FUNCTION = 1;
    /** Inputs of the function. */
    static final int CHUNK = 2;
    /** Tasks that are functions themselves. */
    static final int TASKS = 3;
    static final int ANSWER = 4;
    /** As CHUNK, or an ANSWER of which nothing has failed. */
    static final int PLAIN = 5;
    static final int STOP = 6;

    private static final int MOST_CAUSES = 20;

    private final Intracomm comm;
    private MapFunction<?, ?> function;
    /** Why the function could not be read; null if it was. */
    private Throwable unread;

    Worker(Intracomm comm) {
        this.comm = comm;
    }

    /**
     * Returns when rank 0 has closed its executor.
     *
     * @throws MPIException ERR_PROC_FAILED if rank 0 has died
     */
    void serve() throws MPIException {
        Status status = comm.probe(0, MPI.ANY_TAG);
        while (status.getTag() != STOP) {
            take(status);
            status = comm.probe(0, MPI.ANY_TAG);
        }
        comm.recv(new byte[0], 0, MPI.BYTE, 0, STOP);
    }

    private void take(Status status) throws MPIException {
        int tag = status.getTag();
        Object received = null;
        Throwable wrong = null;
        try {
            received = receive(comm, status);
        } catch (RuntimeException | Error e) { // also of the program's readObject
            requireData(e);
            wrong = e instanceof MPIException ? e : plain(e, MOST_CAUSES);
        }
        if (tag == FUNCTION) {
            function = (MapFunction<?, ?>) received;
            unread = wrong;
            return;
        }
        if (wrong == null && tag != TASKS) {
            wrong = unread;
        }
        if (wrong != null) {
            send(null, wrong);
        } else {
            answer(tag == TASKS ? null : function, (Object[]) received);
        }
    }

    /** The inputs, tasks, answer or function that a message consists of. */
    static Object receive(Intracomm comm, Status status) throws MPIException {
        if (status.getTag() == PLAIN) {
            byte[] plain = new byte[status.getCount(MPI.BYTE)];
            comm.recv(plain, plain.length, MPI.BYTE, status.getSource(), PLAIN);
            return PlainValues.decode(plain);
        }
        Object[] received = new Object[1];
        comm.recv(received, 1, MPI.OBJECT, status.getSource(), status.getTag());
        return received[0];
    }

    private void answer(MapFunction<?, ?> mapping, Object[] inputs) throws MPIException {
        Object[] values = inputs.clone();
        boolean[] failed = new boolean[values.length];
        for (int i = 0; i < values.length; i++) {
            try {
                values[i] = perform(mapping, values[i]);
            } catch (Throwable e) {
                failed[i] = true;
                values[i] = e;
            }
            Thread.interrupted(); // a task's flag is not the next one's
        }
        try {
            byte[] plain = PlainValues.encode(values);
            if (plain != null) {
                comm.send(plain, plain.length, MPI.BYTE, 0, PLAIN);
            } else {
                send(failed, values);
            }
        } catch (RuntimeException | Error e) { // also of the program's writeObject
            requireData(e);
            for (int i = 0; i < values.length; i++) {
                values[i] = sendable(values[i], failed, i);
            }
            send(failed, values);
        }
    }

    private void send(boolean[] failed, Object values) throws MPIException {
        comm.send(new Object[] {new Object[] {failed, values}}, 1, MPI.OBJECT, 0, ANSWER);
    }

    @SuppressWarnings("unchecked")
    static Object perform(MapFunction<?, ?> mapping, Object sent) throws Exception {
        if (mapping != null) {
            return ((MapFunction<Object, ?>) mapping).apply(sent);
        }
        if (sent instanceof Callable<?> callable) {
            return callable.call();
        }
        ((Runnable) sent).run();
        return null;
    }

    /** Rethrows errors that are not about a message's data. */
    private static void requireData(Throwable e) throws MPIException {
        if (e instanceof MPIException wrong
            && (wrong.getErrorClass() == MPI.ERR_PROC_FAILED || wrong.getErrorClass() == MPI.ERR_REVOKED)) {
            throw wrong;
        }
    }

    /** What is sent in a value's place if it cannot be serialized: an exception that says so. */
    private static Object sendable(Object value, boolean[] failed, int i) {
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
            out.writeObject(value);
            return value;
        } catch (IOException | RuntimeException | Error e) {
            if (!failed[i]) {
                failed[i] = true;
                return new IllegalStateException("the task's result, of class " + value.getClass().getName()
                    + ", cannot be sent (" + text(e) + "); let its class implement java.io.Serializable");
            }
            return plain((Throwable) value, MOST_CAUSES);
        }
    }

    /** An exception of the JDK with the text, the stack traces and the causes of one that cannot be serialized. */
    private static Throwable plain(Throwable thrown, int causes) {
        Throwable cause = thrown.getCause();
        RuntimeException plain =
            new RuntimeException(text(thrown), cause == null || causes == 0 ? null : plain(cause, causes - 1));
        plain.setStackTrace(thrown.getStackTrace());
        return plain;
    }

    /** What an exception says; its class if the program's toString throws. */
    private static String text(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (RuntimeException | Error e) {
            return thrown.getClass().getName();
        }
    }
}
