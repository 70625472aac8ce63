package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.nodes.NodesJob;

/** Windows of every flavour among ranks that are threads, for tests. */
final class TestWindows {
    /** Where a window's memory is. */
    enum Flavor {
        DIRECT, HEAP, ALLOCATED, SHARED, DYNAMIC
    }

    /** What a rank does. */
    interface Program {
        void run(Intracomm world) throws Exception;
    }

    /** A window, with this rank's own memory in native order. */
    record Made(Win win, ByteBuffer memory) {
    }

    private TestWindows() {
    }

    /** @param nodes the node of each rank, one digit each; "11" and "1" are one node */
    static void run(String nodes, Program program) throws Exception {
        int[] nodeOf = nodes.chars().map(c -> c - '0').toArray();
        boolean one = nodes.chars().distinct().count() == 1;
        ThreadJob.run(one ? LoopbackJob.endpoints(nodeOf.length) : NodesJob.narrowEndpoints(nodeOf),
            (provider, world) -> program.run(new Intracomm(Handle.of(world))));
    }

    /** A window of as many bytes on each rank, zero at first; displacements count bytes. */
    static Made make(Flavor flavor, Intracomm comm, int bytes) {
        ByteBuffer memory = flavor == Flavor.HEAP ? ByteBuffer.allocate(bytes) : ByteBuffer.allocateDirect(bytes);
        memory.order(ByteOrder.nativeOrder());
        switch (flavor) {
            case DIRECT :
            case HEAP :
                return new Made(new Win(memory, bytes, 1, MPI.INFO_NULL, comm), memory);
            case DYNAMIC :
                Win dynamic = new Win(MPI.INFO_NULL, comm);
                dynamic.attach(memory, bytes);
                comm.barrier();
                return new Made(dynamic, memory);
            default :
                Win made = new Win(bytes, 1, MPI.INFO_NULL, comm, MPI.newByteBuffer(0),
                    flavor == Flavor.SHARED ? Win.FLAVOR_SHARED : Win.FLAVOR_PRIVATE);
                return new Made(made, made.sharedQuery(comm.getRank()));
        }
    }

    /** A direct buffer of numbers of a type. */
    static ByteBuffer numbers(Datatype type, long... values) {
        int bytes = type.size;
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes * values.length).order(ByteOrder.nativeOrder());
        for (int i = 0; i < values.length; i++) {
            set(buffer, type, i, values[i]);
        }
        return buffer;
    }

    static void set(ByteBuffer buffer, Datatype type, int i, long value) {
        int at = i * type.size;
        if (type == MPI.DOUBLE) {
            buffer.putDouble(at, value);
        } else if (type == MPI.FLOAT) {
            buffer.putFloat(at, value);
        } else if (type.size == 8) {
            buffer.putLong(at, value);
        } else if (type.size == 4) {
            buffer.putInt(at, (int) value);
        } else if (type.size == 2) {
            buffer.putShort(at, (short) value);
        } else {
            buffer.put(at, (byte) value);
        }
    }

    static long get(ByteBuffer buffer, Datatype type, int i) {
        int at = i * type.size;
        return type == MPI.DOUBLE ? (long) buffer.getDouble(at) : type == MPI.FLOAT ? (long) buffer.getFloat(at)
            : type.size == 8 ? buffer.getLong(at) : type.size == 4 ? buffer.getInt(at)
                : type.size == 2 ? buffer.getShort(at) : buffer.get(at);
    }

    static long[] all(Buffer buffer, Datatype type, int count) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = get((ByteBuffer) buffer, type, i);
        }
        return values;
    }
}
