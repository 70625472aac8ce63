package org.brigade.communicator;

import java.util.Arrays;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.DeviceBuffer;
import mpi.spi.ElementKind;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;
import org.brigade.bootstrap.Nodes;
import org.brigade.device.CallLine;
import org.brigade.device.DeviceCommunicator;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.engine.Party;
import org.brigade.matching.PointToPoint;

/**
 * A communicator: members, a context that keeps its messages apart from all others', and the two sides that do its work.
 */
final class IntraCommunicator implements Communicator, DeviceCommunicator {
    private static final TypeLayout LONG = TypeLayout.of("MPI.LONG", ElementKind.LONG, 1);
    /** Bit of a context whose messages are the library's own. */
    private static final int INTERNAL = 0x8000_0000;

    private final BrigadeProvider provider;
    private final int context;
    private final long firstCall;
    private final int rank;
    private final int[] members;
    private final Party party;
    private final PointToPoint messages;
    private final CallLine line;
    private final CollectiveCalls calls;
    /** Null until a collective's buffer is device memory. */
    private DeviceCalls deviceCalls;
    private String name;
    /** Of messages of the library's own: those sent less those received. */
    private long unreceivedAside;

    /**
     * @param id            its context and the number of its first call, as {@link Contexts} hands them out
     * @param returnsErrors of the communicator from which this one is made
     */
    IntraCommunicator(BrigadeProvider provider, long id, int rank, int[] members, String name, boolean returnsErrors) {
        this.provider = provider;
        this.context = (int) id;
        this.firstCall = id >>> Integer.SIZE;
        this.rank = rank;
        this.members = members;
        this.name = name;
        this.party = new Party(rank, members, name, returnsErrors);
        this.messages = provider.messages(context, party, name);
        this.line = provider.line(id, rank, members);
        this.calls = new CollectiveCalls(provider.progress(), provider.selector(), provider.combiners(), provider.checks(), context, firstCall, party, line, provider.wires(), name);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return members.length;
    }

    @Override
    public int[] members() {
        return members;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void rename(String name) {
        this.name = name;
        party.rename(name);
        messages.rename(name);
        calls.sequence().rename(name);
    }

    @Override
    public void returnErrors(boolean wish) {
        provider.progress().lock.lock();
        try {
            party.returnErrors(wish);
            if (wish) {
                provider.progress().tolerate();
            }
        } finally {
            provider.progress().lock.unlock();
        }
    }

    boolean returnsErrors() {
        return party.returnsErrors();
    }

    @Override
    public void refused(String call, MPIException why) {
        if (!provider.checks()) {
            return;
        }
        provider.progress().lock.lock();
        try {
            calls.sequence().refuse(call, why);
        } finally {
            provider.progress().lock.unlock();
        }
    }

    /** Says to the members that this rank finalizes, if calls are compared. */
    void checkFinalize() {
        calls.checkFinalize();
    }

    // ---- point to point ----

    @Override
    public void send(Object buffer, long offset, int count, TypeLayout type, int destination, int tag, SendMode mode) {
        messages.send(buffer, offset, (long) count * type.extent, destination, tag, mode);
    }

    @Override
    public Operation isend(Object buffer, long offset, int count, TypeLayout type, int destination, int tag, SendMode mode) {
        return messages.isend(buffer, offset, (long) count * type.extent, destination, tag, mode);
    }

    @Override
    public void recv(Object buffer, long offset, int count, TypeLayout type, int source, int tag, Envelope envelope) {
        messages.recv(buffer, offset, (long) count * type.extent, source, tag, envelope);
    }

    @Override
    public Operation irecv(Object buffer, long offset, int count, TypeLayout type, int source, int tag) {
        return messages.irecv(buffer, offset, (long) count * type.extent, source, tag);
    }

    @Override
    public boolean iprobe(int source, int tag, Envelope envelope) {
        return messages.iprobe(source, tag, envelope);
    }

    @Override
    public void probe(int source, int tag, Envelope envelope) {
        messages.probe(source, tag, envelope);
    }

    // ---- collectives: on devices if all members' data is there, else through the host ----

    private static boolean onDevice(Object send, Object recv, boolean blocking) {
        return (send instanceof DeviceBuffer || recv instanceof DeviceBuffer) && blocking;
    }

    private DeviceCalls onDevices() {
        if (deviceCalls == null) {
            CollectiveCalls aside = new CollectiveCalls(provider.progress(), provider.selector(), provider.combiners(), false, context | INTERNAL, firstCall, party, null, null, name);
            deviceCalls = new DeviceCalls(provider, calls.sequence(), aside, line, party);
            provider.opened(deviceCalls);
        }
        return deviceCalls;
    }

    @Override
    public DeviceGroup deviceGroup(DeviceBuffer buffer) {
        return onDevices().group(buffer);
    }

    @Override
    public boolean isOnOneNode() {
        Nodes nodes = provider.nodes();
        return nodes == null || nodes.spannedBy(members) == 1;
    }

    @Override
    public Devices devices() {
        return provider.devices();
    }

    @Override
    public byte[][] exchange(byte[] mine) {
        return onDevices().exchange(mine);
    }

    @Override
    public Operation barrier(boolean blocking) {
        return calls.barrier(blocking);
    }

    @Override
    public Operation bcast(Object buffer, long offset, int count, TypeLayout type, int root, boolean blocking) {
        if (onDevice(null, buffer, blocking) && onDevices().bcast(buffer, offset, (long) count * type.extent, root)) {
            return null;
        }
        return calls.bcast(buffer, offset, count, type, root, blocking);
    }

    @Override
    public Operation gather(Object send, long sendOffset, int sendCount, TypeLayout sendType,
                            Object recv, long recvOffset, int recvCount, TypeLayout recvType, int root, boolean blocking) {
        long block = rank == root ? (long) recvCount * recvType.extent : (long) sendCount * sendType.extent;
        if (onDevice(send, recv, blocking) && onDevices().gather(send, sendOffset, send == null ? block : (long) sendCount * sendType.extent, recv, recvOffset, block, root)) {
            return null;
        }
        return calls.gather(send, sendOffset, send == null ? block : (long) sendCount * sendType.extent, recv, recvOffset, block, root, blocking);
    }

    @Override
    public Operation gatherv(Object send, long sendOffset, int sendCount, TypeLayout sendType,
                             Object recv, long recvOffset, int[] recvCounts, int[] displacements, TypeLayout recvType, int root, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().gatherv(send, sendOffset, send == null ? 0 : (long) sendCount * sendType.extent,
            recv, recvOffset, recvCounts, displacements, rank == root ? recvType.extent : 1, root)) {
            return null;
        }
        return calls.gatherv(send, sendOffset, send == null ? 0 : (long) sendCount * sendType.extent,
            recv, recvOffset, recvCounts, displacements, rank == root ? recvType.extent : 1, root, blocking);
    }

    @Override
    public Operation scatter(Object send, long sendOffset, int sendCount, TypeLayout sendType,
                             Object recv, long recvOffset, int recvCount, TypeLayout recvType, int root, boolean blocking) {
        long block = rank == root ? (long) sendCount * sendType.extent : (long) recvCount * recvType.extent;
        if (onDevice(send, recv, blocking) && onDevices().scatter(send, sendOffset, block, recv, recvOffset, recv == null ? block : (long) recvCount * recvType.extent, root)) {
            return null;
        }
        return calls.scatter(send, sendOffset, block, recv, recvOffset, recv == null ? block : (long) recvCount * recvType.extent, root, blocking);
    }

    @Override
    public Operation scatterv(Object send, long sendOffset, int[] sendCounts, int[] displacements, TypeLayout sendType,
                              Object recv, long recvOffset, int recvCount, TypeLayout recvType, int root, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().scatterv(send, sendOffset, sendCounts, displacements, rank == root ? sendType.extent : 1,
            recv, recvOffset, recv == null ? 0 : (long) recvCount * recvType.extent, root)) {
            return null;
        }
        return calls.scatterv(send, sendOffset, sendCounts, displacements, rank == root ? sendType.extent : 1,
            recv, recvOffset, recv == null ? 0 : (long) recvCount * recvType.extent, root, blocking);
    }

    @Override
    public Operation allgather(Object send, long sendOffset, int sendCount, TypeLayout sendType,
                               Object recv, long recvOffset, int recvCount, TypeLayout recvType, boolean blocking) {
        long block = (long) recvCount * recvType.extent;
        if (onDevice(send, recv, blocking) && onDevices().allgather(send, sendOffset, send == null ? block : (long) sendCount * sendType.extent, recv, recvOffset, block)) {
            return null;
        }
        return calls.allgather(send, sendOffset, send == null ? block : (long) sendCount * sendType.extent, recv, recvOffset, block, blocking);
    }

    @Override
    public Operation allgatherv(Object send, long sendOffset, int sendCount, TypeLayout sendType,
                                Object recv, long recvOffset, int[] recvCounts, int[] displacements, TypeLayout recvType, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().allgatherv(send, sendOffset, send == null ? -1 : (long) sendCount * sendType.extent,
            recv, recvOffset, recvCounts, displacements, recvType.extent)) {
            return null;
        }
        return calls.allgatherv(send, sendOffset, send == null ? -1 : (long) sendCount * sendType.extent,
            recv, recvOffset, recvCounts, displacements, recvType.extent, blocking);
    }

    @Override
    public Operation alltoall(Object send, long sendOffset, int sendCount, TypeLayout sendType,
                              Object recv, long recvOffset, int recvCount, TypeLayout recvType, boolean blocking) {
        long block = (long) recvCount * recvType.extent;
        if (onDevice(send, recv, blocking) && onDevices().alltoall(send, sendOffset, send == null ? block : (long) sendCount * sendType.extent, recv, recvOffset, block)) {
            return null;
        }
        return calls.alltoall(send, sendOffset, send == null ? block : (long) sendCount * sendType.extent, recv, recvOffset, block, blocking);
    }

    @Override
    public Operation alltoallv(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout sendType,
                               Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout recvType, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().alltoallv(send, sendOffset, sendCounts, sendDisplacements, sendType, recv, recvOffset, recvCounts, recvDisplacements, recvType)) {
            return null;
        }
        return calls.alltoallv(send, sendOffset, sendCounts, sendDisplacements, sendType, recv, recvOffset, recvCounts, recvDisplacements, recvType, blocking);
    }

    @Override
    public Operation alltoallw(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout[] sendTypes,
                               Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout[] recvTypes, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().alltoallw(send, sendOffset, sendCounts, sendDisplacements, sendTypes, recv, recvOffset, recvCounts, recvDisplacements, recvTypes)) {
            return null;
        }
        return calls.alltoallw(send, sendOffset, sendCounts, sendDisplacements, sendTypes, recv, recvOffset, recvCounts, recvDisplacements, recvTypes, blocking);
    }

    @Override
    public Operation reduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, int root, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().reduce(send, sendOffset, recv, recvOffset, count, type, op, root)) {
            return null;
        }
        return calls.reduce(send, sendOffset, recv, recvOffset, count, type, op, root, blocking);
    }

    @Override
    public Operation allreduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().allreduce(send, sendOffset, recv, recvOffset, count, type, op)) {
            return null;
        }
        return calls.allreduce(send, sendOffset, recv, recvOffset, count, type, op, blocking);
    }

    @Override
    public Operation reduceScatter(Object send, long sendOffset, Object recv, long recvOffset, int[] counts, TypeLayout type, Reduction op, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().reduceScatter(send, sendOffset, recv, recvOffset, counts, 0, type, op)) {
            return null;
        }
        return calls.reduceScatter(send, sendOffset, recv, recvOffset, counts, 0, type, op, blocking);
    }

    @Override
    public Operation reduceScatterBlock(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().reduceScatter(send, sendOffset, recv, recvOffset, null, count, type, op)) {
            return null;
        }
        return calls.reduceScatter(send, sendOffset, recv, recvOffset, null, count, type, op, blocking);
    }

    @Override
    public Operation scan(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().scan(false, send, sendOffset, recv, recvOffset, count, type, op)) {
            return null;
        }
        return calls.scan(false, send, sendOffset, recv, recvOffset, count, type, op, blocking);
    }

    @Override
    public Operation exscan(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        if (onDevice(send, recv, blocking) && onDevices().scan(true, send, sendOffset, recv, recvOffset, count, type, op)) {
            return null;
        }
        return calls.scan(true, send, sendOffset, recv, recvOffset, count, type, op, blocking);
    }

    // ---- making communicators ----

    @Override
    public Communicator duplicate() {
        long[] id = {rank == 0 ? provider.newContext() : 0};
        bcast(id, 0, 1, LONG, 0, true);
        return duplicate(id[0]);
    }

    @Override
    public Operation iduplicate(Communicator[] result) {
        long[] id = {rank == 0 ? provider.newContext() : 0};
        return new Duplication(this, bcast(id, 0, 1, LONG, 0, false), id, result);
    }

    Communicator duplicate(long newContext) {
        return new IntraCommunicator(provider, newContext, rank, members, name + " (duplicate)", party.returnsErrors());
    }

    @Override
    public Communicator split(int colour, int key) {
        long[] mine = {colour, key, provider.newContext()};
        long[] all = new long[3 * members.length];
        allgather(mine, 0, 3, LONG, all, 0, 3, LONG, true);
        if (colour < 0) {
            provider.giveBackContext(mine[2]);
            return null;
        }
        long[] keyed = new long[members.length];
        int count = 0;
        for (int i = 0; i < members.length; i++) {
            if (all[3 * i] == colour) {
                keyed[count++] = all[3 * i + 1] << Integer.SIZE | i; // equal keys stay in the order of ranks
            }
        }
        Arrays.sort(keyed, 0, count);
        int[] chosen = new int[count];
        for (int i = 0; i < count; i++) {
            chosen[i] = (int) keyed[i];
        }
        if (chosen[0] != rank) {
            provider.giveBackContext(mine[2]);
        }
        return member(all[3 * chosen[0] + 2], chosen, name + " (split " + colour + ")");
    }

    @Override
    public Communicator splitShared(int key) {
        Nodes nodes = provider.nodes();
        return split(nodes == null ? 0 : nodes.own(), key);
    }

    @Override
    public Communicator create(int[] ranks) {
        // Groups may differ between disjoint sets of callers, so everyone offers a context and the first of a group decides.
        long[] mine = {provider.newContext()};
        long[] all = new long[members.length];
        allgather(mine, 0, 1, LONG, all, 0, 1, LONG, true);
        if (ranks.length == 0 || ranks[0] != rank) {
            provider.giveBackContext(mine[0]);
        }
        return ranks.length == 0 ? null : member(all[ranks[0]], ranks, name + " (group)");
    }

    @Override
    public Communicator createGroup(int[] ranks, int tag) {
        long[] id = new long[1];
        int newRank = indexOf(ranks, rank);
        if (newRank < 0) {
            return null;
        }
        // Between the named ranks alone: the others of this communicator may be lost.
        PointToPoint aside = messages.another(context | INTERNAL, new Party(newRank, worldOf(ranks), name, party.returnsErrors()), name);
        if (newRank == 0) {
            id[0] = provider.newContext();
            for (int i = 1; i < ranks.length; i++) {
                aside.send(id, 0, 8, i, tag, SendMode.STANDARD);
            }
        } else {
            aside.recv(id, 0, 8, 0, tag, new Envelope());
        }
        unreceivedAside += aside.unreceived();
        return member(id[0], ranks, name + " (group)");
    }

    /** The communicator of these ranks of this one; null if this rank is not among them. */
    private Communicator member(long newContext, int[] ranks, String newName) {
        int newRank = indexOf(ranks, rank);
        if (newRank < 0) {
            return null;
        }
        return new IntraCommunicator(provider, newContext, newRank, worldOf(ranks), newName, party.returnsErrors());
    }

    /** These ranks as ranks of the job. */
    private int[] worldOf(int[] ranks) {
        int[] world = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            world[i] = members[ranks[i]];
        }
        return world;
    }

    private static int indexOf(int[] ranks, int wanted) {
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public void free() {
        // Operations under way hold what they need; everything else goes with this object, but for the line that others may still read.
        calls.free();
        provider.forget(line, deviceCalls);
        boolean clean = messages.isQuiet() && deviceCalls == null && !calls.wentByFabric();
        provider.ended(context, members, messages.unreceived() + unreceivedAside, calls.sequence().number(), clean);
    }
}
