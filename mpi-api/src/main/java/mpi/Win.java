package mpi;

import static mpi.Datatype.items;
import static mpi.Op.operation;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.front.job.Attributes;
import mpi.front.job.Handle;
import mpi.front.job.Hints;
import mpi.front.job.JobState;
import mpi.front.windows.WindowArguments;
import mpi.spi.Communicator;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation.Completed;
import mpi.spi.Reduction.Operator;
import mpi.spi.window.Access;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;

/**
 * A window: memory of each rank of a communicator that the others read and write without its help (one-sided
 * communication). Displacements count from the begin of the target's memory, in the target's displacement units. Counts
 * and types at the origin and at the target may differ, if both describe the same bytes; types may have gaps.
 *
 * <p>
 * A buffer is a NIO buffer or, for the methods that take an Object, also a device pointer (a CUdeviceptr or Pointer of
 * JCuda) or an array. Each rank chooses by itself where its memory and its buffers lie, on a device or on the host.
 *
 * <p>
 * A rank may access another one's memory only in an access epoch: between two {@link #fence}s of all ranks; between
 * {@link #start} and {@link #complete}, if the target has {@linkplain #post posted}; or while this rank holds the
 * target's {@linkplain #lock lock}. An access is complete when its epoch ends, or after {@link #flush}. Until then the
 * origin's buffer must not change, nor be read if it receives. Accumulates are atomic for each element; those of one
 * origin to one target happen in their order.
 *
 * <p>
 * Every call throws an {@link MPIException}: ERR_WIN if the window has been freed, ERR_OTHER if MPI is not initialized
 * or is finalized, ERR_RMA_SYNC (47) if the call is not allowed now, ERR_RANK for an invalid rank, ERR_ASSERT for an
 * unknown assertion. Accesses also throw ERR_RMA_RANGE (68) if the target's memory ends before the items do, and then
 * touch nothing; ERR_BUFFER, ERR_COUNT, ERR_TYPE, ERR_DISP, ERR_OP for wrong arguments. Accesses to
 * {@link MPI#PROC_NULL} do nothing. In a dynamic window only the target knows its memory: there ERR_RMA_RANGE is thrown
 * by the call that completes the access.
 */
public final class Win implements Freeable, AutoCloseable {
    /** For {@link #Win(int, int, Info, Comm, Buffer, int)}: memory that other ranks reach by the calls of a window. */
    public static final int FLAVOR_PRIVATE = 0;
    /** The same, and each rank can reach the memory of all by {@link #sharedQuery}. */
    public static final int FLAVOR_SHARED = 1;
    /** Open MPI's number for a null window. No call takes it. */
    public static final int WIN_NULL = 0;

    private static final int FENCE = MPI.MODE_NOSTORE | MPI.MODE_NOPUT | MPI.MODE_NOPRECEDE | MPI.MODE_NOSUCCEED;
    private static final int POST = MPI.MODE_NOCHECK | MPI.MODE_NOSTORE | MPI.MODE_NOPUT;

    private final Handle handle;
    /** Numbers of the ranks' processes. */
    private final int[] members;
    private final Attributes attributes = new Attributes();
    private final int unit;
    private WindowEnd window;
    private Errhandler errhandler;
    private Info info;
    private String name = "";

    /**
     * A window on a buffer of this rank's; all ranks of the communicator call it (MPI_Win_create).
     *
     * @param base this rank's memory from byte 0 of the buffer on, whatever its position: a direct buffer, or a heap
     * one
     * @param size elements of {@code base}; a size beyond the buffer's end is cut
     * @param dispUnit elements of {@code base} that other ranks count displacements in, 1 or more
     * @param info hints; null or {@link MPI#INFO_NULL} for none. With {@code no_locks=true} no lock can be taken
     * @param comm an intracommunicator, which the window may outlive
     * @throws MPIException ERR_COMM if {@code comm} is null or an inter-communicator; on all ranks, ERR_BUFFER if
     * {@code base} is null, read-only or of foreign byte order, ERR_SIZE if {@code size} is negative or more than 2 GiB
     * - 1 bytes, ERR_DISP if {@code dispUnit} is not positive
     */
    public Win(Buffer base, int size, int dispUnit, Info info, Comm comm) throws MPIException {
        this(WindowKind.CREATED, base, size, dispUnit, info, comm, null);
    }

    /**
     * The same for memory of any kind; all ranks of the communicator call one of the two (MPI_Win_create). Device
     * memory may be copied to by peers at any time of an epoch: do not free it before the window, and wait for your own
     * work on streams before the call that lets peers access it.
     *
     * @param base this rank's memory: a device pointer, an array, or a NIO buffer
     * @param size elements of {@code base}, bytes for a device pointer; a size beyond the end of the buffer, or of the
     * device's allocation, is cut
     * @param dispUnit such elements, or bytes, that other ranks count displacements in, 1 or more
     * @param info as for {@link #Win(Buffer, int, int, Info, Comm)}
     * @param comm an intracommunicator, which the window may outlive
     * @throws MPIException as {@link #Win(Buffer, int, int, Info, Comm)}; on all ranks, ERR_BUFFER if the pointer is
     * null or leads to no live allocation, ERR_TYPE if {@code base} is no buffer
     */
    public Win(Object base, int size, int dispUnit, Info info, Comm comm) throws MPIException {
        this(WindowKind.CREATED, base, size, dispUnit, info, comm, null);
    }

    /**
     * A window on new memory, zero at first; all ranks of the communicator call it (MPI_Win_allocate,
     * MPI_Win_allocate_shared). On a node, accesses to such memory are copies; prefer it to a buffer of your own.
     *
     * @param size elements of the kind of {@code base}
     * @param dispUnit in such elements, 1 or more
     * @param info as for {@link #Win(Buffer, int, int, Info, Comm)}
     * @param comm an intracommunicator; for {@link #FLAVOR_SHARED} one of ranks of one node
     * @param base tells the kind of elements only, and may be empty. {@link #sharedQuery} returns the memory
     * @param flavor {@link #FLAVOR_PRIVATE} or {@link #FLAVOR_SHARED}
     * @throws MPIException as {@link #Win(Buffer, int, int, Info, Comm)}; on all ranks, ERR_ARG for another flavor,
     * ERR_NO_MEM if there is too little memory, ERR_RMA_SHARED (71) if the ranks are not on one node
     */
    public Win(int size, int dispUnit, Info info, Comm comm, Buffer base, int flavor) throws MPIException {
        this(flavor == FLAVOR_SHARED ? WindowKind.SHARED : WindowKind.ALLOCATED, base, size, dispUnit, info, comm,
            flavor == FLAVOR_SHARED || flavor == FLAVOR_PRIVATE ? null
                : "flavor " + flavor + " is none; pass Win.FLAVOR_PRIVATE or Win.FLAVOR_SHARED");
    }

    /**
     * A window without memory, to which ranks {@linkplain #attach attach} buffers; all ranks of the communicator call
     * it (MPI_Win_create_dynamic). Displacements count bytes.
     *
     * @param info as for {@link #Win(Buffer, int, int, Info, Comm)}
     * @param comm an intracommunicator
     * @throws MPIException ERR_COMM if {@code comm} is null or an inter-communicator
     */
    public Win(Info info, Comm comm) throws MPIException {
        this(WindowKind.DYNAMIC, null, 0, 1, info, comm, null);
    }

    private Win(WindowKind kind, Object base, int size, int dispUnit, Info info, Comm comm, String wrongFlavor) {
        if (!(comm instanceof Intracomm)) {
            throw ErrorClass.COMM.in("Win", "the communicator is " + (comm == null ? "null" : "an inter-communicator")
                + "; pass an intracommunicator of all ranks of the window, such as MPI.COMM_WORLD");
        }
        Communicator original = comm.handle.lower("Win");
        members = original.members();
        errhandler = comm.getErrhandler();
        this.info = new Info(Hints.copyOf(Info.hints(info)));
        Object memory = null;
        long bytes = 0;
        int unitBytes = 1;
        MPIException wrong = null;
        try {
            if (wrongFlavor != null) {
                throw comm.handle.error(ErrorClass.ARG, "Win", wrongFlavor);
            }
            if (kind == WindowKind.CREATED) {
                memory = WindowArguments.memory(comm.handle, "Win", base);
            } else if (kind != WindowKind.DYNAMIC) {
                WindowArguments.require(comm.handle, "Win", base);
            }
            if (kind != WindowKind.DYNAMIC) {
                Object elements = memory == null ? base : memory;
                bytes = WindowArguments.bytes(comm.handle, "Win", elements, size, kind == WindowKind.CREATED);
                unitBytes = WindowArguments.unit(comm.handle, "Win", elements, dispUnit);
            }
        } catch (MPIException e) {
            wrong = e;
        }
        unit = unitBytes;
        window = ((WindowMaker) original).window(kind, memory, bytes, unitBytes,
            !"true".equals(this.info.get("no_locks")), "a window of ".concat(original.name()), wrong);
        handle = Handle.of(window, comm.handle);
    }

    private WindowEnd open(String call) {
        if (window == null) {
            throw ErrorClass.WIN.in(call, "the window has been freed; free a window after its last use");
        }
        Handle.requireRunning(call);
        return window;
    }

    // ---- memory ----

    /**
     * Adds a buffer to this rank's memory in a dynamic window (MPI_Win_attach). The first buffer begins at displacement
     * 0, each further one behind the end of the last, at the next multiple of 64 bytes.
     *
     * @param base a direct buffer, or a heap one; keep it reachable and attach it once
     * @param size elements of {@code base}
     * @throws MPIException ERR_RMA_FLAVOR (70) if the window is not dynamic, ERR_RMA_ATTACH (69) if the buffer is
     * attached already
     */
    public void attach(Buffer base, int size) throws MPIException {
        attach((Object) base, size);
    }

    /**
     * The same for memory of any kind (MPI_Win_attach).
     *
     * @param base a device pointer, an array, or a NIO buffer; keep it reachable and attach it once
     * @param size elements of {@code base}, bytes for a device pointer
     * @throws MPIException as {@link #attach}; ERR_BUFFER if the pointer is null or leads to no live allocation,
     * ERR_TYPE if {@code base} is no buffer
     */
    public void attach(Object base, int size) throws MPIException {
        WindowEnd open = open("attach");
        Object memory = WindowArguments.memory(handle, "attach", base);
        open.attach(base, memory, WindowArguments.bytes(handle, "attach", memory, size, true));
    }

    /**
     * Takes a buffer back (MPI_Win_detach). Displacements of other buffers stay.
     *
     * @param base the object that {@link #attach} got
     * @throws MPIException ERR_RMA_FLAVOR or ERR_RMA_ATTACH as {@link #attach}, or if it is not attached
     */
    public void detach(Buffer base) throws MPIException {
        detach((Object) base);
    }

    /** The same for memory of any kind (MPI_Win_detach); a device pointer equal to the attached one will do. */
    public void detach(Object base) throws MPIException {
        open("detach").detach(base);
    }

    /**
     * The memory of a rank in a window that made it (MPI_Win_shared_query; neither original has it in Java): this
     * rank's own always, that of another rank of the node if the window has {@link #FLAVOR_SHARED}. Use {@link #sync}
     * between own stores and what tells others of them, and before loads of what they stored. It must not be used once
     * the window is freed.
     *
     * @param rank whose memory
     * @return all of it, in native order; a new view at each call
     * @throws MPIException ERR_RMA_FLAVOR if the memory is a buffer of the program's, ERR_RMA_SHARED if it cannot be
     * shared
     */
    public ByteBuffer sharedQuery(int rank) throws MPIException {
        WindowEnd open = open("sharedQuery");
        WindowArguments.rank(handle, "sharedQuery", rank);
        ByteBuffer memory = open.memory(rank);
        if (memory == null) {
            boolean made = open.memory(handle.rank) != null;
            throw handle.error(made ? ErrorClass.RMA_SHARED : ErrorClass.RMA_FLAVOR, "sharedQuery",
                made ? "the memory of rank " + rank + " is on another node; use put and get"
                    : "the window was made on buffers of the ranks; make it by new Win(size, dispUnit, info, comm,"
                        + " base, Win.FLAVOR_SHARED)");
        }
        return memory.duplicate().clear().order(ByteOrder.nativeOrder());
    }

    /** The ranks of the window (MPI_Win_get_group). */
    public Group getGroup() throws MPIException {
        open("getGroup");
        return new Group(members.clone());
    }

    // ---- accesses ----

    /**
     * Writes items into the memory of a target (MPI_Put).
     *
     * @param origin {@code orgCount} items; not to be changed until the access is complete
     * @param orgCount items of {@code orgType}, 0 or more
     * @param orgType type of the origin's items
     * @param targetRank a rank, or {@link MPI#PROC_NULL}
     * @param targetDisp where the target's items begin, in its displacement units, 0 or more
     * @param targetCount items of {@code targetType}, of as many bytes as the origin's
     * @param targetType type of the target's items
     */
    public void put(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
        Datatype targetType) throws MPIException {
        put((Object) origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Put). */
    public void put(Object origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
        Datatype targetType) throws MPIException {
        run(move("put", Access.Kind.PUT, origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType));
    }

    /** Reads items of a target's memory into {@code origin}; arguments as those of {@link #put} (MPI_Get). */
    public void get(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
        Datatype targetType) throws MPIException {
        get((Object) origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Get). */
    public void get(Object origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
        Datatype targetType) throws MPIException {
        run(move("get", Access.Kind.GET, origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType));
    }

    /**
     * As {@link #put}, with a request that is complete when {@code origin} may be changed (MPI_Rput). The target has
     * the items when the epoch ends, or after {@link #flush}.
     */
    public Request rPut(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
        Datatype targetType) throws MPIException {
        return rPut((Object) origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Rput). */
    public Request rPut(Object origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
        Datatype targetType) throws MPIException {
        return request(run(move("rPut", Access.Kind.PUT, origin, orgCount, orgType, targetRank, targetDisp, targetCount,
            targetType)));
    }

    /** As {@link #get}, with a request that is complete when {@code origin} has the items (MPI_Rget). */
    public Request rGet(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
        Datatype targetType) throws MPIException {
        return rGet((Object) origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Rget). */
    public Request rGet(Object origin, int orgCount, Datatype orgType, int targetRank, int targetDisp, int targetCount,
        Datatype targetType) throws MPIException {
        return request(run(move("rGet", Access.Kind.GET, origin, orgCount, orgType, targetRank, targetDisp, targetCount,
            targetType)));
    }

    /**
     * Combines items with those of a target (MPI_Accumulate): {@code target = origin op target}, atomically for each
     * element.
     *
     * @param op a predefined operation that the types allow, or {@link MPI#REPLACE}, with any types. The other
     * arguments are those of {@link #put}; types with gaps must be of one kind of element
     */
    public void accumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
        int targetCount, Datatype targetType, Op op) throws MPIException {
        accumulate((Object) origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Accumulate). */
    public void accumulate(Object origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
        int targetCount, Datatype targetType, Op op) throws MPIException {
        run(combine("accumulate", origin, orgCount, orgType, null, 0, null, targetRank, targetDisp, targetCount,
            targetType, op));
    }

    /** As {@link #accumulate}, with a request as that of {@link #rPut} (MPI_Raccumulate). */
    public Request rAccumulate(Buffer origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
        int targetCount, Datatype targetType, Op op) throws MPIException {
        return rAccumulate((Object) origin, orgCount, orgType, targetRank, targetDisp, targetCount, targetType, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Raccumulate). */
    public Request rAccumulate(Object origin, int orgCount, Datatype orgType, int targetRank, int targetDisp,
        int targetCount, Datatype targetType, Op op) throws MPIException {
        return request(run(combine("rAccumulate", origin, orgCount, orgType, null, 0, null, targetRank, targetDisp,
            targetCount, targetType, op)));
    }

    /**
     * As {@link #accumulate}; before that the target's items go to {@code resultAddr} (MPI_Get_accumulate).
     *
     * @param origin not used with {@link MPI#NO_OP}, and may then be null
     * @param resultAddr {@code resultCount} items of {@code resultType}, of as many bytes as the target's
     */
    public void getAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr, int resultCount,
        Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op)
        throws MPIException {
        getAccumulate((Object) origin, orgCount, orgType, resultAddr, resultCount, resultType, targetRank, targetDisp,
            targetCount, targetType, op);
    }

    /** The same for buffers of any kind, such as device pointers (MPI_Get_accumulate). */
    public void getAccumulate(Object origin, int orgCount, Datatype orgType, Object resultAddr, int resultCount,
        Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op)
        throws MPIException {
        run(combine("getAccumulate", origin, orgCount, orgType, resultAddr, resultCount, resultType, targetRank,
            targetDisp, targetCount, targetType, op));
    }

    /**
     * As {@link #getAccumulate}, with a request that is complete when {@code resultAddr} has the items
     * (MPI_Rget_accumulate).
     */
    public Request rGetAccumulate(Buffer origin, int orgCount, Datatype orgType, Buffer resultAddr, int resultCount,
        Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op)
        throws MPIException {
        return rGetAccumulate((Object) origin, orgCount, orgType, resultAddr, resultCount, resultType, targetRank,
            targetDisp, targetCount, targetType, op);
    }

    /** The same for buffers of any kind, such as device pointers (MPI_Rget_accumulate). */
    public Request rGetAccumulate(Object origin, int orgCount, Datatype orgType, Object resultAddr, int resultCount,
        Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op)
        throws MPIException {
        return request(run(combine("rGetAccumulate", origin, orgCount, orgType, resultAddr, resultCount, resultType,
            targetRank, targetDisp, targetCount, targetType, op)));
    }

    /** {@link #getAccumulate} of one item (MPI_Fetch_and_op). */
    public void fetchAndOp(Buffer origin, Buffer resultAddr, Datatype dataType, int targetRank, int targetDisp, Op op)
        throws MPIException {
        fetchAndOp((Object) origin, resultAddr, dataType, targetRank, targetDisp, op);
    }

    /** The same for buffers of any kind, such as device pointers (MPI_Fetch_and_op). */
    public void fetchAndOp(Object origin, Object resultAddr, Datatype dataType, int targetRank, int targetDisp, Op op)
        throws MPIException {
        run(combine("fetchAndOp", origin, 1, dataType, resultAddr, 1, dataType, targetRank, targetDisp, 1, dataType,
            op));
    }

    /**
     * Replaces one item of a target if it is equal to another (MPI_Compare_and_swap).
     *
     * @param origin the new value
     * @param compareAddr the value that the target's item must have
     * @param resultAddr gets the value that it had
     * @param targetType an integer type, {@link MPI#BOOLEAN} or {@link MPI#BYTE}
     */
    public void compareAndSwap(Buffer origin, Buffer compareAddr, Buffer resultAddr, Datatype targetType,
        int targetRank, int targetDisp) throws MPIException {
        compareAndSwap((Object) origin, compareAddr, resultAddr, targetType, targetRank, targetDisp);
    }

    /** The same for buffers of any kind, such as device pointers (MPI_Compare_and_swap). */
    public void compareAndSwap(Object origin, Object compareAddr, Object resultAddr, Datatype targetType,
        int targetRank, int targetDisp) throws MPIException {
        String call = "compareAndSwap";
        open(call);
        WindowArguments.swappable(handle, call, items(targetType));
        if (WindowArguments.target(handle, call, targetRank)) {
            Access access = WindowArguments.access(handle, call, Access.Kind.SWAP, targetRank, targetDisp, 1,
                items(targetType));
            access.origin = WindowArguments.buffer(handle, access, "origin", origin, 1, items(targetType), false);
            access.compare =
                WindowArguments.buffer(handle, access, "compareAddr", compareAddr, 1, items(targetType), false);
            access.result =
                WindowArguments.buffer(handle, access, "resultAddr", resultAddr, 1, items(targetType), true);
            run(access);
        }
    }

    /** A PUT or a GET; null if nothing is to be done. */
    private Access move(String call, Access.Kind kind, Object origin, int orgCount, Datatype orgType, int targetRank,
        int targetDisp, int targetCount, Datatype targetType) {
        open(call);
        if (!WindowArguments.target(handle, call, targetRank)) {
            return null;
        }
        Access access =
            WindowArguments.access(handle, call, kind, targetRank, targetDisp, targetCount, items(targetType));
        boolean gets = kind == Access.Kind.GET;
        Object buffer = WindowArguments.buffer(handle, access, "origin", origin, orgCount, items(orgType), gets);
        if (gets) {
            access.result = buffer;
        } else {
            access.origin = buffer;
        }
        return access;
    }

    private Access combine(String call, Object origin, int orgCount, Datatype orgType, Object result, int resultCount,
        Datatype resultType, int targetRank, int targetDisp, int targetCount, Datatype targetType, Op op) {
        open(call);
        if (!WindowArguments.target(handle, call, targetRank)) {
            return null;
        }
        Access access = WindowArguments.access(handle, call, Access.Kind.ACCUMULATE, targetRank, targetDisp,
            targetCount, items(targetType));
        if (op == null || !op.operation.is(Operator.NO_OP)) {
            access.origin = WindowArguments.buffer(handle, access, "origin", origin, orgCount, items(orgType), false);
        }
        WindowArguments.operation(handle, access, operation(op), items(orgType), items(targetType));
        if (resultType != null) {
            access.result =
                WindowArguments.buffer(handle, access, "resultAddr", result, resultCount, items(resultType), true);
        }
        return access;
    }

    private Operation run(Access access) {
        return access == null ? null : window.access(access);
    }

    private static Request request(Operation operation) {
        return new Request(operation == null ? Completed.SENT : operation);
    }

    // ---- synchronization ----

    /**
     * Ends the access epoch of all ranks and begins the next; collective (MPI_Win_fence).
     *
     * @param assertion 0, or {@link MPI#MODE_NOSTORE}, {@link MPI#MODE_NOPUT}, {@link MPI#MODE_NOPRECEDE} and
     * {@link MPI#MODE_NOSUCCEED} by {@code |}; with the last no epoch begins
     */
    public void fence(int assertion) throws MPIException {
        WindowEnd open = open("fence");
        WindowArguments.assertion(handle, "fence", assertion, FENCE);
        open.fence((assertion & MPI.MODE_NOPRECEDE) != 0, (assertion & MPI.MODE_NOSUCCEED) != 0);
    }

    /**
     * Begins an epoch in which some ranks' memory may be accessed; waits until they have posted (MPI_Win_start).
     *
     * @param group ranks of the window
     * @param assertion 0 or {@link MPI#MODE_NOCHECK}
     * @throws MPIException ERR_GROUP if the group is null, freed, or has a process that is not in the window
     */
    public void start(Group group, int assertion) throws MPIException {
        WindowEnd open = open("start");
        WindowArguments.assertion(handle, "start", assertion, MPI.MODE_NOCHECK);
        open.start(WindowArguments.ranks(handle, "start", Group.members(group), members));
    }

    /** Ends what {@link #start} has begun: all accesses are complete (MPI_Win_complete). */
    public void complete() throws MPIException {
        open("complete").complete();
    }

    /**
     * Lets some ranks access this rank's memory (MPI_Win_post).
     *
     * @param group the origins, ranks of the window; each calls {@link #start} with a group that has this rank
     * @param assertion 0, or {@link MPI#MODE_NOCHECK}, {@link MPI#MODE_NOSTORE} and {@link MPI#MODE_NOPUT} by {@code |}
     * @throws MPIException ERR_GROUP as {@link #start}
     */
    public void post(Group group, int assertion) throws MPIException {
        WindowEnd open = open("post");
        WindowArguments.assertion(handle, "post", assertion, POST);
        open.post(WindowArguments.ranks(handle, "post", Group.members(group), members));
    }

    /** Waits until all origins of {@link #post} have called {@link #complete} (MPI_Win_wait). */
    public void waitFor() throws MPIException {
        open("waitFor").await();
    }

    /** As {@link #waitFor} if that would not wait now, and then true (MPI_Win_test). */
    public boolean test() throws MPIException {
        return open("test").test();
    }

    /**
     * Takes the lock of a rank's memory, to access it (MPI_Win_lock); waits until it is free.
     *
     * @param lockType {@link MPI#LOCK_EXCLUSIVE}, or {@link MPI#LOCK_SHARED} for a lock that many can hold
     * @param rank whose memory; this rank's own too
     * @param assertion 0, or {@link MPI#MODE_NOCHECK} if the program knows that no other lock is held
     * @throws MPIException ERR_LOCKTYPE for another {@code lockType}
     */
    public void lock(int lockType, int rank, int assertion) throws MPIException {
        WindowEnd open = open("lock");
        if (lockType != MPI.LOCK_EXCLUSIVE && lockType != MPI.LOCK_SHARED) {
            throw handle.error(ErrorClass.LOCKTYPE, "lock",
                "lock type " + lockType + " is none; pass MPI.LOCK_EXCLUSIVE or MPI.LOCK_SHARED");
        }
        WindowArguments.assertion(handle, "lock", assertion, MPI.MODE_NOCHECK);
        if (WindowArguments.target(handle, "lock", rank)) {
            open.lock(rank, lockType == MPI.LOCK_EXCLUSIVE, assertion == 0);
        }
    }

    /** Completes the accesses to a rank and gives its lock back (MPI_Win_unlock). */
    public void unlock(int rank) throws MPIException {
        WindowEnd open = open("unlock");
        if (WindowArguments.target(handle, "unlock", rank)) {
            open.unlock(rank);
        }
    }

    /**
     * Takes shared locks of all ranks (MPI_Win_lock_all).
     *
     * @param assertion 0, or {@link MPI#MODE_NOCHECK} as for {@link #lock}
     */
    public void lockAll(int assertion) throws MPIException {
        WindowEnd open = open("lockAll");
        WindowArguments.assertion(handle, "lockAll", assertion, MPI.MODE_NOCHECK);
        open.lockAll(assertion == 0);
    }

    /** Completes all accesses and gives back what {@link #lockAll} took (MPI_Win_unlock_all). */
    public void unlockAll() throws MPIException {
        open("unlockAll").unlockAll();
    }

    /** Completes the accesses to a rank whose lock this rank holds (MPI_Win_flush). */
    public void flush(int rank) throws MPIException {
        flush("flush", rank);
    }

    /** As {@link #flush} for all ranks (MPI_Win_flush_all). */
    public void flushAll() throws MPIException {
        open("flushAll").flush("flushAll", -1);
    }

    /** As {@link #flush}; only the origin's buffers need be free again (MPI_Win_flush_local). */
    public void flushLocal(int rank) throws MPIException {
        flush("flushLocal", rank);
    }

    /** As {@link #flushLocal} for all ranks (MPI_Win_flush_local_all). */
    public void flushLocalAll() throws MPIException {
        open("flushLocalAll").flush("flushLocalAll", -1);
    }

    private void flush(String call, int rank) {
        WindowEnd open = open(call);
        if (WindowArguments.target(handle, call, rank)) {
            open.flush(call, rank);
        }
    }

    /** Makes this rank's own stores into its memory visible to others, and theirs to its loads (MPI_Win_sync). */
    public void sync() throws MPIException {
        open("sync").sync();
    }

    // ---- name, hints, errors, attributes ----

    /** The name that {@link #setName} has set; empty if it was not called (MPI_Win_get_name). */
    public String getName() throws MPIException {
        open("getName");
        return name;
    }

    /**
     * Sets the name that errors use from now on (MPI_Win_set_name).
     *
     * @param name any text
     * @throws MPIException ERR_ARG if {@code name} is null
     */
    public void setName(String name) throws MPIException {
        WindowEnd open = open("setName");
        if (name == null) {
            throw handle.error(ErrorClass.ARG, "setName", "the name is null; pass a string, which may be empty");
        }
        this.name = name;
        open.rename("window " + name);
    }

    /** The hints of the window (MPI_Win_get_info). */
    public Info getInfo() throws MPIException {
        open("getInfo");
        return info.dup();
    }

    /**
     * Replaces the hints (MPI_Win_set_info). {@code no_locks} counts only when the window is made.
     *
     * @param info null or {@link MPI#INFO_NULL} for none
     */
    public void setInfo(Info info) throws MPIException {
        open("setInfo");
        this.info = new Info(Hints.copyOf(Info.hints(info)));
    }

    /**
     * Sets the error handler, which decides what the loss of a rank means; see {@link Errhandler}
     * (MPI_Win_set_errhandler).
     *
     * @throws MPIException ERR_ARG if {@code errhandler} is null
     */
    public void setErrhandler(Errhandler errhandler) throws MPIException {
        WindowEnd open = open("setErrhandler");
        if (errhandler == null) {
            throw handle.error(ErrorClass.ARG, "setErrhandler",
                "the handler is null; pass MPI.ERRORS_RETURN or MPI.ERRORS_ARE_FATAL");
        }
        this.errhandler = errhandler;
        open.returnErrors(errhandler == Errhandler.RETURN);
    }

    /** The error handler, at first the communicator's (MPI_Win_get_errhandler). */
    public Errhandler getErrhandler() throws MPIException {
        open("getErrhandler");
        return errhandler;
    }

    /**
     * Calls the error handler: ends the job, unless it is {@link MPI#ERRORS_RETURN} (MPI_Win_call_errhandler).
     *
     * @param errorCode the job's exit code
     */
    public void callErrhandler(int errorCode) throws MPIException {
        WindowEnd open = open("callErrhandler");
        if (errhandler != Errhandler.RETURN) {
            JobState.provider("callErrhandler").abort(errorCode, "called callErrhandler(" + errorCode + ") on "
                + open.name() + ", whose handler is " + errhandler);
        }
    }

    /** A new key for {@link #setAttr}, valid in this process (MPI_Win_create_keyval). */
    public static int createKeyval() throws MPIException {
        JobState.provider("Win.createKeyval");
        return Attributes.createKey();
    }

    /**
     * Frees a key; objects attached by it stay (MPI_Win_free_keyval).
     *
     * @param keyval from {@link #createKeyval}
     * @throws MPIException ERR_KEYVAL if {@code keyval} is no such key
     */
    public static void freeKeyval(int keyval) throws MPIException {
        JobState.provider("Win.freeKeyval");
        Attributes.freeKey("Win.freeKeyval", keyval);
    }

    /**
     * Attaches an object to the window, in this process (MPI_Win_set_attr).
     *
     * @param keyval from {@link #createKeyval}
     * @param value any object
     * @throws MPIException ERR_KEYVAL if {@code keyval} is no such key
     */
    public void setAttr(int keyval, Object value) throws MPIException {
        open("setAttr");
        attributes.set(handle, "setAttr", keyval, value);
    }

    /**
     * An attached object; null if there is none (MPI_Win_get_attr).
     *
     * @param keyval from {@link #createKeyval}, or one of MPI's: {@link MPI#WIN_SIZE} is this rank's bytes,
     * {@link MPI#WIN_DISP_UNIT} its displacement unit in bytes, both an Integer; {@link MPI#WIN_BASE} the address of
     * its memory, a Long, 0 for memory without one
     * @throws MPIException ERR_KEYVAL if {@code keyval} is no such key
     */
    public Object getAttr(int keyval) throws MPIException {
        WindowEnd open = open("getAttr");
        switch (keyval) {
            case MPI.WIN_SIZE :
                return (int) open.bytes();
            case MPI.WIN_DISP_UNIT :
                return unit;
            case MPI.WIN_BASE :
                return open.address();
            default :
                return attributes.attached(handle, "getAttr", keyval);
        }
    }

    /**
     * Detaches an object (MPI_Win_delete_attr).
     *
     * @param keyval from {@link #createKeyval}
     * @throws MPIException ERR_KEYVAL if {@code keyval} is no such key
     */
    public void deleteAttr(int keyval) throws MPIException {
        open("deleteAttr");
        attributes.delete(handle, "deleteAttr", keyval);
    }

    /**
     * Ends the window; collective (MPI_Win_free). Memory that was made with it is gone.
     *
     * @throws MPIException ERR_RMA_SYNC if an epoch is open that locks, start or post have begun
     */
    @Override
    public void free() throws MPIException {
        WindowEnd open = open("free");
        open.free();
        window = null;
    }

    /**
     * As {@link #free}, for try-with-resources; does nothing if the window has been freed. All ranks come here, as to
     * free: a rank that leaves the block by an exception waits here for the others. Not in MPI's standard.
     */
    @Override
    public void close() throws MPIException {
        if (window != null) {
            free();
        }
    }
}
