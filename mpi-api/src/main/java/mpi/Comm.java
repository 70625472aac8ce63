package mpi;

import static mpi.Datatype.items;
import static mpi.Op.operation;

import java.nio.Buffer;
import mpi.front.calls.CollectiveCall;
import mpi.front.calls.PackCalls;
import mpi.front.job.Attributes;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.job.MemberLists;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;
import mpi.spi.Neighbourhood;
import mpi.spi.Operation;
import mpi.spi.SendMode;

/**
 * A communicator: a group of ranks with its own messages. The calls here are those of Open MPI's Java bindings;
 * {@link MpjComm}, which it extends, has mpiJava's.
 *
 * <p>
 * <b>Errors.</b> Every call throws an {@link MPIException} that names the wrong argument and the cure:
 * <ul>
 * <li>ERR_BUFFER: a buffer is null though it holds items, is read-only though it receives, or its numbers, which are to
 * be reduced, are in foreign byte order; or an offset lies outside the buffer
 * <li>ERR_COUNT: a count is negative, or its items do not fit into the buffer
 * <li>ERR_TYPE: a type is null, or the buffer is of a kind that cannot hold it
 * <li>ERR_ROOT, ERR_OP, ERR_ARG: as said at each call
 * <li>ERR_COMM: the communicator is null or has been freed; ERR_OTHER: MPI is not initialized, or is finalized
 * <li>ERR_TRUNCATE: the ranks mean different numbers of bytes, if this is noticed
 * <li>ERR_PROC_FAILED: a rank that the call needs has died, and the communicator has {@link MPI#ERRORS_RETURN}
 * </ul>
 *
 * <p>
 * <b>Buffers.</b> A buffer is an array of the type's element ({@code int[]} for {@link MPI#INT}), an NIO buffer of any
 * kind, direct or with an accessible array, or a pointer object to device memory. It may be null for 0 items. The call
 * begins at index 0 and ignores an NIO buffer's position and limit; its capacity bounds the call. Use {@link MPI#slice}
 * to begin elsewhere. An NIO buffer, or an array of another kind than the type's, is treated as bytes: {@link MPI#BYTE}
 * sends any array. Such an array begins at offset 0. Counts are in items of the type.
 *
 * <p>
 * <b>Messages.</b> With {@link MPI#PROC_NULL} as peer a call transfers nothing. Nonblocking calls return a request; the
 * buffer belongs to the call until the request is complete.
 *
 * <p>
 * <b>Messages in partitions</b> (MPI 4, chapter 4). The parts of one buffer become ready one by one, possibly in
 * several threads, and each may travel before the others are ready.
 *
 * <p>
 * A send in partitions goes to a receive in partitions, never to another receive. The first such send to a rank with a
 * tag belongs to the first such receive from that rank with that tag, the second to the second; the order of
 * preparation counts. The partitions of both sides may differ in number and size, but their bytes add up to the same.
 * Every start of the send needs one of the receive.
 *
 * <p>
 * Preparing, starting and marking never wait for another rank. The last parameter, {@code info}, holds hints. None is
 * used; null and {@link MPI#INFO_NULL} are fine. Objects ({@link MPI#OBJECT}) cannot be sent so.
 *
 * <p>
 * <b>Collectives.</b> All ranks of the communicator make the same calls in the same order. Arguments that only the root
 * uses may be anything on other ranks. What one rank sends to another must be as many bytes as that rank receives.
 *
 * <p>
 * On an {@link Intercomm} data goes from one group to the other, and the root is {@link MPI#ROOT} or
 * {@link MPI#PROC_NULL} in its own group; see there.
 *
 * <p>
 * The calls whose name begins with an i are nonblocking: they take the arguments of their blocking twins and return a
 * request. The buffers belong to the call until the request is complete. Forms with {@link Buffer} parameters are there
 * for programs that were compiled against them.
 *
 * <p>
 * <b>Persistent collectives</b> (MPI 4). Each prepares the collective of its name, with the same parameters, and
 * returns an inactive request. {@link Prequest#start} starts the collective. A start costs less than a call, as
 * arguments are checked, the algorithm is chosen and its schedule is bound once.
 *
 * <p>
 * All ranks prepare in the same order among their other collectives; that may wait for other ranks. A start never
 * waits. Ranks may start their prepared collectives in any order, but each the same number of times. From one start to
 * the next the contents of the buffers may change, not the buffers themselves. Free a request after its last use.
 *
 * <p>
 * The last parameter, {@code info}, holds hints. None is used; null and {@link MPI#INFO_NULL} are fine. Errors of
 * arguments are those of the blocking collective, and are thrown when it is prepared. A failure of one start is thrown
 * by its wait or test; later starts are not affected.
 *
 * <p>
 * <b>Collectives among neighbours.</b> Each rank exchanges with its neighbours in the communicator's topology only. A
 * rank receives a block from each of its sources and sends to each of its destinations. Who they are, and in which
 * order their blocks lie:
 * <ul>
 * <li>{@link CartComm}: for each dimension first the neighbour one step down, then the one one step up. What a rank
 * sends down its receiver gets from above, and the other way round, also where both neighbours are the same rank. At
 * the border of a dimension that is not periodic there is no neighbour;
 * <li>{@link GraphComm} of {@link Intracomm#createGraph}: the neighbours of {@link GraphComm#getNeighbors}, which are
 * sources and destinations. Every edge must be named at both ends;
 * <li>distributed graph: the sources and destinations of {@link GraphComm#getDistGraphNeighbors}.
 * </ul>
 *
 * Of several blocks that one rank sends to another along edges of a graph, the first goes to the receiver's first.
 * Blocks of neighbours that are {@link MPI#PROC_NULL} have their place in the buffers, and are neither read nor
 * written. There is no form in place.
 *
 * <p>
 * All ranks of the communicator make the same calls in the same order, those without neighbours too. The calls throw
 * what the other collectives throw, and ERR_TOPOLOGY if the communicator has no topology, or has a graph with an edge
 * that is named at one end only.
 *
 * <p>
 * <b>After the death of ranks.</b> The calls by which ranks go on after others have died: those of ULFM (User Level
 * Failure Mitigation), as Open MPI has them in mpi-ext.h. Set {@link MPI#ERRORS_RETURN} first; with another handler the
 * death of a rank ends the job. Then a call that needs a dead rank ends with {@link MPI#ERR_PROC_FAILED}:
 * <ul>
 * <li>a message to it or from it; messages between other ranks go on;
 * <li>a receive from {@link MPI#ANY_SOURCE}, as the dead rank might have been the sender, until {@link #ackFailed}
 * acknowledges its death. A nonblocking receive stays active then, and its wait throws
 * {@link MPI#ERR_PROC_FAILED_PENDING};
 * <li>a collective on a communicator of which it is a member; some ranks may have got their result.
 * </ul>
 *
 * <p>
 * A rank that hears of a death and leaves the usual course of the program calls {@link #revoke}, so that nobody waits
 * for it in vain. Then all ranks call {@link Intracomm#shrink} or {@link Intercomm#shrink}. On an inter-communicator
 * these calls concern the ranks of both groups.
 */
public abstract class Comm extends MpjComm implements Freeable, AutoCloseable, Cloneable {
    /** For {@link Intracomm#splitType}: ranks that share memory (MPI_COMM_TYPE_SHARED). */
    public static final int TYPE_SHARED = 0;

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
            return Constants.IDENT;
        }
        int groups = MemberLists.compare(first.members(), second.members());
        int others = MemberLists.compare(remoteMembers(first), remoteMembers(second));
        return groups == Constants.UNEQUAL || others == Constants.UNEQUAL ? Constants.UNEQUAL
            : groups == Constants.SIMILAR || others == Constants.SIMILAR ? Constants.SIMILAR : Constants.CONGRUENT;
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
     * @param type {@link mpi.spi.Communicator}, or a type that the implementation documents; {@link Neighbourhood}:
     * this rank's edges in the communicator's topology
     * @return this communicator's implementation
     * @throws MPIException ERR_ARG if the implementation is no such type; ERR_TOPOLOGY if there is no topology
     */
    public final <T> T unwrap(Class<T> type) throws MPIException {
        Communicator lower = handle.lower("unwrap");
        if (type == Neighbourhood.class) {
            return type.cast(neighbours("unwrap"));
        }
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
            making = new Request((Operation) null);
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
        collectives().forget();
    }

    /** As {@link #free}, for try-with-resources; does nothing if it has been freed. Not in MPI's standard. */
    @Override
    public final void close() throws MPIException {
        if (!isNull()) {
            free();
        }
    }

    /**
     * Frees this communicator. All its ranks call it. When the last communicator with processes of another job has been
     * disconnected or freed, nothing joins this process to them any more: either may end, or die, without the other
     * (MPI_Comm_disconnect).
     */
    public final void disconnect() throws MPIException {
        handle.disconnect("disconnect");
        collectives().forget();
    }

    /**
     * Ends the whole job (MPI_Abort).
     *
     * @param errorcode the job's exit code
     */
    public final void abort(int errorcode) throws MPIException {
        abort("abort", errorcode);
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
        lower.returnErrors(errhandler == Errhandler.RETURN);
    }

    /** The error handler; at first {@link MPI#ERRORS_ARE_FATAL} (MPI_Comm_get_errhandler). */
    public final Errhandler getErrhandler() throws MPIException {
        handle.lower("getErrhandler");
        return errhandler == null ? Errhandler.ARE_FATAL : errhandler;
    }

    /**
     * Calls the error handler: ends the job, unless it is {@link MPI#ERRORS_RETURN} (MPI_Comm_call_errhandler).
     *
     * @param errorCode the job's exit code
     */
    public void callErrhandler(int errorCode) throws MPIException {
        handle.lower("callErrhandler");
        if (errhandler != Errhandler.RETURN) {
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
        return PackCalls.pack(handle, "pack", inbuf, 0, incount, items(type), outbuf, position);
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
        return PackCalls.unpack(handle, "unpack", inbuf, position, outbuf, 0, outcount, items(type));
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
        return PackCalls.size(handle, "packSize", incount, items(type));
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
        PackCalls.reduce("reduceLocal", inBuf, inOutBuf, count, items(type), operation(op));
    }

    /** As {@link #createIntercomm} (MPI_Intercomm_create). */
    public Intercomm Create_intercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
        throws MPIException {
        return Intercomm.of("Create_intercomm", this, local_comm, local_leader, remote_leader, tag);
    }

    /** As {@link #compare} (MPI_Comm_compare). */
    public static int Compare(Comm comm1, Comm comm2) throws MPIException {
        return compare("Comm.Compare", comm1, comm2);
    }

    // ---- messages ----

    /**
     * Sends items to a rank; returns once the buffer may be used again (MPI_Send).
     *
     * @param buf {@code count} items; not changed
     * @param count items of {@code type}, 0 or more
     * @param type type of one item
     * @param dest rank of the receiver, or {@link MPI#PROC_NULL}
     * @param tag number that the receiver asks for, 0 or more
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if {@code buf} does not hold {@code count} items; ERR_RANK
     * if {@code dest} is not a rank; ERR_TAG if {@code tag} is negative
     */
    public final void send(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("send", buf, 0, count, items(type), dest, tag, SendMode.STANDARD);
    }

    /**
     * Sends a copy, which is kept in the buffer of {@link MPI#attachBuffer}; returns once the copy is made (MPI_Bsend).
     * Parameters as of {@link #send}.
     *
     * @throws MPIException as {@link #send}; ERR_BUFFER also if the attached buffer is too small and the message is
     * longer than 256 bytes
     */
    public final void bSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("bSend", buf, 0, count, items(type), dest, tag, SendMode.BUFFERED);
    }

    /** As {@link #send}, but returns only once the receive has begun (MPI_Ssend). */
    public final void sSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("sSend", buf, 0, count, items(type), dest, tag, SendMode.SYNCHRONOUS);
    }

    /** As {@link #send}, to a receive that must have been posted already (MPI_Rsend). */
    public final void rSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        messages.send("rSend", buf, 0, count, items(type), dest, tag, SendMode.READY);
    }

    /**
     * Receives a message (MPI_Recv).
     *
     * @param buf room for {@code count} items
     * @param count the most items of {@code type} that the message may have, 0 or more
     * @param type type of one item
     * @param source rank of the sender, {@link MPI#ANY_SOURCE} or {@link MPI#PROC_NULL}
     * @param tag number that the sender gave, or {@link MPI#ANY_TAG}
     * @return the sender, the tag and the length of the message
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if {@code buf} does not hold {@code count} items; ERR_RANK
     * if {@code source} is not a rank; ERR_TAG if {@code tag} is negative; ERR_TRUNCATE if the message is longer than
     * {@code count} items
     */
    public final Status recv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        Status status = new Status();
        return received(messages.recv("recv", buf, 0, count, items(type), source, tag, status), status, type, count);
    }

    /**
     * Sends from one buffer and receives into another at the same time (MPI_Sendrecv).
     *
     * @param sendbuf {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype}, 0 or more
     * @param sendtype type of the items sent
     * @param dest rank of the receiver, or {@link MPI#PROC_NULL}
     * @param sendtag number that the receiver asks for, 0 or more
     * @param recvbuf room for {@code recvcount} items; must not overlap {@code sendbuf}
     * @param recvcount the most items of {@code recvtype} to receive, 0 or more
     * @param recvtype type of the items received
     * @param source rank of the sender, {@link MPI#ANY_SOURCE} or {@link MPI#PROC_NULL}
     * @param recvtag number that the sender gave, or {@link MPI#ANY_TAG}
     * @return the sender, the tag and the length of the message received
     * @throws MPIException as {@link #send} and {@link #recv}
     */
    public final Status sendRecv(Object sendbuf, int sendcount, Datatype sendtype, int dest, int sendtag,
        Object recvbuf, int recvcount, Datatype recvtype, int source, int recvtag) throws MPIException {
        Status status = new Status();
        return received(
            messages.sendrecv("sendRecv", sendbuf, 0, sendcount, items(sendtype), dest, sendtag, recvbuf, 0, recvcount,
                items(recvtype), source, recvtag, status),
            status, recvtype, recvcount);
    }

    /**
     * Sends the items of a buffer and receives others into it (MPI_Sendrecv_replace). Ranks and tags as of
     * {@link #sendRecv}.
     *
     * @param buf {@code count} items, which those received replace
     * @param count items of {@code type} to send, and the most to receive
     * @param type type of one item
     * @param dest rank of the receiver
     * @param sendtag tag to send with
     * @param source rank of the sender
     * @param recvtag tag to receive
     * @return the sender, the tag and the length of the message received
     * @throws MPIException as {@link #send} and {@link #recv}; ERR_NO_MEM if a copy of the items does not fit into
     * memory
     */
    public final Status sendRecvReplace(Object buf, int count, Datatype type, int dest, int sendtag, int source,
        int recvtag) throws MPIException {
        Status status = new Status();
        return received(messages.sendrecvReplace("sendRecvReplace", buf, 0, count, items(type), dest, sendtag, source,
            recvtag, status), status, type, count);
    }

    /** Begins what {@link #send} does (MPI_Isend). */
    public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("iSend", buf, 0, count, items(type), dest, tag, SendMode.STANDARD));
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Isend). */
    public final Request iSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("iSend", buf, 0, count, items(type), dest, tag, SendMode.STANDARD));
    }

    /** Begins what {@link #bSend} does (MPI_Ibsend). */
    public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("ibSend", buf, 0, count, items(type), dest, tag, SendMode.BUFFERED));
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ibsend). */
    public final Request ibSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("ibSend", buf, 0, count, items(type), dest, tag, SendMode.BUFFERED));
    }

    /** Begins what {@link #sSend} does (MPI_Issend). */
    public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("isSend", buf, 0, count, items(type), dest, tag, SendMode.SYNCHRONOUS));
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Issend). */
    public final Request isSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("isSend", buf, 0, count, items(type), dest, tag, SendMode.SYNCHRONOUS));
    }

    /** Begins what {@link #rSend} does (MPI_Irsend). */
    public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("irSend", buf, 0, count, items(type), dest, tag, SendMode.READY));
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Irsend). */
    public final Request irSend(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return new Request(messages.isend("irSend", buf, 0, count, items(type), dest, tag, SendMode.READY));
    }

    /** Begins what {@link #recv} does (MPI_Irecv). */
    public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return received(messages.irecv("iRecv", buf, 0, count, items(type), source, tag), type, count);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Irecv). */
    public final Request iRecv(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return received(messages.irecv("iRecv", buf, 0, count, items(type), source, tag), type, count);
    }

    /**
     * Prepares what {@link #send} does, for many {@linkplain Prequest#start starts} (MPI_Send_init). The buffer is read
     * between a start and its end; from one start to the next its contents may change. Parameters as of {@link #send}.
     *
     * @return an inactive request; free it after its last use
     * @throws MPIException as {@link #send}
     */
    public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sendInit((Object) buf, count, type, dest, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Send_init). */
    public final Prequest sendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return prepared(messages.sendInit("sendInit", buf, 0, count, items(type), dest, tag, SendMode.STANDARD), null,
            0);
    }

    /**
     * As {@link #sendInit}, for {@link #bSend}; a start throws ERR_BUFFER if the attached buffer is too small
     * (MPI_Bsend_init).
     */
    public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return bSendInit((Object) buf, count, type, dest, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Bsend_init). */
    public final Prequest bSendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return prepared(messages.sendInit("bSendInit", buf, 0, count, items(type), dest, tag, SendMode.BUFFERED), null,
            0);
    }

    /** As {@link #sendInit}, for {@link #sSend} (MPI_Ssend_init). */
    public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return sSendInit((Object) buf, count, type, dest, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Ssend_init). */
    public final Prequest sSendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return prepared(messages.sendInit("sSendInit", buf, 0, count, items(type), dest, tag, SendMode.SYNCHRONOUS),
            null, 0);
    }

    /** As {@link #sendInit}, for {@link #rSend} (MPI_Rsend_init). */
    public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return rSendInit((Object) buf, count, type, dest, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Rsend_init). */
    public final Prequest rSendInit(Object buf, int count, Datatype type, int dest, int tag) throws MPIException {
        return prepared(messages.sendInit("rSendInit", buf, 0, count, items(type), dest, tag, SendMode.READY), null, 0);
    }

    /**
     * Prepares what {@link #recv} does, for many {@linkplain Prequest#start starts} (MPI_Recv_init). Parameters as of
     * {@link #recv}.
     *
     * @return an inactive request; free it after its last use
     * @throws MPIException as {@link #recv}
     */
    public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag) throws MPIException {
        return recvInit((Object) buf, count, type, source, tag);
    }

    /** The same for a buffer of any kind, such as an array (MPI_Recv_init). */
    public final Prequest recvInit(Object buf, int count, Datatype type, int source, int tag) throws MPIException {
        return prepared(messages.recvInit("recvInit", buf, 0, count, items(type), source, tag), type, count);
    }

    /**
     * Waits for a message that {@link #recv} would receive, and leaves it there (MPI_Probe).
     *
     * @param source rank of the sender, {@link MPI#ANY_SOURCE} or {@link MPI#PROC_NULL}
     * @param tag number that the sender gave, or {@link MPI#ANY_TAG}
     * @return the sender, the tag and the length of the message
     * @throws MPIException ERR_RANK if {@code source} is not a rank; ERR_TAG if {@code tag} is negative
     */
    public final Status probe(int source, int tag) throws MPIException {
        Status status = new Status();
        messages.probe("probe", source, tag, status);
        return status;
    }

    /**
     * As {@link #probe}, without waiting (MPI_Iprobe).
     *
     * @return the message that {@link #recv} would receive now; null if there is none
     */
    public final Status iProbe(int source, int tag) throws MPIException {
        Status status = new Status();
        return messages.iprobe("iProbe", source, tag, status) ? status : null;
    }

    // ---- messages in partitions ----

    /**
     * Prepares a send in partitions, for many {@linkplain Prequest#start starts} (MPI_Psend_init). After a start, each
     * partition is sent once {@link PartitionedRequest#pReady} has marked it. A wait ends once all have been sent.
     *
     * @param buf {@code partitions} times {@code count} items, partition behind partition
     * @param partitions 0 or more
     * @param count items of {@code type} in a partition, 0 or more
     * @param type type of one item
     * @param dest rank of the receiver, or {@link MPI#PROC_NULL}
     * @param tag number that the receiver names too, 0 or more
     * @param info hints, or null
     * @return an inactive request; free it after its last use
     * @throws MPIException ERR_ARG if {@code partitions} is negative; else as {@link #send}
     */
    public final PartitionedRequest pSendInit(Object buf, int partitions, int count, Datatype type, int dest, int tag,
        Info info) throws MPIException {
        return new PartitionedRequest(
            messages.partitionedSendInit("pSendInit", buf, 0, partitions, count, items(type), dest, tag));
    }

    /**
     * Prepares a receive in partitions (MPI_Precv_init). After a start, {@link PartitionedRequest#pArrived} tells which
     * partitions have arrived. If the sender's bytes do not add up to the same, the wait throws ERR_TRUNCATE or, if
     * they are fewer, ERR_COUNT, and the sender does not notice.
     *
     * @param buf room for {@code partitions} times {@code count} items
     * @param partitions 0 or more; the sender may have another number
     * @param count items of {@code type} in a partition, 0 or more
     * @param type type of one item
     * @param source rank of the sender, or {@link MPI#PROC_NULL}; not {@link MPI#ANY_SOURCE}
     * @param tag number that the sender names too; not {@link MPI#ANY_TAG}
     * @param info hints, or null
     * @return an inactive request; free it after its last use
     * @throws MPIException ERR_ARG if {@code partitions} is negative; ERR_RANK or ERR_TAG for ANY_SOURCE and ANY_TAG;
     * else as {@link #recv}
     */
    public final PartitionedRequest pRecvInit(Object buf, int partitions, int count, Datatype type, int source,
        int tag, Info info) throws MPIException {
        return new PartitionedRequest(
            messages.partitionedRecvInit("pRecvInit", buf, 0, partitions, count, items(type), source, tag));
    }

    // ---- collectives ----

    /**
     * Waits until all ranks of the communicator have called it (MPI_Barrier).
     *
     * @throws MPIException ERR_COMM if the communicator is null or has been freed
     */
    public final void barrier() throws MPIException {
        blocking("barrier", Collective.BARRIER).run();
    }

    /**
     * Copies the root's items to all ranks (MPI_Bcast).
     *
     * @param buf at the root the {@code count} items to send, elsewhere room for them
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        blocking("bcast", Collective.BCAST, root).recv(buf, 0, count, items(type)).run();
    }

    /**
     * Collects a block of each rank at the root, in rank order (MPI_Gather). All blocks have the same size.
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each rank, in rank order; only the root uses it
     * @param recvcount items of {@code recvtype} from each rank, not from all together
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void gather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("gather", Collective.GATHER, root).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)).run();
    }

    /**
     * Collects blocks in place: the root's own block is in its buffer already (MPI_Gather with MPI_IN_PLACE at the
     * root).
     *
     * @param buf at the root room for {@code count} items of each rank, elsewhere the {@code count} items to send
     * @param count items of {@code type} of each rank
     * @param type type of one item
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
        blocking("gather", Collective.GATHER, root).inPlace(buf, 0, count, items(type)).run();
    }

    /**
     * Collects blocks of different sizes at the root (MPI_Gatherv).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for all blocks; only the root uses it
     * @param recvcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcount} or {@code displs} is null or has fewer entries than there are ranks; ERR_ROOT if {@code root}
     * is not a rank
     */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        blocking("gatherv", Collective.GATHERV, root).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, displs, items(recvtype)).run();
    }

    /**
     * Collects blocks of different sizes in place: only the root calls this form (MPI_Gatherv with MPI_IN_PLACE).
     *
     * @param recvbuf room for all blocks, in which the root's own block is already
     * @param recvcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcount} or {@code displs} is null or has fewer entries than there are ranks; ERR_ROOT if this rank is
     * not the root or {@code root} is not a rank
     */
    public final void gatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
        throws MPIException {
        blocking("gatherv", Collective.GATHERV, root).atRoot("gatherv(sendbuf, sendcount, sendtype, root)")
            .inPlace(recvbuf, 0, recvcount, displs, items(recvtype)).run();
    }

    /**
     * Sends this rank's block to the root; all ranks but the root call this form (MPI_Gatherv).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if this rank
     * is the root or {@code root} is not a rank
     */
    public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        blocking("gatherv", Collective.GATHERV, root).elsewhere("gatherv(recvbuf, recvcount, displs, recvtype, root)")
            .send(sendbuf, 0, sendcount, items(sendtype)).run();
    }

    /**
     * Sends each rank one block of the root's buffer, in rank order (MPI_Scatter). All blocks have the same size.
     *
     * @param sendbuf {@code sendcount} items for each rank, in rank order; only the root uses it
     * @param sendcount items of {@code sendtype} to each rank, not to all together
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items
     * @param recvcount items of {@code recvtype} that this rank receives, 0 or more
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void scatter(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("scatter", Collective.SCATTER, root).recv(recvbuf, 0, recvcount, items(recvtype))
            .send(sendbuf, 0, sendcount, items(sendtype)).run();
    }

    /**
     * Sends each rank one block of the root's buffer in place: the root's own block stays there (MPI_Scatter with
     * MPI_IN_PLACE at the root).
     *
     * @param buf at the root {@code count} items for each rank, elsewhere room for {@code count} items
     * @param count items of {@code type} for each rank
     * @param type type of one item
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank
     */
    public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
        blocking("scatter", Collective.SCATTER, root).inPlace(buf, 0, count, items(type)).run();
    }

    /**
     * Sends each rank a block of its own size from the root's buffer (MPI_Scatterv).
     *
     * @param sendbuf the blocks of all ranks; only the root uses it
     * @param sendcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code sendbuf}, in extents of {@code sendtype}
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items
     * @param recvcount items of {@code recvtype} that this rank receives, 0 or more
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code sendcount} or {@code displs} is null or has fewer entries than there are ranks; ERR_ROOT if {@code root}
     * is not a rank
     */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("scatterv", Collective.SCATTERV, root).recv(recvbuf, 0, recvcount, items(recvtype))
            .send(sendbuf, 0, sendcount, displs, items(sendtype)).run();
    }

    /**
     * Sends each rank a block of its own size; the root's stays in place, and only the root calls this form
     * (MPI_Scatterv with MPI_IN_PLACE).
     *
     * @param sendbuf the blocks of all ranks
     * @param sendcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code sendbuf}, in extents of {@code sendtype}
     * @param sendtype type of the items sent
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code sendcount} or {@code displs} is null or has fewer entries than there are ranks; ERR_ROOT if this rank is
     * not the root or {@code root} is not a rank
     */
    public final void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
        throws MPIException {
        blocking("scatterv", Collective.SCATTERV, root).atRoot("scatterv(recvbuf, recvcount, recvtype, root)")
            .inPlace(sendbuf, 0, sendcount, displs, items(sendtype)).run();
    }

    /**
     * Receives this rank's block from the root; all ranks but the root call this form (MPI_Scatterv).
     *
     * @param recvbuf room for {@code recvcount} items
     * @param recvcount items of {@code recvtype} that this rank receives, 0 or more
     * @param recvtype type of the items received
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if this rank
     * is the root or {@code root} is not a rank
     */
    public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("scatterv", Collective.SCATTERV, root)
            .elsewhere("scatterv(sendbuf, sendcount, displs, sendtype, root)")
            .recv(recvbuf, 0, recvcount, items(recvtype)).run();
    }

    /**
     * Collects a block of each rank at all ranks, in rank order (MPI_Allgather). All blocks have the same size.
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each rank, in rank order
     * @param recvcount items of {@code recvtype} from each rank, not from all together
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items
     */
    public final void allGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        blocking("allGather", Collective.ALLGATHER).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)).run();
    }

    /**
     * Collects blocks at all ranks in place (MPI_Allgather with MPI_IN_PLACE).
     *
     * @param buf room for {@code count} items of each rank; this rank's block is in its place already
     * @param count items of {@code type} of each rank, not of all together
     * @param type type of one item
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items
     */
    public final void allGather(Object buf, int count, Datatype type) throws MPIException {
        blocking("allGather", Collective.ALLGATHER).inPlace(buf, 0, count, items(type)).run();
    }

    /**
     * Collects blocks of different sizes at all ranks (MPI_Allgatherv).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for all blocks
     * @param recvcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcount} or {@code displs} is null or has fewer entries than there are ranks
     */
    public final void allGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        blocking("allGatherv", Collective.ALLGATHERV).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, displs, items(recvtype)).run();
    }

    /**
     * Collects blocks of different sizes at all ranks in place (MPI_Allgatherv with MPI_IN_PLACE).
     *
     * @param recvbuf room for all blocks; this rank's block is in its place already
     * @param recvcount for each rank, the items of its block
     * @param displs for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcount} or {@code displs} is null or has fewer entries than there are ranks
     */
    public final void allGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        blocking("allGatherv", Collective.ALLGATHERV).inPlace(recvbuf, 0, recvcount, displs, items(recvtype)).run();
    }

    /**
     * Sends a block to each rank and receives a block from each (MPI_Alltoall). All blocks have the same size.
     *
     * @param sendbuf {@code sendcount} items for each rank, in rank order
     * @param sendcount items of {@code sendtype} to each rank, not to all together
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each rank, in rank order
     * @param recvcount items of {@code recvtype} from each rank, not from all together
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items
     */
    public final void allToAll(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        blocking("allToAll", Collective.ALLTOALL).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)).run();
    }

    /**
     * Sends each rank a block of its own size and receives one from each (MPI_Alltoallv).
     *
     * @param sendbuf the blocks of all ranks
     * @param sendcount for each rank, the items of its block
     * @param sdispls for each rank, where its block begins in {@code sendbuf}, in extents of {@code sendtype}
     * @param sendtype type of the items sent
     * @param recvbuf room for all blocks
     * @param recvcount for each rank, the items of its block
     * @param rdispls for each rank, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if a list is
     * null or has fewer entries than there are ranks
     */
    public final void allToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        blocking("allToAllv", Collective.ALLTOALLV).send(sendbuf, 0, sendcount, sdispls, items(sendtype))
            .recv(recvbuf, 0, recvcount, rdispls, items(recvtype)).run();
    }

    /**
     * Sends each rank a block of its own size and type and receives one from each (MPI_Alltoallw).
     *
     * @param sendbuf the blocks for all ranks; not changed
     * @param sendcount for each rank, the items of the block to it
     * @param sdispls for each rank, where the block to it begins in {@code sendbuf}, in bytes
     * @param sendtypes for each rank, the type of the items to it
     * @param recvbuf room for all blocks
     * @param recvcount for each rank, the items of the block from it
     * @param rdispls for each rank, where the block from it begins in {@code recvbuf}, in bytes
     * @param recvtypes for each rank, the type of the items from it
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if a list is
     * null or has fewer entries than there are ranks
     */
    public final void allToAllw(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        blocking("allToAllw", Collective.ALLTOALLV).send(sendbuf, sendcount, sdispls, items(sendtypes))
            .recv(recvbuf, recvcount, rdispls, items(recvtypes)).run();
    }

    /**
     * As {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])}, as older programs link
     * to it.
     */
    public final void allToAllw(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        allToAllw((Object) sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes);
    }

    /**
     * Combines the items of all ranks, index by index, and gives the root the result (MPI_Reduce).
     *
     * @param sendbuf this rank's {@code count} items; not changed
     * @param recvbuf room for {@code count} items; only the root uses it; {@code sendbuf} itself (in place), or no
     * overlap with it
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank; ERR_OP if {@code op} is null, freed, or not defined on {@code type}
     */
    public final void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
        throws MPIException {
        blocking("reduce", Collective.REDUCE, root).reduce(sendbuf, 0, recvbuf, 0, count, items(type), operation(op))
            .run();
    }

    /**
     * Combines items in place (MPI_Reduce with MPI_IN_PLACE at the root).
     *
     * @param buf this rank's {@code count} items; at the root the result replaces them
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @param root rank of the root, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ROOT if
     * {@code root} is not a rank; ERR_OP if {@code op} is null, freed, or not defined on {@code type}
     */
    public final void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        blocking("reduce", Collective.REDUCE, root).reduce(buf, 0, buf, 0, count, items(type), operation(op)).run();
    }

    /**
     * Combines the items of all ranks, index by index, and gives all ranks the result (MPI_Allreduce).
     *
     * @param sendbuf this rank's {@code count} items; not changed
     * @param recvbuf room for {@code count} items; {@code sendbuf} itself (in place), or no overlap with it
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        blocking("allReduce", Collective.ALLREDUCE).reduce(sendbuf, 0, recvbuf, 0, count, items(type), operation(op))
            .run();
    }

    /**
     * Combines items at all ranks in place (MPI_Allreduce with MPI_IN_PLACE).
     *
     * @param buf this rank's {@code count} items; the result replaces them
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        blocking("allReduce", Collective.ALLREDUCE).reduce(buf, 0, buf, 0, count, items(type), operation(op)).run();
    }

    /**
     * Combines the items of all ranks, index by index, and gives each rank a block of the result (MPI_Reduce_scatter).
     *
     * @param sendbuf this rank's items for all blocks, side by side; not changed
     * @param recvbuf room for this rank's block; must not overlap {@code sendbuf}
     * @param recvcounts for each rank, the items of its block; the same on all ranks
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code recvcounts} is null or has fewer entries than there are ranks; ERR_OP if {@code op} is null, freed, or not
     * defined on {@code type}
     */
    public final void reduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op)
        throws MPIException {
        blocking("reduceScatter", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcounts, items(type), operation(op)).run();
    }

    /**
     * Combines items in place and gives each rank a block of the result (MPI_Reduce_scatter with MPI_IN_PLACE).
     *
     * @param buf this rank's items for all blocks, side by side; its block of the result replaces the first of them
     * @param counts for each rank, the items of its block; the same on all ranks
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_ARG if
     * {@code counts} is null or has fewer entries than there are ranks; ERR_OP if {@code op} is null, freed, or not
     * defined on {@code type}
     */
    public final void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        blocking("reduceScatter", Collective.REDUCE_SCATTER).reduce(buf, 0, buf, 0, counts, items(type), operation(op))
            .run();
    }

    /**
     * Combines the items of all ranks and gives each rank a block of the same size (MPI_Reduce_scatter_block).
     *
     * @param sendbuf {@code recvcount} items for each rank, in rank order; not changed
     * @param recvbuf room for {@code recvcount} items; must not overlap {@code sendbuf}
     * @param recvcount items of {@code type} in one block, the same on all ranks
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void reduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op)
        throws MPIException {
        blocking("reduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcount, items(type), operation(op)).run();
    }

    /**
     * Combines items in place and gives each rank a block of the same size (MPI_Reduce_scatter_block with
     * MPI_IN_PLACE).
     *
     * @param buf {@code count} items for each rank, in rank order; this rank's block of the result replaces the first
     * of them
     * @param count items of {@code type} in one block, the same on all ranks
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void reduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        blocking("reduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(buf, 0, buf, 0, count, items(type), operation(op)).run();
    }

    // ---- nonblocking ----

    /** Begins what {@link #barrier()} does (MPI_Ibarrier). */
    public final Request iBarrier() throws MPIException {
        return started(nonblocking("iBarrier", Collective.BARRIER));
    }

    /** Begins what {@link #bcast(Object, int, Datatype, int)} does (MPI_Ibcast). */
    public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iBcast((Object) buf, count, type, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ibcast). */
    public final Request iBcast(Object buf, int count, Datatype type, int root) throws MPIException {
        return started(nonblocking("iBcast", Collective.BCAST, root).recv(buf, 0, count, items(type)));
    }

    /** Begins what {@link #gather(Object, int, Datatype, Object, int, Datatype, int)} does (MPI_Igather). */
    public final Request iGather(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iGather((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igather). */
    public final Request iGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return started(nonblocking("iGather", Collective.GATHER, root).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Begins what {@link #gather(Object, int, Datatype, int)} does (MPI_Igather). */
    public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iGather((Object) buf, count, type, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igather). */
    public final Request iGather(Object buf, int count, Datatype type, int root) throws MPIException {
        return started(nonblocking("iGather", Collective.GATHER, root).inPlace(buf, 0, count, items(type)));
    }

    /** Begins what {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)} does (MPI_Igatherv). */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return iGatherv((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igatherv). */
    public final Request iGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root) throws MPIException {
        return started(nonblocking("iGatherv", Collective.GATHERV, root).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, displs, items(recvtype)));
    }

    /** Begins what {@link #gatherv(Object, int[], int[], Datatype, int)} does (MPI_Igatherv). */
    public final Request iGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
        throws MPIException {
        return iGatherv((Object) recvbuf, recvcount, displs, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igatherv). */
    public final Request iGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
        throws MPIException {
        return started(
            nonblocking("iGatherv", Collective.GATHERV, root).atRoot("iGatherv(sendbuf, sendcount, sendtype, root)")
                .inPlace(recvbuf, 0, recvcount, displs, items(recvtype)));
    }

    /** Begins what {@link #gatherv(Object, int, Datatype, int)} does (MPI_Igatherv). */
    public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        return iGatherv((Object) sendbuf, sendcount, sendtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Igatherv). */
    public final Request iGatherv(Object sendbuf, int sendcount, Datatype sendtype, int root) throws MPIException {
        return started(nonblocking("iGatherv", Collective.GATHERV, root)
            .elsewhere("iGatherv(recvbuf, recvcount, displs, recvtype, root)")
            .send(sendbuf, 0, sendcount, items(sendtype)));
    }

    /** Begins what {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)} does (MPI_Iscatter). */
    public final Request iScatter(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatter((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatter). */
    public final Request iScatter(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return started(nonblocking("iScatter", Collective.SCATTER, root).recv(recvbuf, 0, recvcount, items(recvtype))
            .send(sendbuf, 0, sendcount, items(sendtype)));
    }

    /** Begins what {@link #scatter(Object, int, Datatype, int)} does (MPI_Iscatter). */
    public final Request iScatter(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return iScatter((Object) buf, count, type, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatter). */
    public final Request iScatter(Object buf, int count, Datatype type, int root) throws MPIException {
        return started(nonblocking("iScatter", Collective.SCATTER, root).inPlace(buf, 0, count, items(type)));
    }

    /**
     * Begins what {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)} does (MPI_Iscatterv).
     */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatterv((Object) sendbuf, sendcount, displs, sendtype, recvbuf, recvcount, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatterv). */
    public final Request iScatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return started(nonblocking("iScatterv", Collective.SCATTERV, root).recv(recvbuf, 0, recvcount, items(recvtype))
            .send(sendbuf, 0, sendcount, displs, items(sendtype)));
    }

    /** Begins what {@link #scatterv(Object, int[], int[], Datatype, int)} does (MPI_Iscatterv). */
    public final Request iScatterv(Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
        throws MPIException {
        return iScatterv((Object) sendbuf, sendcount, displs, sendtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatterv). */
    public final Request iScatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
        throws MPIException {
        return started(nonblocking("iScatterv", Collective.SCATTERV, root)
            .atRoot("iScatterv(recvbuf, recvcount, recvtype, root)")
            .inPlace(sendbuf, 0, sendcount, displs, items(sendtype)));
    }

    /** Begins what {@link #scatterv(Object, int, Datatype, int)} does (MPI_Iscatterv). */
    public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return iScatterv((Object) recvbuf, recvcount, recvtype, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscatterv). */
    public final Request iScatterv(Object recvbuf, int recvcount, Datatype recvtype, int root) throws MPIException {
        return started(nonblocking("iScatterv", Collective.SCATTERV, root)
            .elsewhere("iScatterv(sendbuf, sendcount, displs, sendtype, root)")
            .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Begins what {@link #allGather(Object, int, Datatype, Object, int, Datatype)} does (MPI_Iallgather). */
    public final Request iAllGather(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iAllGather((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallgather). */
    public final Request iAllGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return started(nonblocking("iAllGather", Collective.ALLGATHER).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Begins what {@link #allGather(Object, int, Datatype)} does (MPI_Iallgather). */
    public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
        return iAllGather((Object) buf, count, type);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallgather). */
    public final Request iAllGather(Object buf, int count, Datatype type) throws MPIException {
        return started(nonblocking("iAllGather", Collective.ALLGATHER).inPlace(buf, 0, count, items(type)));
    }

    /**
     * Begins what {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)} does (MPI_Iallgatherv).
     */
    public final Request iAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return iAllGatherv((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallgatherv). */
    public final Request iAllGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return started(nonblocking("iAllGatherv", Collective.ALLGATHERV).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, displs, items(recvtype)));
    }

    /** Begins what {@link #allGatherv(Object, int[], int[], Datatype)} does (MPI_Iallgatherv). */
    public final Request iAllGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype)
        throws MPIException {
        return iAllGatherv((Object) recvbuf, recvcount, displs, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallgatherv). */
    public final Request iAllGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype)
        throws MPIException {
        return started(nonblocking("iAllGatherv", Collective.ALLGATHERV)
            .inPlace(recvbuf, 0, recvcount, displs, items(recvtype)));
    }

    /** Begins what {@link #allToAll(Object, int, Datatype, Object, int, Datatype)} does (MPI_Ialltoall). */
    public final Request iAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iAllToAll((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ialltoall). */
    public final Request iAllToAll(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return started(nonblocking("iAllToAll", Collective.ALLTOALL).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /**
     * Begins what {@link #allToAllv(Object, int[], int[], Datatype, Object, int[], int[], Datatype)} does
     * (MPI_Ialltoallv).
     */
    public final Request iAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return iAllToAllv((Object) sendbuf, sendcount, sdispls, sendtype, recvbuf, recvcount, rdispls, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ialltoallv). */
    public final Request iAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return started(
            nonblocking("iAllToAllv", Collective.ALLTOALLV).send(sendbuf, 0, sendcount, sdispls, items(sendtype))
                .recv(recvbuf, 0, recvcount, rdispls, items(recvtype)));
    }

    /**
     * Begins what {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])} does
     * (MPI_Ialltoallw).
     */
    public final Request iAllToAllw(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        return iAllToAllw((Object) sendbuf, sendcount, sdispls, sendtypes, recvbuf, recvcount, rdispls, recvtypes);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ialltoallw). */
    public final Request iAllToAllw(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes) throws MPIException {
        return started(
            nonblocking("iAllToAllw", Collective.ALLTOALLV).send(sendbuf, sendcount, sdispls, items(sendtypes))
                .recv(recvbuf, recvcount, rdispls, items(recvtypes)));
    }

    /** Begins what {@link #reduce(Object, Object, int, Datatype, Op, int)} does (MPI_Ireduce). */
    public final Request iReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root)
        throws MPIException {
        return iReduce((Object) sendbuf, recvbuf, count, type, op, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce). */
    public final Request iReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
        throws MPIException {
        return started(nonblocking("iReduce", Collective.REDUCE, root).reduce(sendbuf, 0, recvbuf, 0, count,
            items(type), operation(op)));
    }

    /** Begins what {@link #reduce(Object, int, Datatype, Op, int)} does (MPI_Ireduce). */
    public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root) throws MPIException {
        return iReduce((Object) buf, count, type, op, root);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce). */
    public final Request iReduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        return started(
            nonblocking("iReduce", Collective.REDUCE, root).reduce(buf, 0, buf, 0, count, items(type), operation(op)));
    }

    /** Begins what {@link #allReduce(Object, Object, int, Datatype, Op)} does (MPI_Iallreduce). */
    public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
        throws MPIException {
        return iAllReduce((Object) sendbuf, recvbuf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallreduce). */
    public final Request iAllReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
        throws MPIException {
        return started(nonblocking("iAllReduce", Collective.ALLREDUCE).reduce(sendbuf, 0, recvbuf, 0, count,
            items(type), operation(op)));
    }

    /** Begins what {@link #allReduce(Object, int, Datatype, Op)} does (MPI_Iallreduce). */
    public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iAllReduce((Object) buf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iallreduce). */
    public final Request iAllReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        return started(
            nonblocking("iAllReduce", Collective.ALLREDUCE).reduce(buf, 0, buf, 0, count, items(type), operation(op)));
    }

    /** Begins what {@link #reduceScatter(Object, Object, int[], Datatype, Op)} does (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op)
        throws MPIException {
        return iReduceScatter((Object) sendbuf, recvbuf, recvcounts, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op)
        throws MPIException {
        return started(nonblocking("iReduceScatter", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcounts, items(type), operation(op)));
    }

    /** Begins what {@link #reduceScatter(Object, int[], Datatype, Op)} does (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op) throws MPIException {
        return iReduceScatter((Object) buf, counts, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce_scatter). */
    public final Request iReduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        return started(nonblocking("iReduceScatter", Collective.REDUCE_SCATTER)
            .reduce(buf, 0, buf, 0, counts, items(type), operation(op)));
    }

    /** Begins what {@link #reduceScatterBlock(Object, Object, int, Datatype, Op)} does (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op)
        throws MPIException {
        return iReduceScatterBlock((Object) sendbuf, recvbuf, recvcount, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op)
        throws MPIException {
        return started(nonblocking("iReduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcount, items(type), operation(op)));
    }

    /** Begins what {@link #reduceScatterBlock(Object, int, Datatype, Op)} does (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iReduceScatterBlock((Object) buf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ireduce_scatter_block). */
    public final Request iReduceScatterBlock(Object buf, int count, Datatype type, Op op) throws MPIException {
        return started(nonblocking("iReduceScatterBlock", Collective.REDUCE_SCATTER)
            .reduce(buf, 0, buf, 0, count, items(type), operation(op)));
    }

    // ---- persistent collectives ----

    /** Prepares what {@link #barrier()} does (MPI_Barrier_init). */
    public final Prequest barrierInit(Info info) throws MPIException {
        return prepared(nonblocking("barrierInit", Collective.BARRIER));
    }

    /** Prepares what {@link #bcast(Object, int, Datatype, int)} does (MPI_Bcast_init). */
    public final Prequest bcastInit(Object buf, int count, Datatype type, int root, Info info) throws MPIException {
        return prepared(nonblocking("bcastInit", Collective.BCAST, root).recv(buf, 0, count, items(type)));
    }

    /** Prepares what {@link #gather(Object, int, Datatype, Object, int, Datatype, int)} does (MPI_Gather_init). */
    public final Prequest gatherInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
        Datatype recvtype, int root, Info info) throws MPIException {
        return prepared(nonblocking("gatherInit", Collective.GATHER, root).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Prepares what {@link #gather(Object, int, Datatype, int)} does (MPI_Gather_init). */
    public final Prequest gatherInit(Object buf, int count, Datatype type, int root, Info info) throws MPIException {
        return prepared(nonblocking("gatherInit", Collective.GATHER, root).inPlace(buf, 0, count, items(type)));
    }

    /**
     * Prepares what {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)} does
     * (MPI_Gatherv_init).
     */
    public final Prequest gathervInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int[] recvcount,
        int[] displs, Datatype recvtype, int root, Info info) throws MPIException {
        return prepared(
            nonblocking("gathervInit", Collective.GATHERV, root).send(sendbuf, 0, sendcount, items(sendtype))
                .recv(recvbuf, 0, recvcount, displs, items(recvtype)));
    }

    /** Prepares what {@link #gatherv(Object, int[], int[], Datatype, int)} does (MPI_Gatherv_init). */
    public final Prequest gathervInit(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root,
        Info info) throws MPIException {
        return prepared(nonblocking("gathervInit", Collective.GATHERV, root)
            .atRoot("gathervInit(sendbuf, sendcount, sendtype, root, info)")
            .inPlace(recvbuf, 0, recvcount, displs, items(recvtype)));
    }

    /** Prepares what {@link #gatherv(Object, int, Datatype, int)} does (MPI_Gatherv_init). */
    public final Prequest gathervInit(Object sendbuf, int sendcount, Datatype sendtype, int root, Info info)
        throws MPIException {
        return prepared(nonblocking("gathervInit", Collective.GATHERV, root)
            .elsewhere("gathervInit(recvbuf, recvcount, displs, recvtype, root, info)")
            .send(sendbuf, 0, sendcount, items(sendtype)));
    }

    /** Prepares what {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)} does (MPI_Scatter_init). */
    public final Prequest scatterInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
        Datatype recvtype, int root, Info info) throws MPIException {
        return prepared(
            nonblocking("scatterInit", Collective.SCATTER, root).recv(recvbuf, 0, recvcount, items(recvtype))
                .send(sendbuf, 0, sendcount, items(sendtype)));
    }

    /** Prepares what {@link #scatter(Object, int, Datatype, int)} does (MPI_Scatter_init). */
    public final Prequest scatterInit(Object buf, int count, Datatype type, int root, Info info) throws MPIException {
        return prepared(nonblocking("scatterInit", Collective.SCATTER, root).inPlace(buf, 0, count, items(type)));
    }

    /**
     * Prepares what {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)} does
     * (MPI_Scatterv_init).
     */
    public final Prequest scattervInit(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, Object recvbuf,
        int recvcount, Datatype recvtype, int root, Info info) throws MPIException {
        return prepared(
            nonblocking("scattervInit", Collective.SCATTERV, root).recv(recvbuf, 0, recvcount, items(recvtype))
                .send(sendbuf, 0, sendcount, displs, items(sendtype)));
    }

    /** Prepares what {@link #scatterv(Object, int[], int[], Datatype, int)} does (MPI_Scatterv_init). */
    public final Prequest scattervInit(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root,
        Info info) throws MPIException {
        return prepared(nonblocking("scattervInit", Collective.SCATTERV, root)
            .atRoot("scattervInit(recvbuf, recvcount, recvtype, root, info)")
            .inPlace(sendbuf, 0, sendcount, displs, items(sendtype)));
    }

    /** Prepares what {@link #scatterv(Object, int, Datatype, int)} does (MPI_Scatterv_init). */
    public final Prequest scattervInit(Object recvbuf, int recvcount, Datatype recvtype, int root, Info info)
        throws MPIException {
        return prepared(nonblocking("scattervInit", Collective.SCATTERV, root)
            .elsewhere("scattervInit(sendbuf, sendcount, displs, sendtype, root, info)")
            .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Prepares what {@link #allGather(Object, int, Datatype, Object, int, Datatype)} does (MPI_Allgather_init). */
    public final Prequest allGatherInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
        Datatype recvtype, Info info) throws MPIException {
        return prepared(nonblocking("allGatherInit", Collective.ALLGATHER).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Prepares what {@link #allGather(Object, int, Datatype)} does (MPI_Allgather_init). */
    public final Prequest allGatherInit(Object buf, int count, Datatype type, Info info) throws MPIException {
        return prepared(nonblocking("allGatherInit", Collective.ALLGATHER).inPlace(buf, 0, count, items(type)));
    }

    /**
     * Prepares what {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)} does
     * (MPI_Allgatherv_init).
     */
    public final Prequest allGathervInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf,
        int[] recvcount, int[] displs, Datatype recvtype, Info info) throws MPIException {
        return prepared(
            nonblocking("allGathervInit", Collective.ALLGATHERV).send(sendbuf, 0, sendcount, items(sendtype))
                .recv(recvbuf, 0, recvcount, displs, items(recvtype)));
    }

    /** Prepares what {@link #allGatherv(Object, int[], int[], Datatype)} does (MPI_Allgatherv_init). */
    public final Prequest allGathervInit(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, Info info)
        throws MPIException {
        return prepared(nonblocking("allGathervInit", Collective.ALLGATHERV).inPlace(recvbuf, 0, recvcount, displs,
            items(recvtype)));
    }

    /** Prepares what {@link #allToAll(Object, int, Datatype, Object, int, Datatype)} does (MPI_Alltoall_init). */
    public final Prequest allToAllInit(Object sendbuf, int sendcount, Datatype sendtype, Object recvbuf, int recvcount,
        Datatype recvtype, Info info) throws MPIException {
        return prepared(nonblocking("allToAllInit", Collective.ALLTOALL).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /**
     * Prepares what {@link #allToAllv(Object, int[], int[], Datatype, Object, int[], int[], Datatype)} does
     * (MPI_Alltoallv_init).
     */
    public final Prequest allToAllvInit(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype, Info info) throws MPIException {
        return prepared(
            nonblocking("allToAllvInit", Collective.ALLTOALLV).send(sendbuf, 0, sendcount, sdispls, items(sendtype))
                .recv(recvbuf, 0, recvcount, rdispls, items(recvtype)));
    }

    /**
     * Prepares what {@link #allToAllw(Object, int[], int[], Datatype[], Object, int[], int[], Datatype[])} does
     * (MPI_Alltoallw_init).
     */
    public final Prequest allToAllwInit(Object sendbuf, int[] sendcount, int[] sdispls, Datatype[] sendtypes,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype[] recvtypes, Info info) throws MPIException {
        return prepared(
            nonblocking("allToAllwInit", Collective.ALLTOALLV).send(sendbuf, sendcount, sdispls, items(sendtypes))
                .recv(recvbuf, recvcount, rdispls, items(recvtypes)));
    }

    /** Prepares what {@link #reduce(Object, Object, int, Datatype, Op, int)} does (MPI_Reduce_init). */
    public final Prequest reduceInit(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root,
        Info info) throws MPIException {
        return prepared(nonblocking("reduceInit", Collective.REDUCE, root).reduce(sendbuf, 0, recvbuf, 0, count,
            items(type), operation(op)));
    }

    /** Prepares what {@link #reduce(Object, int, Datatype, Op, int)} does (MPI_Reduce_init). */
    public final Prequest reduceInit(Object buf, int count, Datatype type, Op op, int root, Info info)
        throws MPIException {
        return prepared(nonblocking("reduceInit", Collective.REDUCE, root).reduce(buf, 0, buf, 0, count, items(type),
            operation(op)));
    }

    /** Prepares what {@link #allReduce(Object, Object, int, Datatype, Op)} does (MPI_Allreduce_init). */
    public final Prequest allReduceInit(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, Info info)
        throws MPIException {
        return prepared(nonblocking("allReduceInit", Collective.ALLREDUCE).reduce(sendbuf, 0, recvbuf, 0, count,
            items(type), operation(op)));
    }

    /** Prepares what {@link #allReduce(Object, int, Datatype, Op)} does (MPI_Allreduce_init). */
    public final Prequest allReduceInit(Object buf, int count, Datatype type, Op op, Info info) throws MPIException {
        return prepared(nonblocking("allReduceInit", Collective.ALLREDUCE).reduce(buf, 0, buf, 0, count, items(type),
            operation(op)));
    }

    /** Prepares what {@link #reduceScatter(Object, Object, int[], Datatype, Op)} does (MPI_Reduce_scatter_init). */
    public final Prequest reduceScatterInit(Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op,
        Info info) throws MPIException {
        return prepared(nonblocking("reduceScatterInit", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcounts, items(type), operation(op)));
    }

    /** Prepares what {@link #reduceScatter(Object, int[], Datatype, Op)} does (MPI_Reduce_scatter_init). */
    public final Prequest reduceScatterInit(Object buf, int[] counts, Datatype type, Op op, Info info)
        throws MPIException {
        return prepared(nonblocking("reduceScatterInit", Collective.REDUCE_SCATTER).reduce(buf, 0, buf, 0, counts,
            items(type), operation(op)));
    }

    /**
     * Prepares what {@link #reduceScatterBlock(Object, Object, int, Datatype, Op)} does
     * (MPI_Reduce_scatter_block_init).
     */
    public final Prequest reduceScatterBlockInit(Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op,
        Info info) throws MPIException {
        return prepared(nonblocking("reduceScatterBlockInit", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, 0, recvbuf, 0, recvcount, items(type), operation(op)));
    }

    /** Prepares what {@link #reduceScatterBlock(Object, int, Datatype, Op)} does (MPI_Reduce_scatter_block_init). */
    public final Prequest reduceScatterBlockInit(Object buf, int count, Datatype type, Op op, Info info)
        throws MPIException {
        return prepared(nonblocking("reduceScatterBlockInit", Collective.REDUCE_SCATTER).reduce(buf, 0, buf, 0, count,
            items(type), operation(op)));
    }

    // ---- collectives among neighbours ----

    /** Null until a call asks for it. */
    private Neighbourhood neighbours;

    /** This rank's edges; null without a topology. The communicator is open. */
    Neighbourhood edges(String call) {
        return null;
    }

    private Neighbourhood neighbours(String name) throws MPIException {
        if (neighbours == null) {
            neighbours = edges(name);
        }
        if (neighbours == null) {
            throw handle.error(ErrorClass.TOPOLOGY, name,
                "this communicator has no topology; make one with createCart, createGraph or createDistGraph");
        }
        return neighbours;
    }

    private CollectiveCall among(CollectiveCall call, String name) throws MPIException {
        return call.among(neighbours(name));
    }

    private CollectiveCall waiting(String name, Collective collective) {
        return among(blocking(name, collective), name);
    }

    private CollectiveCall beginning(String name, Collective collective) {
        return among(nonblocking(name, collective), name);
    }

    /**
     * Sends one block to all neighbours, and receives a block from each (MPI_Neighbor_allgather).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends to each destination, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each source, in the order of the sources
     * @param recvcount items of {@code recvtype} from each source, not from all together
     * @param recvtype type of the items received
     * @throws MPIException ERR_TOPOLOGY if the communicator has no topology; ERR_BUFFER, ERR_COUNT or ERR_TYPE if a
     * buffer does not hold its items
     */
    public final void neighborAllGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        waiting("neighborAllGather", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)).run();
    }

    /**
     * As {@link #neighborAllGather}, with blocks of different sizes (MPI_Neighbor_allgatherv).
     *
     * @param sendbuf this rank's {@code sendcount} items; not changed
     * @param sendcount items of {@code sendtype} that this rank sends to each destination, 0 or more
     * @param sendtype type of the items sent
     * @param recvbuf room for the items of all sources
     * @param recvcount for each source, how many items come from it
     * @param displs for each source, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException as {@link #neighborAllGather}; ERR_ARG if {@code recvcount} or {@code displs} is null or has
     * fewer entries than there are sources
     */
    public final void neighborAllGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        waiting("neighborAllGatherv", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, displs, items(recvtype)).run();
    }

    /**
     * Sends a block of its own to each neighbour, and receives one from each (MPI_Neighbor_alltoall).
     *
     * @param sendbuf {@code sendcount} items for each destination, in the order of the destinations; not changed
     * @param sendcount items of {@code sendtype} to each destination, not to all together
     * @param sendtype type of the items sent
     * @param recvbuf room for {@code recvcount} items of each source, in the order of the sources
     * @param recvcount items of {@code recvtype} from each source, not from all together
     * @param recvtype type of the items received
     * @throws MPIException ERR_TOPOLOGY if the communicator has no topology; ERR_BUFFER, ERR_COUNT or ERR_TYPE if a
     * buffer does not hold its items
     */
    public final void neighborAllToAll(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        waiting("neighborAllToAll", Collective.NEIGHBOR_ALLTOALL).send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)).run();
    }

    /**
     * As {@link #neighborAllToAll}, with blocks of different sizes (MPI_Neighbor_alltoallv).
     *
     * @param sendbuf the items for all destinations; not changed
     * @param sendcount for each destination, how many items go to it
     * @param sdispls for each destination, where its block begins in {@code sendbuf}, in extents of {@code sendtype}
     * @param sendtype type of the items sent
     * @param recvbuf room for the items of all sources
     * @param recvcount for each source, how many items come from it
     * @param rdispls for each source, where its block begins in {@code recvbuf}, in extents of {@code recvtype}
     * @param recvtype type of the items received
     * @throws MPIException as {@link #neighborAllToAll}; ERR_ARG if counts or displacements are null or fewer than the
     * neighbours
     */
    public final void neighborAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        waiting("neighborAllToAllv", Collective.NEIGHBOR_ALLTOALL).send(sendbuf, 0, sendcount, sdispls, items(sendtype))
            .recv(recvbuf, 0, recvcount, rdispls, items(recvtype)).run();
    }

    // ---- nonblocking ----

    /** Begins what {@link #neighborAllGather} does (MPI_Ineighbor_allgather). */
    public final Request iNeighborAllGather(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iNeighborAllGather((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ineighbor_allgather). */
    public final Request iNeighborAllGather(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return started(
            beginning("iNeighborAllGather", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, items(sendtype))
                .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Begins what {@link #neighborAllGatherv} does (MPI_Ineighbor_allgatherv). */
    public final Request iNeighborAllGatherv(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return iNeighborAllGatherv((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, displs, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ineighbor_allgatherv). */
    public final Request iNeighborAllGatherv(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        return started(
            beginning("iNeighborAllGatherv", Collective.NEIGHBOR_ALLGATHER).send(sendbuf, 0, sendcount, items(sendtype))
                .recv(recvbuf, 0, recvcount, displs, items(recvtype)));
    }

    /** Begins what {@link #neighborAllToAll} does (MPI_Ineighbor_alltoall). */
    public final Request iNeighborAllToAll(Buffer sendbuf, int sendcount, Datatype sendtype,
        Buffer recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return iNeighborAllToAll((Object) sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ineighbor_alltoall). */
    public final Request iNeighborAllToAll(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype) throws MPIException {
        return started(
            beginning("iNeighborAllToAll", Collective.NEIGHBOR_ALLTOALL).send(sendbuf, 0, sendcount, items(sendtype))
                .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Begins what {@link #neighborAllToAllv} does (MPI_Ineighbor_alltoallv). */
    public final Request iNeighborAllToAllv(Buffer sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Buffer recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return iNeighborAllToAllv((Object) sendbuf, sendcount, sdispls, sendtype, recvbuf, recvcount, rdispls,
            recvtype);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Ineighbor_alltoallv). */
    public final Request iNeighborAllToAllv(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        return started(beginning("iNeighborAllToAllv", Collective.NEIGHBOR_ALLTOALL)
            .send(sendbuf, 0, sendcount, sdispls, items(sendtype))
            .recv(recvbuf, 0, recvcount, rdispls, items(recvtype)));
    }

    // ---- persistent ----

    /** Prepares what {@link #neighborAllGather} does (MPI_Neighbor_allgather_init). */
    public final Prequest neighborAllGatherInit(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, Info info) throws MPIException {
        return prepared(beginning("neighborAllGatherInit", Collective.NEIGHBOR_ALLGATHER)
            .send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Prepares what {@link #neighborAllGatherv} does (MPI_Neighbor_allgatherv_init). */
    public final Prequest neighborAllGathervInit(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, Info info) throws MPIException {
        return prepared(beginning("neighborAllGathervInit", Collective.NEIGHBOR_ALLGATHER)
            .send(sendbuf, 0, sendcount, items(sendtype))
            .recv(recvbuf, 0, recvcount, displs, items(recvtype)));
    }

    /** Prepares what {@link #neighborAllToAll} does (MPI_Neighbor_alltoall_init). */
    public final Prequest neighborAllToAllInit(Object sendbuf, int sendcount, Datatype sendtype,
        Object recvbuf, int recvcount, Datatype recvtype, Info info) throws MPIException {
        return prepared(
            beginning("neighborAllToAllInit", Collective.NEIGHBOR_ALLTOALL).send(sendbuf, 0, sendcount, items(sendtype))
                .recv(recvbuf, 0, recvcount, items(recvtype)));
    }

    /** Prepares what {@link #neighborAllToAllv} does (MPI_Neighbor_alltoallv_init). */
    public final Prequest neighborAllToAllvInit(Object sendbuf, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int[] recvcount, int[] rdispls, Datatype recvtype, Info info) throws MPIException {
        return prepared(beginning("neighborAllToAllvInit", Collective.NEIGHBOR_ALLTOALL)
            .send(sendbuf, 0, sendcount, sdispls, items(sendtype))
            .recv(recvbuf, 0, recvcount, rdispls, items(recvtype)));
    }

    // ---- after the death of ranks ----

    /**
     * Makes all calls on this communicator fail with {@link MPI#ERR_REVOKED}, on all its ranks, now and later; only
     * free, getters, and the calls described here work on. One rank calls it, or several; it waits for nobody
     * (MPIX_Comm_revoke).
     */
    public final void revoke() throws MPIException {
        handle.lower("revoke").revoke();
    }

    /** Whether a rank has revoked this communicator, as far as this rank has heard (MPIX_Comm_is_revoked). */
    public final boolean isRevoked() throws MPIException {
        return handle.lower("isRevoked").isRevoked();
    }

    /**
     * The ranks that are known here to have died, in the order in which that was noticed; of an inter-communicator, in
     * both groups. Other ranks may know of fewer or more (MPIX_Comm_get_failed).
     */
    public final Group getFailed() throws MPIException {
        Communicator lower = handle.lower("getFailed");
        return new Group(lower.failed());
    }

    /**
     * Acknowledges the deaths of the first ranks of {@link #getFailed}: receives from {@link MPI#ANY_SOURCE} no longer
     * fail because of them, nor does {@link #agree} once all ranks have acknowledged them (MPIX_Comm_ack_failed).
     *
     * @param count how many, 0 or more; more than there are is all of them
     * @return how many are acknowledged now; never fewer than before
     * @throws MPIException ERR_ARG if {@code count} is negative
     */
    public final int ackFailed(int count) throws MPIException {
        return acknowledge("ackFailed", count);
    }

    /**
     * Agrees on a flag with all ranks that are left, even if ranks die meanwhile, and also if this communicator has
     * been revoked. All ranks that are left call it (MPIX_Comm_agree).
     *
     * @param flag one number; the bitwise AND of all ranks' numbers replaces it, the same on all ranks
     * @throws MPIException ERR_PROC_FAILED, on all ranks or none, if a rank has died and not all ranks had acknowledged
     * that ({@link #ackFailed}); the flag is agreed on all the same. ERR_ARG if {@code flag} is null or empty.
     * ERR_OTHER if other ranks call shrink
     */
    public final void agree(int[] flag) throws MPIException {
        agreement("agree", flag).await();
    }

    /**
     * Begins what {@link #agree} does. Ranks begin several agreements in the same order (MPIX_Comm_iagree).
     *
     * @param flag as for {@link #agree}; not to be touched until the request is complete
     */
    public final Request iAgree(int[] flag) throws MPIException {
        return new Request(agreement("iAgree", flag));
    }
}
