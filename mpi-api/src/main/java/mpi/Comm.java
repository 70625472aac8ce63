package mpi;

import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;

/**
 * A communicator: a group of ranks with its own messages. {@link PointToPoint}, {@link Collectives},
 * {@link PersistentCollectives}, {@link NeighbourCollectives} and {@link FailureRecovery} describe the calls that it
 * inherits; the calls here make, compare, describe and free communicators, and pack.
 *
 * <p>
 * Every call throws an {@link MPIException}: ERR_COMM if the communicator is null or has been freed, ERR_OTHER if MPI
 * is not initialized or is finalized. Other errors are named at each call.
 */
public abstract class Comm extends FailureRecovery implements Freeable, Cloneable {
    /** For {@link Intracomm#splitType}: ranks that share memory (MPI_COMM_TYPE_SHARED). */
    public static final int TYPE_SHARED = 0;

    private final Attributes attributes = new Attributes();
    // Null means MPI's initial value: constants of MPI do not exist yet when it makes its first communicators.
    private Errhandler errhandler;
    private Info info;
    private Request making;
    /** Whether the program has set the name. */
    private boolean named;

    Comm(Handle handle) {
        super(handle);
    }

    /** Copies from the original what a duplicate has: attributes, error handler and hints. */
    final void inherit(Comm original) {
        attributes.copyFrom(original.attributes);
        inheritHandler(original);
        info = original.info;
    }

    /** Copies what every communicator has from the one that it is made from. */
    final void inheritHandler(Comm original) {
        errhandler = original.errhandler;
    }

    // ---- members ----

    /** This process's rank, from 0 (MPI_Comm_rank). */
    public final int getRank() throws MPIException {
        handle.lower("getRank");
        return handle.rank;
    }

    /** Number of ranks; of an inter-communicator, in this rank's own group (MPI_Comm_size). */
    public final int getSize() throws MPIException {
        handle.lower("getSize");
        return handle.group;
    }

    /** The ranks as a group; of an inter-communicator, this rank's own (MPI_Comm_group). */
    public final Group getGroup() throws MPIException {
        return new Group(handle.lower("getGroup").members().clone());
    }

    /** Whether it is an inter-communicator, that is, an {@link Intercomm} (MPI_Comm_test_inter). */
    public final boolean isInter() throws MPIException {
        return handle.lower("isInter") instanceof InterCommunicator;
    }

    /** Whether this communicator has been freed, or never existed on this rank. Never throws. */
    public final boolean isNull() {
        return handle.isNull();
    }

    /**
     * The kind of its topology: {@link MPI#CART}, {@link MPI#GRAPH}, {@link MPI#DIST_GRAPH} or, without one,
     * {@link MPI#UNDEFINED} (MPI_Topo_test).
     */
    public final int getTopology() throws MPIException {
        handle.lower("getTopology");
        return topology();
    }

    int topology() {
        return MPI.UNDEFINED;
    }

    /**
     * Compares two communicators (MPI_Comm_compare).
     *
     * @param comm1 an open communicator
     * @param comm2 an open communicator
     * @return {@link MPI#IDENT} if they are the same, {@link MPI#CONGRUENT} for equal groups, {@link MPI#SIMILAR} for
     * groups that differ in order only, {@link MPI#UNEQUAL} otherwise
     * @throws MPIException ERR_COMM if one of them is null or has been freed
     */
    public static int compare(Comm comm1, Comm comm2) throws MPIException {
        return compare("Comm.compare", comm1, comm2);
    }

    private static int compare(String call, Comm comm1, Comm comm2) {
        if (comm1 == null || comm2 == null) {
            throw ErrorClass.COMM.in(call, "a communicator is null; pass two that are open");
        }
        Communicator first = comm1.handle.lower(call);
        Communicator second = comm2.handle.lower(call);
        if (comm1.handle.sameAs(comm2.handle)) {
            return MPI.IDENT;
        }
        int groups = Group.compare(first.members(), second.members());
        int others = Group.compare(remoteMembers(first), remoteMembers(second));
        return groups == MPI.UNEQUAL || others == MPI.UNEQUAL ? MPI.UNEQUAL
            : groups == MPI.SIMILAR || others == MPI.SIMILAR ? MPI.SIMILAR : MPI.CONGRUENT;
    }

    private static int[] remoteMembers(Communicator lower) {
        return lower instanceof InterCommunicator inter ? inter.remoteMembers() : new int[0];
    }

    /**
     * The name that {@link #setName} has set; empty if it was not called. The first communicators are called
     * MPI_COMM_WORLD and MPI_COMM_SELF (MPI_Comm_get_name).
     */
    public final String getName() throws MPIException {
        Communicator lower = handle.lower("getName");
        return named || handle.isPredefined() ? lower.name() : "";
    }

    /**
     * Sets the name that errors use from now on; duplicates do not inherit it (MPI_Comm_set_name).
     *
     * @param name any text
     * @throws MPIException ERR_ARG if {@code name} is null
     */
    public final void setName(String name) throws MPIException {
        Communicator lower = handle.lower("setName");
        if (name == null) {
            throw handle.error(ErrorClass.ARG, "setName", "the name is null; pass a string, which may be empty");
        }
        lower.rename(name);
        named = true;
    }

    /**
     * This communicator as one of the types that implement it, like JDBC's {@code unwrap}: for extensions beyond MPI.
     * Not in MPI's standard.
     *
     * @param type {@link mpi.spi.Communicator}, or a type that the implementation documents
     * @return this communicator's implementation
     * @throws MPIException ERR_ARG if the implementation is no such type
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
     * Joins two groups that have no rank in common by an inter-communicator. All ranks of both groups call it, each
     * with its own group's communicator. One rank of each group, its leader, must also be in this communicator; here
     * the leaders meet (MPI_Intercomm_create).
     *
     * @param localComm an intracommunicator of this rank's group
     * @param localLeader rank of this group's leader in {@code localComm}, the same on all its ranks
     * @param remoteLeader rank of the other group's leader in this communicator; only the leader's counts
     * @param tag 0 or more, the same in both groups; distinguishes inter-communicators that are made at the same time
     * @return a communicator in whose calls ranks name those of the other group
     * @throws MPIException on all ranks of a group, if on one of them: ERR_RANK if a leader is not a rank, or the
     * remote leader is in the local group; ERR_TAG if {@code tag} is negative; ERR_ARG if the ranks name different
     * leaders, or if others refused their arguments. ERR_GROUP on both groups if they overlap. ERR_COMM if
     * {@code localComm} is null, freed or an inter-communicator. If a leader's arguments do not lead to the other
     * leader, the other group waits until that leader finalizes
     */
    public final Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag)
        throws MPIException {
        return Intercomm.of("createIntercomm", this, localComm, localLeader, remoteLeader, tag);
    }

    /**
     * A communicator of the same ranks with its own messages; its attributes and hints begin as copies. All ranks call
     * it (MPI_Comm_dup).
     */
    public abstract Comm dup() throws MPIException;

    /**
     * As {@link #dup}, without waiting for the other ranks: the new communicator may be used once its
     * {@link #getRequest} is complete (MPI_Comm_idup).
     */
    public abstract Comm iDup() throws MPIException;

    /**
     * As {@link #dup}, with other hints (MPI_Comm_dup_with_info).
     *
     * @param info the hints; null or {@link MPI#INFO_NULL}: none
     */
    public abstract Comm dupWithInfo(Info info) throws MPIException;

    /** As {@link #dup}. */
    @Override
    public abstract Comm clone();

    /**
     * The request of the {@link #iDup} that makes this communicator; a null request otherwise. Always the same object.
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

    /** Frees this communicator; operations under way complete. All ranks call it (MPI_Comm_free). */
    @Override
    public final void free() throws MPIException {
        handle.free("free");
    }

    /**
     * Frees this communicator. All its ranks call it. When the last communicator with processes of another job has been
     * disconnected or freed, nothing joins this process to them any more: either may end, or die, without the other
     * (MPI_Comm_disconnect).
     */
    public final void disconnect() throws MPIException {
        handle.disconnect("disconnect");
    }

    /**
     * Ends the whole job (MPI_Abort).
     *
     * @param errorcode the job's exit code
     */
    public final void abort(int errorcode) throws MPIException {
        abort("abort", errorcode);
    }

    private void abort(String call, int errorcode) {
        String name = handle.lower(call).name();
        JobState.provider(call).abort(errorcode, "called " + call + "(" + errorcode + ") on " + name);
    }

    // ---- hints, attributes, error handlers ----

    /**
     * Replaces the hints (MPI_Comm_set_info).
     *
     * @param info the hints; null or {@link MPI#INFO_NULL}: none
     */
    public final void setInfo(Info info) throws MPIException {
        handle.lower("setInfo");
        this.info = info == null || info.isNull() ? null : info.dup();
    }

    /** A copy of the hints (MPI_Comm_get_info). */
    public final Info getInfo() throws MPIException {
        handle.lower("getInfo");
        return info == null ? new Info() : info.dup();
    }

    /** A new key for {@link #setAttr}, valid in this process (MPI_Comm_create_keyval). */
    public static int createKeyval() throws MPIException {
        JobState.provider("Comm.createKeyval");
        return Attributes.createKey();
    }

    /**
     * Frees a key: no object can be attached by it any more. Attached objects stay until they are deleted
     * (MPI_Comm_free_keyval).
     *
     * @param keyval from {@link #createKeyval}
     * @throws MPIException ERR_KEYVAL if it was never made, has been freed, or is MPI's
     */
    public static void freeKeyval(int keyval) throws MPIException {
        JobState.provider("Comm.freeKeyval");
        Attributes.freeKey("Comm.freeKeyval", keyval);
    }

    /**
     * Attaches an object to this communicator, in this process (MPI_Comm_set_attr).
     *
     * @param keyval from {@link #createKeyval}
     * @param value the object; replaces an earlier one
     * @throws MPIException ERR_KEYVAL if the key was never made, has been freed, or is MPI's
     */
    public final void setAttr(int keyval, Object value) throws MPIException {
        handle.lower("setAttr");
        attributes.set(handle, "setAttr", keyval, value);
    }

    /**
     * The attached object (MPI_Comm_get_attr).
     *
     * @param keyval from {@link #createKeyval}, or a key of MPI's such as {@link MPI#TAG_UB}
     * @return null if there is none
     * @throws MPIException ERR_KEYVAL if the key was never made or has been freed
     */
    public final Object getAttr(int keyval) throws MPIException {
        handle.lower("getAttr");
        return attributes.get(handle, "getAttr", keyval);
    }

    /**
     * Detaches an object (MPI_Comm_delete_attr).
     *
     * @param keyval from {@link #createKeyval}
     * @throws MPIException ERR_KEYVAL if the key is MPI's or was never made
     */
    public final void deleteAttr(int keyval) throws MPIException {
        handle.lower("deleteAttr");
        attributes.delete(handle, "deleteAttr", keyval);
    }

    /**
     * Sets the error handler (MPI_Comm_set_errhandler).
     *
     * @param errhandler {@link MPI#ERRORS_RETURN} or {@link MPI#ERRORS_ARE_FATAL}
     * @throws MPIException ERR_ARG if {@code errhandler} is null
     */
    public final void setErrhandler(Errhandler errhandler) throws MPIException {
        Communicator lower = handle.lower("setErrhandler");
        if (errhandler == null) {
            throw handle.error(ErrorClass.ARG, "setErrhandler",
                "the handler is null; pass MPI.ERRORS_RETURN or MPI.ERRORS_ARE_FATAL");
        }
        this.errhandler = errhandler;
        lower.returnErrors(errhandler == MPI.ERRORS_RETURN);
    }

    /** The error handler; at first {@link MPI#ERRORS_ARE_FATAL} (MPI_Comm_get_errhandler). */
    public final Errhandler getErrhandler() throws MPIException {
        handle.lower("getErrhandler");
        return errhandler == null ? MPI.ERRORS_ARE_FATAL : errhandler;
    }

    /**
     * Calls the error handler: ends the job, unless it is {@link MPI#ERRORS_RETURN} (MPI_Comm_call_errhandler).
     *
     * @param errorCode the job's exit code
     */
    public void callErrhandler(int errorCode) throws MPIException {
        handle.lower("callErrhandler");
        if (errhandler != MPI.ERRORS_RETURN) {
            abort("callErrhandler", errorCode);
        }
    }

    // ---- packing and reducing without communication ----

    /**
     * Copies items into a byte array (MPI_Pack).
     *
     * @param inbuf {@code incount} items; not changed
     * @param incount items of {@code type}, 0 or more
     * @param type type of one item
     * @param outbuf room for the packed items
     * @param position where in {@code outbuf} to begin, in bytes
     * @return where the packed items end, in bytes
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if {@code inbuf} does not hold the items; ERR_BUFFER if
     * they do not fit into {@code outbuf}
     */
    public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position) throws MPIException {
        return pack("pack", inbuf, 0, incount, type, outbuf, position);
    }

    /**
     * Copies items out of a byte array (MPI_Unpack).
     *
     * @param inbuf packed items
     * @param position where in {@code inbuf} to begin, in bytes
     * @param outbuf room for {@code outcount} items
     * @param outcount items of {@code type}, 0 or more
     * @param type type of one item
     * @return where the items end in {@code inbuf}, in bytes
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if {@code outbuf} does not hold the items; ERR_BUFFER if
     * {@code inbuf} does not contain so many
     */
    public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type)
        throws MPIException {
        return unpack("unpack", inbuf, position, outbuf, 0, outcount, type);
    }

    /**
     * Bytes of packed items (MPI_Pack_size).
     *
     * @param incount items of {@code type}, 0 or more
     * @param type type of one item
     * @throws MPIException ERR_COUNT if {@code incount} is negative, or the bytes exceed an int; ERR_TYPE if
     * {@code type} is null
     */
    public final int packSize(int incount, Datatype type) throws MPIException {
        return packSize("packSize", incount, type);
    }

    private int packSize(String call, int count, Datatype type) {
        Arguments.type(handle, call, type);
        if (count < 0 || (long) count * type.size > Integer.MAX_VALUE) {
            throw handle.error(ErrorClass.COUNT, call,
                "count " + count + " of " + type + " cannot be packed; pass 0 <= count <= "
                    + Integer.MAX_VALUE / Math.max(1, type.size));
        }
        return count * type.size;
    }

    private int pack(String call, Object inbuf, int offset, int count, Datatype type, byte[] outbuf, int position) {
        handle.lower(call);
        Object data = Arguments.buffer(handle, call, "inbuf", inbuf, offset, count, 1, type, false);
        int bytes = packSize(call, count, type);
        checkPacked(call, "outbuf", outbuf, position, bytes);
        Bytes.get(data, type.at(offset), outbuf, position, bytes);
        return position + bytes;
    }

    private int unpack(String call, byte[] inbuf, int position, Object outbuf, int offset, int count, Datatype type) {
        handle.lower(call);
        Object data = Arguments.buffer(handle, call, "outbuf", outbuf, offset, count, 1, type, true);
        int bytes = packSize(call, count, type);
        checkPacked(call, "inbuf", inbuf, position, bytes);
        Bytes.put(data, type.at(offset), inbuf, position, bytes);
        return position + bytes;
    }

    private void checkPacked(String call, String role, byte[] packed, int position, int bytes) {
        if (packed == null || position < 0 || (long) position + bytes > packed.length) {
            throw handle.error(ErrorClass.BUFFER, call,
                bytes + " bytes at position " + position + " do not fit in " + role + ", "
                    + Complaints.describe(packed) + "; pass a longer byte[], or an earlier position");
        }
    }

    /**
     * Combines two buffers of this process: {@code inOutBuf[i] = inBuf[i] op inOutBuf[i]} (MPI_Reduce_local).
     *
     * @param inBuf {@code count} items, the left operands; not changed
     * @param inOutBuf {@code count} items, the right operands; the results replace them
     * @param count items of {@code type}, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}; ERR_OTHER if the user's operation throws
     */
    public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op) throws MPIException {
        Handle handle = MPI.COMM_SELF.handle;
        handle.lower("reduceLocal");
        Arguments.operation(handle, "reduceLocal", op, type);
        Arguments.binary(handle, "reduceLocal", op);
        Object in = Arguments.buffer(handle, "reduceLocal", "inBuf", inBuf, 0, count, 1, type, false);
        Object inOut = Arguments.buffer(handle, "reduceLocal", "inOutBuf", inOutBuf, 0, count, 1, type, true);
        Arguments.order(handle, "reduceLocal", "inBuf", in, 0, type);
        Arguments.order(handle, "reduceLocal", "inOutBuf", inOut, 0, type);
        try {
            JobState.provider("reduceLocal").reduceLocal(in, 0, inOut, 0, count, type.layout, op.on(type));
        } catch (MPIException known) {
            throw known;
        } catch (RuntimeException thrown) { // by the user's function
            MPIException error = handle.error(ErrorClass.OTHER, "reduceLocal", "the operation threw " + thrown);
            error.initCause(thrown);
            throw error;
        }
    }

    // ---- the same in the capital dialect ----

    /** As {@link #getRank}, but allowed after Finalize, as in MPJ Express (MPI_Comm_rank). */
    public int Rank() throws MPIException {
        handle.checkKnown("Rank");
        return handle.rank;
    }

    /** As {@link #getSize}, but allowed after Finalize, as in MPJ Express (MPI_Comm_size). */
    public int Size() throws MPIException {
        handle.checkKnown("Size");
        return handle.group;
    }

    /** As {@link #getGroup} (MPI_Comm_group). */
    public Group Group() throws MPIException {
        return handle.outside() != null ? handle.outside() : getGroup();
    }

    /** As {@link #isInter} (MPI_Comm_test_inter). */
    public boolean Test_inter() throws MPIException {
        return isInter();
    }

    /** As {@link #createIntercomm} (MPI_Intercomm_create). */
    public Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
        throws MPIException {
        return Intercomm.of("Create_intercomm", this, local_comm, local_leader, remote_leader, tag);
    }

    /** As {@link #getTopology} (MPI_Topo_test). */
    public int Topo_test() throws MPIException {
        return getTopology();
    }

    /** As {@link #compare} (MPI_Comm_compare). */
    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        return compare("Comm.Compare", comm1, comm2);
    }

    /** As {@link #free} (MPI_Comm_free). */
    public void Free() throws MPIException {
        handle.free("Free");
    }

    /** As {@link #abort} (MPI_Abort). */
    public void Abort(int errorcode) throws MPIException {
        abort("Abort", errorcode);
    }

    /** As {@link #getAttr} (MPI_Comm_get_attr). */
    public Object Attr_get(int keyval) throws MPIException {
        return getAttr(keyval);
    }

    /** As {@link #deleteAttr} (MPI_Comm_delete_attr). */
    public void Attr_delete(int keyval) throws MPIException {
        deleteAttr(keyval);
    }

    /** As {@link #pack}, from an offset in elements of the array (MPI_Pack). */
    public int Pack(Object inbuf, int offset, int incount, Datatype type, byte[] outbuf, int position)
        throws MPIException {
        return pack("Pack", inbuf, offset, incount, type, outbuf, position);
    }

    /** As {@link #unpack}, to an offset in elements of the array (MPI_Unpack). */
    public int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype type)
        throws MPIException {
        return unpack("Unpack", inbuf, position, outbuf, offset, outcount, type);
    }

    /** As {@link #packSize} (MPI_Pack_size). */
    public int Pack_size(int incount, Datatype type) throws MPIException {
        return packSize("Pack_size", incount, type);
    }
}
