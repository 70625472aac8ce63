package org.brigade.communicator;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Envelope;
import mpi.spi.Extent;
import mpi.spi.Operand;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.matching.CommunicatorMessages;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.LocalCopy;

/**
 * A collective call between two groups, under way. Whoever has data sends them to each rank of the other group that
 * wants them; nothing goes between ranks of one group, and nobody waits for a rank that has nothing for it. A rank that
 * gets the result of a reduction receives the operands of all ranks, and combines them itself, in rank order.
 */
final class GroupExchange extends OperationSet {
    private final Progress progress;
    private final CombinerCache combiners;
    private final CommunicatorMessages messages;
    private final Membership membership;
    private final String name;
    private final Call call;
    private final int tag;
    private final Collective collective;
    /** Of a reduction: the vector of each rank that sends one, and the receives. */
    private long[][] vectors;
    private Operation[] arriving;
    private long expected;

    /**
     * Begins the call.
     *
     * @param membership the other group, as messages see it
     * @param both the members of both groups
     * @param tag of its messages, one for all calls of a kind: between two ranks messages keep their order
     */
    GroupExchange(Progress progress, CombinerCache combiners, CommunicatorMessages messages, Membership membership,
        Membership both, String name, Call call, int tag) {
        super(progress, both, call.collective.key());
        this.progress = progress;
        this.combiners = combiners;
        this.messages = messages;
        this.membership = membership;
        this.name = name;
        this.call = call;
        this.tag = tag;
        collective = call.collective;
        boolean rooted = collective.rooted;
        boolean fromRoot = collective == Collective.BCAST || collective.scatters();
        boolean atRoot = rooted && call.isRoot();
        boolean toRoot = rooted && call.root >= 0;
        int first = toRoot ? call.root : 0;
        int last = toRoot ? call.root : call.ranks - 1;
        try {
            if (!rooted || (fromRoot ? toRoot : atRoot)) {
                receive(first, last);
            }
            if (!rooted || (fromRoot ? atRoot : toRoot)) {
                send(first, last);
            }
        } catch (MPIException e) {
            abandon();
            throw e;
        }
    }

    private void receive(int first, int last) {
        if (collective.reduces) {
            receiveVectors();
            return;
        }
        for (int peer = first; peer <= last; peer++) {
            boolean each = collective.recv == Extent.EACH;
            add(messages.irecv(call.recv.buffer, begin(call.recv, each, peer), length(call.recv, each, peer), peer,
                tag, collective.key()));
        }
    }

    private void receiveVectors() {
        expected = (collective == Collective.REDUCE_SCATTER ? call.send : call.recv).blocks.total();
        vectors = new long[call.ranks][];
        arriving = new Operation[call.ranks];
        for (int peer = 0; peer < call.ranks; peer++) {
            vectors[peer] = memory(expected + Long.BYTES - 1 >> 3);
            arriving[peer] = messages.irecv(vectors[peer], 0, expected, peer, tag, collective.key());
            add(arriving[peer]);
        }
    }

    private long[] memory(long longs) {
        try {
            return new long[Math.toIntExact(longs)];
        } catch (OutOfMemoryError | ArithmeticException e) {
            throw error(ErrorClass.NO_MEM, "there is no memory for the operands of " + call.ranks + " ranks of "
                + expected + " bytes each; start java with a larger -Xmx, or reduce fewer items at a time");
        }
    }

    private void send(int first, int last) {
        Operand data = collective == Collective.BCAST ? call.recv : call.send;
        boolean each = collective.send == Extent.EACH && !collective.reduces;
        for (int peer = first; peer <= last; peer++) {
            add(messages.isend(data.buffer, begin(data, each, peer), length(data, each, peer), peer,
                tag, SendMode.STANDARD));
        }
    }

    private static long begin(Operand operand, boolean each, int peer) {
        return each ? operand.offset + operand.blocks.offset(peer) : operand.offset;
    }

    private static long length(Operand operand, boolean each, int peer) {
        return each ? operand.blocks.length(peer) : operand.blocks.total();
    }

    @Override
    protected void finish() {
        if (vectors == null || vectors.length == 0) {
            return;
        }
        Envelope envelope = new Envelope();
        for (int peer = 0; peer < arriving.length; peer++) {
            arriving[peer].describe(envelope);
            if (envelope.bytes() != expected) {
                throw error(ErrorClass.TRUNCATE, "rank " + peer + " of the other group reduces " + envelope.bytes()
                    + " bytes, and this rank " + expected + "; pass the same number of items in both groups");
            }
        }
        boolean divided = collective == Collective.REDUCE_SCATTER;
        long from = divided ? call.send.blocks.offset(membership.rank) : 0;
        progress.lock.lock();
        try {
            combine(from, divided ? call.recv.blocks.total() : expected);
        } catch (MPIException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            MPIException error = error(ErrorClass.OTHER, "the user's function threw " + e);
            error.initCause(e);
            throw error;
        } finally {
            progress.lock.unlock();
        }
    }

    private void combine(long from, long bytes) {
        Combiner combiner = combiners.of(call.type, call.op).incomingFirst();
        LocalCopy local = new LocalCopy();
        Region result = new Region().wrap(vectors[vectors.length - 1], from);
        Region left = new Region();
        for (int peer = vectors.length - 2; peer >= 0; peer--) {
            local.reduce(combiner, result, 0, left.wrap(vectors[peer], from), 0, bytes);
        }
        local.copy(new Region().wrap(call.recv.buffer, call.recv.offset), 0, result, 0, bytes);
    }

    private MPIException error(ErrorClass errorClass, String what) {
        return errorClass.in(collective.key(), membership.rank, membership.ranks, name, what);
    }
}
