package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Allreduce over two opposite pipelined chains: one half of the vector is summed from the first rank of the wires'
 * order to the last, the other half from the last to the first; then each sum goes back the way that it came. Nothing
 * goes from the last rank to the first, where a ring needs a link.
 *
 * <p>
 * Source: {@link org.brigade.algorithm.bcast.OppositeChainsBcast}, there and back:
 * {@code T = 2 (M/2C + n - 2)(ts + C/B)
 * + M c} where the directions of the links limit, against {@code 2 ((n - 1)/n) M/B} of a ring, which uses one
 * direction. Rounds: 2 (chunks + n - 2). Bytes: every rank sends 2 M, but for the two ends M. Restrictions:
 * commutative, as the order of the wires need not be that of the ranks.
 *
 * <p>
 * First both halves go up, then both come down, as in {@link DoubleTreeAllreduce}: messages between two ranks are one
 * stream, and a sum that goes up must not wait for one that comes down.
 */
public final class OppositeChainsAllreduce extends CollectiveAlgorithm {
    public OppositeChainsAllreduce() {
        super(Collective.ALLREDUCE, "opposite-chains", Restrictions.COMMUTATIVE, WireUse.ORDER);
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public int hops(int ranks, CommunicatorTopology wires) {
        return ranks - 1;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        // Two ranks swap halves both times.
        return (call.ranks() == 2 ? 1 : 2) * model.opposite(call.others(), 0, call.bytes(), call.chunk());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        schedule.split(2);
        if (geometry.ranks() == 1) {
            schedule.copy(schedule.recv(Index.of(0), 2), schedule.send(Index.of(0), 2));
            return;
        }
        schedule.stages(2);
        schedule.windows(() -> {
            for (int half = 0; half < 2; half++) {
                up(geometry, half, schedule);
            }
        });
        schedule.windows(() -> {
            for (int half = 0; half < 2; half++) {
                down(geometry, half, schedule);
            }
        });
    }

    private static void up(Geometry geometry, int half, ScheduleBuilder schedule) {
        Order order = geometry.order();
        int at = order.position(geometry.rank());
        int step = half == 0 ? 1 : -1;
        int first = half == 0 ? 0 : geometry.ranks() - 1;
        Slice sum = recv(schedule, half);
        Slice own = send(schedule, half);
        schedule.stage(half);
        if (at != first) {
            schedule.receiveReduce(order.rank(at - step), sum, own, true);
        }
        if (at != geometry.ranks() - 1 - first) {
            schedule.send(order.rank(at + step), at == first ? own : sum);
        }
    }

    private static void down(Geometry geometry, int half, ScheduleBuilder schedule) {
        Order order = geometry.order();
        int at = order.position(geometry.rank());
        int step = half == 0 ? 1 : -1;
        int first = half == 0 ? 0 : geometry.ranks() - 1;
        Slice sum = recv(schedule, half);
        schedule.stage(1 - half);
        if (at != geometry.ranks() - 1 - first) {
            schedule.receive(order.rank(at + step), sum);
        }
        if (at != first) {
            schedule.send(order.rank(at - step), sum);
        }
    }
}
