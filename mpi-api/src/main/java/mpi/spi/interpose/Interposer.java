package mpi.spi.interpose;

import mpi.spi.Call;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.InterCommunicator;
import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.SendMode;
import mpi.spi.SpawnCommand;
import mpi.spi.TypeLayout;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;

/**
 * A tool that sees, changes or replaces the calls of a program, as PMPI allows it in C. Override the method of a call;
 * {@code below} does what the call does without the tool, as {@code PMPI_Send} does in C:
 *
 * <pre>
 * public final class SlowSends extends Interposer {
 *     &#64;Override
 *     public void send(Communicator below, Object buffer, long offset, int count, TypeLayout type, int destination,
 *         int tag, SendMode mode) {
 *         pause();
 *         below.send(buffer, offset, count, type, destination, tag, mode);
 *     }
 * }
 * </pre>
 *
 * <p>
 * Setting {@code brigade.interpose} names the classes, the outermost first. Init makes one object of each by its public
 * constructor without parameters; {@link Interposers#add} takes an object instead. Every communicator of the program
 * then goes through them, also those that its calls make. A job without interposers has none of this code on any path.
 *
 * <p>
 * Calls come here after package {@code mpi} has checked their arguments, in both dialects alike: collective calls of
 * all kinds as {@link #start} (or {@link #prepare}, if they are persistent), a call on objects as the calls on bytes
 * that it consists of, a call on a file as the collectives that its ranks exchange. Calls of
 * {@code org.brigade.cuda.StreamCommunicator} do not come here. A method may be called by several threads at once if
 * the program calls from several. What it throws the program's call throws.
 */
public class Interposer {
    /** The job has been joined, and the program has not called anything yet. */
    public void joined(Communicator world) {
    }

    /** The program has called Finalize; {@code world} still works. */
    public void leaving(Communicator world) {
    }

    // ---- collectives ----

    /**
     * A collective call; see {@link Communicator#start}. {@code call} belongs to the program's next call once this
     * method has returned, if it is blocking.
     *
     * @return null if it was blocking; else the operation, perhaps in a {@link ForwardingOperation} that sees its end
     */
    public Operation start(Communicator below, Call call) {
        return below.start(call);
    }

    public PersistentOperation prepare(Communicator below, Call call) {
        return below.prepare(call);
    }

    // ---- point to point ----

    public void send(Communicator below, Object buffer, long offset, int count, TypeLayout type, int destination,
        int tag, SendMode mode) {
        below.send(buffer, offset, count, type, destination, tag, mode);
    }

    public Operation isend(Communicator below, Object buffer, long offset, int count, TypeLayout type, int destination,
        int tag, SendMode mode) {
        return below.isend(buffer, offset, count, type, destination, tag, mode);
    }

    public void recv(Communicator below, Object buffer, long offset, int count, TypeLayout type, int source, int tag,
        Envelope envelope, String call) {
        below.recv(buffer, offset, count, type, source, tag, envelope, call);
    }

    public Operation irecv(Communicator below, Object buffer, long offset, int count, TypeLayout type, int source,
        int tag, String call) {
        return below.irecv(buffer, offset, count, type, source, tag, call);
    }

    public boolean iprobe(Communicator below, int source, int tag, Envelope envelope) {
        return below.iprobe(source, tag, envelope);
    }

    public void probe(Communicator below, int source, int tag, Envelope envelope) {
        below.probe(source, tag, envelope);
    }

    public MatchedMessage improbe(Communicator below, int source, int tag, Envelope envelope) {
        return below.improbe(source, tag, envelope);
    }

    public MatchedMessage mprobe(Communicator below, int source, int tag, Envelope envelope) {
        return below.mprobe(source, tag, envelope);
    }

    public PersistentOperation sendInit(Communicator below, Object buffer, long offset, int count, TypeLayout type,
        int destination, int tag, SendMode mode) {
        return below.sendInit(buffer, offset, count, type, destination, tag, mode);
    }

    public PersistentOperation recvInit(Communicator below, Object buffer, long offset, int count, TypeLayout type,
        int source, int tag, String call) {
        return below.recvInit(buffer, offset, count, type, source, tag, call);
    }

    public PersistentOperation.InPartitions partitionedSendInit(Communicator below, Object buffer, long offset,
        int partitions, long bytes, int destination, int tag, String call) {
        return below.partitionedSendInit(buffer, offset, partitions, bytes, destination, tag, call);
    }

    public PersistentOperation.InPartitions partitionedRecvInit(Communicator below, Object buffer, long offset,
        int partitions, long bytes, int source, int tag, String call) {
        return below.partitionedRecvInit(buffer, offset, partitions, bytes, source, tag, call);
    }

    // ---- waiting ----

    /** Waits until one of several operations is complete. */
    public interface AnyWait {
        /** As {@link mpi.spi.Provider#awaitAny}. */
        int await(Operation[] operations, int n);
    }

    /** A wait for one of several operations; for a wait for a certain one, see {@link ForwardingOperation}. */
    public int awaitAny(AnyWait below, Operation[] operations, int n) {
        return below.await(operations, n);
    }

    // ---- making and ending communicators; what these return is wrapped by the caller ----

    public Communicator duplicate(Communicator below) {
        return below.duplicate();
    }

    public Operation iduplicate(Communicator below, Communicator[] result) {
        return below.iduplicate(result);
    }

    public Communicator split(Communicator below, int colour, int key) {
        return below.split(colour, key);
    }

    public Communicator splitShared(Communicator below, int key) {
        return below.splitShared(key);
    }

    public Communicator create(Communicator below, int[] ranks) {
        return below.create(ranks);
    }

    public Communicator createGroup(Communicator below, int[] ranks, int tag) {
        return below.createGroup(ranks, tag);
    }

    public InterCommunicator connect(Communicator below, String call, int leader, Communicator peer, int remoteLeader,
        int tag, RuntimeException wrong) {
        return below.connect(call, leader, peer, remoteLeader, tag, wrong);
    }

    public InterCommunicator meet(Communicator below, String call, String port, boolean accepts, int root,
        RuntimeException wrong) {
        return below.meet(call, port, accepts, root, wrong);
    }

    public InterCommunicator spawn(Communicator below, String call, SpawnCommand[] programs, int root,
        RuntimeException wrong) {
        return below.spawn(call, programs, root, wrong);
    }

    public Communicator merge(InterCommunicator below, boolean high) {
        return below.merge(high);
    }

    public Communicator shrink(Communicator below, String call) {
        return below.shrink(call);
    }

    public void free(Communicator below) {
        below.free();
    }

    public void disconnect(Communicator below) {
        below.disconnect();
    }

    // ---- after the loss of a member ----

    public void revoke(Communicator below) {
        below.revoke();
    }

    public int acknowledge(Communicator below, int count) {
        return below.acknowledge(count);
    }

    public Operation agree(Communicator below, String call, int[] flag) {
        return below.agree(call, flag);
    }

    // ---- windows ----

    /** Makes a window. @return its end, perhaps in a {@link ForwardingWindow} that sees its calls */
    public WindowEnd window(WindowMaker below, WindowKind kind, Object buffer, long bytes, int unit, boolean locks,
        String name, RuntimeException wrong) {
        return below.window(kind, buffer, bytes, unit, locks, name, wrong);
    }
}
