package org.brigade.device;

import java.util.ArrayList;
import java.util.List;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.PeerTable;

/**
 * What a rank tells on its {@link Endpoint#board} about persistent calls on device memory: how often it has started
 * each, and, if it is the first member of a communicator, in which order all members launch what all have started.
 * Ranks start their calls in orders of their own, so somebody has to decide.
 *
 * <pre>
 *    0  slot of a call, 32 bytes:  0  starts                                   by release, after the exports
 *                                  8  starts that this rank will not look at the members' slots for any more
 *                                 16  the send buffer's export, 24 the receive buffer's
 *   32  slot of another, ... {@value #SLOTS} in all
 *  2 Ki order of a communicator: the n-th entry is at n modulo {@value #ENTRIES}, n &lt;&lt; 32 | call     by release
 *  2.5 Ki  order of another, ... {@value #ORDERS} in all
 * </pre>
 *
 * <p>
 * Only this rank writes its board, and no count ever goes back, so a slot may belong to another call later: members
 * tell each other the counts from which they count when they make the call. A slot is free again when all members have
 * launched its call as often as this rank has started it.
 *
 * <p>
 * No entry of an order is overwritten before all members have read it: a call is in the order again only when all
 * members have started it again, and who has started it again has read its last entry. So no more entries are unread
 * than there are calls, and a communicator has at most as many calls as an order has entries.
 *
 * <p>
 * Under the progress lock of its process.
 */
public final class StartBoard {
    public static final int BYTES = 4 << 10;
    static final int SLOTS = 64;
    static final int ENTRIES = 64;
    static final int ORDERS = 4;

    private static final int SLOT_BYTES = 32;
    private static final int STARTS = 0;
    private static final int LAUNCHED = 8;
    private static final int SEND_EXPORT = 16;
    private static final int RECV_EXPORT = 24;
    private static final int ORDERS_AT = SLOTS * SLOT_BYTES;

    private final Endpoint endpoint;
    private final int at;
    private final NativeMemory own;
    /** By rank of the job; made on first use. */
    private final PeerTable<NativeMemory> boards;
    private final Call[] taken = new Call[SLOTS];
    private final List<Call> freed = new ArrayList<>();
    /** By order that this rank decides: how many entries it has had. */
    private final long[] entries = new long[ORDERS];
    private final boolean[] ordered = new boolean[ORDERS];
    /** How many calls have a part in it that some member may not have launched. */
    private final int[] parts = new int[ORDERS];

    /** A call of this rank, and where its members tell of it. */
    public final class Call {
        final int slot;
        private final long first;
        /** Of the order that this rank decides; -1 if it decides none. */
        private int order = -1;
        private int[] members;
        private int[] slots;
        private long[] firsts;
        private long starts;
        private long launched;

        private Call(int slot) {
            this.slot = slot;
            first = own.getLong(word(slot, STARTS));
            launched = own.getLong(word(slot, LAUNCHED));
        }

        /** What the members must know of it: two words. */
        public long[] card() {
            return new long[] {slot, first};
        }

        /**
         * @param ranks of the job, in the communicator's order
         * @param cards of all members
         * @param decided the order, if this rank decides it; else -1
         */
        public void meet(int[] ranks, long[][] cards, int decided) {
            members = ranks;
            order = decided;
            if (order >= 0) {
                parts[order]++;
            }
            slots = new int[ranks.length];
            firsts = new long[ranks.length];
            for (int member = 0; member < ranks.length; member++) {
                slots[member] = (int) cards[member][0];
                firsts[member] = cards[member][1];
            }
        }

        /** This rank starts it, with these buffers. */
        public void start(long sendExport, long recvExport) {
            starts++;
            own.putLong(word(slot, SEND_EXPORT), sendExport);
            own.putLong(word(slot, RECV_EXPORT), recvExport);
            own.putLongRelease(word(slot, STARTS), first + starts);
        }

        /** Whether a member has started it as often as this rank. */
        public boolean hasStarted(int member) {
            return board(members[member]).getLongAcquire(word(slots[member], STARTS)) >= firsts[member] + starts;
        }

        /** Of a member that has started it. */
        public long sendExport(int member) {
            return board(members[member]).getLong(word(slots[member], SEND_EXPORT));
        }

        /** Of a member that has started it. */
        public long recvExport(int member) {
            return board(members[member]).getLong(word(slots[member], RECV_EXPORT));
        }

        /** This rank looks no more at the members' slots for its last start. */
        public void launched() {
            own.putLongRelease(word(slot, LAUNCHED), ++launched);
        }

        /** It is not started again. */
        public void free() {
            freed.add(this);
        }

        /** Whether no member will look at this rank's slot again. */
        private boolean isForgotten() {
            for (int member = 0; members != null && member < members.length; member++) {
                if (endpoint.lost(members[member]) == null
                    && board(members[member]).getLongAcquire(word(slots[member], LAUNCHED)) < firsts[member] + starts) {
                    return false;
                }
            }
            return true;
        }
    }

    private StartBoard(Endpoint endpoint, int at) {
        this.endpoint = endpoint;
        this.at = at;
        own = endpoint.board(endpoint.rank());
        boards = new PeerTable<>(endpoint.size());
    }

    /** The board of this rank; null if it has none. */
    public static StartBoard of(Endpoint endpoint) {
        return endpoint.board(endpoint.rank()) == null ? null : new StartBoard(endpoint, AnnouncementBoard.BYTES);
    }

    private int word(int slot, int word) {
        return at + slot * SLOT_BYTES + word;
    }

    private NativeMemory board(int world) {
        NativeMemory board = boards.get(world);
        if (board == null) {
            board = endpoint.board(world);
            boards.put(world, board);
        }
        return board;
    }

    // ---- slots ----

    /** A slot for a new call; null if none is free. */
    public Call take() {
        sweep();
        for (int slot = 0; slot < SLOTS; slot++) {
            if (taken[slot] == null) {
                taken[slot] = new Call(slot);
                return taken[slot];
            }
        }
        return null;
    }

    private void sweep() {
        for (int i = freed.size() - 1; i >= 0; i--) {
            Call call = freed.get(i);
            if (call.isForgotten()) {
                taken[call.slot] = null;
                freed.remove(i);
                if (call.order >= 0) {
                    parts[call.order]--;
                }
            }
        }
    }

    // ---- orders ----

    /** An order for this rank to decide; -1 if none is left. */
    public int takeOrder() {
        sweep();
        for (int order = 0; order < ORDERS; order++) {
            if (!ordered[order] && parts[order] == 0) {
                ordered[order] = true;
                return order;
            }
        }
        return -1;
    }

    /** All its calls are freed. */
    public void giveOrder(int order) {
        ordered[order] = false;
    }

    /** How many entries an order has had that this rank decides. */
    public long entries(int order) {
        return entries[order];
    }

    /** Appends a call, by its number among the communicator's. */
    public void append(int order, int call) {
        long number = ++entries[order];
        own.putLongRelease(entry(order, number), number << Integer.SIZE | call & 0xffff_ffffL);
    }

    /**
     * The call of an entry, counted from 1, of an order that another rank decides, or this one; -1 while it is absent.
     */
    public int read(int world, int order, long number) {
        long entry = board(world).getLongAcquire(entry(order, number));
        return entry >>> Integer.SIZE == (number & 0xffff_ffffL) ? (int) entry : -1;
    }

    private int entry(int order, long number) {
        return at + ORDERS_AT + 8 * (order * ENTRIES + (int) (number % ENTRIES));
    }
}
