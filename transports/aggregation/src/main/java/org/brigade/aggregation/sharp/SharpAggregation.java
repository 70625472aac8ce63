package org.brigade.aggregation.sharp;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationGroup;
import org.brigade.aggregation.AggregationProvider;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.OutOfBand;
import org.brigade.select.Settings;

/**
 * SHARP: InfiniBand switches that reduce. After the name the setting may give an adapter and port,
 * {@code sharp:mlx5_0:1}. As in NCCL's plugin, each group is a context of its own whose world is the group's members.
 */
public final class SharpAggregation implements AggregationProvider {
    private static final String LIBRARY = "aggregation.library";
    private static final String TIMEOUT = "aggregation.timeout";
    private static final int TIMEOUT_SECONDS = 10;
    /** The library's timeout applies to operations, so it must exceed the greatest delay of a node. */
    private static final int PATIENCE = 60;

    @Override
    public String name() {
        return "sharp";
    }

    @Override
    public AggregationGroup join(String address, long group, OutOfBand members) throws AggregationException {
        Settings settings = Settings.ofThisProcess();
        String library = settings.get(LIBRARY) == null ? Sharp.LIBRARY : settings.get(LIBRARY);
        String missing = null;
        try {
            Sharp.load(library);
        } catch (UnsatisfiedLinkError e) {
            missing = e.getMessage().lines().findFirst().orElse("");
        }
        // The library's own exchanges begin in its initialisation: a node without it must say so before.
        for (byte[] has : members.allgather(new byte[] {(byte) (missing == null ? 1 : 0)})) {
            if (has[0] == 0) {
                throw new AggregationException(AggregationStatus.ENOT_SUPP,
                    missing == null ? "SHARP, which another node lacks"
                        : library + " (" + missing + "); it comes with HPC-X and MLNX_OFED");
            }
        }
        int timeout = (int) settings.number(TIMEOUT, 1, 3600, "" + TIMEOUT_SECONDS, TIMEOUT_SECONDS) * PATIENCE * 1000;
        Exchanges exchanges = new Exchanges(members);
        Sharp.Context context = new Sharp.Context(group, members.rank(), members.size(), address, timeout, exchanges);
        boolean all = exchanges.agree(context.status());
        requireDone(context.status(), "sharp_coll_init of node " + members.rank() + " of " + members.size()
            + (address.isEmpty() ? "" : " on " + address));
        PointerByReference communicator = new PointerByReference();
        int status = all ? context.makeCommunicator(members.rank(), members.size(), communicator)
            : AggregationStatus.EGROUP_JOIN.code();
        Sharp.Caps caps = status == 0 ? context.caps() : null;
        if (status == 0 && caps == null) {
            status = AggregationStatus.ENOT_SUPP.code();
        }
        all = all && exchanges.agree(status);
        if (!all) {
            if (communicator.getValue() != null) {
                Sharp.destroy(communicator.getValue());
            }
            context.close();
            requireDone(status, "sharp_coll_comm_init of " + members.size() + " nodes");
            throw new AggregationException(AggregationStatus.EGROUP_JOIN,
                "sharp_coll_comm_init of " + members.size() + " nodes: another one has failed");
        }
        return new SharpGroup(context, communicator.getValue(), caps);
    }

    static void requireDone(int status, String what) throws AggregationException {
        if (status != 0) {
            throw new AggregationException(AggregationStatus.of(status), what);
        }
    }

    /**
     * The exchanges that the library asks for, over the ordinary links. On one member it may fail before it asks, while
     * on the others it asks. So each exchange begins with whether this member is still inside. Once the members are not
     * all inside, or all outside, every member knows that it has failed. No exception may pass through the library's
     * frames: it is kept here.
     */
    private static final class Exchanges implements Sharp.OutOfBandCalls {
        private static final byte INSIDE = 1;
        private static final byte DONE = 2;
        private static final byte FAILED = 3;

        private final OutOfBand members;
        private boolean broken;
        private RuntimeException failure;

        Exchanges(OutOfBand members) {
            this.members = members;
        }

        /** Whether the library succeeded on all members; called after it has returned. */
        boolean agree(int status) {
            boolean all = !broken && meet(status == 0 ? DONE : FAILED);
            if (failure != null) {
                throw failure;
            }
            return all && status == 0;
        }

        private boolean meet(byte own) {
            byte[][] all = members.allgather(new byte[] {own});
            for (byte[] each : all) {
                broken |= each[0] != own || own == FAILED;
            }
            return !broken;
        }

        private byte[][] allgather(byte[] own) {
            try {
                return broken || !meet(INSIDE) ? null : members.allgather(own);
            } catch (RuntimeException e) {
                failure = e;
                broken = true;
                return null;
            }
        }

        @Override
        public int bcast(Pointer buffer, int bytes, int root) {
            byte[][] all = allgather(buffer.getByteArray(0, bytes));
            if (all == null) {
                return AggregationStatus.EOOB.code();
            }
            buffer.write(0, all[root], 0, bytes);
            return 0;
        }

        @Override
        public int barrier() {
            return allgather(new byte[1]) == null ? AggregationStatus.EOOB.code() : 0;
        }

        @Override
        public int gather(int root, Pointer send, Pointer receive, int bytes) {
            byte[][] all = allgather(send.getByteArray(0, bytes));
            for (int member = 0; all != null && members.rank() == root && member < all.length; member++) {
                receive.write((long) member * bytes, all[member], 0, bytes);
            }
            return all == null ? AggregationStatus.EOOB.code() : 0;
        }
    }
}
