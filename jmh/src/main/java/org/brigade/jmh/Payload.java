package org.brigade.jmh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;

/**
 * One rank's buffers: doubles, the first of which is 0 until rank 0 says stop. Kept from iteration to iteration, as
 * making them counts as allocation.
 */
final class Payload {
    private final int operation;
    private final int count;
    private final int last;
    private final double[] sendArray;
    private final double[] recvArray;
    private final ByteBuffer sendDirect;
    private final ByteBuffer recvDirect;
    private final Object send;
    private final Object recv;
    /** The sum as a persistent request; made by all ranks at its first start. */
    private Prequest sum;

    /**
     * Of at least 8 bytes.
     *
     * @param operation of {@link Followers}
     */
    Payload(int operation, int bytes, boolean direct) throws MPIException {
        this.operation = operation;
        count = Math.max(1, bytes / Double.BYTES);
        last = MPI.COMM_WORLD.getSize() - 1;
        sendArray = direct ? null : new double[count];
        recvArray = direct ? null : new double[count];
        sendDirect = direct ? allocate() : null;
        recvDirect = direct ? allocate() : null;
        send = direct ? sendDirect : sendArray;
        recv = direct ? recvDirect : recvArray;
    }

    private ByteBuffer allocate() {
        return ByteBuffer.allocateDirect(count * Double.BYTES).order(ByteOrder.nativeOrder());
    }

    /** From the first rank to all, then from the last to all. */
    void bcast() throws MPIException {
        MPI.COMM_WORLD.bcast(send, count, MPI.DOUBLE, 0);
        MPI.COMM_WORLD.bcast(send, count, MPI.DOUBLE, last);
    }

    /** A sum. */
    void allReduce() throws MPIException {
        MPI.COMM_WORLD.allReduce(send, recv, count, MPI.DOUBLE, MPI.SUM);
    }

    /** The same, prepared once. */
    void startAllReduce() throws MPIException {
        if (sum == null) {
            sum = MPI.COMM_WORLD.allReduceInit(send, recv, count, MPI.DOUBLE, MPI.SUM, MPI.INFO_NULL);
        }
        sum.start();
        sum.waitFor();
    }

    /** What this iteration measures, once. */
    void run() throws MPIException {
        switch (operation) {
            case Followers.BCAST -> bcast();
            case Followers.ALLREDUCE -> allReduce();
            default -> startAllReduce();
        }
    }

    /** On rank 0: runs once more with the stop word in the payload. */
    void stop() throws MPIException {
        putFirst(1);
        run();
    }

    /** Takes the stop word out again. */
    void clear() {
        putFirst(0);
    }

    private void putFirst(double word) {
        if (sendArray != null) {
            sendArray[0] = word;
        } else {
            sendDirect.putDouble(0, word);
        }
    }

    int operation() {
        return operation;
    }

    int bytes() {
        return count * Double.BYTES;
    }

    boolean isDirect() {
        return sendDirect != null;
    }

    /** Whether what came last had the stop word in it. */
    boolean isStopped() {
        boolean bcast = operation == Followers.BCAST;
        if (sendArray != null) {
            return (bcast ? sendArray : recvArray)[0] != 0;
        }
        return (bcast ? sendDirect : recvDirect).getDouble(0) != 0;
    }
}
