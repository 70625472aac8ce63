package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import mpi.front.arguments.BufferSlices;
import mpi.front.arguments.Complaints;
import mpi.front.job.Handle;
import mpi.front.job.Hints;
import mpi.front.job.JobState;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;
import mpi.spi.ElementKind;
import mpi.spi.Operation;
import mpi.spi.Provider;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout.Numbers;
import mpi.spi.TypeLayout.Pair;
import mpi.spi.release.Release;

/**
 * The job: joining and leaving it, its first communicators, and MPI's constants.
 *
 * <p>
 * The same objects serve two dialects. The camel dialect (bcast, allReduce) is that of Open MPI's Java bindings; the
 * capital dialect (Bcast, Allreduce) that of mpiJava and MPJ Express. Programs may mix them.
 *
 * <p>
 * Calls that need the job throw an {@link MPIException} of class ERR_OTHER if MPI is not initialized or is finalized.
 */
public class MPI extends MpjConstants {
    // ---- numbers: Open MPI's, except the four results of comparisons, which compilers copied from MPJ Express into
    // programs ----

    public static final int ANY_SOURCE = -1, ANY_TAG = -1, PROC_NULL = -2;
    /** What the root of a collective on an {@link Intercomm} passes as root. */
    public static final int ROOT = -4;
    /**
     * No rank, no colour. Ported MPJ programs compare with the literal -1, and no Open MPI program can have been
     * compiled to a literal.
     */
    public static final int UNDEFINED = -1;
    public static final int IDENT = 0, SIMILAR = 1, UNEQUAL = 2, CONGRUENT = 3;
    public static final int THREAD_SINGLE = 0, THREAD_FUNNELED = 1, THREAD_SERIALIZED = 2, THREAD_MULTIPLE = 3;
    /** Kinds of topologies. */
    public static final int CART = 1, GRAPH = 2, DIST_GRAPH = 3;
    /** Keys of the attributes that MPI itself sets; see {@link Comm#getAttr}. */
    public static final int TAG_UB = 0, HOST = 1, IO = 2, WTIME_IS_GLOBAL = 3, APPNUM = 4, LASTUSEDCODE = 5,
        UNIVERSE_SIZE = 6;
    /** Keys of the attributes that MPI sets for windows; see {@link Win#getAttr}. */
    public static final int WIN_BASE = 7, WIN_SIZE = 8, WIN_DISP_UNIT = 9;
    /** The kinds of locks; see {@link Win#lock}. */
    public static final int LOCK_EXCLUSIVE = 1, LOCK_SHARED = 2;
    /**
     * What a program promises in the synchronization calls of {@link Win}: no conflicting lock is held and the matching
     * call has been made; no accesses of this rank come before; nobody will put or accumulate here; this rank has not
     * stored into its memory; no accesses follow.
     */
    public static final int MODE_NOCHECK = 1, MODE_NOPRECEDE = 2, MODE_NOPUT = 4, MODE_NOSTORE = 8,
        MODE_NOSUCCEED = 16;
    public static final int KEYVAL_INVALID = -1;
    /** Bytes that a buffered message takes beside its own. */
    public static final int BSEND_OVERHEAD = 128;
    /** mpiJava's names for {@link #BSEND_OVERHEAD}. */
    public static final int SEND_OVERHEAD = BSEND_OVERHEAD, RECV_OVERHEAD = BSEND_OVERHEAD;
    public static final int MAX_OBJECT_NAME = 64, MAX_INFO_KEY = 36, MAX_INFO_VAL = 256;
    /** How a {@link File} is opened; combined by {@code |}, with exactly one of the next three. */
    public static final int MODE_RDONLY = 2, MODE_WRONLY = 4, MODE_RDWR = 8;
    /** Makes the file if there is none; with EXCL, fails if there is one. */
    public static final int MODE_CREATE = 1, MODE_EXCL = 64;
    /** Deletes the file when it is closed. */
    public static final int MODE_DELETE_ON_CLOSE = 16;
    /** Says that no other program opens the file meanwhile; not used. */
    public static final int MODE_UNIQUE_OPEN = 32;
    /** All pointers begin at the end of the file. */
    public static final int MODE_APPEND = 128;
    /** Only calls with the shared pointer are allowed. */
    public static final int MODE_SEQUENTIAL = 256;
    /** Where {@link File#seek} counts from: the view's begin, the pointer, the end of the file. */
    public static final int SEEK_SET = 600, SEEK_CUR = 602, SEEK_END = 604;
    /** For {@link File#setView} of files opened with {@link #MODE_SEQUENTIAL}: where the shared pointer is. */
    public static final int DISPLACEMENT_CURRENT = -54278278;
    /** Characters of the name of a data representation. */
    public static final int MAX_DATAREP_STRING = 128;
    /** Characters of the name of a port. */
    public static final int MAX_PORT_NAME = 1024;
    /** How an array lies in memory, and how it is divided among ranks (MPI_Type_create_darray). No call takes them. */
    public static final int ORDER_C = 0, ORDER_FORTRAN = 1, DISTRIBUTE_BLOCK = 0, DISTRIBUTE_CYCLIC = 1,
        DISTRIBUTE_NONE = 2, DISTRIBUTE_DFLT_DARG = -1;
    /** The version of the MPI standard that Brigade follows. */
    public static final int VERSION = 3, SUBVERSION = 1;

    /** Error classes, which {@link MPIException#getErrorClass} returns. */
    public static final int SUCCESS = 0, ERR_BUFFER = 1, ERR_COUNT = 2, ERR_TYPE = 3, ERR_TAG = 4, ERR_COMM = 5,
        ERR_RANK = 6, ERR_REQUEST = 7,
        ERR_ROOT = 8, ERR_GROUP = 9, ERR_OP = 10, ERR_TOPOLOGY = 11, ERR_DIMS = 12, ERR_ARG = 13, ERR_UNKNOWN = 14,
        ERR_TRUNCATE = 15,
        ERR_OTHER = 16, ERR_INTERN = 17, ERR_IN_STATUS = 18, ERR_PENDING = 19, ERR_ACCESS = 20, ERR_AMODE = 21,
        ERR_ASSERT = 22, ERR_BAD_FILE = 23,
        ERR_BASE = 24, ERR_CONVERSION = 25, ERR_DISP = 26, ERR_DUP_DATAREP = 27, ERR_FILE_EXISTS = 28,
        ERR_FILE_IN_USE = 29, ERR_FILE = 30,
        ERR_INFO_KEY = 31, ERR_INFO_NOKEY = 32, ERR_INFO_VALUE = 33, ERR_INFO = 34, ERR_IO = 35, ERR_KEYVAL = 36,
        ERR_LOCKTYPE = 37, ERR_NAME = 38,
        ERR_NO_MEM = 39, ERR_NOT_SAME = 40, ERR_NO_SPACE = 41, ERR_NO_SUCH_FILE = 42, ERR_PORT = 43, ERR_QUOTA = 44,
        ERR_READ_ONLY = 45,
        ERR_RMA_CONFLICT = 46, ERR_RMA_SYNC = 47, ERR_SERVICE = 48, ERR_SIZE = 49, ERR_SPAWN = 50,
        ERR_UNSUPPORTED_DATAREP = 51,
        ERR_UNSUPPORTED_OPERATION = 52, ERR_WIN = 53, ERR_RMA_RANGE = 68, ERR_RMA_ATTACH = 69,
        ERR_RMA_FLAVOR = 70, ERR_RMA_SHARED = 71, ERR_PROC_ABORTED = 74, ERR_PROC_FAILED = 75,
        ERR_PROC_FAILED_PENDING = 76, ERR_REVOKED = 77, ERR_LASTCODE = 92, ERR_SYSRESOURCE = -2;

    // ---- datatypes ----

    public static final Datatype DATATYPE_NULL = new Datatype(ItemType.none());
    /** The same as {@link #DATATYPE_NULL}. */
    public static final Datatype NULL = DATATYPE_NULL;
    /** In byte[] or bytes of any NIO buffer. */
    public static final Datatype BYTE = new Datatype(ItemType.basic("MPI.BYTE", ElementKind.BYTE, ItemType.INTEGER));
    /** In char[]. */
    public static final Datatype CHAR = new Datatype(ItemType.basic("MPI.CHAR", ElementKind.CHAR, ItemType.INTEGER));
    /** In short[]. */
    public static final Datatype SHORT = new Datatype(ItemType.basic("MPI.SHORT", ElementKind.SHORT, ItemType.INTEGER));
    /** In boolean[], or one byte each in NIO buffers. */
    public static final Datatype BOOLEAN =
        new Datatype(ItemType.basic("MPI.BOOLEAN", ElementKind.BOOLEAN, ItemType.LOGICAL));
    /** In int[]. */
    public static final Datatype INT = new Datatype(ItemType.basic("MPI.INT", ElementKind.INT, ItemType.INTEGER));
    /** In long[]. */
    public static final Datatype LONG = new Datatype(ItemType.basic("MPI.LONG", ElementKind.LONG, ItemType.INTEGER));
    /** In float[]. */
    public static final Datatype FLOAT =
        new Datatype(ItemType.basic("MPI.FLOAT", ElementKind.FLOAT, ItemType.FLOATING));
    /** In double[]. */
    public static final Datatype DOUBLE =
        new Datatype(ItemType.basic("MPI.DOUBLE", ElementKind.DOUBLE, ItemType.FLOATING));
    /** Packed items, from {@link Comm#pack}, in byte[]. */
    public static final Datatype PACKED = new Datatype(ItemType.packed());
    /** An int value and an int index: in int[], or as {@link #int2} in bytes. */
    public static final Datatype INT2 = new Datatype(ItemType.int2());
    /** A value and an index, both short. */
    public static final Datatype SHORT2 = new Datatype(ItemType.two("MPI.SHORT2", ElementKind.SHORT));
    /** A value and an index, both long. */
    public static final Datatype LONG2 = new Datatype(ItemType.two("MPI.LONG2", ElementKind.LONG));
    /** A value and an index, both float. */
    public static final Datatype FLOAT2 = new Datatype(ItemType.two("MPI.FLOAT2", ElementKind.FLOAT));
    /** A value and an index, both double. */
    public static final Datatype DOUBLE2 = new Datatype(ItemType.two("MPI.DOUBLE2", ElementKind.DOUBLE));
    /** A short value and an int index, as {@link #shortInt} lays them out. */
    public static final Datatype SHORT_INT = new Datatype(ItemType.pair("MPI.SHORT_INT", Pair.SHORT_INT, 8, 4));
    /** A long value and an int index, as {@link #longInt} lays them out. */
    public static final Datatype LONG_INT = new Datatype(ItemType.pair("MPI.LONG_INT", Pair.LONG_INT, 16, 8));
    /** A float value and an int index, as {@link #floatInt} lays them out. */
    public static final Datatype FLOAT_INT = new Datatype(ItemType.pair("MPI.FLOAT_INT", Pair.FLOAT_INT, 8, 4));
    /** A double value and an int index, as {@link #doubleInt} lays them out. */
    public static final Datatype DOUBLE_INT = new Datatype(ItemType.pair("MPI.DOUBLE_INT", Pair.DOUBLE_INT, 16, 8));
    /**
     * Java objects in an Object[], such as String[] or double[][], in Java's serialized form. For point-to-point calls
     * and blocking collectives. The setting brigade.object.classes says which classes a rank accepts.
     */
    public static final Datatype OBJECT = new Datatype(ItemType.objects());
    /** The lower bound of a struct of the capital dialect ({@link Datatype#Struct}). */
    public static final Datatype LB = new Datatype(ItemType.bound("MPI.LB", true));
    /** The upper bound of a struct of the capital dialect ({@link Datatype#Struct}). */
    public static final Datatype UB = new Datatype(ItemType.bound("MPI.UB", false));
    /** The real and the imaginary part, in float[]; see {@link FloatComplex}. */
    public static final Datatype FLOAT_COMPLEX = new Datatype(ItemType.complex("MPI.FLOAT_COMPLEX", ElementKind.FLOAT));
    /** The real and the imaginary part, in double[]; see {@link DoubleComplex}. */
    public static final Datatype DOUBLE_COMPLEX =
        new Datatype(ItemType.complex("MPI.DOUBLE_COMPLEX", ElementKind.DOUBLE));

    /**
     * IEEE 754's 16-bit floating point, in short[] or device memory. Sums and products are rounded to nearest even
     * after every step. Not in MPI's standard.
     */
    public static final Datatype FLOAT16 =
        new Datatype(ItemType.narrow("MPI.FLOAT16", ElementKind.SHORT, Numbers.FLOAT16));
    /**
     * The upper 16 bits of a float, in short[] or device memory; rounded as {@link #FLOAT16}. Not in MPI's standard.
     */
    public static final Datatype BFLOAT16 =
        new Datatype(ItemType.narrow("MPI.BFLOAT16", ElementKind.SHORT, Numbers.BFLOAT16));
    /**
     * OCP's 8-bit floating point with 3 bits of fraction, up to 448, in byte[] or device memory. Collectives add and
     * multiply its values as floats and round the result once. {@link NarrowFloat} converts it. Not in MPI's standard.
     */
    public static final Datatype FLOAT8_E4M3 =
        new Datatype(ItemType.narrow("MPI.FLOAT8_E4M3", ElementKind.BYTE, Numbers.FLOAT8_E4M3));
    /**
     * OCP's 8-bit floating point with 2 bits of fraction, up to 57344; reduced as {@link #FLOAT8_E4M3}. Not in MPI's
     * standard.
     */
    public static final Datatype FLOAT8_E5M2 =
        new Datatype(ItemType.narrow("MPI.FLOAT8_E5M2", ElementKind.BYTE, Numbers.FLOAT8_E5M2));

    public static final Int2 int2 = new Int2(INT2);
    public static final ShortInt shortInt = new ShortInt(SHORT_INT);
    public static final LongInt longInt = new LongInt(LONG_INT);
    public static final FloatInt floatInt = new FloatInt(FLOAT_INT);
    public static final DoubleInt doubleInt = new DoubleInt(DOUBLE_INT);

    // ---- reductions ----

    public static final Op MAX =
        new Op(ReductionOperation.predefined(Operator.MAX, ItemType.INTEGER | ItemType.FLOATING));
    public static final Op MIN =
        new Op(ReductionOperation.predefined(Operator.MIN, ItemType.INTEGER | ItemType.FLOATING));
    public static final Op SUM =
        new Op(ReductionOperation.predefined(Operator.SUM, ItemType.INTEGER | ItemType.FLOATING | ItemType.COMPLEX));
    public static final Op PROD =
        new Op(ReductionOperation.predefined(Operator.PROD, ItemType.INTEGER | ItemType.FLOATING | ItemType.COMPLEX));
    public static final Op LAND = new Op(ReductionOperation.predefined(Operator.LAND, ItemType.INTEGER));
    public static final Op BAND = new Op(ReductionOperation.predefined(Operator.BAND, ItemType.INTEGER));
    public static final Op LOR = new Op(ReductionOperation.predefined(Operator.LOR, ItemType.INTEGER));
    public static final Op BOR = new Op(ReductionOperation.predefined(Operator.BOR, ItemType.INTEGER));
    public static final Op LXOR = new Op(ReductionOperation.predefined(Operator.LXOR, ItemType.INTEGER));
    public static final Op BXOR = new Op(ReductionOperation.predefined(Operator.BXOR, ItemType.INTEGER));
    public static final Op MAXLOC = new Op(ReductionOperation.predefined(Operator.MAXLOC, ItemType.PAIR));
    public static final Op MINLOC = new Op(ReductionOperation.predefined(Operator.MINLOC, ItemType.PAIR));
    /**
     * The average of all ranks' floating-point numbers: their sum, divided by the number of ranks. Sums of numbers with
     * 8 or 16 bits are kept as floats, and the average is rounded once. For reduce, allReduce and the reduce-scatters.
     * Not in MPI's standard; {@link Op#premultipliedSum} is the like with weights.
     */
    public static final Op AVG = new Op(ReductionOperation.predefined(Operator.AVG, ItemType.FLOATING));
    /** Only for windows: the target's value becomes the origin's, or stays. */
    public static final Op REPLACE = new Op(ReductionOperation.predefined(Operator.REPLACE, 0)),
        NO_OP = new Op(ReductionOperation.predefined(Operator.NO_OP, 0));

    // ---- objects; communicators last, as they refer to those above ----

    public static final Errhandler ERRORS_ARE_FATAL = Errhandler.ARE_FATAL;
    public static final Errhandler ERRORS_ABORT = Errhandler.ABORT;
    public static final Errhandler ERRORS_RETURN = Errhandler.RETURN;
    public static final Info INFO_NULL = new Info(Hints.NONE);
    /** Facts about the start of this job, filled in by Init (MPI_INFO_ENV). */
    public static final Info INFO_ENV = new Info(Hints.ENVIRONMENT);
    public static final Group GROUP_EMPTY = Group.NO_MEMBERS;
    public static final Group GROUP_NULL = null;
    public static final Request REQUEST_NULL = new Request((Operation) null);
    public static final Status EMPTY_STATUS = new Status();
    public static final Comm COMM_NULL = null;
    /** All ranks of the job. */
    public static final Intracomm COMM_WORLD = new Intracomm(Handle.WORLD);
    /** This rank alone. */
    public static final Intracomm COMM_SELF = (Intracomm) MpjConstants.COMM_SELF;

    /** Processors of this machine that the JVM may use. */
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** The buffer of {@link #attachBuffer}; null if none is attached. */
    private static Object attached;

    // ---- the job ----

    /**
     * Joins the job; the first call of a program (MPI_Init).
     *
     * <p>
     * After {@link #Finalize} it does nothing, as programs of MPJ Express may call it again. This process does not join
     * its job a second time, and every later call that communicates throws.
     *
     * @param args the program's arguments
     * @return the arguments without the three that {@code mpjrun -dev} puts before them
     * @throws MPIException ERR_OTHER if MPI is initialized already, or if the job cannot be joined
     */
    public static String[] Init(String[] args) throws MPIException {
        if (!JobState.isFinalized()) {
            JobState.start("Init");
        }
        return JobState.programArguments(args);
    }

    /**
     * Joins the job; any thread may call at any time (MPI_Init_thread).
     *
     * @param args the program's arguments
     * @param required ignored
     * @return {@link #THREAD_MULTIPLE}
     * @throws MPIException ERR_OTHER if MPI has been initialized before, or if the job cannot be joined
     */
    public static int InitThread(String[] args, int required) throws MPIException {
        JobState.start("InitThread");
        return THREAD_MULTIPLE;
    }

    /**
     * As {@link #Init}; any thread may call at any time (MPI_Init_thread).
     *
     * @param required ignored
     * @param provided ignored
     * @param args the program's arguments
     * @return the arguments, as of {@link #Init}
     * @throws MPIException ERR_OTHER if MPI has been initialized before, or if the job cannot be joined
     */
    public static String[] initThread(int required, int provided, String[] args) {
        JobState.start("initThread");
        return JobState.programArguments(args);
    }

    /** {@link #THREAD_MULTIPLE} (MPI_Query_thread). */
    public static int queryThread() throws MPIException {
        JobState.provider("queryThread");
        return THREAD_MULTIPLE;
    }

    /** Whether this thread called Init (MPI_Is_thread_main). */
    public static boolean isThreadMain() throws MPIException {
        return JobState.isMainThread("isThreadMain");
    }

    /** Whether this thread called Init (MPI_Is_thread_main). */
    public static boolean isMainThread() {
        return JobState.isMainThread("isMainThread");
    }

    /** Whether Init has been called; allowed at any time (MPI_Initialized). */
    public static boolean isInitialized() throws MPIException {
        return !JobState.isNew();
    }

    /** Whether Init has been called; allowed at any time (MPI_Initialized). */
    public static boolean Initialized() throws MPIException {
        return isInitialized();
    }

    /** Whether Finalize has been called; allowed at any time (MPI_Finalized). */
    public static boolean isFinalized() throws MPIException {
        return JobState.isFinalized();
    }

    /**
     * Leaves the job once all ranks call it and operations under way are complete; the last call (MPI_Finalize). Under
     * {@code mpjrun -dev} other threads may go on: it then returns at once, and the rank leaves when they have ended.
     */
    public static void Finalize() throws MPIException {
        JobState.end("Finalize");
    }

    // ---- where and when ----

    /** This machine's name (MPI_Get_processor_name). */
    public static String getProcessorName() throws MPIException {
        return JobState.provider("getProcessorName").processorName();
    }

    /** As {@link #getProcessorName} (MPI_Get_processor_name). */
    public static String Get_processor_name() throws MPIException {
        return JobState.provider("Get_processor_name").processorName();
    }

    /** Seconds since some moment in the past; allowed at any time (MPI_Wtime). */
    public static double wtime() throws MPIException {
        return System.nanoTime() * 1e-9;
    }

    /** Resolution of {@link #wtime} in seconds (MPI_Wtick). */
    public static double wtick() throws MPIException {
        return 1e-9;
    }

    /** As {@link #wtime} (MPI_Wtime). */
    public static double Wtime() throws MPIException {
        return wtime();
    }

    /** As {@link #wtick} (MPI_Wtick). */
    public static double Wtick() throws MPIException {
        return wtick();
    }

    /** The version of the MPI standard that Brigade follows (MPI_Get_version). */
    public static Version getVersion() {
        return new Version(VERSION, SUBVERSION);
    }

    /** Brigade's name and version (MPI_Get_library_version). */
    public static String getLibVersion() {
        return "Brigade " + Release.number();
    }

    /** Does nothing; for profilers (MPI_Pcontrol). */
    public static void pControl(int level, Object obj) {
        // No profiler is built in.
    }

    // ---- buffered sends, error handlers ----

    /**
     * Gives buffered sends memory for their messages; a message takes its bytes and {@link #BSEND_OVERHEAD}
     * (MPI_Buffer_attach). A process has one such buffer: detach it before you attach another.
     *
     * @param buffer its length is the room in bytes; its content is not changed
     * @throws MPIException ERR_BUFFER if it is null, or if a buffer is attached already
     */
    public static void attachBuffer(byte[] buffer) throws MPIException {
        attach("attachBuffer", buffer, buffer == null ? 0 : buffer.length);
    }

    /**
     * Waits until all buffered messages have been delivered, and detaches the buffer (MPI_Buffer_detach).
     *
     * @return the array that was attached; null if it was a ByteBuffer
     * @throws MPIException ERR_BUFFER if no buffer is attached
     */
    public static byte[] detachBuffer() throws MPIException {
        Object buffer = detach("detachBuffer");
        if (buffer == null) {
            throw ErrorClass.BUFFER.in("detachBuffer", "no buffer is attached; call attachBuffer first");
        }
        return buffer instanceof byte[] ? (byte[]) buffer : null;
    }

    /**
     * As {@link #attachBuffer} (MPI_Buffer_attach).
     *
     * @param buffer its capacity is the room in bytes
     * @throws MPIException as {@link #attachBuffer}
     */
    public static void Buffer_attach(ByteBuffer buffer) throws MPIException {
        attach("Buffer_attach", buffer, buffer == null ? 0 : buffer.capacity());
    }

    /** As {@link #detachBuffer}, but does nothing if no buffer is attached, as in MPJ Express (MPI_Buffer_detach). */
    public static void Buffer_detach() throws MPIException {
        detach("Buffer_detach");
    }

    private static synchronized void attach(String call, Object buffer, int bytes) {
        Provider provider = JobState.provider(call);
        if (buffer == null) {
            throw ErrorClass.BUFFER.in(call, "the buffer is null; pass one of the size that buffered messages need");
        }
        if (attached != null) {
            throw ErrorClass.BUFFER.in(call, "a buffer is attached already, " + Complaints.describe(attached)
                + "; detach it first (MPI.detachBuffer, MPI.Buffer_detach)");
        }
        provider.attachBuffer(bytes);
        attached = buffer;
    }

    private static synchronized Object detach(String call) {
        JobState.provider(call).detachBuffer();
        Object buffer = attached;
        attached = null;
        return buffer;
    }

    /** Sets the error handler of {@link #COMM_WORLD} (MPI_Comm_set_errhandler). */
    public static void Errorhandler_set(Errhandler errhandler) throws MPIException {
        COMM_WORLD.setErrhandler(errhandler);
    }

    /** The error handler of {@link #COMM_WORLD} (MPI_Comm_get_errhandler). */
    public static Errhandler Errorhandler_get() throws MPIException {
        return COMM_WORLD.getErrhandler();
    }

    // ---- NIO buffers ----

    private static ByteBuffer direct(int capacity, int bytes) {
        if (capacity < 0 || (long) capacity * bytes > Integer.MAX_VALUE) {
            throw ErrorClass.ARG.in("newBuffer", "a buffer of capacity " + capacity
                + " cannot be made; pass 0 <= capacity <= " + Integer.MAX_VALUE / bytes);
        }
        try {
            ByteBuffer shared = JobState.mappable(capacity * bytes);
            return (shared == null ? ByteBuffer.allocateDirect(capacity * bytes) : shared)
                .order(ByteOrder.nativeOrder());
        } catch (OutOfMemoryError e) {
            throw ErrorClass.NO_MEM.in("newBuffer", (long) capacity * bytes
                + " bytes of direct memory are not there; give java a higher -XX:MaxDirectMemorySize");
        }
    }

    /**
     * A direct buffer of native byte order. Between Init and Finalize it lies, if there is room, in memory that the
     * node's other ranks can map: windows on it are faster than on other buffers. So it is with the methods below.
     */
    public static ByteBuffer newByteBuffer(int capacity) {
        return direct(capacity, 1);
    }

    /** A direct buffer of native byte order. */
    public static CharBuffer newCharBuffer(int capacity) {
        return direct(capacity, 2).asCharBuffer();
    }

    /** A direct buffer of native byte order. */
    public static ShortBuffer newShortBuffer(int capacity) {
        return direct(capacity, 2).asShortBuffer();
    }

    /** A direct buffer of native byte order. */
    public static IntBuffer newIntBuffer(int capacity) {
        return direct(capacity, 4).asIntBuffer();
    }

    /** A direct buffer of native byte order. */
    public static LongBuffer newLongBuffer(int capacity) {
        return direct(capacity, 8).asLongBuffer();
    }

    /** A direct buffer of native byte order. */
    public static FloatBuffer newFloatBuffer(int capacity) {
        return direct(capacity, 4).asFloatBuffer();
    }

    /** A direct buffer of native byte order. */
    public static DoubleBuffer newDoubleBuffer(int capacity) {
        return direct(capacity, 8).asDoubleBuffer();
    }

    /**
     * The part of a buffer, whatever its position and limit, from {@code offset} elements on. Items of a derived type
     * may reach back from there to the begin of the buffer.
     */
    public static ByteBuffer slice(ByteBuffer buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of an array from {@code offset} on, as a buffer. */
    public static ByteBuffer slice(byte[] buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of a buffer, whatever its position and limit, from {@code offset} elements on. */
    public static CharBuffer slice(CharBuffer buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of an array from {@code offset} on, as a buffer. */
    public static CharBuffer slice(char[] buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of a buffer, whatever its position and limit, from {@code offset} elements on. */
    public static ShortBuffer slice(ShortBuffer buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of an array from {@code offset} on, as a buffer. */
    public static ShortBuffer slice(short[] buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of a buffer, whatever its position and limit, from {@code offset} elements on. */
    public static IntBuffer slice(IntBuffer buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of an array from {@code offset} on, as a buffer. */
    public static IntBuffer slice(int[] buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of a buffer, whatever its position and limit, from {@code offset} elements on. */
    public static LongBuffer slice(LongBuffer buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of an array from {@code offset} on, as a buffer. */
    public static LongBuffer slice(long[] buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of a buffer, whatever its position and limit, from {@code offset} elements on. */
    public static FloatBuffer slice(FloatBuffer buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of an array from {@code offset} on, as a buffer. */
    public static FloatBuffer slice(float[] buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of a buffer, whatever its position and limit, from {@code offset} elements on. */
    public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
        return BufferSlices.of(buf, offset);
    }

    /** The part of an array from {@code offset} on, as a buffer. */
    public static DoubleBuffer slice(double[] buf, int offset) {
        return BufferSlices.of(buf, offset);
    }
}
