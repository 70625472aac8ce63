package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.spi.Provider;
import org.brigade.communicator.FakeDevices;
import org.brigade.communicator.FakeMemory;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.nodes.NodesJob;

/** Windows of every flavour among ranks that are threads, for tests. */
final class TestWindows {
    /** Where a window's memory is. */
    enum Flavor {
        DIRECT, HEAP, ALLOCATED, SHARED, DYNAMIC,
        /** Memory of a device that the other ranks of the node can map. */
        DEVICE,
        /** Memory of a device that nobody can map. */
        UNMAPPED,
        /** Of each kind of buffer on some rank. */
        MIXED,
        /** A dynamic window with memory of a device. */
        ATTACHED
    }

    /** Where a buffer of an access is. */
    enum Place {
        DIRECT, HEAP, ARRAY, DEVICE
    }

    private static final ThreadLocal<FakeDevices> DEVICES = new ThreadLocal<>();

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
        FakeDevices[] devices = FakeDevices.ofJob(nodeOf.length);
        JobState.pretend(POINTERS);
        ThreadJob.run(one ? LoopbackJob.endpoints(nodeOf.length) : NodesJob.narrowEndpoints(nodeOf), false, devices,
            (provider, world) -> {
                DEVICES.set(devices[world.rank()]);
                program.run(new Intracomm(Handle.of(world)));
            });
        assertEquals(0, devices[0].mappings(), "mappings that are left");
    }

    /** In place of the ranks' providers: a program has one for its process. */
    private static final Provider POINTERS = (Provider) Proxy.newProxyInstance(Provider.class.getClassLoader(),
        new Class<?>[] {Provider.class}, (self, method, arguments) -> {
            if (method.getName().equals("mappable")) {
                return null;
            }
            if (!method.getName().equals("underlying")) {
                throw new UnsupportedOperationException(method.getName());
            }
            if (arguments[0] instanceof FakeMemory memory && memory.freed) {
                throw new IllegalArgumentException("is no address of device memory; pass some before it is freed");
            }
            return arguments[0] instanceof FakeMemory ? arguments[0] : null;
        });

    /** The devices of the rank that runs in this thread. */
    static FakeDevices devices() {
        return DEVICES.get();
    }

    /** A buffer for an access, of zeros. */
    static Object buffer(Place place, int bytes) {
        return switch (place) {
            case DIRECT -> ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            case HEAP -> ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
            case ARRAY -> new byte[bytes];
            case DEVICE -> devices().allocate(8, bytes);
        };
    }

    /** The bytes of such a buffer. */
    static ByteBuffer bytesOf(Object buffer) {
        return buffer instanceof FakeMemory memory ? memory.memory()
            : (buffer instanceof byte[] array ? ByteBuffer.wrap(array) : (ByteBuffer) buffer)
                .order(ByteOrder.nativeOrder());
    }

    /** A window of as many bytes on each rank, zero at first; displacements count bytes. */
    static Made make(Flavor flavor, Intracomm comm, int bytes) {
        ByteBuffer memory = flavor == Flavor.HEAP ? ByteBuffer.allocate(bytes) : ByteBuffer.allocateDirect(bytes);
        memory.order(ByteOrder.nativeOrder());
        switch (flavor) {
            case DEVICE :
            case UNMAPPED :
                return device(flavor == Flavor.UNMAPPED, comm, bytes);
            case MIXED :
                return switch (comm.getRank() % 4) {
                    case 0 -> device(false, comm, bytes);
                    case 1 -> make(Flavor.DIRECT, comm, bytes);
                    case 2 -> device(true, comm, bytes);
                    default -> make(Flavor.HEAP, comm, bytes);
                };
            case ATTACHED :
                FakeMemory attached = devices().allocate(12, bytes);
                Win open = new Win(MPI.INFO_NULL, comm);
                open.attach(attached, bytes);
                comm.barrier();
                return new Made(open, attached.memory());
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

    private static Made device(boolean unmapped, Intracomm comm, int bytes) {
        devices().unreachable = unmapped;
        FakeMemory memory = devices().allocate(12, bytes);
        return new Made(new Win(memory, bytes, 1, MPI.INFO_NULL, comm), memory.memory());
    }

    /** A direct buffer of numbers of a type. */
    static ByteBuffer numbers(Datatype type, long... values) {
        int bytes = type.items.size;
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes * values.length).order(ByteOrder.nativeOrder());
        for (int i = 0; i < values.length; i++) {
            set(buffer, type, i, values[i]);
        }
        return buffer;
    }

    static void set(ByteBuffer buffer, Datatype type, int i, long value) {
        int at = i * type.items.size;
        if (type == MPI.DOUBLE) {
            buffer.putDouble(at, value);
        } else if (type == MPI.FLOAT) {
            buffer.putFloat(at, value);
        } else if (type.items.size == 8) {
            buffer.putLong(at, value);
        } else if (type.items.size == 4) {
            buffer.putInt(at, (int) value);
        } else if (type.items.size == 2) {
            buffer.putShort(at, (short) value);
        } else {
            buffer.put(at, (byte) value);
        }
    }

    static long get(ByteBuffer buffer, Datatype type, int i) {
        int at = i * type.items.size;
        return type == MPI.DOUBLE ? (long) buffer.getDouble(at) : type == MPI.FLOAT ? (long) buffer.getFloat(at)
            : type.items.size == 8 ? buffer.getLong(at) : type.items.size == 4 ? buffer.getInt(at)
                : type.items.size == 2 ? buffer.getShort(at) : buffer.get(at);
    }

    static long[] all(Buffer buffer, Datatype type, int count) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = get((ByteBuffer) buffer, type, i);
        }
        return values;
    }
}
