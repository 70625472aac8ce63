package mpi.front.topology;

import mpi.ErrorClass;
import mpi.front.calls.CollectiveCalls;
import mpi.front.job.Handle;
import mpi.front.job.MemberLists;
import mpi.front.types.ItemType;
import mpi.front.types.ReductionOperation;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Reduction;

/** Puts a topology on a communicator's ranks. */
public final class Placing {
    private static final ReductionOperation MAX =
        ReductionOperation.predefined(Reduction.Operator.MAX, ItemType.INTEGER);

    private Placing() {
    }

    /**
     * A communicator of the topology's ranks; null on other ranks.
     *
     * @param reorder whether ranks may change places, so that neighbours are near each other; the same on all ranks
     */
    public static Communicator place(Handle handle, CollectiveCalls calls, String call, RankTopology topology,
        boolean reorder) {
        Communicator lower = handle.lower(call);
        agreeOnReorder(handle, calls, call, reorder);
        Communicator mine = lower.create(reorder ? topology.placement(lower.levels(true)).best()
            : RankPlacement.identity(topology.size()));
        if (mine != null) {
            mine.rename(lower.name() + " (" + topology + ")");
        }
        return mine;
    }

    /** Throws on all ranks if some wish to be reordered and others do not: they would make different calls below. */
    static void agreeOnReorder(Handle handle, CollectiveCalls calls, String call, boolean reorder) {
        int[] wishes = {reorder ? 1 : 0, reorder ? 0 : 1};
        calls.blocking(call, Collective.ALLREDUCE).reduce(wishes, 0, wishes, 0, 2, ItemType.INT, MAX).run();
        if (wishes[0] == wishes[1]) {
            throw handle.error(ErrorClass.ARG, call,
                "some ranks pass reorder true and others false; pass the same value on all ranks");
        }
    }

    /** The rank that this process would get, as far as nodes decide; UNDEFINED outside the topology. */
    public static int rankIn(Handle handle, String call, RankTopology topology) {
        return MemberLists.indexOf(topology.placement(handle.lower(call).levels(false)).best(), handle.rank);
    }
}
