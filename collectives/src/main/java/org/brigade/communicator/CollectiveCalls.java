package org.brigade.communicator;

import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.FusedAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.device.CallLine;
import org.brigade.engine.Cursor;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.Party;
import org.brigade.engine.Progress;
import org.brigade.pattern.Wires;
import org.brigade.schedule.Collective;
import org.brigade.select.Choice;
import org.brigade.select.Selector;

/**
 * The collective calls of one communicator: from arguments in items to a cursor with buffers, block maps and a plan; or to fused code.
 *
 * <p>Blocking calls return null, the others what is under way. Arguments have been checked.
 */
final class CollectiveCalls {
    private final Progress progress;
    private final CombinerCache combiners;
    private final CursorPool cursors;
    private final FusedFlat fused;
    private final CallSequence sequence;
    private final CallChoices choices;
    private final Reflection reflection;
    /** Null where nothing reduces between the nodes. */
    private final NetworkAllreduce network;
    private final int rank;
    private final int ranks;

    CollectiveCalls(Progress progress, Selector selector, CombinerCache combiners, boolean checks, int context, long firstCall, Party party, CallLine line, WireSource wires, String name) {
        this.progress = progress;
        this.combiners = combiners;
        this.rank = party.rank;
        this.ranks = party.members.length;
        this.cursors = new CursorPool(progress, party);
        this.fused = new FusedFlat(progress, party);
        this.sequence = new CallSequence(context, firstCall, line, checks ? new CallCheck(fused, rank, ranks) : null, name);
        Wires known = wires == null || ranks == 1 ? Wires.NONE : wires.known(party.members);
        Agreement agreement = wires == null ? null : new Agreement(party, cursors, combiners, known);
        this.reflection = new Reflection(progress, party, fused, agreement);
        this.choices = new CallChoices(selector, party, agreement, reflection, sequence, wires, known);
        NetworkReduction between = wires == null || ranks == 1 ? null : wires.network(progress, party, combiners, name);
        this.network = between == null ? null : new NetworkAllreduce(between, selector, progress, party, agreement, cursors, combiners, sequence, choices);
    }

    /** How they are counted. */
    CallSequence sequence() {
        return sequence;
    }

    /** Whether it has had more than ranks' links to move its messages. */
    boolean wentByFabric() {
        return network != null || reflection.calls() != null;
    }

    /** The communicator is freed: no more calls begin. */
    void free() {
        reflection.end();
        if (network != null) {
            progress.lock.lock();
            try {
                network.free();
            } finally {
                progress.lock.unlock();
            }
        }
    }

    /** Says to the others that this rank finalizes, if calls are compared. */
    void checkFinalize() {
        progress.lock.lock();
        try {
            sequence.finish();
        } finally {
            progress.lock.unlock();
        }
    }

    // ---- one vector ----

    Operation barrier(boolean blocking) {
        progress.lock.lock();
        try {
            long key = sequence.begin(Collective.BARRIER, 0, 0, null, null);
            Choice choice = choices.choose(Collective.BARRIER, 0, true, blocking);
            if (blocking && isFlat(choice)) {
                fused.barrier(key);
                return null;
            }
            Cursor cursor = cursors.take();
            cursor.operands.sendMap.uniform(0, 1);
            cursor.operands.recvMap.uniform(0, 1);
            cursor.operands.scratchMap.uniform(0, 1);
            return go(cursor, Collective.BARRIER, choice, true, 0, false, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation bcast(Object buffer, long offset, int count, TypeLayout type, int root, boolean blocking) {
        long bytes = (long) count * type.extent;
        progress.lock.lock();
        try {
            long key = sequence.begin(Collective.BCAST, root, bytes, null, null);
            Choice choice = choices.choose(Collective.BCAST, bytes, true, blocking);
            if (blocking && reflection.serves(choice)) {
                reflection.calls().bcast(key, buffer, offset, (int) bytes, root);
                return null;
            }
            if (blocking && isFlat(choice)) {
                fused.bcast(key, buffer, offset, (int) bytes, root);
                return null;
            }
            Cursor cursor = cursors.take();
            cursor.operands.send.wrap(null, 0);
            cursor.operands.recv.wrap(buffer, offset);
            return goVector(cursor, Collective.BCAST, choice, true, root, false, key, count, type.extent, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation reduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, int root, boolean blocking) {
        long bytes = (long) count * type.extent;
        progress.lock.lock();
        try {
            long key = sequence.begin(Collective.REDUCE, root, bytes, type, op);
            Choice choice = choices.choose(Collective.REDUCE, bytes, op.commutative, blocking);
            Cursor cursor = cursors.take();
            wrap(cursor, send, sendOffset, recv, recvOffset);
            return goVector(cursor, Collective.REDUCE, choice, op.commutative, root, send == null && rank == root, key, count, type.extent, combiners.of(type, op), blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation allreduce(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        progress.lock.lock();
        try {
            NetworkCall call = network == null ? null : network.begin(send, sendOffset, recv, recvOffset, count, type, op, blocking);
            if (call != null && blocking) {
                call.finish();
                return null;
            }
            return call != null ? call : reduceByLinks(send, sendOffset, recv, recvOffset, count, type, op, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    private Operation reduceByLinks(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        long bytes = (long) count * type.extent;
        long key = sequence.begin(Collective.ALLREDUCE, 0, bytes, type, op);
        Choice choice = choices.choose(Collective.ALLREDUCE, bytes, op.commutative, blocking);
        CombinerCache.Pair pair = combiners.of(type, op);
        if (blocking && reflection.serves(choice)) {
            reflectedAllreduce(choice, send, sendOffset, recv, recvOffset, count, type, op, key);
            return null;
        }
        if (blocking && isFlat(choice)) {
            fused.allreduce(key, send, sendOffset, recv, recvOffset, (int) bytes, pair.incomingLast(), pair.incomingFirst());
            if (pair.users()) {
                confirm(key);
            }
            return null;
        }
        Cursor cursor = cursors.take();
        wrap(cursor, send, sendOffset, recv, recvOffset);
        return goVector(cursor, Collective.ALLREDUCE, choice, op.commutative, 0, send == null, key, count, type.extent, pair, blocking);
    }

    /** What has been reduced on rank 0 goes to all by multicast: the two have one key, as each rank is through with the first before it begins the second. */
    private void reflectedAllreduce(Choice reflected, Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, long key) {
        long bytes = (long) count * type.extent;
        Choice reduce = choices.choose(Collective.REDUCE, bytes, op.commutative, true);
        Cursor cursor = cursors.take();
        wrap(cursor, send, sendOffset, recv, recvOffset);
        goVector(cursor, Collective.REDUCE, reduce, op.commutative, 0, send == null && rank == 0, key, count, type.extent, combiners.of(type, op), true);
        Diagnostics.ran(reflected.algorithm());
        reflection.calls().bcast(key, recv, recvOffset, (int) bytes, 0);
    }

    private static boolean isFlat(Choice choice) {
        return choice.algorithm() instanceof FusedAlgorithm flat && flat.wireUse() == WireUse.NONE;
    }

    Operation scan(boolean exclusive, Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        Collective collective = exclusive ? Collective.EXSCAN : Collective.SCAN;
        long bytes = (long) count * type.extent;
        progress.lock.lock();
        try {
            long key = sequence.begin(collective, 0, bytes, type, op);
            Choice choice = choices.choose(collective, bytes, op.commutative, blocking);
            Cursor cursor = cursors.take();
            wrapCopied(cursor, send, sendOffset, recv, recvOffset, bytes);
            return goVector(cursor, collective, choice, op.commutative, 0, false, key, count, type.extent, combiners.of(type, op), blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    // ---- a block for every rank ----

    Operation gather(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, long block, int root, boolean blocking) {
        progress.lock.lock();
        try {
            long key = sequence.begin(Collective.GATHER, root, block, null, null);
            Cursor cursor = cursors.take();
            boolean inPlace = send == null && rank == root;
            if (inPlace) {
                cursor.operands.send.wrap(recv, recvOffset + rank * block);
            } else {
                cursor.operands.send.wrap(send, sendOffset);
            }
            cursor.operands.recv.wrap(recv, recvOffset);
            cursor.operands.sendMap.uniform(sendBytes, 1);
            cursor.operands.recvMap.uniform(block, ranks);
            cursor.operands.scratchMap.uniform(block, ranks);
            return go(cursor, Collective.GATHER, choices.choose(Collective.GATHER, block, true, blocking), true, root, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation gatherv(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, int[] counts, int[] displacements, int extent, int root, boolean blocking) {
        progress.lock.lock();
        try {
            long key = sequence.begin(Collective.GATHERV, root, -1, null, null);
            Cursor cursor = cursors.take();
            boolean inPlace = send == null && rank == root;
            cursor.operands.recv.wrap(recv, recvOffset);
            if (rank == root) {
                cursor.operands.recvMap.listed(counts, displacements, ranks, extent);
            } else {
                cursor.operands.recvMap.uniform(0, ranks);
            }
            if (inPlace) {
                cursor.operands.send.wrap(recv, recvOffset + cursor.operands.recvMap.offset(rank));
                cursor.operands.sendMap.uniform(cursor.operands.recvMap.length(rank, 1), 1);
            } else {
                cursor.operands.send.wrap(send, sendOffset);
                cursor.operands.sendMap.uniform(sendBytes, 1);
            }
            cursor.operands.scratchMap.uniform(0, 1);
            return go(cursor, Collective.GATHERV, choices.choose(Collective.GATHERV, 0, true, blocking), true, root, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation scatter(Object send, long sendOffset, long block, Object recv, long recvOffset, long recvBytes, int root, boolean blocking) {
        progress.lock.lock();
        try {
            long key = sequence.begin(Collective.SCATTER, root, block, null, null);
            Cursor cursor = cursors.take();
            boolean inPlace = recv == null && rank == root;
            cursor.operands.send.wrap(send, sendOffset);
            if (inPlace) {
                cursor.operands.recv.wrap(send, sendOffset + rank * block);
            } else {
                cursor.operands.recv.wrap(recv, recvOffset);
            }
            cursor.operands.sendMap.uniform(block, ranks);
            cursor.operands.recvMap.uniform(recvBytes, 1);
            cursor.operands.scratchMap.uniform(block, ranks);
            return go(cursor, Collective.SCATTER, choices.choose(Collective.SCATTER, block, true, blocking), true, root, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation scatterv(Object send, long sendOffset, int[] counts, int[] displacements, int extent, Object recv, long recvOffset, long recvBytes, int root, boolean blocking) {
        progress.lock.lock();
        try {
            long key = sequence.begin(Collective.SCATTERV, root, -1, null, null);
            Cursor cursor = cursors.take();
            boolean inPlace = recv == null && rank == root;
            cursor.operands.send.wrap(send, sendOffset);
            if (rank == root) {
                cursor.operands.sendMap.listed(counts, displacements, ranks, extent);
            } else {
                cursor.operands.sendMap.uniform(0, ranks);
            }
            if (inPlace) {
                cursor.operands.recv.wrap(send, sendOffset + cursor.operands.sendMap.offset(rank));
                cursor.operands.recvMap.uniform(cursor.operands.sendMap.length(rank, 1), 1);
            } else {
                cursor.operands.recv.wrap(recv, recvOffset);
                cursor.operands.recvMap.uniform(recvBytes, 1);
            }
            cursor.operands.scratchMap.uniform(0, 1);
            return go(cursor, Collective.SCATTERV, choices.choose(Collective.SCATTERV, 0, true, blocking), true, root, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation allgather(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, long block, boolean blocking) {
        progress.lock.lock();
        try {
            long key = sequence.begin(Collective.ALLGATHER, 0, block, null, null);
            Cursor cursor = cursors.take();
            if (send == null) {
                cursor.operands.send.wrap(recv, recvOffset + rank * block);
            } else {
                cursor.operands.send.wrap(send, sendOffset);
            }
            cursor.operands.recv.wrap(recv, recvOffset);
            cursor.operands.sendMap.uniform(sendBytes, 1);
            cursor.operands.recvMap.uniform(block, ranks);
            cursor.operands.scratchMap.uniform(block, ranks);
            return go(cursor, Collective.ALLGATHER, choices.choose(Collective.ALLGATHER, block, true, blocking), true, 0, send == null, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    /** A negative number of bytes to send: in place. */
    Operation allgatherv(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, int[] counts, int[] displacements, int extent, boolean blocking) {
        progress.lock.lock();
        try {
            Cursor cursor = cursors.take();
            cursor.operands.recv.wrap(recv, recvOffset);
            cursor.operands.recvMap.listed(counts, displacements, ranks, extent);
            cursor.operands.scratchMap.listed(counts, null, ranks, extent);
            boolean inPlace = sendBytes < 0;
            if (inPlace) {
                cursor.operands.send.wrap(recv, recvOffset + cursor.operands.recvMap.offset(rank));
            } else {
                cursor.operands.send.wrap(send, sendOffset);
            }
            cursor.operands.sendMap.uniform(inPlace ? cursor.operands.recvMap.length(rank, 1) : sendBytes, 1);
            long bytes = cursor.operands.recvMap.total();
            long key = sequence.begin(Collective.ALLGATHERV, 0, bytes, null, null);
            return go(cursor, Collective.ALLGATHERV, choices.choose(Collective.ALLGATHERV, bytes, true, blocking), true, 0, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation alltoall(Object send, long sendOffset, long sendBlock, Object recv, long recvOffset, long block, boolean blocking) {
        progress.lock.lock();
        try {
            long key = sequence.begin(Collective.ALLTOALL, 0, block, null, null);
            Cursor cursor = cursors.take();
            wrapCopied(cursor, send, sendOffset, recv, recvOffset, block * ranks);
            cursor.operands.sendMap.uniform(sendBlock, ranks);
            cursor.operands.recvMap.uniform(block, ranks);
            cursor.operands.scratchMap.uniform(block, ranks);
            return go(cursor, Collective.ALLTOALL, choices.choose(Collective.ALLTOALL, block, true, blocking), true, 0, false, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation alltoallv(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout sendType,
                        Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout recvType, boolean blocking) {
        progress.lock.lock();
        try {
            Cursor cursor = cursors.take();
            cursor.operands.recvMap.listed(recvCounts, recvDisplacements, ranks, recvType.extent);
            if (send == null) {
                cursor.operands.sendMap.listed(recvCounts, recvDisplacements, ranks, recvType.extent);
            } else {
                cursor.operands.sendMap.listed(sendCounts, sendDisplacements, ranks, sendType.extent);
            }
            return goAlltoallv(cursor, send, sendOffset, recv, recvOffset, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    /** Displacements in bytes. */
    Operation alltoallw(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout[] sendTypes,
                        Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout[] recvTypes, boolean blocking) {
        progress.lock.lock();
        try {
            Cursor cursor = cursors.take();
            cursor.operands.recvMap.begin(ranks);
            cursor.operands.sendMap.begin(ranks);
            for (int peer = 0; peer < ranks; peer++) {
                long length = (long) recvCounts[peer] * recvTypes[peer].extent;
                cursor.operands.recvMap.set(peer, recvDisplacements[peer], length);
                if (send == null) {
                    cursor.operands.sendMap.set(peer, recvDisplacements[peer], length);
                } else {
                    cursor.operands.sendMap.set(peer, sendDisplacements[peer], (long) sendCounts[peer] * sendTypes[peer].extent);
                }
            }
            return goAlltoallv(cursor, send, sendOffset, recv, recvOffset, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    private Operation goAlltoallv(Cursor cursor, Object send, long sendOffset, Object recv, long recvOffset, boolean blocking) {
        long span = 0;
        for (int peer = 0; peer < ranks; peer++) {
            span = Math.max(span, cursor.operands.recvMap.offset(peer) + cursor.operands.recvMap.length(peer, 1));
        }
        wrapCopied(cursor, send, sendOffset, recv, recvOffset, span);
        cursor.operands.scratchMap.uniform(0, 1);
        long key = sequence.begin(Collective.ALLTOALLV, 0, -1, null, null);
        return go(cursor, Collective.ALLTOALLV, choices.choose(Collective.ALLTOALLV, 0, true, blocking), true, 0, false, key, 1, null, blocking);
    }

    /** Null counts: every rank's block has {@code count} items. */
    Operation reduceScatter(Object send, long sendOffset, Object recv, long recvOffset, int[] counts, int count, TypeLayout type, Reduction op, boolean blocking) {
        progress.lock.lock();
        try {
            Cursor cursor = cursors.take();
            if (counts == null) {
                long block = (long) count * type.extent;
                cursor.operands.sendMap.uniform(block, ranks);
                cursor.operands.scratchMap.uniform(block, ranks);
                cursor.operands.recvMap.uniform(block, 1);
            } else {
                cursor.operands.sendMap.listed(counts, null, ranks, type.extent);
                cursor.operands.scratchMap.listed(counts, null, ranks, type.extent);
                cursor.operands.recvMap.uniform((long) counts[rank] * type.extent, 1);
            }
            long bytes = cursor.operands.sendMap.total();
            wrapCopied(cursor, send, sendOffset, recv, recvOffset, bytes);
            long key = sequence.begin(Collective.REDUCE_SCATTER, 0, bytes, type, op);
            return go(cursor, Collective.REDUCE_SCATTER, choices.choose(Collective.REDUCE_SCATTER, bytes, op.commutative, blocking), op.commutative, 0, false, key, type.extent,
                combiners.of(type, op), blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    // ---- what they share ----

    private static void wrap(Cursor cursor, Object send, long sendOffset, Object recv, long recvOffset) {
        if (send == null) {
            cursor.operands.send.wrap(recv, recvOffset);
        } else {
            cursor.operands.send.wrap(send, sendOffset);
        }
        cursor.operands.recv.wrap(recv, recvOffset);
    }

    /** As {@link #wrap}, but in place means that the input is copied first. */
    static void wrapCopied(Cursor cursor, Object send, long sendOffset, Object recv, long recvOffset, long bytes) {
        cursor.operands.recv.wrap(recv, recvOffset);
        if (send == null) {
            cursor.operands.sendCopyOfRecv(bytes);
        } else {
            cursor.operands.send.wrap(send, sendOffset);
        }
    }

    private Operation goVector(Cursor cursor, Collective collective, Choice choice, boolean commutes, int root, boolean inPlace, long key, long count, int extent,
                               CombinerCache.Pair pair, boolean blocking) {
        int blocks = choices.plan(collective, commutes, choice, root, inPlace).schedule.blocks();
        cursor.operands.sendMap.vector(collective == Collective.BCAST ? 0 : count, extent, blocks);
        cursor.operands.recvMap.vector(count, extent, blocks);
        cursor.operands.scratchMap.vector(count, extent, blocks);
        return go(cursor, collective, choice, commutes, root, inPlace, key, extent, pair, blocking);
    }

    private Operation go(Cursor cursor, Collective collective, Choice choice, boolean commutes, int root, boolean inPlace, long key, int extent,
                         CombinerCache.Pair pair, boolean blocking) {
        sequence.blocks(key, collective, root, cursor.operands.sendMap, cursor.operands.recvMap);
        cursor.begin(choices.plan(collective, commutes, choice, root, inPlace), key, extent,
            pair == null ? null : pair.incomingLast(), pair == null ? null : pair.incomingFirst());
        boolean confirmed = pair != null && pair.users() && ranks > 1;
        if (!blocking && confirmed) {
            return new ConfirmedOperation(progress, cursors, cursor, () -> confirmation(key), collective.key());
        }
        if (!blocking) {
            cursor.launch();
            return new CollectiveOperation(progress, cursors, cursor, collective.key());
        }
        try {
            cursor.run(collective.key());
        } finally {
            cursors.release(cursor);
        }
        if (confirmed) {
            confirm(key);
        }
        return null;
    }

    /** Waits until all ranks are through a call in which the user's function may have thrown: where it has, that rank says so instead, and the call fails on all. */
    private void confirm(long key) {
        Cursor cursor = confirmation(key);
        try {
            cursor.run("a word of all ranks that the user's operation has not thrown");
        } finally {
            cursors.release(cursor);
        }
    }

    /** A barrier with a call's own key: behind all of its messages. */
    private Cursor confirmation(long key) {
        Choice choice = choices.choose(Collective.BARRIER, 0, true, false);
        Cursor cursor = cursors.take();
        cursor.operands.sendMap.uniform(0, 1);
        cursor.operands.recvMap.uniform(0, 1);
        cursor.operands.scratchMap.uniform(0, 1);
        cursor.begin(choices.plan(Collective.BARRIER, true, choice, 0, false), key, 1, null, null);
        return cursor;
    }
}
