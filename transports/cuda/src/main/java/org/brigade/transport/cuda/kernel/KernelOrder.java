package org.brigade.transport.cuda.kernel;

import org.brigade.pattern.Order;

/**
 * How the kernels of one order number a group's members: by position, as they find their neighbours by counting. A
 * block is still that of the rank at its position, so all that {@code struct Call} has for each peer is put in the
 * order. The words in scratch are numbered in the same way; hence kernels of different numberings must never meet in
 * the same ones: each numbering has scratch of its own ({@link KernelOrders}).
 */
public final class KernelOrder {
    /** By rank: launches are as they were filled in. */
    static final KernelOrder RANKS = new KernelOrder(null, 0, null, null);

    private final Order order;
    private final int rank;
    /** By rank: the scratch addresses of other launches. */
    private final long[] others;
    /** By rank: this numbering's own scratch addresses. */
    private final long[] own;

    private KernelOrder(Order order, int rank, long[] others, long[] own) {
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
    static KernelOrder of(Order order, int rank, long[] scratches, long at) {
        long[] own = new long[scratches.length];
        for (int member = 0; member < own.length; member++) {
            own[member] = scratches[member] + at;
        }
        return new KernelOrder(order, rank, scratches, own);
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
