package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Order;
import org.brigade.pattern.Ring;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Segmented ring allreduce: the ring with blocks cut into chunks. A chunk is passed on while the next is being summed
 * and its sum is still in cache. With two ranks nothing lies between sum and spread, so each chunk goes back as soon as
 * it is summed.
 *
 * <p>
 * Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009, with segments.
 * {@code T = 2 (n - 1) (M/(n C)) (ts + C/B) + ...} for chunks of C bytes. Rounds: 2 (n - 1) times the chunks of a
 * block. Bytes: 2 ((n - 1)/n) M a rank, the least possible. Restrictions: commutative (block b is summed from the
 * ring's position b on).
 */
public final class SegmentedRingAllreduce extends CollectiveAlgorithm {
    public SegmentedRingAllreduce() {
        super(Collective.ALLREDUCE, "segmented-ring", Restrictions.COMMUTATIVE);
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public WireUse wireUse() {
        return WireUse.ORDER;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        double windows = CostModel.windows(call.bytes() / call.ranks(), call.chunk());
        return 2 * call.others() * (model.start() * windows + model.transfer((double) call.bytes() / call.ranks()));
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        Order order = geometry.order();
        Ring ring = new Ring(order);
        int right = ring.next(rank);
        int left = ring.previous(rank);
        // Blocks are numbered by positions in the ring.
        int mine = order.position(rank);
        int before = order.position(left);
        schedule.split(ranks);
        if (ranks == 1) {
            schedule.windows(() -> schedule.copy(recv(schedule, 0), send(schedule, 0)));
            return;
        }
        if (ranks == 2) {
            schedule.windows(() -> {
                begin(schedule, left, before, right, mine);
                schedule.send(right, recv(schedule, before));
                schedule.receive(left, recv(schedule, mine));
            });
            return;
        }
        schedule.windows(() -> begin(schedule, left, before, right, mine));
        schedule.rounds(ranks - 2, round -> schedule.windows(() -> {
            Index block = round.times(-1).plus(mine - 2).mod(ranks);
            schedule.send(right, schedule.recv(round.times(-1).plus(mine - 1).mod(ranks), 1));
            schedule.receiveReduce(Index.of(left), schedule.recv(block, 1), schedule.send(block, 1), true);
        }));
        schedule.rounds(ranks - 1, round -> schedule.windows(() -> {
            schedule.send(right, schedule.recv(round.times(-1).plus(mine + 1).mod(ranks), 1));
            schedule.receive(left, schedule.recv(round.times(-1).plus(mine).mod(ranks), 1));
        }));
    }

    /** Round 0, the only one that sends the caller's data. */
    private static void begin(ScheduleBuilder schedule, int left, int before, int right, int mine) {
        schedule.send(right, send(schedule, mine));
        schedule.receiveReduce(left, recv(schedule, before), send(schedule, before), true);
    }
}
