package mpi;

import mpi.spi.Communicator;

/**
 * A communicator: a group of ranks and a space of messages of its own. The point-to-point calls and collectives that it
 * inherits are described in {@link PointToPoint} and {@link Collectives}; the calls here make, compare, describe and
 * end communicators, and pack.
 */
public abstract class Comm extends Collectives implements Freeable, Cloneable {
    /** For {@link Intracomm#splitType}: ranks that share memory. */
    public static final int TYPE_SHARED = 0;

    private final Attributes attributes = new Attributes();
    // Null means what MPI begins with: constants of MPI do not exist yet when it makes its first communicators.
    private Errhandler errhandler;
    private Info info;
    private Request making;
    /** Whether the program has named it. */
    private boolean named;

    Comm(Handle handle) {
        super(handle);
    }

    /** Takes over what a duplicate has from its original: attributes, error handler and hints. */
    final void inherit(Comm original) {
        attributes.copyFrom(original.attributes);
        inheritHandler(original);
        info = original.info;
    }

    /** Takes over what every communicator has from the one that it is made from. */
    final void inheritHandler(Comm original) {
        errhandler = original.errhandler;
    }

    // ---- who is in it ----

    /** This process's rank, from 0. */
    public final int getRank() throws MPIException {
        handle.lower("getRank");
        return handle.rank;
    }

    /** Number of ranks. */
    public final int getSize() throws MPIException {
        handle.lower("getSize");
        return handle.size;
    }

    /** The ranks as a group. */
    public final Group getGroup() throws MPIException {
        return new Group(handle.lower("getGroup").members().clone());
    }

    /** Whether the ranks are of two groups; never, so far. */
    public final boolean isInter() throws MPIException {
        handle.lower("isInter");
        return false;
    }

    /** Whether this communicator has been freed, or never was one on this rank. */
    public final boolean isNull() {
        return handle.isNull();
    }

    /** The kind of its topology: {@link MPI#UNDEFINED}, for it has none. */
    public final int getTopology() throws MPIException {
        handle.lower("getTopology");
        return MPI.UNDEFINED;
    }

    /**
     * {@link MPI#IDENT}, {@link MPI#CONGRUENT} for equal groups, {@link MPI#SIMILAR} for groups that differ in order,
     * or {@link MPI#UNEQUAL}.
     */
    public static int compare(Comm comm1, Comm comm2) throws MPIException {
        return compare("Comm.compare", comm1, comm2);
    }

    private static int compare(String call, Comm comm1, Comm comm2) {
        if (comm1 == null || comm2 == null) {
            throw ErrorClass.COMM.in(call, "a communicator is null; pass two that are open");
        }
        int[] first = comm1.handle.lower(call).members();
        int[] second = comm2.handle.lower(call).members();
        if (comm1.handle.sameAs(comm2.handle)) {
            return MPI.IDENT;
        }
        int groups = Group.compare(first, second);
        return groups == MPI.IDENT ? MPI.CONGRUENT : groups;
    }

    /**
     * The name that {@link #setName} gave it; empty if none has been given. The first communicators are called
     * MPI_COMM_WORLD and MPI_COMM_SELF.
     */
    public final String getName() throws MPIException {
        Communicator lower = handle.lower("getName");
        return named || handle.isPredefined() ? lower.name() : "";
    }

    /** Gives this communicator a name, which errors use from now on. A duplicate does not inherit it. */
    public final void setName(String name) throws MPIException {
        Communicator lower = handle.lower("setName");
        if (name == null) {
            throw handle.error(ErrorClass.ARG, "setName", "the name is null; pass a string, which may be empty");
        }
        lower.rename(name);
        named = true;
    }

    /**
     * What this communicator is below, by one of its types, as JDBC's wrappers answer: for extensions that do what MPI
     * has no call for. Not in MPI's standard.
     *
     * @param type {@link mpi.spi.Communicator}, or what an implementation documents
     */
    public final <T> T unwrap(Class<T> type) throws MPIException {
        Communicator lower = handle.lower("unwrap");
        if (type == null || !type.isInstance(lower)) {
            throw handle.error(ErrorClass.ARG, "unwrap",
                "this communicator is no " + (type == null ? "null" : type.getName())
                    + "; pass mpi.spi.Communicator.class, or a type that "
                    + lower.getClass().getName() + " implements");
        }
        return type.cast(lower);
    }

    // ---- making and ending communicators ----

    /**
     * A communicator of the same ranks with messages, attributes and hints of its own, which begin as copies. All ranks
     * call it.
     */
    public abstract Comm dup() throws MPIException;

    /**
     * As {@link #dup}, without waiting for the other ranks: the new communicator may be used once the request is
     * complete that its {@link #getRequest} returns.
     */
    public abstract Comm iDup() throws MPIException;

    /** As {@link #dup}, with these hints. */
    public abstract Comm dupWithInfo(Info info) throws MPIException;

    /** As {@link #dup}. */
    @Override
    public abstract Comm clone();

    /**
     * The request of the {@link #iDup} that makes this communicator; a null one if it was made otherwise. Always the
     * same.
     */
    public final Request getRequest() {
        if (making == null) {
            making = new Request(null, null);
        }
        return making;
    }

    final void madeBy(Request request) {
        making = request;
    }

    /** Ends this communicator. All ranks call it; what is under way completes. */
    @Override
    public final void free() throws MPIException {
        handle.free("free");
    }

    /** Ends this communicator, as {@link #free}. */
    public final void disconnect() throws MPIException {
        handle.free("disconnect");
    }

    /** Ends the whole job, with this exit code. */
    public final void abort(int errorcode) throws MPIException {
        abort("abort", errorcode);
    }

    private void abort(String call, int errorcode) {
        String name = handle.lower(call).name();
        JobState.provider(call).abort(errorcode, "called " + call + "(" + errorcode + ") on " + name);
    }

    // ---- hints, attributes, error handlers ----

    public final void setInfo(Info info) throws MPIException {
        handle.lower("setInfo");
        this.info = info == null || info.isNull() ? null : info.dup();
    }

    /** A copy of the hints. */
    public final Info getInfo() throws MPIException {
        handle.lower("getInfo");
        return info == null ? new Info() : info.dup();
    }

    /** A new key for {@link #setAttr}, on this process. */
    public static int createKeyval() throws MPIException {
        JobState.provider("Comm.createKeyval");
        return Attributes.createKey();
    }

    /**
     * Gives a key up: nothing more can be attached by it. What is attached stays until it is deleted
     * (MPI_Comm_free_keyval).
     */
    public static void freeKeyval(int keyval) throws MPIException {
        JobState.provider("Comm.freeKeyval");
        Attributes.freeKey("Comm.freeKeyval", keyval);
    }

    /** Attaches an object, on this process. */
    public final void setAttr(int keyval, Object value) throws MPIException {
        handle.lower("setAttr");
        attributes.set(handle, "setAttr", keyval, value);
    }

    /** The object attached, null if none is; {@link MPI#TAG_UB} and its like are keys too. */
    public final Object getAttr(int keyval) throws MPIException {
        handle.lower("getAttr");
        return attributes.get(handle, "getAttr", keyval);
    }

    /** Detaches the object. */
    public final void deleteAttr(int keyval) throws MPIException {
        handle.lower("deleteAttr");
        attributes.delete(handle, "deleteAttr", keyval);
    }

    public final void setErrhandler(Errhandler errhandler) throws MPIException {
        Communicator lower = handle.lower("setErrhandler");
        if (errhandler == null) {
            throw handle.error(ErrorClass.ARG, "setErrhandler",
                "the handler is null; pass MPI.ERRORS_RETURN or MPI.ERRORS_ARE_FATAL");
        }
        this.errhandler = errhandler;
        lower.returnErrors(errhandler == MPI.ERRORS_RETURN);
    }

    public final Errhandler getErrhandler() throws MPIException {
        handle.lower("getErrhandler");
        return errhandler == null ? MPI.ERRORS_ARE_FATAL : errhandler;
    }

    /** Calls the error handler: ends the job, unless it is {@link MPI#ERRORS_RETURN}. */
    public void callErrhandler(int errorCode) throws MPIException {
        handle.lower("callErrhandler");
        if (errhandler != MPI.ERRORS_RETURN) {
            abort("callErrhandler", errorCode);
        }
    }

    // ---- packing and reducing without communication ----

    /**
     * Copies items into a byte array.
     *
     * @param position where in outbuf to begin, in bytes
     * @return where they end
     */
    public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position) throws MPIException {
        return pack("pack", inbuf, 0, incount, type, outbuf, position);
    }

    /**
     * Copies items out of a byte array.
     *
     * @param position where in inbuf to begin, in bytes
     * @return where they end
     */
    public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type)
        throws MPIException {
        return unpack("unpack", inbuf, position, outbuf, 0, outcount, type);
    }

    /** Bytes that items take when packed. */
    public final int packSize(int incount, Datatype type) throws MPIException {
        return packSize("packSize", incount, type);
    }

    private int packSize(String call, int count, Datatype type) {
        Arguments.type(handle, call, type);
        if (count < 0 || (long) count * type.extent > Integer.MAX_VALUE) {
            throw handle.error(ErrorClass.COUNT, call,
                "count " + count + " of " + type + " cannot be packed; pass 0 <= count <= "
                    + Integer.MAX_VALUE / Math.max(1, type.extent));
        }
        return count * type.extent;
    }

    private int pack(String call, Object inbuf, int offset, int count, Datatype type, byte[] outbuf, int position) {
        handle.lower(call);
        Object data = Arguments.buffer(handle, call, "inbuf", inbuf, offset, count, 1, type, false);
        int bytes = packSize(call, count, type);
        checkPacked(call, "outbuf", outbuf, position, bytes);
        Bytes.get(data, (long) offset << type.shift, outbuf, position, bytes);
        return position + bytes;
    }

    private int unpack(String call, byte[] inbuf, int position, Object outbuf, int offset, int count, Datatype type) {
        handle.lower(call);
        Object data = Arguments.buffer(handle, call, "outbuf", outbuf, offset, count, 1, type, true);
        int bytes = packSize(call, count, type);
        checkPacked(call, "inbuf", inbuf, position, bytes);
        Bytes.put(data, (long) offset << type.shift, inbuf, position, bytes);
        return position + bytes;
    }

    private void checkPacked(String call, String role, byte[] packed, int position, int bytes) {
        if (packed == null || position < 0 || (long) position + bytes > packed.length) {
            throw handle.error(ErrorClass.BUFFER, call,
                bytes + " bytes at position " + position + " do not fit in " + role + ", "
                    + Complaints.describe(packed) + "; pass a longer byte[], or an earlier position");
        }
    }

    /** Combines two buffers of this process: {@code inOutBuf[i] = inBuf[i] op inOutBuf[i]}. */
    public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op) throws MPIException {
        Handle handle = MPI.COMM_SELF.handle;
        handle.lower("reduceLocal");
        Arguments.operation(handle, "reduceLocal", op, type);
        Object in = Arguments.buffer(handle, "reduceLocal", "inBuf", inBuf, 0, count, 1, type, false);
        Object inOut = Arguments.buffer(handle, "reduceLocal", "inOutBuf", inOutBuf, 0, count, 1, type, true);
        Arguments.order(handle, "reduceLocal", "inBuf", in, 0, type);
        Arguments.order(handle, "reduceLocal", "inOutBuf", inOut, 0, type);
        JobState.provider("reduceLocal").reduceLocal(in, 0, inOut, 0, count, type.layout, op.on(type));
    }

    // ---- the same in the capital dialect ----

    /** As {@link #getRank}, and after Finalize too, as in MPJ Express. */
    public int Rank() throws MPIException {
        handle.checkKnown("Rank");
        return handle.rank;
    }

    /** As {@link #getSize}, and after Finalize too, as in MPJ Express. */
    public int Size() throws MPIException {
        handle.checkKnown("Size");
        return handle.size;
    }

    /** As {@link #getGroup}. */
    public Group Group() throws MPIException {
        return getGroup();
    }

    /** As {@link #isInter}. */
    public boolean Test_inter() throws MPIException {
        return isInter();
    }

    /** As {@link #getTopology}. */
    public int Topo_test() throws MPIException {
        return getTopology();
    }

    /** As {@link #compare}. */
    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        return compare("Comm.Compare", comm1, comm2);
    }

    /** As {@link #free}. */
    public void Free() throws MPIException {
        handle.free("Free");
    }

    /** As {@link #abort}. */
    public void Abort(int errorcode) throws MPIException {
        abort("Abort", errorcode);
    }

    /** As {@link #getAttr}. */
    public Object Attr_get(int keyval) throws MPIException {
        return getAttr(keyval);
    }

    /** As {@link #deleteAttr}. */
    public void Attr_delete(int keyval) throws MPIException {
        deleteAttr(keyval);
    }

    /** As {@link #pack}, from an offset in elements of the array. */
    public int Pack(Object inbuf, int offset, int incount, Datatype type, byte[] outbuf, int position)
        throws MPIException {
        return pack("Pack", inbuf, offset, incount, type, outbuf, position);
    }

    /** As {@link #unpack}, to an offset in elements of the array. */
    public int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype type)
        throws MPIException {
        return unpack("Unpack", inbuf, position, outbuf, offset, outcount, type);
    }

    /** As {@link #packSize}. */
    public int Pack_size(int incount, Datatype type) throws MPIException {
        return packSize("Pack_size", incount, type);
    }
}
