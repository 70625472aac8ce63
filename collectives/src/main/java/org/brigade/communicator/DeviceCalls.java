package org.brigade.communicator;

import java.util.Arrays;
import mpi.spi.DeviceBuffer;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.device.CallLine;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.engine.Party;
import org.brigade.engine.ProgressLock;
import mpi.spi.Collective;

/**
 * The blocking collectives of one communicator for buffers in device memory: what lies where in them. Each method answers whether the call has run on the devices ({@link DeviceAttempt}); if not, nothing
 * has happened, and the caller runs the host's schedule, which takes device memory too. All members come to the same answer.
 */
final class DeviceCalls {
    private final DeviceAttempt attempt;
    private final DeviceCall call;
    private final ProgressLock lock;
    private final int rank;
    private final int ranks;

    /**
     * @param calls how the communicator's calls are counted
     * @param aside the host's for words of the library's own, under keys of their own
     * @param line  null if no call of this communicator runs on devices
     */
    DeviceCalls(BrigadeProvider provider, CallSequence calls, CollectiveCalls aside, CallLine line, Party party) {
        this.attempt = new DeviceAttempt(provider, calls, aside, line, party);
        this.call = attempt.call;
        this.lock = provider.progress().lock;
        this.rank = party.rank;
        this.ranks = party.members.length;
    }

    // ---- one vector ----

    boolean bcast(Object buffer, long offset, long bytes, int root) {
        lock.lock();
        try {
            if (!attempt.begin(null, 0, buffer, offset, rank == root)) {
                return false;
            }
            Arrays.fill(call.sendBytes, 0);
            Arrays.fill(call.recvBytes, 0);
            return attempt.run(Collective.BCAST, root, bytes, bytes, null, null);
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
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.one(call.sendAt, call.sendBytes, bytes);
            BlockShapes.one(call.recvAt, call.recvBytes, recv == null ? 0 : bytes);
            return attempt.run(collective, root, bytes, bytes, type, op);
        } finally {
            end();
        }
    }

    // ---- a block for every rank ----

    boolean gather(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, long block, int root) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.onlyFor(root, call.sendAt, call.sendBytes, sendBytes);
            BlockShapes.uniform(call.recvAt, call.recvBytes, rank == root ? block : 0);
            return attempt.run(Collective.GATHER, root, block, block, null, null);
        } finally {
            end();
        }
    }

    boolean gatherv(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, int[] counts, int[] displacements, int extent, int root) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            if (rank == root) {
                BlockShapes.listed(call.recvAt, call.recvBytes, counts, displacements, extent);
            } else {
                BlockShapes.uniform(call.recvAt, call.recvBytes, 0);
            }
            BlockShapes.onlyFor(root, call.sendAt, call.sendBytes, send == null ? call.recvBytes[rank] : sendBytes);
            return attempt.run(Collective.GATHERV, root, -1, 0, null, null);
        } finally {
            end();
        }
    }

    boolean scatter(Object send, long sendOffset, long block, Object recv, long recvOffset, long recvBytes, int root) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, recv == null)) {
                return false;
            }
            BlockShapes.uniform(call.sendAt, call.sendBytes, rank == root ? block : 0);
            BlockShapes.onlyFor(root, call.recvAt, call.recvBytes, recvBytes);
            return attempt.run(Collective.SCATTER, root, block, block, null, null);
        } finally {
            end();
        }
    }

    boolean scatterv(Object send, long sendOffset, int[] counts, int[] displacements, int extent, Object recv, long recvOffset, long recvBytes, int root) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, recv == null)) {
                return false;
            }
            if (rank == root) {
                BlockShapes.listed(call.sendAt, call.sendBytes, counts, displacements, extent);
            } else {
                BlockShapes.uniform(call.sendAt, call.sendBytes, 0);
            }
            BlockShapes.onlyFor(root, call.recvAt, call.recvBytes, recv == null ? call.sendBytes[rank] : recvBytes);
            return attempt.run(Collective.SCATTERV, root, -1, 0, null, null);
        } finally {
            end();
        }
    }

    boolean allgather(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, long block) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.one(call.sendAt, call.sendBytes, sendBytes);
            BlockShapes.uniform(call.recvAt, call.recvBytes, block);
            return attempt.run(Collective.ALLGATHER, 0, block, block, null, null);
        } finally {
            end();
        }
    }

    /** A negative number of bytes to send: in place. */
    boolean allgatherv(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, int[] counts, int[] displacements, int extent) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, sendBytes < 0)) {
                return false;
            }
            long bytes = BlockShapes.listed(call.recvAt, call.recvBytes, counts, displacements, extent);
            BlockShapes.one(call.sendAt, call.sendBytes, sendBytes < 0 ? call.recvBytes[rank] : sendBytes);
            return attempt.run(Collective.ALLGATHERV, 0, bytes, bytes, null, null);
        } finally {
            end();
        }
    }

    boolean alltoall(Object send, long sendOffset, long sendBlock, Object recv, long recvOffset, long block) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.uniform(call.sendAt, call.sendBytes, sendBlock);
            BlockShapes.uniform(call.recvAt, call.recvBytes, block);
            return attempt.run(Collective.ALLTOALL, 0, block, block, null, null);
        } finally {
            end();
        }
    }

    boolean alltoallv(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout sendType,
                      Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout recvType) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            BlockShapes.listed(call.recvAt, call.recvBytes, recvCounts, recvDisplacements, recvType.extent);
            if (send == null) {
                BlockShapes.listed(call.sendAt, call.sendBytes, recvCounts, recvDisplacements, recvType.extent);
            } else {
                BlockShapes.listed(call.sendAt, call.sendBytes, sendCounts, sendDisplacements, sendType.extent);
            }
            return attempt.run(Collective.ALLTOALLV, 0, -1, 0, null, null);
        } finally {
            end();
        }
    }

    /** Displacements in bytes. */
    boolean alltoallw(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout[] sendTypes,
                      Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout[] recvTypes) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            for (int peer = 0; peer < ranks; peer++) {
                call.recvAt[peer] = recvDisplacements[peer];
                call.recvBytes[peer] = (long) recvCounts[peer] * recvTypes[peer].extent;
                call.sendAt[peer] = send == null ? call.recvAt[peer] : sendDisplacements[peer];
                call.sendBytes[peer] = send == null ? call.recvBytes[peer] : (long) sendCounts[peer] * sendTypes[peer].extent;
            }
            return attempt.run(Collective.ALLTOALLV, 0, -1, 0, null, null);
        } finally {
            end();
        }
    }

    /** Null counts: every rank's block has {@code count} items. */
    boolean reduceScatter(Object send, long sendOffset, Object recv, long recvOffset, int[] counts, int count, TypeLayout type, Reduction op) {
        lock.lock();
        try {
            if (!attempt.begin(send, sendOffset, recv, recvOffset, send == null)) {
                return false;
            }
            long bytes = (long) count * type.extent * ranks;
            if (counts == null) {
                BlockShapes.uniform(call.sendAt, call.sendBytes, (long) count * type.extent);
            } else {
                bytes = BlockShapes.listed(call.sendAt, call.sendBytes, counts, null, type.extent);
            }
            BlockShapes.one(call.recvAt, call.recvBytes, call.sendBytes[rank]);
            return attempt.run(Collective.REDUCE_SCATTER, 0, bytes, bytes, type, op);
        } finally {
            end();
        }
    }

    private void end() {
        attempt.end();
        lock.unlock();
    }

    // ---- the group ----

    /** As {@link org.brigade.device.DeviceCommunicator#deviceGroup}. */
    DeviceGroup group(DeviceBuffer buffer) {
        lock.lock();
        try {
            return attempt.group(buffer);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link org.brigade.device.DeviceCommunicator#exchange}. */
    byte[][] exchange(byte[] mine) {
        lock.lock();
        try {
            return attempt.members.allgather(mine);
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    void close() {
        attempt.members.close();
    }
}
