package org.brigade.aggregation.sharp;

import com.sun.jna.Callback;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import org.brigade.nativ.Jna;

/**
 * NVIDIA's SHARP library, libsharp_coll: switches that reduce. Handles and addresses are pointers; every call returns
 * the library's status, 0 or a negative code. Layouts are those of its header on 64-bit machines, in bytes from the
 * start. The out-of-band functions are callbacks; the library calls them from the calling thread while it makes
 * contexts and communicators.
 */
public final class Sharp {
    public static final String LIBRARY = "libsharp_coll.so";

    // struct sharp_coll_config: device list, polls, timeout in ms, flags, 3 reserved
    static final int CONFIG_BYTES = 32;
    static final int CONFIG_POLLS = 8;
    static final int CONFIG_TIMEOUT = 12;

    // struct sharp_coll_init_spec
    static final int INIT_WORLD_RANK = 8;
    static final int INIT_WORLD_SIZE = 12;
    static final int INIT_CONFIG = 32;
    static final int INIT_BCAST = 64;
    static final int INIT_BARRIER = 72;
    static final int INIT_GATHER = 80;
    static final int INIT_LOCAL_RANK = 88;
    static final int INIT_THREADS = 92;
    static final int INIT_OOB_CONTEXT = 96;
    static final int INIT_BYTES = 120;

    // struct sharp_coll_comm_init_spec
    static final int COMM_SIZE = 4;
    static final int COMM_OOB_CONTEXT = 8;
    static final int COMM_BYTES = 32;

    // struct sharp_coll_data_desc: type, memory, 2 reserved, then a buffer
    static final int DATA_POINTER = 16;
    static final int DATA_LENGTH = 24;
    static final int DATA_HANDLE = 32;

    // struct sharp_coll_reduce_spec
    static final int REDUCE_SEND = 8;
    static final int REDUCE_RECV = 48;
    static final int REDUCE_TYPE = 88;
    static final int REDUCE_LENGTH = 96;
    static final int REDUCE_OPERATION = 104;
    static final int REDUCE_TAG_TYPE = 108;
    static final int REDUCE_BYTES = 136;

    // struct sharp_coll_caps
    static final int CAPS_TYPES = 24;
    static final int CAPS_OPERATIONS = 40;
    static final int CAPS_FEATURES = 48;
    static final int CAPS_OPERATIONS_OUTSTANDING = 88;
    static final int CAPS_GROUPS = 96;
    static final int CAPS_BYTES = 112;

    private static final int TYPE_NULL = 12;
    private static final int POLLS = 10_000_000;
    private static final int FEATURE_REPRODUCIBLE = 2;

    /** Out-of-band communication that the library asks its caller for. All return 0 or a negative status. */
    public interface OutOfBandCalls {
        int bcast(Pointer buffer, int bytes, int root);

        int barrier();

        /** The receive buffer is valid at the root only. */
        int gather(int root, Pointer send, Pointer receive, int bytes);
    }

    /** {@code int bcast(void* context, void* buffer, int bytes, int root)}. */
    public interface Bcast extends Callback {
        int invoke(Pointer context, Pointer buffer, int bytes, int root);
    }

    /** {@code int barrier(void* context)}. */
    public interface Barrier extends Callback {
        int invoke(Pointer context);
    }

    /** {@code int gather(void* context, int root, void* send, void* receive, int bytes)}. */
    public interface Gather extends Callback {
        int invoke(Pointer context, int root, Pointer send, Pointer receive, int bytes);
    }

    /**
     * The capabilities of a tree; bits are {@code 1 <<} the library's enums.
     *
     * @param outstanding operations that may be under way
     * @param groups most groups of this process
     */
    public record Caps(long types, long operations, int outstanding, int groups, boolean reproducible) {
    }

    /** One context. Its initialisation data must stay in memory as long as it exists. */
    public static final class Context {
        private final Memory spec = new Memory(INIT_BYTES);
        private final Memory devices;
        private final Bcast bcast;
        private final Barrier barrier;
        private final Gather gather;
        private final Pointer pointer;
        private final int status;

        /**
         * {@code sharp_coll_init}; all members of the job call it.
         *
         * @param device such as {@code mlx5_0:1}; empty for the library's choice
         * @param timeoutMs of operations
         */
        public Context(long job, int rank, int size, String device, int timeoutMs, OutOfBandCalls calls) {
            bcast = (context, buffer, bytes, root) -> calls.bcast(buffer, bytes, root);
            barrier = context -> calls.barrier();
            gather = (context, root, send, receive, bytes) -> calls.gather(root, send, receive, bytes);
            spec.clear();
            spec.setLong(0, job);
            spec.setInt(INIT_WORLD_RANK, rank);
            spec.setInt(INIT_WORLD_SIZE, size);
            spec.write(INIT_CONFIG,
                library.getGlobalVariableAddress("sharp_coll_default_config").getByteArray(0, CONFIG_BYTES), 0,
                CONFIG_BYTES);
            devices = device.isEmpty() ? null : new Memory(device.length() + 1L);
            if (devices != null) {
                devices.setString(0, device, "US-ASCII");
                spec.setPointer(INIT_CONFIG, devices);
            }
            spec.setInt(INIT_CONFIG + CONFIG_POLLS, POLLS);
            spec.setInt(INIT_CONFIG + CONFIG_TIMEOUT, timeoutMs);
            spec.setPointer(INIT_BCAST, com.sun.jna.CallbackReference.getFunctionPointer(bcast));
            spec.setPointer(INIT_BARRIER, com.sun.jna.CallbackReference.getFunctionPointer(barrier));
            spec.setPointer(INIT_GATHER, com.sun.jna.CallbackReference.getFunctionPointer(gather));
            spec.setInt(INIT_LOCAL_RANK, 0);
            spec.setInt(INIT_THREADS, 1);
            PointerByReference answer = new PointerByReference();
            status = Functions.sharp_coll_init(spec, answer);
            pointer = answer.getValue();
        }

        /** Status of the initialisation: 0, or why there is no context. */
        public int status() {
            return status;
        }

        /** Null if the library does not tell. */
        public Caps caps() {
            Memory caps = new Memory(CAPS_BYTES);
            caps.clear();
            if (Functions.sharp_coll_caps_query(pointer, caps) != 0) {
                return null;
            }
            return new Caps(caps.getLong(CAPS_TYPES), caps.getLong(CAPS_OPERATIONS),
                caps.getInt(CAPS_OPERATIONS_OUTSTANDING), caps.getInt(CAPS_GROUPS),
                (caps.getLong(CAPS_FEATURES) & FEATURE_REPRODUCIBLE) != 0);
        }

        /** {@code sharp_coll_comm_init}; all members call it. Stores a pointer in {@code answer}. */
        public int makeCommunicator(int rank, int size, PointerByReference answer) {
            Memory comm = new Memory(COMM_BYTES);
            comm.clear();
            comm.setInt(0, rank);
            comm.setInt(COMM_SIZE, size);
            return Functions.sharp_coll_comm_init(pointer, comm, answer);
        }

        public int register(long address, long bytes, PointerByReference handle) {
            return Functions.sharp_coll_reg_mr(pointer, new Pointer(address), bytes, handle);
        }

        public int deregister(Pointer handle) {
            return Functions.sharp_coll_dereg_mr(pointer, handle);
        }

        public int progress() {
            return Functions.sharp_coll_progress(pointer);
        }

        public int close() {
            return Functions.sharp_coll_finalize(pointer);
        }
    }

    /** The specification of one allreduce, for reuse. */
    public static final class Reduction {
        private final Memory spec = new Memory(REDUCE_BYTES);
        private final PointerByReference request = new PointerByReference();

        public Reduction() {
            spec.clear();
            spec.setInt(REDUCE_TAG_TYPE, TYPE_NULL);
        }

        /** {@code sharp_coll_do_allreduce_nb} on registered host memory. */
        public int begin(Pointer communicator, long send, long recv, long bytes, Pointer registration, int type,
            long elements, int operation) {
            buffer(REDUCE_SEND, send, bytes, registration);
            buffer(REDUCE_RECV, recv, bytes, registration);
            spec.setInt(REDUCE_TYPE, type);
            spec.setLong(REDUCE_LENGTH, elements);
            spec.setInt(REDUCE_OPERATION, operation);
            return Functions.sharp_coll_do_allreduce_nb(communicator, spec, request);
        }

        private void buffer(int at, long address, long bytes, Pointer registration) {
            spec.setLong(at + DATA_POINTER, address);
            spec.setLong(at + DATA_LENGTH, bytes);
            spec.setPointer(at + DATA_HANDLE, registration);
        }

        /** The request that {@link #begin} has started. */
        public Pointer request() {
            return request.getValue();
        }
    }

    private static NativeLibrary library;

    private Sharp() {
    }

    /**
     * Binds the functions to a library; once a process.
     *
     * @throws UnsatisfiedLinkError if there is none, or it lacks a function, which the message names
     */
    public static synchronized void load(String path) {
        if (library == null) {
            Jna.prepare();
            NativeLibrary found = NativeLibrary.getInstance(path);
            Native.register(Functions.class, found);
            library = found;
        }
    }

    /** Whether an operation has ended. */
    public static boolean test(Pointer request) {
        return Functions.sharp_coll_req_test(request) != 0;
    }

    /** The status of an ended operation; frees its request. */
    public static int end(Pointer request) {
        return Functions.sharp_coll_req_wait(request);
    }

    public static int destroy(Pointer communicator) {
        return Functions.sharp_coll_comm_destroy(communicator);
    }

    /** Directly mapped; the names are the library's. */
    private static final class Functions {
        static native int sharp_coll_init(Pointer spec, PointerByReference context);

        static native int sharp_coll_finalize(Pointer context);

        static native int sharp_coll_caps_query(Pointer context, Pointer caps);

        static native int sharp_coll_progress(Pointer context);

        static native int sharp_coll_comm_init(Pointer context, Pointer spec, PointerByReference communicator);

        static native int sharp_coll_comm_destroy(Pointer communicator);

        static native int sharp_coll_reg_mr(Pointer context, Pointer address, long bytes, PointerByReference handle);

        static native int sharp_coll_dereg_mr(Pointer context, Pointer handle);

        static native int sharp_coll_do_allreduce_nb(Pointer communicator, Pointer spec, PointerByReference request);

        static native int sharp_coll_req_test(Pointer request);

        static native int sharp_coll_req_wait(Pointer request);
    }
}
