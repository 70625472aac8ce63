package mpi.front.calls;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.arguments.Arguments;
import mpi.front.arguments.Complaints;
import mpi.front.job.Handle;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.DeviceBuffer;
import mpi.spi.Extent;
import mpi.spi.InterCommunicator;
import mpi.spi.Neighbourhood;
import mpi.spi.Operand;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.TypedBuffer;

/**
 * One collective call of a program, in either dialect. It takes the arguments operand by operand, checks each, fills in
 * the {@link Call} for the layers below, and starts it.
 *
 * <p>
 * {@link CollectiveCalls} makes these objects. All blocking calls of a communicator share one, so they allocate
 * nothing. Arguments are checked in the order of the methods called. Operands that only the root has are ignored on
 * other ranks. Offsets are in elements of the type's array.
 */
public class CollectiveCall {
    /** No element that must stay whole is longer; in bytes. */
    private static final int LONGEST_GRAIN = 8;

    final Handle handle;
    final Communicator lower;
    /** Whether nothing stands between this call and the communicator that remembers calls. */
    private final boolean isDirect;
    final Call call;
    /** The method that the program called. */
    String name;
    /** The call, if it is on objects; else null. */
    private ObjectCollective objects;
    /** Whether it describes a blocking call under way, so that another call needs an object of its own. */
    boolean busy;

    /** So often may the arguments of blocking calls change before none of them is expected to come again. */
    private static final int MOST_CHANGES = 64;
    /** Of the last call: how to know it again. */
    private final LastOperand lastSend = new LastOperand();
    private final LastOperand lastRecv = new LastOperand();
    private ReductionOperation lastOp;
    /** As far as the arguments have been seen, this is the call before again, with other buffers. */
    private boolean again;
    /** An operand of it has been seen. */
    private boolean seen;
    private int changes;

    /** @param rank by which the call compares this rank with its root */
    CollectiveCall(Handle handle, Communicator lower, int rank) {
        this.handle = handle;
        this.lower = lower;
        isDirect = lower.core() == lower;
        call = new Call(rank, handle.size);
    }

    /** A call of its own on an open communicator. */
    static CollectiveCall of(Handle handle, Communicator open) {
        return open instanceof InterCommunicator ? new InterCollectiveCall(handle, open)
            : new CollectiveCall(handle, open, handle.rank);
    }

    CollectiveCall begin(String method, Collective collective, boolean blocking) {
        if (call.memo != null && name == method) {
            again = true;
            seen = false;
            return this;
        }
        call.repeats = blocking && changes < MOST_CHANGES;
        // Stored where it differs only, as Call does.
        if (name != method) {
            name = method;
        }
        call.begin(collective, blocking);
        if (objects != null) {
            objects = null;
        }
        return this;
    }

    /** The call is not the one before again. Operands that have been seen are as they were. */
    private void anew() {
        if (again) {
            again = false;
            changes++;
            if (seen) {
                call.memo = null;
                return;
            }
            int root = call.root;
            call.begin(call.collective, true);
            call.root(root);
        }
    }

    /** This call has operands that are not known again. */
    private void unusual() {
        anew();
        lastSend.isNone();
        lastRecv.isNone();
    }

    public CollectiveCall root(int root) {
        if (again && root == call.root) {
            return this;
        }
        anew();
        Arguments.root(handle, name, root);
        call.root(root);
        return this;
    }

    /** Throws unless this rank is the root, for the forms that only the root may call. */
    public CollectiveCall atRoot(String elsewhere) {
        if (!call.isRoot()) {
            throw wrongForm("the root with its data in place", elsewhere);
        }
        return this;
    }

    /** Throws if this rank is the root, for the forms that the root may not call. */
    public CollectiveCall elsewhere(String atRoot) {
        if (call.isRoot()) {
            throw wrongForm("ranks other than the root", atRoot);
        }
        return this;
    }

    private MPIException wrongForm(String who, String insteadOf) {
        return handle.error(ErrorClass.ROOT, name,
            "this form is for " + who + ", and the root is " + call.root + "; call " + insteadOf + " here");
    }

    /** The edges of a call among neighbours. */
    public CollectiveCall among(Neighbourhood edges) {
        unusual();
        call.neighbours(edges);
        return this;
    }

    // ---- operands ----

    /** What this rank sends: {@code count} items, or {@code count} for each rank. */
    public CollectiveCall send(Object buffer, int offset, int count, ItemType type) {
        if (again) {
            if (lastSend.isAgain(call.send, buffer, offset, count, type, call.memo)) {
                seen = true;
                return this;
            }
            anew();
        }
        if (isOfObjects(type)) {
            if (sends()) {
                objects().send(buffer, offset, count, blocks(true), type);
            }
        } else if (sends()) {
            Extent extent = call.collective.send;
            int blocks = extent == Extent.VECTOR ? 1 : blocks(true);
            Object data = checked("sendbuf", buffer, offset, count, blocks, type, false);
            fill(call.send, extent, data, offset, count, blocks, type);
            keep(lastSend, call.send, buffer, offset, count, blocks, type, false);
        } else {
            lastSend.isIgnored();
        }
        return this;
    }

    /** What this rank receives: {@code count} items, or {@code count} from each rank. The root of a bcast sends it. */
    public CollectiveCall recv(Object buffer, int offset, int count, ItemType type) {
        if (again) {
            if (lastRecv.isAgain(call.recv, buffer, offset, count, type, call.memo)) {
                seen = true;
                return this;
            }
            anew();
        }
        if (isOfObjects(type)) {
            if (receives()) {
                objects().recv(buffer, offset, count, blocks(false), type);
            }
        } else if (receives()) {
            Extent extent = call.collective.recv;
            boolean only = call.collective.send == Extent.NONE;
            boolean written = !only || !call.isRoot();
            int blocks = extent == Extent.VECTOR ? 1 : blocks(false);
            Object data = checked(only ? "buf" : "recvbuf", buffer, offset, count, blocks, type, written);
            fill(call.recv, extent, data, offset, count, blocks, type);
            keep(lastRecv, call.recv, buffer, offset, count, blocks, type, written);
        } else {
            lastRecv.isIgnored();
        }
        return this;
    }

    /** Blocks of different sizes, with displacements in extents of the type. */
    public CollectiveCall send(Object buffer, int offset, int[] counts, int[] displacements, ItemType type) {
        unusual();
        if (isOfObjects(type)) {
            if (sends()) {
                objects().send(buffer, offset, counts, displacements, type);
            }
        } else if (sends()) {
            int blocks = blocks(true);
            Object data = Arguments.blocks(handle, name, "sendbuf", buffer, offset, blocks, peers(), counts,
                displacements, type, false);
            call.send.listed(data, type.at(offset), counts, displacements, type.size, blocks);
        }
        return this;
    }

    /** As {@link #send(Object, int, int[], int[], Datatype)}. */
    public CollectiveCall recv(Object buffer, int offset, int[] counts, int[] displacements, ItemType type) {
        unusual();
        if (isOfObjects(type)) {
            if (receives()) {
                objects().recv(buffer, offset, counts, displacements, type);
            }
        } else if (receives()) {
            int blocks = blocks(false);
            Object data = Arguments.blocks(handle, name, "recvbuf", buffer, offset, blocks, peers(), counts,
                displacements, type, true);
            call.recv.listed(data, type.at(offset), counts, displacements, type.size, blocks);
        }
        return this;
    }

    /** Blocks of different sizes and types, with displacements in bytes. */
    public CollectiveCall send(Object buffer, int[] counts, int[] displacements, ItemType[] types) {
        unusual();
        Object data = Arguments.typedBlocks(handle, name, "sendbuf", buffer, counts, displacements, types, false);
        typed(call.send, data, counts, displacements, types);
        return this;
    }

    /** As {@link #send(Object, int[], int[], Datatype[])}. */
    public CollectiveCall recv(Object buffer, int[] counts, int[] displacements, ItemType[] types) {
        unusual();
        Object data = Arguments.typedBlocks(handle, name, "recvbuf", buffer, counts, displacements, types, true);
        typed(call.recv, data, counts, displacements, types);
        return this;
    }

    // ---- both operands at once ----

    /**
     * One buffer that holds all blocks, this rank's own among them. If only the root has all blocks, other ranks pass
     * their own block.
     */
    public CollectiveCall inPlace(Object buffer, int offset, int count, ItemType type) {
        unusual();
        Collective collective = call.collective;
        boolean scatters = collective.scatters();
        if (!(scatters ? sends() : receives())) {
            return scatters ? recv(buffer, offset, count, type) : send(buffer, offset, count, type);
        }
        int blocks = Math.max(blocks(true), blocks(false));
        Object data = checked(scatters ? "sendbuf" : "recvbuf", buffer, offset, count, blocks, type, !scatters);
        if (collective.send == Extent.EACH) {
            fill(call.send, collective.send, data, offset, count, blocks, type);
        }
        if (!scatters) {
            fill(call.recv, collective.recv, data, offset, count, blocks(false), type);
        }
        call.inPlace();
        return this;
    }

    /** The same for blocks of different sizes, on ranks that have all blocks. */
    public CollectiveCall inPlace(Object buffer, int offset, int[] counts, int[] displacements, ItemType type) {
        unusual();
        if (call.collective.scatters()) {
            send(buffer, offset, counts, displacements, type);
        } else {
            recv(buffer, offset, counts, displacements, type);
        }
        call.inPlace();
        return this;
    }

    /** The operands of a reduction, and the operation. One buffer for both operands means in place. */
    public CollectiveCall reduce(Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
        int count, ItemType type, ReductionOperation op) {
        if (again) {
            if (op == lastOp && (sendbuf == recvbuf && receives()) == call.inPlace
                && lastSend.isAgain(call.send, sendbuf, sendOffset, count, type, call.memo)
                && lastRecv.isAgain(call.recv, recvbuf, recvOffset, count, type, call.memo)) {
                return this;
            }
            anew();
        }
        if (isOfObjects(type)) {
            objects().operation(op, type);
            return recv(recvbuf, recvOffset, count, type).send(sendbuf, sendOffset, count, type);
        }
        operation(op, type);
        if (lastOp != op) {
            lastOp = op;
        }
        if (sendbuf == recvbuf && sendOffset == recvOffset) {
            inPlace(recvbuf, recvOffset, count, type);
        } else {
            recv(recvbuf, recvOffset, count, type);
            send(sendbuf, sendOffset, count, type);
            inPlaceIfSame();
        }
        keep(lastSend, call.send, sendbuf, sendOffset, count, 1, type, false);
        if (receives()) {
            keep(lastRecv, call.recv, recvbuf, recvOffset, count, 1, type, true);
        } else {
            lastRecv.isIgnored();
        }
        return this;
    }

    /** The same for {@code counts[rank]} items of each rank, of which this rank receives its own. */
    public CollectiveCall reduce(Object sendbuf, int sendOffset, Object recvbuf, int recvOffset,
        int[] counts, ItemType type, ReductionOperation op) {
        unusual();
        int total = total(counts, call.ranks);
        int own = counts[call.rank];
        if (isOfObjects(type)) {
            objects().operation(op, type);
            objects().send(sendbuf, sendOffset, counts, null, type);
            objects().recv(recvbuf, recvOffset, own, 1, type);
            return this;
        }
        operation(op, type);
        boolean inPlace = sendbuf == recvbuf && sendOffset == recvOffset;
        Object in = checked("recvbuf", recvbuf, recvOffset, inPlace ? total : own, 1, type, true);
        Object out = inPlace ? in : checked("sendbuf", sendbuf, sendOffset, total, 1, type, false);
        call.send.listed(out, type.at(sendOffset), counts, null, type.size, call.ranks);
        fill(call.recv, Extent.OWN, in, recvOffset, own, 1, type);
        return inPlaceIfSame();
    }

    private void keep(LastOperand last, Operand operand, Object buffer, int offset, int count, int blocks,
        ItemType type, boolean written) {
        if (call.repeats) {
            last.is(buffer, operand.buffer, offset, count, blocks, type, written);
        }
    }

    void operation(ReductionOperation op, ItemType type) {
        Arguments.operation(handle, name, op, type);
        if (op.isAverage() && (call.collective == Collective.SCAN || call.collective == Collective.EXSCAN)) {
            throw handle.error(ErrorClass.OP, name,
                op + " is for all ranks' values, and a scan combines some; pass MPI.SUM and divide");
        }
        call.reduction(type.layout(), op.on(type));
    }

    /** Two pointer objects may lead to the same bytes. */
    private CollectiveCall inPlaceIfSame() {
        Object out = call.send.buffer;
        Object in = call.recv.buffer;
        long from = call.send.offset;
        long to = call.recv.offset;
        if (out instanceof DeviceBuffer && in instanceof DeviceBuffer) {
            from += ((DeviceBuffer) out).address;
            to += ((DeviceBuffer) in).address;
        } else if (out != in) {
            return this;
        }
        if (from == to) {
            call.inPlace();
        }
        return this;
    }

    // ---- starting ----

    /** Runs a blocking call. */
    public void run() {
        if (again) {
            again = false;
            if (!isDirect || !call.memo.again(call)) {
                lower.start(call);
            }
            call.clear();
            busy = false;
            return;
        }
        if (objects != null) {
            ObjectCollective ofObjects = objects;
            objects = null;
            busy = false;
            ofObjects.run();
            return;
        }
        requireRoomForOwn();
        lower.start(call);
        call.clear();
        busy = false;
    }

    /** Starts a nonblocking call. */
    public Operation start() {
        if (objects != null) {
            throw handle.error(ErrorClass.TYPE, name,
                "objects cannot be used in nonblocking collectives; make the blocking call, or pass another type");
        }
        requireRoomForOwn();
        return lower.start(call);
    }

    /** Prepares a nonblocking call for many starts. */
    public PersistentOperation prepare() {
        if (objects != null) {
            throw handle.error(ErrorClass.TYPE, name,
                "objects cannot be used in persistent collectives; make the blocking call, or pass another type");
        }
        requireRoomForOwn();
        return lower.prepare(call);
    }

    /** Throws if the block that this rank sends to itself is longer than the one it receives from itself. */
    void requireRoomForOwn() {
        if (call.collective.copiesOwn && !call.inPlace && (!call.collective.rooted || call.isRoot())) {
            long sent = call.send.blocks.length(call.collective.send == Extent.EACH ? call.rank : 0);
            long room = call.recv.blocks.length(call.collective.recv == Extent.EACH ? call.rank : 0);
            if (sent > room) {
                throw handle.error(ErrorClass.TRUNCATE, name, "this rank sends " + sent
                    + " bytes to itself, and receives " + room + " from itself; pass the same on both sides");
            }
        }
    }

    // ---- what follows from the collective and this rank ----

    static boolean isOfObjects(ItemType type) {
        return type != null && type.holdsObjects;
    }

    final ObjectCollective objects() {
        if (call.collective.amongNeighbours()) {
            throw handle.error(ErrorClass.TYPE, name,
                "objects cannot be used among neighbours; send them one by one, or pass another type");
        }
        call.repeats = false;
        if (objects == null) {
            objects = new ObjectCollective(handle, lower, name, call);
        }
        return objects;
    }

    boolean sends() {
        return !call.collective.scatters() || call.isRoot();
    }

    boolean receives() {
        Collective collective = call.collective;
        return !collective.rooted || call.isRoot() || collective.send == Extent.NONE || collective.scatters();
    }

    /** Blocks of the operand to send, or of the one to receive. */
    private int blocks(boolean toSend) {
        Extent extent = toSend ? call.collective.send : call.collective.recv;
        if (extent == Extent.EDGES) {
            return (toSend ? call.neighbours.destinations() : call.neighbours.sources()).length;
        }
        return extent == Extent.EACH ? call.ranks : 1;
    }

    /** Whom the blocks are for, in messages. */
    private String peers() {
        return call.collective.amongNeighbours() ? "neighbour" : "rank";
    }

    final Object checked(String role, Object buffer, int offset, int count, int blocks, ItemType type,
        boolean written) {
        Object usable = Arguments.buffer(handle, name, role, buffer, offset, count, blocks, type, written);
        if (call.collective.reduces) {
            Arguments.order(handle, name, role, usable, offset, type);
        }
        return usable;
    }

    final void fill(Operand operand, Extent extent, Object data, int offset, int count, int blocks, ItemType type) {
        if (extent == Extent.VECTOR) {
            long bytes = (long) count * type.size;
            // Ranks may describe the same bytes by different types, so data that are only moved are cut by the bytes.
            int whole = call.collective.reduces ? type.size : (int) Long.lowestOneBit(bytes | LONGEST_GRAIN);
            operand.vector(data, type.at(offset), whole == 0 ? 0 : bytes / whole, whole);
            call.extent = whole;
        } else {
            operand.each(data, type.at(offset), (long) count * type.size, blocks);
        }
    }

    final int total(int[] counts, int ranks) {
        if (counts == null || counts.length < ranks) {
            throw Complaints.tooFew(handle, name, "recvbuf", "counts", counts == null ? -1 : counts.length,
                ranks, "rank");
        }
        long total = 0;
        for (int rank = 0; rank < ranks; rank++) {
            if (counts[rank] < 0) {
                throw Complaints.negativeCount(handle, name, "recvbuf", counts, rank, "rank");
            }
            total += counts[rank];
        }
        if (total > Integer.MAX_VALUE) {
            throw handle.error(ErrorClass.COUNT, name,
                "the counts add up to " + total + "; reduce at most " + Integer.MAX_VALUE + " items in one call");
        }
        return (int) total;
    }

    private void typed(Operand operand, Object data, int[] counts, int[] displacements, ItemType[] types) {
        long[] lengths = new long[call.ranks];
        long[] places = new long[call.ranks];
        long packed = 0;
        for (int rank = 0; rank < call.ranks; rank++) {
            lengths[rank] = counts[rank] == 0 ? 0 : (long) counts[rank] * types[rank].size; // no items need no type
            places[rank] = data instanceof TypedBuffer ? packed : displacements[rank];
            packed += lengths[rank];
        }
        operand.placed(data, places, lengths);
    }
}
