package org.brigade.communicator;

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
import org.brigade.engine.Idle;
import org.brigade.engine.Progress;
import org.brigade.op.Combiners;
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
    /** Looks at a member's line before everything else gets a turn: what comes next is usually a cache line away. */
    private static final int LOOKS = 512;

    private final BrigadeProvider provider;
    private final Progress progress;
    private final CollectiveCalls calls;
    private final CollectiveCalls aside;
    /** Null if no call of this communicator runs on devices. */
    private final CallLine line;
    private final CallShapes shapes;
    private final int rank;
    private final int ranks;
    private final int[] members;
    private final DeviceCall call;
    private final Turns turns = new Turns();
    private String name;
    private DeviceGroup group;
    /** A member could not open the group: so it is for all. */
    private boolean hopeless;

    /**
     * @param calls the host's, which count the calls
     * @param aside the host's for words of the library's own, under keys of their own
     */
    DeviceCalls(BrigadeProvider provider, CollectiveCalls calls, CollectiveCalls aside, CallLine line, int rank, int[] members, String name) {
        this.provider = provider;
        this.progress = provider.progress();
        this.calls = calls;
        this.aside = aside;
        this.line = line;
        this.rank = rank;
        this.ranks = members.length;
        this.members = members;
        this.name = name;
        this.shapes = new CallShapes(provider.deviceSelector(), rank, ranks, name);
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
            one(call.sendAt, call.sendBytes, bytes);
            one(call.recvAt, call.recvBytes, recv == null ? 0 : bytes);
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
            toRoot(sendBytes, root);
            uniform(call.recvAt, call.recvBytes, rank == root ? block : 0);
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
                listed(call.recvAt, call.recvBytes, counts, displacements, extent);
            } else {
                uniform(call.recvAt, call.recvBytes, 0);
            }
            toRoot(send == null ? call.recvBytes[rank] : sendBytes, root);
            return run(Collective.GATHERV, root, -1, 0, null, null);
        } finally {
            end();
        }
    }

    private void toRoot(long bytes, int root) {
        uniform(call.sendAt, call.sendBytes, 0);
        call.sendBytes[root] = bytes;
    }

    boolean scatter(Object send, long sendOffset, long block, Object recv, long recvOffset, long recvBytes, int root) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, recv == null)) {
                return false;
            }
            uniform(call.sendAt, call.sendBytes, rank == root ? block : 0);
            fromRoot(recvBytes, root);
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
                listed(call.sendAt, call.sendBytes, counts, displacements, extent);
            } else {
                uniform(call.sendAt, call.sendBytes, 0);
            }
            fromRoot(recv == null ? call.sendBytes[rank] : recvBytes, root);
            return run(Collective.SCATTERV, root, -1, 0, null, null);
        } finally {
            end();
        }
    }

    private void fromRoot(long bytes, int root) {
        uniform(call.recvAt, call.recvBytes, 0);
        call.recvBytes[root] = bytes;
    }

    boolean allgather(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, long block) {
        progress.lock.lock();
        try {
            if (!begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            one(call.sendAt, call.sendBytes, sendBytes);
            uniform(call.recvAt, call.recvBytes, block);
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
            long bytes = listed(call.recvAt, call.recvBytes, counts, displacements, extent);
            one(call.sendAt, call.sendBytes, sendBytes < 0 ? call.recvBytes[rank] : sendBytes);
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
            uniform(call.sendAt, call.sendBytes, sendBlock);
            uniform(call.recvAt, call.recvBytes, block);
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
            listed(call.recvAt, call.recvBytes, recvCounts, recvDisplacements, recvType.extent);
            if (send == null) {
                listed(call.sendAt, call.sendBytes, recvCounts, recvDisplacements, recvType.extent);
            } else {
                listed(call.sendAt, call.sendBytes, sendCounts, sendDisplacements, sendType.extent);
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
                uniform(call.sendAt, call.sendBytes, (long) count * type.extent);
            } else {
                bytes = listed(call.sendAt, call.sendBytes, counts, null, type.extent);
            }
            one(call.recvAt, call.recvBytes, call.sendBytes[rank]);
            return run(Collective.REDUCE_SCATTER, 0, bytes, bytes, type, op);
        } finally {
            end();
        }
    }

    // ---- where blocks lie ----

    /** The same block for every peer. */
    private static void one(long[] at, long[] lengths, long bytes) {
        Arrays.fill(at, 0);
        Arrays.fill(lengths, bytes);
    }

    /** Blocks of one size, side by side. */
    private static void uniform(long[] at, long[] lengths, long block) {
        for (int peer = 0; peer < at.length; peer++) {
            at[peer] = peer * block;
            lengths[peer] = block;
        }
    }

    /** Blocks at displacements (null: side by side); returns the bytes of all. */
    private static long listed(long[] at, long[] lengths, int[] counts, int[] displacements, int extent) {
        long total = 0;
        for (int peer = 0; peer < at.length; peer++) {
            at[peer] = displacements == null ? total : (long) displacements[peer] * extent;
            lengths[peer] = (long) counts[peer] * extent;
            total += lengths[peer];
        }
        return total;
    }

    // ---- what they share ----

    /** Takes the buffers; false if this rank can tell already that the call goes through the host. */
    private boolean begin(Object send, long sendOffset, Object recv, long recvOffset, boolean inPlace) {
        if (line == null || hopeless || send != null && !(send instanceof DeviceBuffer) || recv != null && !(recv instanceof DeviceBuffer)) {
            return false;
        }
        call.send = (DeviceBuffer) send;
        call.sendOffset = sendOffset;
        call.recv = (DeviceBuffer) recv;
        call.recvOffset = recvOffset;
        call.inPlace = inPlace;
        return true;
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
        if (bytes == 0 || op != null && !runsOnDevices(type, op)) {
            return false;
        }
        // By this rank's buffers first: if they alone exclude all kernels, nobody has to hear of them. And so that what the call will need is loaded by the time the others wait.
        boolean commutes = op == null || op.commutative;
        Placement placement = Placement.of(isAligned(collective), call.inPlace);
        call.choice = choose(collective, measured, commutes, placement);
        if (isStaged(call.choice) || !line.reachesAll()) {
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
        if (group != null) {
            String refusal = group.refuses(call);
            if (refusal != null) {
                throw refused(refusal);
            }
        }
        long what = CallCheck.what(collective, root, type, op);
        line.announce(calls.number(), what, bytes, placement, sendExport, call.send == null ? 0 : devices.offset(call.send) + call.sendOffset,
            recvExport, call.recv == null ? 0 : devices.offset(call.recv) + call.recvOffset);
        if (!allAnnounce(collective.key())) {
            return false;
        }
        placement = compare(what, bytes);
        call.choice = choose(collective, measured, commutes, placement);
        if (isStaged(call.choice)) {
            return false;
        }
        if (group == null && !open(devices)) {
            return false;
        }
        calls.count();
        Diagnostics.ran(call.choice.algorithm());
        turns.begin(collective.key(), calls.key());
        try {
            group.run(call, turns);
        } finally {
            turns.end();
        }
        return true;
    }

    /** Whether there are kernels for it. They read whole items, so these must lie at multiples of their size: with others the call goes through the host. */
    private boolean runsOnDevices(TypeLayout type, Reduction op) {
        return op.operator != Reduction.Operator.USER && op.operator != Reduction.Operator.REPLACE && op.operator != Reduction.Operator.NO_OP
            && type.extent <= 16 && Integer.bitCount(type.extent) == 1 && Combiners.supports(type, op)
            && isAligned(call.send, call.sendOffset, type.extent) && isAligned(call.recv, call.recvOffset, type.extent);
    }

    private static boolean isAligned(DeviceBuffer buffer, long offset, int bytes) {
        return buffer == null || (buffer.address + offset & bytes - 1) == 0;
    }

    /** Whether all that this rank can tell of where bytes lie is as {@link Placement#ALIGNED} says. Blocks whose lengths all ranks know lie alike on all of them if they lie side by side. */
    private boolean isAligned(Collective collective) {
        if (!isAligned(call.send, call.sendOffset, Placement.ALIGNMENT) || !isAligned(call.recv, call.recvOffset, Placement.ALIGNMENT)) {
            return false;
        }
        return switch (collective) {
            case ALLGATHER, ALLGATHERV -> areAligned(call.recvAt, call.recvBytes);
            case REDUCE_SCATTER -> areAligned(call.sendAt, call.sendBytes);
            default -> true;
        };
    }

    private static boolean areAligned(long[] at, long[] lengths) {
        long next = 0;
        for (int peer = 0; peer < at.length; peer++) {
            if (lengths[peer] > 0 && (at[peer] != next || next % Placement.ALIGNMENT != 0)) {
                return false;
            }
            next += lengths[peer];
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

    // ---- agreeing ----

    /** Waits until every member has begun the call that this rank has announced; whether all of them announced it too. */
    private boolean allAnnounce(String what) {
        long number = calls.number();
        boolean all = true;
        turns.begin(what, calls.key());
        for (int member = 0; member < ranks; member++) {
            int seen = member == rank ? CallLine.DEVICE : line.look(member, number);
            for (int looks = 1; seen == CallLine.ABSENT; looks++) {
                if (looks % LOOKS == 0) {
                    boolean leaving = progress.endpoint.isLeaving(members[member]);
                    if (leaving && line.look(member, number) == CallLine.ABSENT) {
                        progress.neverComes(what, members[member]);
                    }
                    turns.turn();
                }
                seen = line.look(member, number);
            }
            // Everyone is looked at whatever the result: the lines' two announcements are enough because of that.
            all &= seen == CallLine.DEVICE;
        }
        turns.end();
        return all;
    }

    /** Takes what the members have announced, and how all their buffers lie; an error, on all of them, if their calls do not match. */
    private Placement compare(long what, long bytes) {
        Placement placement = Placement.ALIGNED;
        long number = calls.number();
        int different = -1;
        for (int member = 0; member < ranks; member++) {
            line.look(member, number);
            if (different < 0 && (line.word(member, CallLine.WHAT) != what || line.word(member, CallLine.BYTES) != bytes)) {
                different = member;
            }
            placement = placement.and(line.placement(member));
            call.sendExport[member] = line.word(member, CallLine.SEND_EXPORT);
            call.sendBegin[member] = line.word(member, CallLine.SEND_BEGIN);
            call.recvExport[member] = line.word(member, CallLine.RECV_EXPORT);
            call.recvBegin[member] = line.word(member, CallLine.RECV_BEGIN);
        }
        if (different >= 0) {
            calls.count();
            throw CallCheck.mismatch(rank, ranks, name, what, bytes, different, line.word(different, CallLine.WHAT), line.word(different, CallLine.BYTES));
        }
        return placement;
    }

    // ---- the group ----

    /** As {@link org.brigade.device.DeviceCommunicator#deviceGroup}. */
    DeviceGroup group(DeviceBuffer buffer) {
        progress.lock.lock();
        try {
            if (group == null && !hopeless) {
                boolean reachable = line != null && line.reachesAll() && export(provider.devices(), buffer) != Devices.UNREACHABLE;
                if (firstWithout(reachable) >= 0) {
                    return null;
                }
                group = provider.devices().open(progress.endpoint, members, rank, buffer, this::allgather);
                hopeless = group == null;
            }
            return group;
        } finally {
            progress.lock.unlock();
        }
    }

    /** Opens the group for the call that all members have announced; false, on all, if it cannot be. An error, on all, if it is open and cannot serve this call. */
    private boolean open(Devices devices) {
        group = devices.open(progress.endpoint, members, rank, call.send != null ? call.send : call.recv, this::allgather);
        if (group == null) {
            hopeless = true;
            return false;
        }
        String refusal = group.refuses(call);
        int refusing = firstWithout(refusal == null);
        if (refusing >= 0) {
            calls.count();
            throw refused(refusal != null ? refusal : "rank " + refusing + " cannot do its part of this call; its own error says why");
        }
        return true;
    }

    /** Tells all members whether something holds here; the first for whom it does not, -1 if there is none. */
    private int firstWithout(boolean holds) {
        byte[][] all = allgather(new byte[] {(byte) (holds ? 1 : 0)});
        for (int member = 0; member < ranks; member++) {
            if (all[member][0] == 0) {
                return member;
            }
        }
        return -1;
    }

    /** Under the lock, which is let go meanwhile. */
    private byte[][] allgather(byte[] mine) {
        byte[] all = new byte[mine.length * ranks];
        progress.lock.unlock();
        try {
            aside.allgather(mine, 0, mine.length, all, 0, mine.length, true);
        } finally {
            progress.lock.lock();
        }
        byte[][] blocks = new byte[ranks][];
        for (int member = 0; member < ranks; member++) {
            blocks[member] = Arrays.copyOfRange(all, member * mine.length, (member + 1) * mine.length);
        }
        return blocks;
    }

    /** Under the lock. */
    void close() {
        if (group != null) {
            group.close();
            group = null;
            hopeless = true;
        }
    }

    /** One wait at a time, of the thread that makes the call. */
    private final class Turns implements DeviceGroup.Waiting {
        private Idle idle;
        private String what;
        private long key;

        void begin(String call, long itsKey) {
            what = call;
            key = itsKey;
        }

        @Override
        public void turn() {
            idle = progress.turn(idle, what, key);
        }

        void end() {
            progress.release(idle);
            idle = null;
        }
    }
}
