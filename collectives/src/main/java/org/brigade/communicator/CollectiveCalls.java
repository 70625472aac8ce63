package org.brigade.communicator;

import mpi.spi.ErrorClass;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationLink;
import org.brigade.aggregation.AggregationType;
import org.brigade.algorithm.FusedAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.device.CallLine;
import org.brigade.engine.Cursor;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.Party;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;
import org.brigade.pattern.Wires;
import org.brigade.schedule.Collective;
import org.brigade.select.Choice;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;
import org.brigade.select.TuningException;

/**
 * The collective calls of one communicator: from arguments in items to a cursor with buffers, block maps and a plan; or to fused code. Each call takes the next number
 * (epoch), which with the communicator's context is the key of all its messages.
 *
 * <p>Blocking calls return null, the others what is under way. Arguments have been checked.
 */
final class CollectiveCalls {
    /** Longer vectors, whose input in place could not be kept in one piece, go by the ordinary schedules. */
    private static final long MOST_IN_NETWORK = 1 << 30;
    private static final Reduction MAX = Reduction.predefined(Reduction.Operator.MAX);

    private final Progress progress;
    private final CombinerCache combiners;
    private final CallShapes shapes;
    private final CursorPool cursors;
    private final FusedFlat fused;
    /** Null unless calls are compared. */
    private final CallCheck check;
    /** Where to ask for the wires between the ranks; null once that has been done, and where there is nothing to ask. */
    private WireSource wires;
    private final int context;
    private final int rank;
    private final int ranks;
    /** Where this rank tells the others how many calls it has begun; null where they never need to know. */
    private final CallLine line;
    /** What reduces between the nodes; null if nothing does, or does any more. */
    private NetworkReduction network;
    private final Selector networkSelector;
    /** What would be chosen with it; null until someone asks. */
    private CallShapes networkShapes;
    private String name;
    private long epoch;

    CollectiveCalls(Progress progress, Selector selector, CombinerCache combiners, boolean checks, int context, Party party, CallLine line, WireSource wires, String name) {
        this.progress = progress;
        this.combiners = combiners;
        this.context = context;
        this.rank = party.rank;
        this.ranks = party.members.length;
        this.line = line;
        this.name = name;
        this.wires = ranks < WireSource.LEAST_ORDERED ? null : wires;
        this.shapes = new CallShapes(selector, wires == null || ranks == 1 ? Wires.NONE : wires.known(party.members), rank, ranks, name);
        this.networkSelector = selector;
        this.network = wires == null || ranks == 1 ? null : wires.network(progress, party, name);
        this.cursors = new CursorPool(progress, party);
        this.fused = new FusedFlat(progress, party);
        this.check = checks ? new CallCheck(fused, rank, ranks) : null;
    }

    void rename(String name) {
        this.name = name;
    }

    /** Says to the others that this rank finalizes, if calls are compared. */
    void checkFinalize() {
        if (check != null) {
            progress.lock.lock();
            try {
                check.compareFinalize(key(), name);
                epoch++;
            } finally {
                progress.lock.unlock();
            }
        }
    }

    // ---- one vector ----

    Operation barrier(boolean blocking) {
        progress.lock.lock();
        try {
            long key = begin(Collective.BARRIER, 0, 0, null, null);
            Choice choice = choose(Collective.BARRIER, 0, true, key, blocking);
            if (blocking && choice.algorithm() instanceof FusedAlgorithm) {
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
            long key = begin(Collective.BCAST, root, bytes, null, null);
            Choice choice = choose(Collective.BCAST, bytes, true, key, blocking);
            if (blocking && choice.algorithm() instanceof FusedAlgorithm) {
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
            long key = begin(Collective.REDUCE, root, bytes, type, op);
            Choice choice = choose(Collective.REDUCE, bytes, op.commutative, key, blocking);
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
            if (network != null && blocking && reduceInNetwork(send, sendOffset, recv, recvOffset, count, type, op)) {
                return null;
            }
            return reduceByLinks(send, sendOffset, recv, recvOffset, count, type, op, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    private Operation reduceByLinks(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        long bytes = (long) count * type.extent;
        long key = begin(Collective.ALLREDUCE, 0, bytes, type, op);
        Choice choice = choose(Collective.ALLREDUCE, bytes, op.commutative, key, blocking);
        CombinerCache.Pair pair = combiners.of(type, op);
        if (blocking && choice.algorithm() instanceof FusedAlgorithm) {
            fused.allreduce(key, send, sendOffset, recv, recvOffset, (int) bytes, pair.incomingLast(), pair.incomingFirst());
            return null;
        }
        Cursor cursor = cursors.take();
        wrap(cursor, send, sendOffset, recv, recvOffset);
        return goVector(cursor, Collective.ALLREDUCE, choice, op.commutative, 0, send == null, key, count, type.extent, pair, blocking);
    }

    // ---- allreduce in the network ----

    /**
     * An allreduce by the network between the nodes, if selection wants it and the network reduces such a vector; false if not, on all ranks alike. The input stays whole until all have agreed that every sum has come: if
     * not, the network is given up, and the ordinary schedule does it again.
     */
    private boolean reduceInNetwork(Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op) {
        long bytes = (long) count * type.extent;
        if (networkShapes == null) {
            networkShapes = new CallShapes(networkSelector, shapes.wires().reducing(network.nodeOf()), rank, ranks, name);
        }
        Ladder ladder = networkShapes.ladder(Collective.ALLREDUCE, op.commutative);
        int step = ladder.step(bytes);
        Choice choice = ladder.choice(step);
        if (bytes == 0 || bytes > MOST_IN_NETWORK || choice.algorithm() == null || choice.algorithm().wireUse() != WireUse.NETWORK) {
            return false;
        }
        if (!network.isOpen() && !network.open(fused, nextKey(), nextKey())) {
            network = null;
            return false;
        }
        AggregationType element = AggregationType.of(type);
        if (!network.serves(element, op.operator)) {
            return false;
        }
        long key = begin(Collective.ALLREDUCE, 0, bytes, type, op);
        Diagnostics.ran(choice.algorithm());
        Cursor cursor = cursors.take();
        wrapCopied(cursor, send, sendOffset, recv, recvOffset, bytes);
        Object input = cursor.operands.send.buffer();
        long inputOffset = cursor.operands.send.offset();
        AggregationException failure = runInNetwork(cursor, key, choice, step, count, element, type, op);
        int[] lost = {failure == null ? 0 : ranks - rank};
        reduceByLinks(null, 0, lost, 0, 1, AggregationType.INT32.layout, MAX, true);
        if (lost[0] != 0) {
            if (failure != null && lost[0] == ranks - rank) {
                network.tell(failure.getMessage());
            }
            network.close();
            network = null;
            reduceByLinks(input, inputOffset, recv, recvOffset, count, type, op, true);
        } else {
            Diagnostics.ran(choice.algorithm());
        }
        cursors.release(cursor);
        return true;
    }

    /** Why the sums are none; null if they have come, or this rank hears of them through another. */
    private AggregationException runInNetwork(Cursor cursor, long key, Choice choice, int step, int count, AggregationType element, TypeLayout type, Reduction op) {
        AggregationLink link = network.link();
        CombinerCache.Pair pair = combiners.of(type, op);
        Plan plan = networkShapes.plan(Collective.ALLREDUCE, op.commutative, step, choice, 0, false);
        cursor.operands.sendMap.vector(count, type.extent, 1);
        cursor.operands.recvMap.vector(count, type.extent, 1);
        cursor.operands.scratchMap.vector(count, type.extent, 1);
        cursor.network(link);
        if (link != null) {
            link.begin(key, element, op.operator);
        }
        cursor.begin(plan, key, type.extent, pair.incomingLast(), pair.incomingFirst());
        boolean ended = false;
        try {
            cursor.run(Collective.ALLREDUCE.key());
            ended = true;
        } finally {
            if (!ended) {
                network.close();
                network = null;
            }
        }
        cursor.network(null);
        if (link == null) {
            return null;
        }
        link.end();
        return link.failure();
    }

    /** The communicator is freed. */
    void free() {
        progress.lock.lock();
        try {
            if (network != null) {
                network.close();
                network = null;
            }
        } finally {
            progress.lock.unlock();
        }
    }

    Operation scan(boolean exclusive, Object send, long sendOffset, Object recv, long recvOffset, int count, TypeLayout type, Reduction op, boolean blocking) {
        Collective collective = exclusive ? Collective.EXSCAN : Collective.SCAN;
        long bytes = (long) count * type.extent;
        progress.lock.lock();
        try {
            long key = begin(collective, 0, bytes, type, op);
            Choice choice = choose(collective, bytes, op.commutative, key, blocking);
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
            long key = begin(Collective.GATHER, root, block, null, null);
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
            return go(cursor, Collective.GATHER, choose(Collective.GATHER, block, true, key, blocking), true, root, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation gatherv(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, int[] counts, int[] displacements, int extent, int root, boolean blocking) {
        progress.lock.lock();
        try {
            long key = begin(Collective.GATHERV, root, -1, null, null);
            Cursor cursor = cursors.take();
            boolean inPlace = send == null && rank == root;
            cursor.operands.recv.wrap(recv, recvOffset);
            if (rank == root) {
                cursor.operands.recvMap.listed(counts, displacements, extent);
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
            return go(cursor, Collective.GATHERV, choose(Collective.GATHERV, 0, true, key, blocking), true, root, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation scatter(Object send, long sendOffset, long block, Object recv, long recvOffset, long recvBytes, int root, boolean blocking) {
        progress.lock.lock();
        try {
            long key = begin(Collective.SCATTER, root, block, null, null);
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
            return go(cursor, Collective.SCATTER, choose(Collective.SCATTER, block, true, key, blocking), true, root, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation scatterv(Object send, long sendOffset, int[] counts, int[] displacements, int extent, Object recv, long recvOffset, long recvBytes, int root, boolean blocking) {
        progress.lock.lock();
        try {
            long key = begin(Collective.SCATTERV, root, -1, null, null);
            Cursor cursor = cursors.take();
            boolean inPlace = recv == null && rank == root;
            cursor.operands.send.wrap(send, sendOffset);
            if (rank == root) {
                cursor.operands.sendMap.listed(counts, displacements, extent);
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
            return go(cursor, Collective.SCATTERV, choose(Collective.SCATTERV, 0, true, key, blocking), true, root, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation allgather(Object send, long sendOffset, long sendBytes, Object recv, long recvOffset, long block, boolean blocking) {
        progress.lock.lock();
        try {
            long key = begin(Collective.ALLGATHER, 0, block, null, null);
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
            return go(cursor, Collective.ALLGATHER, choose(Collective.ALLGATHER, block, true, key, blocking), true, 0, send == null, key, 1, null, blocking);
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
            cursor.operands.recvMap.listed(counts, displacements, extent);
            cursor.operands.scratchMap.listed(counts, null, extent);
            boolean inPlace = sendBytes < 0;
            if (inPlace) {
                cursor.operands.send.wrap(recv, recvOffset + cursor.operands.recvMap.offset(rank));
            } else {
                cursor.operands.send.wrap(send, sendOffset);
            }
            cursor.operands.sendMap.uniform(inPlace ? cursor.operands.recvMap.length(rank, 1) : sendBytes, 1);
            long bytes = cursor.operands.recvMap.total();
            long key = begin(Collective.ALLGATHERV, 0, bytes, null, null);
            return go(cursor, Collective.ALLGATHERV, choose(Collective.ALLGATHERV, bytes, true, key, blocking), true, 0, inPlace, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation alltoall(Object send, long sendOffset, long sendBlock, Object recv, long recvOffset, long block, boolean blocking) {
        progress.lock.lock();
        try {
            long key = begin(Collective.ALLTOALL, 0, block, null, null);
            Cursor cursor = cursors.take();
            wrapCopied(cursor, send, sendOffset, recv, recvOffset, block * ranks);
            cursor.operands.sendMap.uniform(sendBlock, ranks);
            cursor.operands.recvMap.uniform(block, ranks);
            cursor.operands.scratchMap.uniform(block, ranks);
            return go(cursor, Collective.ALLTOALL, choose(Collective.ALLTOALL, block, true, key, blocking), true, 0, false, key, 1, null, blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    Operation alltoallv(Object send, long sendOffset, int[] sendCounts, int[] sendDisplacements, TypeLayout sendType,
                        Object recv, long recvOffset, int[] recvCounts, int[] recvDisplacements, TypeLayout recvType, boolean blocking) {
        progress.lock.lock();
        try {
            Cursor cursor = cursors.take();
            cursor.operands.recvMap.listed(recvCounts, recvDisplacements, recvType.extent);
            if (send == null) {
                cursor.operands.sendMap.listed(recvCounts, recvDisplacements, recvType.extent);
            } else {
                cursor.operands.sendMap.listed(sendCounts, sendDisplacements, sendType.extent);
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
        long key = begin(Collective.ALLTOALLV, 0, -1, null, null);
        return go(cursor, Collective.ALLTOALLV, choose(Collective.ALLTOALLV, 0, true, key, blocking), true, 0, false, key, 1, null, blocking);
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
                cursor.operands.sendMap.listed(counts, null, type.extent);
                cursor.operands.scratchMap.listed(counts, null, type.extent);
                cursor.operands.recvMap.uniform((long) counts[rank] * type.extent, 1);
            }
            long bytes = cursor.operands.sendMap.total();
            wrapCopied(cursor, send, sendOffset, recv, recvOffset, bytes);
            long key = begin(Collective.REDUCE_SCATTER, 0, bytes, type, op);
            return go(cursor, Collective.REDUCE_SCATTER, choose(Collective.REDUCE_SCATTER, bytes, op.commutative, key, blocking), op.commutative, 0, false, key, type.extent,
                combiners.of(type, op), blocking);
        } finally {
            progress.lock.unlock();
        }
    }

    // ---- what they share ----

    private long begin(Collective collective, int root, long bytes, TypeLayout type, Reduction op) {
        long key = key();
        epoch++;
        if (line != null) {
            line.passed(epoch);
        }
        if (check != null) {
            check.compare(key, name, collective, root, bytes, type, op);
        }
        return key;
    }

    /** A key of messages between the members that belong to no call; counted like one. */
    private long nextKey() {
        long key = key();
        epoch++;
        if (line != null) {
            line.passed(epoch);
        }
        return key;
    }

    /** The key of the next call's messages. */
    long key() {
        return (long) context << 32 | epoch & 0xffffffffL;
    }

    /** The number of the next call: how many have begun. */
    long number() {
        return epoch;
    }

    /** Counts a call that runs elsewhere, and that its {@link CallLine} has been told of. */
    void count() {
        epoch++;
    }

    private Choice choose(Collective collective, long bytes, boolean commutes, long key, boolean blocking) {
        Ladder ladder = shapes.ladder(collective, commutes);
        int step = ladder.step(bytes);
        Choice choice = shapes.choice(collective, ladder, step);
        if (wires != null && blocking && choice.wired()) {
            askForWires(collective, key);
            return choose(collective, bytes, commutes, key, true);
        }
        Diagnostics.ran(choice.algorithm());
        lastStep = step;
        return choice;
    }

    /**
     * Finds out what there is to know about the wires, together with the other ranks: they are in the same call and have made the same choice. In a blocking call only, as one that returns at once must
     * not wait for others; calls before that run by what is known without.
     */
    private void askForWires(Collective collective, long key) {
        WireSource source = wires;
        wires = null;
        try {
            shapes.learn(source.ask(fused, key, rank, ranks, shapes.wires()));
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in(collective.key(), rank, ranks, name, e.getMessage());
        }
    }

    /** The step of the ladder that {@link #choose} took last: with the choice, part of the plan's key. */
    private int lastStep;

    private static void wrap(Cursor cursor, Object send, long sendOffset, Object recv, long recvOffset) {
        if (send == null) {
            cursor.operands.send.wrap(recv, recvOffset);
        } else {
            cursor.operands.send.wrap(send, sendOffset);
        }
        cursor.operands.recv.wrap(recv, recvOffset);
    }

    /** As {@link #wrap}, but in place means that the input is copied first. */
    private static void wrapCopied(Cursor cursor, Object send, long sendOffset, Object recv, long recvOffset, long bytes) {
        cursor.operands.recv.wrap(recv, recvOffset);
        if (send == null) {
            cursor.operands.sendCopyOfRecv(bytes);
        } else {
            cursor.operands.send.wrap(send, sendOffset);
        }
    }

    private Operation goVector(Cursor cursor, Collective collective, Choice choice, boolean commutes, int root, boolean inPlace, long key, long count, int extent,
                               CombinerCache.Pair pair, boolean blocking) {
        int blocks = shapes.plan(collective, commutes, lastStep, choice, root, inPlace).schedule.blocks();
        cursor.operands.sendMap.vector(collective == Collective.BCAST ? 0 : count, extent, blocks);
        cursor.operands.recvMap.vector(count, extent, blocks);
        cursor.operands.scratchMap.vector(count, extent, blocks);
        return go(cursor, collective, choice, commutes, root, inPlace, key, extent, pair, blocking);
    }

    private Operation go(Cursor cursor, Collective collective, Choice choice, boolean commutes, int root, boolean inPlace, long key, int extent,
                         CombinerCache.Pair pair, boolean blocking) {
        cursor.begin(shapes.plan(collective, commutes, lastStep, choice, root, inPlace), key, extent,
            pair == null ? null : pair.incomingLast(), pair == null ? null : pair.incomingFirst());
        if (!blocking) {
            cursor.launch();
            return new CollectiveOperation(progress, cursors, cursor, collective.key());
        }
        try {
            cursor.run(collective.key());
        } finally {
            cursors.release(cursor);
        }
        return null;
    }
}
