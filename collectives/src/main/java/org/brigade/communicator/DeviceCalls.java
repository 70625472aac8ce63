package org.brigade.communicator;

import java.lang.reflect.Array;
import java.util.Arrays;
import mpi.MPIException;
import mpi.spi.DeviceBuffer;
import mpi.spi.ErrorClass;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.DeviceCatalogue;
import org.brigade.algorithm.Placement;
import org.brigade.device.CallLine;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.engine.Party;
import org.brigade.engine.Progress;
import org.brigade.pattern.Wires;
import org.brigade.schedule.Collective;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;

/**
 * The blocking collectives of one communicator for buffers in device memory. Each method answers whether the call has run on the devices; if not, nothing has happened, and the caller runs the
 * host's schedule, which takes device memory too. All members come to the same answer.
 *
 * <p>A call that cannot run on devices for reasons that this rank knows (nonblocking, mixed buffers, memory that nobody else can map, a user's operation) is not announced; the others see it pass
 * with host memory, and move theirs through the host too. One that can is announced, and runs on the devices if all members have announced it; see {@link CallLine}.
 */
final class DeviceCalls {
    private final BrigadeProvider provider;
    private final Progress progress;
    private final CollectiveCalls calls;
    /** Null if no call of this communicator runs on devices. */
    private final DeviceAgreement agreement;
    private final DeviceMembers members;
    private final CallShapes shapes;
    private final Party party;
    private final int rank;
    private final int ranks;
    private final DeviceCall call;
    private String name;

    /**
     * @param calls the host's, which count the calls
     * @param aside the host's for words of the library's own, under keys of their own
     * @param line  null if no call of this communicator runs on devices
     */
    DeviceCalls(BrigadeProvider provider, CollectiveCalls calls, CollectiveCalls aside, CallLine line, Party party, String name) {
        this.provider = provider;
        this.progress = provider.progress();
        this.calls = calls;
        this.agreement = line == null ? null : new DeviceAgreement(progress, calls, line, party);
        this.members = new DeviceMembers(progress, aside, party.rank, party.members, provider.wires());
        this.party = party;
        this.rank = party.rank;
        this.ranks = party.members.length;
        this.name = name;
        this.shapes = new CallShapes(provider.deviceSelector(), Wires.NONE, rank, ranks, name);
        this.call = new DeviceCall(ranks);
        call.met = true;
    }

    void rename(String newName) {
        name = newName;
    }

    // ---- one vector ----

    boolean bcast(Object buffer, long offset, long bytes, int root) {
        progress.lock.lock();
        try {
            if (!begin(null, 0, buffer, offset, rank == root)) {
                return false;
            }
            Arrays.fill(call.sendBytes, 0);
            Arrays.fill(call.recvBytes, 0);
            return run(Collective.BCAST, root, bytes, bytes, null, null);
        } finally {
            end();
        }
    }

    boolean reduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, int root) {
        return vector(Collective.REDUCE, send, sendOffset, rank == root ? recv : null, recvOffset, count, type, op, root);
    }

    boolean allreduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op) {
        return vector(Collective.ALLREDUCE, send, sendOffset, recv, recvOffset, count, type, op, 0);
    }

    boolean scan(boolean exclusive, Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op) {
        return vector(exclusive ? Collective.EXSCAN : Collective.SCAN, send, sendOffset, recv, recvOffset, count, type, op, 0);
    }

    private boolean vector(Collective collective, Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, int root) {
        long bytes = (long) count * type.extent;
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.one(call.sendAt, call.sendBytes, bytes);
            BlockShapes.one(call.recvAt, call.recvBytes, recv == null ? 0 : bytes);
            return run(collective, root, bytes, bytes, type, op);
        } finally {
            end();
        }
    }

    // ---- a block for every rank ----

    boolean gather(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, long block, int root) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.onlyFor(root, call.sendAt, call.sendBytes, sendBytes);
            BlockShapes.uniform(call.recvAt, call.recvBytes, rank == root ? block : 0);
            return run(Collective.GATHER, root, block, block, null, null);
        } finally {
            end();
        }
    }

    boolean gatherv(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, int[] counts, int[] displacements, int extent, int root) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            if (rank == root) {
                BlockShapes.listed(call.recvAt, call.recvBytes, counts, displacements, extent);
            } else {
                BlockShapes.uniform(call.recvAt, call.recvBytes, 0);
            }
            BlockShapes.onlyFor(root, call.sendAt, call.sendBytes, send == null ? call.recvBytes[rank] : sendBytes);
            return run(Collective.GATHERV, root, -1, 0, null, null);
        } finally {
            end();
        }
    }

    boolean scatter(Object send, long sendOffset, long block, Object recv, long recvOffset, long recvBytes, int root) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, recv == null)) {
                return false;
            }
            BlockShapes.uniform(call.sendAt, call.sendBytes, rank == root ? block : 0);
            BlockShapes.onlyFor(root, call.recvAt, call.recvBytes, recvBytes);
            return run(Collective.SCATTER, root, block, block, null, null);
        } finally {
            end();
        }
    }

    boolean scatterv(Object send, long sendOffset, int[] counts, int[] displacements, int extent, Object recv, long recvOffset, long recvBytes, int root) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, recv == null)) {
                return false;
            }
            if (rank == root) {
                BlockShapes.listed(call.sendAt, call.sendBytes, counts, displacements, extent);
            } else {
                BlockShapes.uniform(call.sendAt, call.sendBytes, 0);
            }
            BlockShapes.onlyFor(root, call.recvAt, call.recvBytes, recv == null ? call.sendBytes[rank] : recvBytes);
            return run(Collective.SCATTERV, root, -1, 0, null, null);
        } finally {
            end();
        }
    }

    boolean allgather(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, long block) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.one(call.sendAt, call.sendBytes, sendBytes);
            BlockShapes.uniform(call.recvAt, call.recvBytes, block);
            return run(Collective.ALLGATHER, 0, block, block, null, null);
        } finally {
            end();
        }
    }

    /** A negative number of bytes to send: in place. */
    boolean allgatherv(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, int[] counts, int[] displacements, int extent) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, sendBytes < 0)) {
                return false;
            }
            long bytes = BlockShapes.listed(call.recvAt, call.recvBytes, counts, displacements, extent);
            BlockShapes.one(call.sendAt, call.sendBytes, sendBytes < 0 ? call.recvBytes[rank] : sendBytes);
            return run(Collective.ALLGATHERV, 0, bytes, bytes, null, null);
        } finally {
            end();
        }
    }

    boolean alltoall(Object send, long sendOffset, long sendBlock, Object recv, long recvOffset, long block) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.uniform(call.sendAt, call.sendBytes, sendBlock);
            BlockShapes.uniform(call.recvAt, call.recvBytes, block);
            return run(Collective.ALLTOALL, 0, block, block, null, null);
        } finally {
            end();
        }
    }

    boolean alltoallv(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout sendType,
                      Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout recvType) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.listed(call.recvAt, call.recvBytes, recvCounts, recvDisplacements, recvType.extent);
            if (send == null) {
                BlockShapes.listed(call.sendAt, call.sendBytes, recvCounts, recvDisplacements, recvType.extent);
            } else {
                BlockShapes.listed(call.sendAt, call.sendBytes, sendCounts, sendDisplacements, sendType.extent);
            }
            return run(Collective.ALLTOALLV, 0, -1, 0, null, null);
        } finally {
            end();
        }
    }

    /** Displacements in bytes. */
    boolean alltoallw(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout[] sendTypes,
                      Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout[] recvTypes) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            for (int peer = 0; peer < ranks; peer++) {
                call.recvAt[peer] = recvDisplacements[peer];
                call.recvBytes[peer] = (long) recvCounts[peer] * recvTypes[peer].extent;
                call.sendAt[peer] = send == null ? call.recvAt[peer] : sendDisplacements[peer];
                call.sendBytes[peer] = send == null ? call.recvBytes[peer] : (long) sendCounts[peer] * sendTypes[peer].extent;
            }
            return run(Collective.ALLTOALLV, 0, -1, 0, null, null);
        } finally {
            end();
        }
    }

    /** Null counts: every rank's block has {@code count} items. */
    boolean reduceScatter(Object send, long sendOffset, Object recv, long recvOffset, int[] counts, int count, TypeLayout type, Reduction op) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            long bytes = (long) count * type.extent * ranks;
            if (counts == null) {
                BlockShapes.uniform(call.sendAt, call.sendBytes, (long) count * type.extent);
            } else {
                bytes = BlockShapes.listed(call.sendAt, call.sendBytes, counts, null, type.extent);
            }
            BlockShapes.one(call.recvAt, call.recvBytes, call.sendBytes[rank]);
            return run(Collective.REDUCE_SCATTER, 0, bytes, bytes, type, op);
        } finally {
            end();
        }
    }

    // ---- what they share ----

    /** Takes the buffers; false if this rank can tell already that the call goes through the host. */
    private boolean begin(Object send, long sendOffset, Object recv, long recvOffset, boolean inPlace) {
        Object out = isEmpty(send) ? null : send;
        Object in = isEmpty(recv) ? null : recv;
        if (agreement == null || members.isHopeless() || out != null && !(out instanceof DeviceBuffer) || in != null && !(in instanceof DeviceBuffer)) {
            return false;
        }
        call.send = (DeviceBuffer) out;
        call.sendOffset = sendOffset;
        call.recv = (DeviceBuffer) in;
        call.recvOffset = recvOffset;
        call.inPlace = inPlace;
        return true;
    }

    /** An array without elements stands for any buffer of no items: it lies nowhere. */
    private static boolean isEmpty(Object buffer) {
        return buffer != null && buffer.getClass().isArray() && Array.getLength(buffer) == 0;
    }

    private void end() {
        call.send = null;
        call.recv = null;
        call.type = null;
        call.op = null;
        progress.lock.unlock();
    }

    /**
     * The rest of every call.
     *
     * @param bytes    what the members must agree on; -1 where they need not
     * @param measured bytes as the ladder measures calls
     */
    private boolean run(Collective collective, int root, long bytes, long measured, TypeLayout type, Reduction op) {
        if (bytes == 0 || op != null && !KernelFit.reduces(call, type, op)) {
            return false;
        }
        // By this rank's buffers first: if they alone exclude all kernels, nobody has to hear of them. And so that what the call will need is loaded by the time the others wait.
        boolean commutes = op == null || op.commutative;
        Placement placement = KernelFit.placement(call, collective);
        call.choice = choose(collective, measured, commutes, placement);
        if (isStaged(call.choice) || !agreement.isPossible()) {
            return false;
        }
        Devices devices = provider.devices();
        long sendExport = export(devices, call.send);
        long recvExport = export(devices, call.recv);
        if (call.send != null && sendExport == Devices.UNREACHABLE || call.recv != null && recvExport == Devices.UNREACHABLE) {
            return false;
        }
        call.collective = collective;
        call.root = collective.rooted ? root : -1;
        call.bytes = measured;
        call.type = type;
        call.op = op;
        MPIException lost = progress.lostAlready(collective.key(), party);
        if (lost != null) {
            calls.count();
            throw lost;
        }
        if (members.group() != null) {
            String refusal = members.group().refuses(call);
            if (refusal != null) {
                throw refused(refusal);
            }
            DeviceGroup.Waiting settling = agreement.beginWait(collective.key());
            try {
                members.group().settle(settling);
            } finally {
                agreement.endWait();
            }
        }
        long what = CallCheck.what(collective, root, type, op);
        agreement.announce(what, bytes, placement, sendExport, call.send == null ? 0 : devices.offset(call.send) + call.sendOffset,
            recvExport, call.recv == null ? 0 : devices.offset(call.recv) + call.recvOffset);
        if (!agreement.allAnnounce(collective.key())) {
            return false;
        }
        int different = agreement.compare(what, bytes, call);
        if (different >= 0) {
            calls.count();
            throw CallCheck.mismatch(rank, ranks, name, what, bytes, different, agreement.what(different), agreement.bytes(different));
        }
        call.placement = agreement.placement();
        call.choice = choose(collective, measured, commutes, call.placement);
        if (isStaged(call.choice) || members.group() == null && !open(devices)) {
            return false;
        }
        calls.count();
        Diagnostics.ran(call.choice.algorithm());
        DeviceGroup.Waiting waiting = agreement.beginWait(collective.key());
        try {
            members.group().run(call, waiting);
        } finally {
            agreement.endWait();
        }
        return true;
    }

    private static boolean isStaged(Choice choice) {
        return choice.algorithm().name().equals(DeviceCatalogue.STAGED);
    }

    private Choice choose(Collective collective, long bytes, boolean commutes, Placement placement) {
        Ladder ladder = shapes.ladder(collective, commutes, placement);
        return shapes.choice(collective, ladder, ladder.step(bytes));
    }

    private long export(Devices devices, DeviceBuffer buffer) {
        return buffer == null ? Devices.UNREACHABLE : devices.export(progress.endpoint, buffer);
    }

    private MPIException refused(String refusal) {
        return ErrorClass.BUFFER.in(call.collective.key(), rank, ranks, name, refusal);
    }

    // ---- the group ----

    /** As {@link org.brigade.device.DeviceCommunicator#deviceGroup}. */
    DeviceGroup group(DeviceBuffer buffer) {
        progress.lock.lock();
        try {
            if (members.group() == null && !members.isHopeless()) {
                boolean reachable = agreement != null && agreement.isPossible() && export(provider.devices(), buffer) != Devices.UNREACHABLE;
                if (members.firstWithout(reachable) >= 0) {
                    return null;
                }
                members.open(provider.devices(), buffer);
            }
            return members.group();
        } finally {
            progress.lock.unlock();
        }
    }

    /** As {@link org.brigade.device.DeviceCommunicator#exchange}. */
    byte[][] exchange(byte[] mine) {
        progress.lock.lock();
        try {
            return members.allgather(mine);
        } finally {
            progress.lock.unlock();
        }
    }

    /** Opens the group for the call that all members have announced; false, on all, if it cannot be. An error, on all, if it is open and cannot serve this call. */
    private boolean open(Devices devices) {
        String refusal;
        int refusing;
        try {
            DeviceGroup group = members.open(devices, call.send != null ? call.send : call.recv);
            if (group == null) {
                return false;
            }
            refusal = group.refuses(call);
            refusing = members.firstWithout(refusal == null);
        } catch (RuntimeException lost) {
            calls.count(); // it has been announced
            throw lost;
        }
        if (refusing >= 0) {
            calls.count();
            throw refused(refusal != null ? refusal : "rank " + refusing + " cannot do its part of this call; its own error says why");
        }
        return true;
    }

    /** Under the lock. */
    void close() {
        members.close();
    }
}
