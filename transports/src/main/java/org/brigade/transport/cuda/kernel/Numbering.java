package org.brigade.transport.cuda.kernel;

import org.brigade.pattern.Order;

/**
 * The numbers that kernels of one order give a group's members: positions, as they find their neighbours by counting. A
 * block still belongs to the rank at its position, so all of {@code struct Call}'s fields for peers are put in this
 * order. The words in scratch have the same numbers. So kernels of different numberings must never meet in the same
 * words: each numbering has scratch of its own ({@link Numberings}).
 */
public final class Numbering {
    /** By rank: launches stay as they were filled in. */
    static final Numbering RANKS = new Numbering(null, 0, null, null);

    private final Order order;
    private final int rank;
    /** By rank: the scratch addresses of other launches. */
    private final long[] others;
    /** By rank: this numbering's own scratch addresses. */
    private final long[] own;

    private Numbering(Order order, int rank, long[] others, long[] own) {
        this.order = order;
        this.rank = rank;
        this.others = others;
        this.own = own;
    }

    /**
     * A numbering by position in an order.
     *
     * @param rank of this member
     * @param scratches by rank: every member's, as mapped here
     * @param at offset of this numbering's own part in each
     */
    static Numbering of(Order order, int rank, long[] scratches, long at) {
        long[] own = new long[scratches.length];
        for (int member = 0; member < own.length; member++) {
            own[member] = scratches[member] + at;
        }
        return new Numbering(order, rank, scratches, own);
    }

    /** The member after a rank, around the end. */
    public int next(int from, int ranks) {
        return order == null ? (from + 1) % ranks : order.rank((order.position(from) + 1) % ranks);
    }

    /** Renumbers a launch whose arguments are all by rank. */
    public void enter(CallArguments arguments) {
        if (order == null) {
            return;
        }
        int root = arguments.getInt(CallArguments.ROOT);
        arguments.putInt(CallArguments.RANK, order.position(rank));
        arguments.putInt(CallArguments.ROOT, root < 0 ? root : order.position(root));
        arguments.putLongs(CallArguments.SCRATCH, own, own.length);
        arguments.arrange(CallArguments.SCRATCH, order);
        arguments.arrange(CallArguments.PEER_SEND, order);
        arguments.arrange(CallArguments.PEER_RECV, order);
        arguments.arrange(CallArguments.SEND_AT, order);
        arguments.arrange(CallArguments.SEND_BYTES, order);
        arguments.arrange(CallArguments.RECV_AT, order);
        arguments.arrange(CallArguments.RECV_BYTES, order);
    }

    /** Restores the fields that are the same in all launches; the rest is filled in for each. */
    public void leave(CallArguments arguments) {
        if (order != null) {
            arguments.putInt(CallArguments.RANK, rank);
            arguments.putLongs(CallArguments.SCRATCH, others, others.length);
        }
    }

    @Override
    public String toString() {
        return order == null ? "by rank" : "by position in " + order;
    }
}
