package mpi;

import static mpi.Datatype.items;
import static mpi.Op.operation;

import java.nio.Buffer;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.Hints;
import mpi.front.job.JobState;
import mpi.front.job.MemberLists;
import mpi.front.processes.MeetingPoints;
import mpi.front.processes.Spawning;
import mpi.front.requests.Duplication;
import mpi.front.topology.DistGraph;
import mpi.front.topology.DistGraphCreation;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.InterCommunicator;

/**
 * A communicator of one group of ranks. Adds to {@link Comm} the prefix reductions, the making of communicators and
 * topologies, and what joins jobs, all in the dialect of Open MPI's Java bindings. Below them stand all calls of
 * mpiJava's dialect for such a communicator, which MPJ Express has too: their offsets, parameters and errors are as
 * {@link MpjComm} says, and a reduction is in place if its two buffers and offsets are the same.
 */
public class Intracomm extends Comm {
    Intracomm(Handle handle) {
        super(handle);
    }

    /**
     * Combines the items of ranks 0 to this one, index by index (MPI_Scan).
     *
     * @param sendbuf this rank's {@code count} items; not changed
     * @param recvbuf room for {@code count} items; {@code sendbuf} itself (in place), or no overlap with it
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        blocking("scan", Collective.SCAN).reduce(sendbuf, 0, recvbuf, 0, count, items(type), operation(op)).run();
    }

    /**
     * Combines the items of ranks 0 to this one in place (MPI_Scan with MPI_IN_PLACE).
     *
     * @param recvbuf this rank's {@code count} items; the result replaces them
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void scan(Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        blocking("scan", Collective.SCAN).reduce(recvbuf, 0, recvbuf, 0, count, items(type), operation(op)).run();
    }

    /**
     * Combines the items of the ranks before this one, index by index (MPI_Exscan).
     *
     * @param sendbuf this rank's {@code count} items; not changed
     * @param recvbuf room for {@code count} items, not changed at rank 0; {@code sendbuf} itself (in place), or no
     * overlap with it
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        blocking("exScan", Collective.EXSCAN).reduce(sendbuf, 0, recvbuf, 0, count, items(type), operation(op)).run();
    }

    /**
     * Combines the items of the ranks before this one in place (MPI_Exscan with MPI_IN_PLACE).
     *
     * @param buf this rank's {@code count} items; the result replaces them, except at rank 0
     * @param count items of {@code type}, the same on all ranks, 0 or more
     * @param type type of one item
     * @param op a predefined operation that {@code type} allows, or a user's, the same on all ranks
     * @throws MPIException ERR_BUFFER, ERR_COUNT or ERR_TYPE if a buffer does not hold its items; ERR_OP if {@code op}
     * is null, freed, or not defined on {@code type}
     */
    public final void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        blocking("exScan", Collective.EXSCAN).reduce(buf, 0, buf, 0, count, items(type), operation(op)).run();
    }

    /** Begins what {@link #scan(Object, Object, int, Datatype, Op)} does (MPI_Iscan). */
    public final Request iScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return iScan((Object) sendbuf, recvbuf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscan). */
    public final Request iScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        return started(
            nonblocking("iScan", Collective.SCAN).reduce(sendbuf, 0, recvbuf, 0, count, items(type), operation(op)));
    }

    /** Begins what {@link #scan(Object, int, Datatype, Op)} does (MPI_Iscan). */
    public final Request iScan(Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return iScan((Object) recvbuf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iscan). */
    public final Request iScan(Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        return started(
            nonblocking("iScan", Collective.SCAN).reduce(recvbuf, 0, recvbuf, 0, count, items(type), operation(op)));
    }

    /** Begins what {@link #exScan(Object, Object, int, Datatype, Op)} does (MPI_Iexscan). */
    public final Request iExScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op) throws MPIException {
        return iExScan((Object) sendbuf, recvbuf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iexscan). */
    public final Request iExScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        return started(nonblocking("iExScan", Collective.EXSCAN).reduce(sendbuf, 0, recvbuf, 0, count, items(type),
            operation(op)));
    }

    /** Begins what {@link #exScan(Object, int, Datatype, Op)} does (MPI_Iexscan). */
    public final Request iExScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return iExScan((Object) buf, count, type, op);
    }

    /** The same for a buffer of any kind, such as a device pointer (MPI_Iexscan). */
    public final Request iExScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        return started(
            nonblocking("iExScan", Collective.EXSCAN).reduce(buf, 0, buf, 0, count, items(type), operation(op)));
    }

    /** Prepares what {@link #scan(Object, Object, int, Datatype, Op)} does (MPI_Scan_init). */
    public final Prequest scanInit(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, Info info)
        throws MPIException {
        return prepared(
            nonblocking("scanInit", Collective.SCAN).reduce(sendbuf, 0, recvbuf, 0, count, items(type), operation(op)));
    }

    /** Prepares what {@link #scan(Object, int, Datatype, Op)} does (MPI_Scan_init). */
    public final Prequest scanInit(Object buf, int count, Datatype type, Op op, Info info) throws MPIException {
        return prepared(
            nonblocking("scanInit", Collective.SCAN).reduce(buf, 0, buf, 0, count, items(type), operation(op)));
    }

    /** Prepares what {@link #exScan(Object, Object, int, Datatype, Op)} does (MPI_Exscan_init). */
    public final Prequest exScanInit(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, Info info)
        throws MPIException {
        return prepared(nonblocking("exScanInit", Collective.EXSCAN).reduce(sendbuf, 0, recvbuf, 0, count, items(type),
            operation(op)));
    }

    /** Prepares what {@link #exScan(Object, int, Datatype, Op)} does (MPI_Exscan_init). */
    public final Prequest exScanInit(Object buf, int count, Datatype type, Op op, Info info) throws MPIException {
        return prepared(
            nonblocking("exScanInit", Collective.EXSCAN).reduce(buf, 0, buf, 0, count, items(type), operation(op)));
    }

    // ---- making communicators ----

    /** A communicator of this one's kind and topology. */
    Intracomm alike(Handle other) {
        return new Intracomm(other);
    }

    @Override
    public Intracomm dup() throws MPIException {
        return duplicate("dup");
    }

    @Override
    public Intracomm iDup() throws MPIException {
        Communicator lower = handle.lower("iDup");
        Handle promised = Handle.promised();
        Intracomm copy = alike(promised);
        copy.inherit(this);
        copy.madeBy(new Request(new Duplication(lower, promised)));
        return copy;
    }

    @Override
    public Intracomm dupWithInfo(Info info) throws MPIException {
        Intracomm copy = duplicate("dupWithInfo");
        copy.setInfo(info);
        return copy;
    }

    @Override
    public Intracomm clone() {
        return duplicate("clone");
    }

    private Intracomm duplicate(String call) {
        Intracomm copy = alike(Handle.of(handle.lower(call).duplicate()));
        copy.inherit(this);
        return copy;
    }

    /** A communicator of some of this one's ranks. */
    final Intracomm made(Communicator lower) {
        return descended(new Intracomm(Handle.of(lower)));
    }

    /** Gives a communicator that was made from this one what it inherits. */
    final <C extends Intracomm> C descended(C part) {
        part.inheritHandler(this);
        return part;
    }

    final Communicator part(String call, int colour, int key) {
        Communicator lower = handle.lower(call);
        if (colour < 0 && colour != Constants.UNDEFINED) {
            throw handle.ofCollectives.error(ErrorClass.ARG, call,
                "colour " + colour + " is negative; pass 0 or more, or MPI.UNDEFINED to stay out");
        }
        return lower.split(colour, key);
    }

    /** The group's members as ranks of this communicator. */
    static int[] ranksOf(Handle handle, String call, Group group) {
        if (group == null || group.isNull()) {
            throw handle.error(ErrorClass.GROUP, call, "the group is null or has been freed; take one from getGroup()");
        }
        int[] ranks = MemberLists.ranksAmong(Group.members(group), handle.lower(call).members());
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == Constants.UNDEFINED) {
                throw handle.error(ErrorClass.GROUP, call,
                    "member " + i + " of the group is not in this communicator; pass a subgroup of its getGroup()");
            }
        }
        return ranks;
    }

    /**
     * Divides the ranks into new communicators, one for each colour, each in the order of keys, then of ranks here. All
     * ranks call it (MPI_Comm_split).
     *
     * @param colour 0 or more; {@link MPI#UNDEFINED}: this rank stays out
     * @param key any number
     * @return this rank's communicator; a null one for colour {@link MPI#UNDEFINED}
     * @throws MPIException ERR_ARG if {@code colour} is another negative number
     */
    public final Intracomm split(int colour, int key) throws MPIException {
        return made(part("split", colour, key));
    }

    /**
     * A communicator of the ranks that are left, in their order; the dead ones are left out. All ranks that are left
     * call it; it works on a revoked communicator, too. A rank that dies meanwhile may be in the new communicator: then
     * the first call there that needs it says so (MPIX_Comm_shrink).
     *
     * @throws MPIException ERR_OTHER if other ranks call {@link #agree}
     */
    public final Intracomm shrink() throws MPIException {
        return made(handle.lower("shrink").shrink("shrink"));
    }

    /**
     * Divides the ranks by what they share. All ranks call it (MPI_Comm_split_type).
     *
     * @param splitType {@link Comm#TYPE_SHARED}: ranks that share memory come together; {@link MPI#UNDEFINED}: this
     * rank stays out
     * @param key the order in the new communicators: by key, then by rank here
     * @param info hints; not used
     * @return this rank's communicator; a null one if it stays out
     * @throws MPIException ERR_ARG if {@code splitType} is another number
     */
    public final Intracomm splitType(int splitType, int key, Info info) throws MPIException {
        Communicator lower = handle.lower("splitType");
        if (splitType != TYPE_SHARED && splitType != Constants.UNDEFINED) {
            throw handle.ofCollectives.error(ErrorClass.ARG, "splitType",
                "type " + splitType + " is unknown; pass Comm.TYPE_SHARED or MPI.UNDEFINED");
        }
        return made(splitType == Constants.UNDEFINED ? lower.split(splitType, key) : lower.splitShared(key));
    }

    /**
     * A communicator of the group's ranks, in the group's order. All ranks call it with the same group
     * (MPI_Comm_create).
     *
     * @param group some of this communicator's ranks
     * @return a null communicator on ranks outside the group
     * @throws MPIException ERR_GROUP if {@code group} is null, freed, or not a part of this communicator
     */
    public final Intracomm create(Group group) throws MPIException {
        Communicator lower = handle.lower("create");
        return made(lower.create(ranksOf(handle.ofCollectives, "create", group)));
    }

    /**
     * As {@link #create}, but only the group's ranks call it (MPI_Comm_create_group).
     *
     * @param group some of this communicator's ranks
     * @param tag 0 or more; distinguishes simultaneous calls
     * @return a null communicator on ranks outside the group
     * @throws MPIException ERR_TAG if {@code tag} is negative; ERR_GROUP as for {@link #create}
     */
    public final Intracomm createGroup(Group group, int tag) throws MPIException {
        Communicator lower = handle.lower("createGroup");
        if (tag < 0) {
            throw handle.error(ErrorClass.TAG, "createGroup", "tag " + tag + " is negative; pass 0 or more");
        }
        int[] ranks = ranksOf(handle, "createGroup", group);
        return made(group.getRank() == Constants.UNDEFINED ? null : lower.createGroup(ranks, tag));
    }

    // ---- other jobs ----

    /**
     * Opens a port at which processes of other jobs of this user can connect. The port is open until
     * {@link #closePort}, and at most until this process ends (MPI_Open_port).
     *
     * @return its name, at most {@link MPI#MAX_PORT_NAME} characters, to be passed to {@link #accept} here and to
     * {@link #connect} there
     * @throws MPIException ERR_PORT if this user's folder of ports (setting {@code brigade.ports}) cannot be used
     */
    public static String openPort() throws MPIException {
        return openPort(null);
    }

    /**
     * As {@link #openPort()}.
     *
     * @param info hints; not used
     */
    public static String openPort(Info info) throws MPIException {
        return MeetingPoints.open(Info.hints(info));
    }

    /**
     * Closes a port. Processes that wait there in {@link #connect} get an error (MPI_Close_port).
     *
     * @throws MPIException ERR_PORT if this process has not opened the port, or has closed it
     */
    public static void closePort(String name) throws MPIException {
        MeetingPoints.close(name);
    }

    /**
     * Publishes a port under a name, for {@link #lookupName} in any job of this user (MPI_Publish_name).
     *
     * @param service any text, not empty
     * @param port an open port
     * @throws MPIException ERR_SERVICE if a running process has published the name already; ERR_PORT if the port is not
     * open
     */
    public static void publishName(String service, String port) throws MPIException {
        publishName(service, null, port);
    }

    /**
     * As {@link #publishName(String, String)}.
     *
     * @param info hints; not used
     */
    public static void publishName(String service, Info info, String port) throws MPIException {
        MeetingPoints.publish(service, Info.hints(info), port);
    }

    /**
     * Takes a published name back (MPI_Unpublish_name).
     *
     * @throws MPIException ERR_SERVICE if the name is not published for this port
     */
    public static void unpublishName(String service, String port) throws MPIException {
        unpublishName(service, null, port);
    }

    /**
     * As {@link #unpublishName(String, String)}.
     *
     * @param info hints; not used
     */
    public static void unpublishName(String service, Info info, String port) throws MPIException {
        MeetingPoints.unpublish(service, Info.hints(info), port);
    }

    /**
     * The port that is published under a name (MPI_Lookup_name).
     *
     * @throws MPIException ERR_NAME if no running process of this user has published the name
     */
    public static String lookupName(String service) throws MPIException {
        return lookupName(service, null);
    }

    /**
     * As {@link #lookupName(String)}.
     *
     * @param info hints; not used
     */
    public static String lookupName(String service, Info info) throws MPIException {
        return MeetingPoints.lookup(service, Info.hints(info));
    }

    /** An inter-communicator that was made from this communicator. */
    private Intercomm joined(InterCommunicator lower) {
        Intercomm made = new Intercomm(Handle.of(lower));
        made.inheritHandler(this);
        return made;
    }

    /**
     * Waits until a group of ranks connects to a port, and makes an inter-communicator with it. All ranks call it. The
     * other group may be of another job of this user on this machine, or of this job (MPI_Comm_accept).
     *
     * @param port an open port; read at the root only
     * @param root the rank that waits at the port, the same on all ranks
     * @throws MPIException on all ranks: ERR_PORT if the port is not open, ERR_ROOT if {@code root} is not a rank or
     * not the same on all, ERR_GROUP if a process is in both groups
     */
    public final Intercomm accept(String port, int root) throws MPIException {
        return accept(port, null, root);
    }

    /**
     * As {@link #accept(String, int)}.
     *
     * @param info hints; not used
     */
    public final Intercomm accept(String port, Info info, int root) throws MPIException {
        return joined(MeetingPoints.meet(handle, "accept", port, Info.hints(info), root));
    }

    /**
     * Connects to a group of ranks that waits at a port in {@link #accept}, or will as long as the port is open, and
     * makes an inter-communicator with it. All ranks call it (MPI_Comm_connect).
     *
     * @param port what {@link #openPort} has returned there, or {@link #lookupName} here; read at the root only
     * @param root the rank that goes to the port, the same on all ranks
     * @throws MPIException on all ranks: ERR_PORT if there is no such port, or it is closed meanwhile; otherwise as for
     * {@link #accept}
     */
    public final Intercomm connect(String port, int root) throws MPIException {
        return connect(port, null, root);
    }

    /**
     * As {@link #connect(String, int)}.
     *
     * @param info hints; not used
     */
    public final Intercomm connect(String port, Info info, int root) throws MPIException {
        return joined(MeetingPoints.meet(handle, "connect", port, Info.hints(info), root));
    }

    /**
     * Starts processes of another program, as a job of its own, and makes an inter-communicator with them. All ranks
     * call it; it returns when the new processes are in MPI.Init, where {@link Intercomm#getParent} gives them the
     * other end (MPI_Comm_spawn). They run on the root's machine, and all ranks must be on that machine.
     *
     * @param command {@code java}, or a path that ends so: the arguments are those of a java command line, options,
     * class and arguments, and without {@code -cp} the class path is this job's. Another path: a program that starts a
     * Java MPI program. Else the name of a class: it is run with the java options of this job
     * @param argv the arguments; null: none
     * @param maxprocs how many processes, 1 or more. Fewer are never started
     * @param info {@code wd} or {@code wdir}: where the processes run. {@code host}: this machine's name or
     * {@code localhost}; others are refused. Other keys are not used
     * @param root the rank whose other arguments count, the same on all ranks
     * @param errcodes one for each process, as far as there is room: {@link MPI#SUCCESS} or {@link MPI#ERR_SPAWN};
     * null: not wanted
     * @throws MPIException on all ranks: ERR_SPAWN if processes cannot be started, or one of them ends before all are
     * in MPI.Init; ERR_UNSUPPORTED_OPERATION if the ranks are on several machines; ERR_ARG, ERR_INFO_VALUE or ERR_ROOT
     * if an argument is wrong
     */
    public final Intercomm spawn(String command, String[] argv, int maxprocs, Info info, int root, int[] errcodes)
        throws MPIException {
        return joined(Spawning.spawn(handle, "spawn", new String[] {command}, new String[][] {argv},
            new int[] {maxprocs}, new Hints[] {Info.hints(info)}, root, errcodes));
    }

    /**
     * Starts processes of several programs as one job; otherwise as {@link #spawn} (MPI_Comm_spawn_multiple). The
     * attribute {@link MPI#APPNUM} tells each process which command has started it.
     *
     * @param commands one or more commands
     * @param argv for each command its arguments; null: none
     * @param maxprocs for each command how many processes
     * @param info for each command; null: none
     * @param errcodes one for each process of all commands
     */
    public final Intercomm spawnMultiple(String[] commands, String[][] argv, int[] maxprocs, Info[] info, int root,
        int[] errcodes) throws MPIException {
        return joined(
            Spawning.spawn(handle, "spawnMultiple", commands, argv, maxprocs, Info.hints(info), root, errcodes));
    }

    // ---- topologies ----

    /**
     * A communicator whose ranks are the cells of a Cartesian grid; the last dimension varies fastest. All ranks call
     * it with the same arguments (MPI_Cart_create).
     *
     * @param dims ranks along each dimension, 1 or more; their product may be less than the ranks here. An empty array:
     * a grid of one rank
     * @param periods for each dimension, whether it is a ring
     * @param reorder false: ranks stay as they are. True: they are exchanged if neighbours come onto the same node, or
     * share a cache, that way
     * @return a null communicator on ranks outside the grid
     * @throws MPIException ERR_DIMS if a number in {@code dims} is not positive or the grid has more ranks than there
     * are; ERR_ARG if an array is null, or {@code periods} is shorter than {@code dims}
     */
    public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        return CartComm.of(this, dims, periods, reorder);
    }

    /**
     * A communicator whose ranks are the vertices of a graph that every rank knows. All ranks call it with the same
     * arguments (MPI_Graph_create).
     *
     * @param index for each rank of the graph, the number of neighbours of all ranks up to it; its length may be less
     * than the ranks here
     * @param edges the neighbours of rank 0, then those of rank 1, and so on. A rank may be its own neighbour, and may
     * be a neighbour of a rank that is not one of its own
     * @param reorder as for {@link #createCart}
     * @return a null communicator on ranks outside the graph
     * @throws MPIException ERR_ARG if an array is null, {@code index} has more elements than there are ranks or
     * decreases, or {@code edges} has fewer than {@code index} counts; ERR_TOPOLOGY if an edge leads out of the graph
     */
    public final GraphComm createGraph(int[] index, int[] edges, boolean reorder) throws MPIException {
        return GraphComm.of(this, index, edges, reorder);
    }

    /**
     * A communicator of all ranks, each of which knows its neighbours in a graph. Each rank describes any edges; all
     * call it (MPI_Dist_graph_create).
     *
     * @param sources the ranks whose edges are described here
     * @param degrees for each source, how many edges
     * @param destinations where the edges of the first source lead, then those of the next
     * @param weights of the edges, 0 or more: how much is sent; used to reorder ranks
     * @param info hints; not used
     * @param reorder as for {@link #createCart}
     * @throws MPIException on every rank, if on one of them: ERR_RANK if a source or destination is not in this
     * communicator; ERR_ARG if an array is null or too short, a degree or weight is negative, or only some ranks pass
     * weights
     */
    public final GraphComm createDistGraph(int[] sources, int[] degrees, int[] destinations, int[] weights, Info info,
        boolean reorder) throws MPIException {
        return distributed(new DistGraphCreation(handle, collectives(), "createDistGraph", true)
            .listed(sources, degrees, destinations, weights, reorder));
    }

    /** The same without weights (MPI_Dist_graph_create with MPI_UNWEIGHTED). */
    public final GraphComm createDistGraph(int[] sources, int[] degrees, int[] destinations, Info info,
        boolean reorder) throws MPIException {
        return distributed(new DistGraphCreation(handle, collectives(), "createDistGraph", false)
            .listed(sources, degrees, destinations, null, reorder));
    }

    /**
     * A communicator of all ranks, each of which knows its neighbours in a graph, and says them here; all call it
     * (MPI_Dist_graph_create_adjacent).
     *
     * @param sources for each edge into this rank, where it comes from
     * @param sourceWeights of these edges, 0 or more: how much is sent; used to reorder ranks
     * @param destinations for each edge out of this rank, where it leads
     * @param destWeights of these edges; each as its other end has it
     * @param info hints; not used
     * @param reorder as for {@link #createCart}
     * @throws MPIException on every rank, if on one of them: ERR_RANK if a source or destination is not in this
     * communicator; ERR_ARG if an array is null or too short, a weight is negative, or only some ranks pass weights.
     * ERR_TOPOLOGY if an edge is not described at both its ends
     */
    public final GraphComm createDistGraphAdjacent(int[] sources, int[] sourceWeights, int[] destinations,
        int[] destWeights, Info info, boolean reorder) throws MPIException {
        return distributed(new DistGraphCreation(handle, collectives(), "createDistGraphAdjacent", true)
            .adjacent(sources, sourceWeights, destinations, destWeights, reorder));
    }

    /** The same without weights (MPI_Dist_graph_create_adjacent with MPI_UNWEIGHTED). */
    public final GraphComm createDistGraphAdjacent(int[] sources, int[] destinations, Info info, boolean reorder)
        throws MPIException {
        return distributed(new DistGraphCreation(handle, collectives(), "createDistGraphAdjacent", false)
            .adjacent(sources, null, destinations, null, reorder));
    }

    private GraphComm distributed(DistGraph graph) {
        return descended(new GraphComm(Handle.of(graph.lower()), new DistGraphNeighbors(graph)));
    }

    // ---- in mpiJava's dialect ----

    /** As {@link #split}, but returns null for colour {@link MPI#UNDEFINED} (MPI_Comm_split). */
    public Intracomm Split(int colour, int key) throws MPIException {
        Communicator mine = part("Split", colour, key);
        return mine == null ? null : made(mine);
    }

    /** As {@link #shrink} (MPIX_Comm_shrink). */
    public final Intracomm Shrink() throws MPIException {
        return made(handle.lower("Shrink").shrink("Shrink"));
    }

    /**
     * As {@link #create}, but returns null on ranks outside the group (MPI_Comm_create). Under {@code mpjrun -dev} such
     * a rank gets what MPJ Express gives: a communicator whose Rank is {@link MPI#UNDEFINED} and whose Size and Group
     * are the group's. Calls that communicate throw ERR_COMM there.
     */
    public Intracomm Create(Group group) throws MPIException {
        Communicator lower = handle.lower("Create");
        Communicator mine = lower.create(ranksOf(handle.ofCollectives, "Create", group));
        return mine != null ? made(mine)
            : JobState.isMpj() ? new Intracomm(Handle.outside(Group.members(group).clone())) : null;
    }

    /** As {@link #createCart}, but returns null on ranks outside the grid (MPI_Cart_create). */
    public Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        return Cartcomm.of(this, dims, periods, reorder);
    }

    /** As {@link #createGraph}, but returns null on ranks outside the graph (MPI_Graph_create). */
    public Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) throws MPIException {
        return Graphcomm.of(this, index, edges, reorder);
    }

    /** As {@link #barrier} (MPI_Barrier). */
    public void Barrier() throws MPIException {
        blocking("Barrier", Collective.BARRIER).run();
    }

    /** As {@link #bcast}, with an offset (MPI_Bcast). */
    public void Bcast(Object buf, int offset, int count, Datatype type, int root) throws MPIException {
        blocking("Bcast", Collective.BCAST, root).recv(buf, offset, count, items(type)).run();
    }

    /**
     * As {@link #gather(Object, int, Datatype, Object, int, Datatype, int)}, with an offset for each buffer
     * (MPI_Gather).
     */
    public void Gather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("Gather", Collective.GATHER, root).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, items(recvtype)).run();
    }

    /**
     * As {@link #gatherv(Object, int, Datatype, Object, int[], int[], Datatype, int)}, with an offset for each buffer
     * (MPI_Gatherv).
     */
    public void Gatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int[] recvcount, int[] displs, Datatype recvtype, int root)
        throws MPIException {
        blocking("Gatherv", Collective.GATHERV, root).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, displs, items(recvtype)).run();
    }

    /**
     * As {@link #scatter(Object, int, Datatype, Object, int, Datatype, int)}, with an offset for each buffer
     * (MPI_Scatter).
     */
    public void Scatter(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("Scatter", Collective.SCATTER, root).recv(recvbuf, recvoffset, recvcount, items(recvtype))
            .send(sendbuf, sendoffset, sendcount, items(sendtype)).run();
    }

    /**
     * As {@link #scatterv(Object, int[], int[], Datatype, Object, int, Datatype, int)}, with an offset for each buffer
     * (MPI_Scatterv).
     */
    public void Scatterv(Object sendbuf, int sendoffset, int[] sendcount, int[] displs, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype, int root) throws MPIException {
        blocking("Scatterv", Collective.SCATTERV, root).recv(recvbuf, recvoffset, recvcount, items(recvtype))
            .send(sendbuf, sendoffset, sendcount, displs, items(sendtype)).run();
    }

    /**
     * As {@link #allGather(Object, int, Datatype, Object, int, Datatype)}, with an offset for each buffer
     * (MPI_Allgather).
     */
    public void Allgather(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype) throws MPIException {
        blocking("Allgather", Collective.ALLGATHER).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, items(recvtype)).run();
    }

    /**
     * As {@link #allGatherv(Object, int, Datatype, Object, int[], int[], Datatype)}, with an offset for each buffer
     * (MPI_Allgatherv).
     */
    public void Allgatherv(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int[] recvcount, int[] displs, Datatype recvtype) throws MPIException {
        blocking("Allgatherv", Collective.ALLGATHERV).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, displs, items(recvtype)).run();
    }

    /** As {@link #allToAll}, with an offset for each buffer (MPI_Alltoall). */
    public void Alltoall(Object sendbuf, int sendoffset, int sendcount, Datatype sendtype,
        Object recvbuf, int recvoffset, int recvcount, Datatype recvtype) throws MPIException {
        blocking("Alltoall", Collective.ALLTOALL).send(sendbuf, sendoffset, sendcount, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, items(recvtype)).run();
    }

    /** As {@link #allToAllv}, with an offset for each buffer (MPI_Alltoallv). */
    public void Alltoallv(Object sendbuf, int sendoffset, int[] sendcount, int[] sdispls, Datatype sendtype,
        Object recvbuf, int recvoffset, int[] recvcount, int[] rdispls, Datatype recvtype) throws MPIException {
        blocking("Alltoallv", Collective.ALLTOALLV).send(sendbuf, sendoffset, sendcount, sdispls, items(sendtype))
            .recv(recvbuf, recvoffset, recvcount, rdispls, items(recvtype)).run();
    }

    /**
     * As {@link #reduce(Object, Object, int, Datatype, Op, int)}, with an offset for each buffer (MPI_Reduce).
     */
    public void Reduce(Object sendbuf, int sendoffset,
        Object recvbuf, int recvoffset, int count, Datatype type, Op op, int root) throws MPIException {
        blocking("Reduce", Collective.REDUCE, root)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)).run();
    }

    /**
     * As {@link #allReduce(Object, Object, int, Datatype, Op)}, with an offset for each buffer (MPI_Allreduce).
     */
    public void Allreduce(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type,
        Op op) throws MPIException {
        blocking("Allreduce", Collective.ALLREDUCE)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)).run();
    }

    /**
     * As {@link #reduceScatter(Object, Object, int[], Datatype, Op)}, with an offset for each buffer
     * (MPI_Reduce_scatter).
     */
    public void Reduce_scatter(Object sendbuf, int sendoffset,
        Object recvbuf, int recvoffset, int[] recvcounts, Datatype type, Op op) throws MPIException {
        blocking("Reduce_scatter", Collective.REDUCE_SCATTER)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, items(type), operation(op)).run();
    }

    /** As {@link #scan(Object, Object, int, Datatype, Op)}, with an offset for each buffer (MPI_Scan). */
    public void Scan(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type, Op op)
        throws MPIException {
        blocking("Scan", Collective.SCAN)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)).run();
    }

    /**
     * As {@link #scanInit(Object, Object, int, Datatype, Op, Info)}, with an offset for each buffer (MPI_Scan_init).
     */
    public Prequest Scan_init(Object sendbuf, int sendoffset, Object recvbuf, int recvoffset, int count, Datatype type,
        Op op, Info info) throws MPIException {
        return prepared(nonblocking("Scan_init", Collective.SCAN)
            .reduce(sendbuf, sendoffset, recvbuf, recvoffset, count, items(type), operation(op)));
    }
}
