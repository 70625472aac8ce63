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
 * Ring allreduce: n blocks travel around the ring and are summed on the way, each as far as the rank before its start;
 * then the sums travel around.
 *
 * <p>
 * Source: Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009.
 * {@code T = 2 (n - 1) ts + 2 ((n - 1)/n) M/B + ((n - 1)/n) M c}. Rounds: 2 (n - 1). Bytes: 2 ((n - 1)/n) M a rank, the
 * least possible. Restrictions: commutative (block b is summed from the ring's position b on).
 */
public class RingAllreduce extends CollectiveAlgorithm {
    public RingAllreduce() {
        this("ring");
    }

    RingAllreduce(String name) {
        super(Collective.ALLREDUCE, name, Restrictions.COMMUTATIVE, WireUse.ORDER);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return 2 * call.others() * model.message((double) call.bytes() / call.ranks());
    }

    @Override
    public final void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        Order order = geometry.order();
        Ring ring = new Ring(order);
        int right = ring.next(rank);
        int left = ring.previous(rank);
        // Blocks are numbered by positions in the ring, so those of a round are affine in it whatever the order.
        int mine = order.position(rank);
        int before = order.position(left);
        schedule.split(ranks);
        if (ranks == 1) {
            each(schedule, () -> schedule.copy(recv(schedule, 0), send(schedule, 0)));
            return;
        }
        if (ranks == 2) {
            each(schedule, () -> {
                begin(schedule, left, before, right, mine);
                schedule.send(right, recv(schedule, before));
                schedule.receive(left, recv(schedule, mine));
            });
            return;
        }
        each(schedule, () -> begin(schedule, left, before, right, mine));
        schedule.rounds(ranks - 2, round -> each(schedule, () -> {
            Index block = round.times(-1).plus(mine - 2).mod(ranks);
            schedule.send(right, schedule.recv(round.times(-1).plus(mine - 1).mod(ranks), 1));
            schedule.receiveReduce(Index.of(left), schedule.recv(block, 1), schedule.send(block, 1), true);
        }));
        schedule.rounds(ranks - 1, round -> each(schedule, () -> {
            schedule.send(right, schedule.recv(round.times(-1).plus(mine + 1).mod(ranks), 1));
            schedule.receive(left, schedule.recv(round.times(-1).plus(mine).mod(ranks), 1));
        }));
    }

    /** Round 0, the only one that sends what the caller gave. */
    private static void begin(ScheduleBuilder schedule, int left, int before, int right, int mine) {
        schedule.send(right, send(schedule, mine));
        schedule.receiveReduce(left, recv(schedule, before), send(schedule, before), true);
    }

    /** How the steps of a round are carried out: with whole blocks. */
    void each(ScheduleBuilder schedule, Runnable steps) {
        steps.run();
    }
}
