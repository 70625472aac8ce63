package org.brigade.transport.hostmpi.library;

import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import org.brigade.nativ.Jna;
import org.brigade.nativ.Libc;
import org.brigade.nativ.SignalHandlers;

/**
 * The host's MPI through its C interface: the functions that Brigade needs to send bytes between nodes. Supports Open
 * MPI 4 and 5, MPICH and MPIs with its ABI, and the ABI of MPI 5 ({@link HostMpiAbi}). Addresses and handles are longs;
 * a request is named by the address of its handle, in native memory of {@link #REQUEST_BYTES}. Every failed call throws
 * a {@link HostMpiException}.
 *
 * <p>
 * Handles are passed as longs even if the library takes ints: it looks for them in the lower half of a register or
 * stack slot (x86-64, aarch64).
 *
 * <p>
 * One thread at a time. A library that was {@linkplain #initialize initialized} here and allows only one thread is
 * called by that thread, whichever thread asks. Loads JNA, so code that runs at start-up must not use this class.
 */
public final class HostMpi {
    /** Room for a request's handle. */
    public static final int REQUEST_BYTES = 8;

    /** Thread levels in ascending order. */
    public static final int SINGLE = 0;
    public static final int FUNNELED = 1;
    public static final int SERIALIZED = 2;
    public static final int MULTIPLE = 3;

    /** RTLD_NOW | RTLD_GLOBAL: Open MPI's own plugins look for its symbols everywhere. */
    private static final int OPEN_FLAGS = 0x2 | 0x100;
    private static final int TEXT = 64;
    private static final int MOST_TEXT = 8192;

    /**
     * In Open MPI 1 to 5: whether it yields whenever it has nothing to do. An internal name, which mpi.h does not have.
     */
    private static final String YIELD_SWITCH = "opal_progress_set_yield_when_idle";

    private static HostMpiAbi abi;
    private static NativeLibrary library;
    /** Null if the library has none. */
    private static Function yieldSwitch;
    private static String path;
    /** Results of calls: numbers and handles first, then text. */
    private static final ByteBuffer ANSWERS =
        ByteBuffer.allocateDirect(TEXT + MOST_TEXT).order(ByteOrder.nativeOrder());
    private static long answers;
    /** The thread that initialized the library; null before, and if others did. */
    private static CallingThread beginner;
    /** Whether no other thread may call. */
    private static boolean confined;

    private HostMpi() {
    }

    /**
     * Binds to a library. Once a process. The JVM keeps its signal handlers.
     *
     * @throws UnsatisfiedLinkError if there is none, or it is no MPI
     */
    public static synchronized void load(String library) {
        if (abi != null) {
            throw new IllegalStateException("an MPI has been loaded: " + path);
        }
        SignalHandlers handlers = SignalHandlers.ofNow();
        try {
            Jna.prepare();
            NativeLibrary found = NativeLibrary.getInstance(library, Map.of(Library.OPTION_OPEN_FLAGS, OPEN_FLAGS));
            HostMpiAbi its = HostMpiAbi.of(found, library);
            Native.register(Functions.class, found);
            yieldSwitch = yieldSwitch(found);
            answers = Libc.address(ANSWERS);
            path = found.getFile() == null ? library : found.getFile().getPath();
            HostMpi.library = found;
            abi = its;
        } finally {
            handlers.restore();
        }
    }

    private static Function yieldSwitch(NativeLibrary library) {
        try {
            return library.getFunction(YIELD_SWITCH);
        } catch (UnsatisfiedLinkError none) {
            return null;
        }
    }

    public static synchronized boolean isLoaded() {
        return abi != null;
    }

    /** File of the library, or its name if the system's loader found it. */
    public static String path() {
        return path;
    }

    /** The library's binary interface: {@code Open MPI}, {@code MPICH}, {@code MPI ABI}. */
    public static String abi() {
        return abi.name();
    }

    /** The library's description of itself, in one line. */
    public static String version() {
        check("MPI_Get_library_version", Functions.MPI_Get_library_version(answers + TEXT, answers));
        String text = text(ANSWERS.getInt(0));
        int end = text.indexOf('\n');
        int comma = text.indexOf(',');
        end = end < 0 ? text.length() : end;
        return text.substring(0, comma > 0 && comma < end ? comma : end).replace('\t', ' ').strip();
    }

    /** The version of the MPI standard: {@code 3.1}. */
    public static String standard() {
        check("MPI_Get_version", Functions.MPI_Get_version(answers, answers + 4));
        return ANSWERS.getInt(0) + "." + ANSWERS.getInt(4);
    }

    // ---- beginning and end ----

    public static boolean isInitialized() {
        check("MPI_Initialized", Functions.MPI_Initialized(answers));
        return ANSWERS.getInt(0) != 0;
    }

    public static boolean isFinalized() {
        check("MPI_Finalized", Functions.MPI_Finalized(answers));
        return ANSWERS.getInt(0) != 0;
    }

    /**
     * Initializes the library, for threads that call one at a time, or as many as it allows; the JVM keeps its signal
     * handlers. Blocks until all ranks of the job have called it.
     */
    public static void initialize() {
        CallingThread thread = new CallingThread();
        SignalHandlers handlers = SignalHandlers.ofNow();
        try {
            thread.call(new Supplier<Object>() { // a lambda would take longer, the first time
                @Override
                public Object get() {
                    check("MPI_Init_thread", Functions.MPI_Init_thread(0, 0, abi.serialized(), answers));
                    return null;
                }
            });
        } finally {
            handlers.restore();
        }
        beginner = thread;
        confined = threadLevel() < SERIALIZED;
    }

    /** Whether a call must be made by the thread that initialized the library. */
    private static boolean isElsewhere() {
        return confined && Thread.currentThread() != beginner;
    }

    private static void there(Runnable call) {
        beginner.call(() -> {
            call.run();
            return null;
        });
    }

    /** The library's thread level: {@link #SINGLE} to {@link #MULTIPLE}. */
    public static int threadLevel() {
        check("MPI_Query_thread", Functions.MPI_Query_thread(answers));
        int level = ANSWERS.getInt(0);
        return level >= abi.multiple() ? MULTIPLE
            : level >= abi.serialized() ? SERIALIZED : level >= abi.funneled() ? FUNNELED : SINGLE;
    }

    /**
     * Finalizes the library, if it was initialized here.
     *
     * @return false if it has not returned in time: it may never, and nothing can be called any more
     */
    public static boolean finish(long millis) {
        return beginner == null || beginner.call(new Supplier<Object>() {
            @Override
            public Object get() {
                check("MPI_Finalize", Functions.MPI_Finalize());
                return null;
            }
        }, millis);
    }

    /**
     * Whether the library says that it can access NVIDIA's device memory, and lets all threads call, in which the
     * memory's context is then current. Only after it has been initialized.
     */
    public static boolean isCudaAware() {
        if (confined) {
            return false;
        }
        try {
            Native.register(GpuQuery.class, library);
            ANSWERS.putInt(0, 0);
            return GpuQuery.MPIX_GPU_query_support(GpuQuery.CUDA, answers) == 0 && ANSWERS.getInt(0) != 0;
        } catch (UnsatisfiedLinkError notMpich) {
            try {
                Native.register(CudaQuery.class, library);
                return CudaQuery.MPIX_Query_cuda_support() == 1;
            } catch (UnsatisfiedLinkError neither) {
                return false;
            }
        }
    }

    /**
     * Tells the library whether to yield by itself when it has looked for messages, which it does before it reports
     * them. Callers that use {@link #test} and yield between two looks should switch it off meanwhile.
     *
     * @return the previous setting; false if it cannot be set
     */
    public static boolean yieldWhenIdle(boolean wanted) {
        return yieldSwitch != null && (yieldSwitch.invokeInt(new Object[] {wanted ? 1 : 0}) & 0xff) != 0;
    }

    // ---- communicators ----

    public static long world() {
        return abi.world();
    }

    /** A copy of a communicator; all its ranks call. */
    public static long duplicate(long communicator) {
        if (isElsewhere()) {
            return beginner.call(() -> duplicate(communicator));
        }
        check("MPI_Comm_dup", Functions.MPI_Comm_dup(communicator, answers));
        return abi.handleBytes() == 4 ? ANSWERS.getInt(0) : ANSWERS.getLong(0);
    }

    /** The communicator of the ranks that name the same part, in their order here; all ranks call. */
    public static long split(long communicator, int part) {
        if (isElsewhere()) {
            return beginner.call(() -> split(communicator, part));
        }
        check("MPI_Comm_split", Functions.MPI_Comm_split(communicator, part, 0, answers));
        return abi.handleBytes() == 4 ? ANSWERS.getInt(0) : ANSWERS.getLong(0);
    }

    /** Makes errors return to us as exceptions instead of ending the process. */
    public static void returnErrors(long communicator) {
        if (isElsewhere()) {
            there(() -> returnErrors(communicator));
            return;
        }
        check("MPI_Comm_set_errhandler", Functions.MPI_Comm_set_errhandler(communicator, abi.errorsReturn()));
    }

    public static int rank(long communicator) {
        if (isElsewhere()) {
            return beginner.call(() -> rank(communicator));
        }
        check("MPI_Comm_rank", Functions.MPI_Comm_rank(communicator, answers));
        return ANSWERS.getInt(0);
    }

    public static int size(long communicator) {
        if (isElsewhere()) {
            return beginner.call(() -> size(communicator));
        }
        check("MPI_Comm_size", Functions.MPI_Comm_size(communicator, answers));
        return ANSWERS.getInt(0);
    }

    // ---- messages ----

    /** Begins to send bytes, which must stay unchanged until {@link #test} is true. */
    public static void send(long address, int bytes, int peer, int tag, long communicator, long request) {
        if (isElsewhere()) {
            there(() -> send(address, bytes, peer, tag, communicator, request));
            return;
        }
        check("MPI_Isend", Functions.MPI_Isend(address, bytes, abi.byteType(), peer, tag, communicator, request));
    }

    /** As {@link #send}, but ends only after the receiver has begun to receive, so that no messages pile up there. */
    public static void synchronousSend(long address, int bytes, int peer, int tag, long communicator, long request) {
        if (isElsewhere()) {
            there(() -> synchronousSend(address, bytes, peer, tag, communicator, request));
            return;
        }
        check("MPI_Issend", Functions.MPI_Issend(address, bytes, abi.byteType(), peer, tag, communicator, request));
    }

    /** Begins to receive exactly this many bytes from one rank. */
    public static void receive(long address, int bytes, int peer, int tag, long communicator, long request) {
        if (isElsewhere()) {
            there(() -> receive(address, bytes, peer, tag, communicator, request));
            return;
        }
        check("MPI_Irecv", Functions.MPI_Irecv(address, bytes, abi.byteType(), peer, tag, communicator, request));
    }

    /**
     * Makes a persistent request to receive up to so many bytes from any rank; it may be {@linkplain #start started}
     * any number of times.
     */
    public static void receiver(long address, int bytes, int tag, long communicator, long request) {
        if (isElsewhere()) {
            there(() -> receiver(address, bytes, tag, communicator, request));
            return;
        }
        check("MPI_Recv_init",
            Functions.MPI_Recv_init(address, bytes, abi.byteType(), abi.anySource(), tag, communicator, request));
    }

    public static void start(long request) {
        if (isElsewhere()) {
            there(() -> start(request));
            return;
        }
        check("MPI_Start", Functions.MPI_Start(request));
    }

    /** Whether a request's operation has ended; lets the library make progress. */
    public static boolean test(long request) {
        if (isElsewhere()) {
            return beginner.call(() -> test(request));
        }
        check("MPI_Test", Functions.MPI_Test(request, answers, abi.statusIgnore()));
        return ANSWERS.getInt(0) != 0;
    }

    /** Cancels what {@link #start} began; test it afterwards until it has ended. */
    public static void cancel(long request) {
        if (isElsewhere()) {
            there(() -> cancel(request));
            return;
        }
        check("MPI_Cancel", Functions.MPI_Cancel(request));
    }

    public static void free(long request) {
        if (isElsewhere()) {
            there(() -> free(request));
            return;
        }
        check("MPI_Request_free", Functions.MPI_Request_free(request));
    }

    /** Begins to give every rank the bytes of all, by rank. */
    public static void allgather(long mine, int bytes, long all, long communicator, long request) {
        if (isElsewhere()) {
            there(() -> allgather(mine, bytes, all, communicator, request));
            return;
        }
        check("MPI_Iallgather",
            Functions.MPI_Iallgather(mine, bytes, abi.byteType(), all, bytes, abi.byteType(), communicator, request));
    }

    // ---- results ----

    private static void check(String call, int code) {
        if (code != 0) {
            String text =
                Functions.MPI_Error_string(code, answers + TEXT, answers) == 0 ? text(ANSWERS.getInt(0)) : null;
            throw new HostMpiException(call, code, text);
        }
    }

    private static String text(int length) {
        byte[] bytes = new byte[Math.max(0, Math.min(MOST_TEXT, length))];
        ANSWERS.get(TEXT, bytes);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8).strip();
    }

    /** An extension of MPICH and its relatives. */
    private static final class GpuQuery {
        /** MPIX_GPU_SUPPORT_CUDA. */
        static final int CUDA = 0;

        static native int MPIX_GPU_query_support(int type, long supported);
    }

    /** An extension of Open MPI. */
    private static final class CudaQuery {
        static native int MPIX_Query_cuda_support();
    }

    /** As in mpi.h, with a long for each pointer and handle. */
    private static final class Functions {
        static native int MPI_Get_library_version(long text, long length);

        static native int MPI_Get_version(long version, long subversion);

        static native int MPI_Error_string(int code, long text, long length);

        static native int MPI_Initialized(long flag);

        static native int MPI_Finalized(long flag);

        static native int MPI_Init_thread(long arguments, long values, int required, long provided);

        static native int MPI_Query_thread(long provided);

        static native int MPI_Finalize();

        static native int MPI_Comm_dup(long communicator, long copy);

        static native int MPI_Comm_split(long communicator, int color, int key, long part);

        static native int MPI_Comm_set_errhandler(long communicator, long handler);

        static native int MPI_Comm_rank(long communicator, long rank);

        static native int MPI_Comm_size(long communicator, long size);

        static native int MPI_Isend(long address, int count, long type, int peer, int tag, long communicator,
            long request);

        static native int MPI_Issend(long address, int count, long type, int peer, int tag, long communicator,
            long request);

        static native int MPI_Irecv(long address, int count, long type, int peer, int tag, long communicator,
            long request);

        static native int MPI_Recv_init(long address, int count, long type, int peer, int tag, long communicator,
            long request);

        static native int MPI_Start(long request);

        static native int MPI_Test(long request, long flag, long status);

        static native int MPI_Cancel(long request);

        static native int MPI_Request_free(long request);

        static native int MPI_Iallgather(long mine, int count, long type, long all, int theirCount, long theirType,
            long communicator, long request);
    }
}
