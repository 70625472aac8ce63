package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Order;
import org.brigade.pattern.RecursiveExchange;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Rabenseifner's allreduce: recursive halving leaves each rank one reduced block, recursive doubling gathers the blocks
 * again.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section
 * 4.5: {@code T = 2 log2(n) ts + 2 ((n - 1)/n) M/B + ((n - 1)/n) M c}. Rounds: 2 log2 n, two more unless n is a power
 * of two. Bytes: 2 ((n - 1)/n) M a rank; 2 M more for ranks that are folded away. Restrictions: none.
 *
 * <p>
 * Neighbours halve first (bit 0, not the highest), so terms grow in rank order and are those of recursive doubling, bit
 * for bit; the blocks then end on ranks in bit-reversed order, which the gathering undoes. If the operation commutes,
 * neighbours are those of the order that visits node after node: as many halvings as fit into a node cross no network,
 * and each node then sends {@code 2 (1 - 1/N) M} for N nodes, less than a ring or a chain of leaders.
 */
public final class RabenseifnerAllreduce extends CollectiveAlgorithm {
    public RabenseifnerAllreduce() {
        super(Collective.ALLREDUCE, "rabenseifner", Restrictions.NONE, WireUse.NODE_ORDER);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        double fold = Integer.bitCount(call.ranks()) == 1 ? 0 : 2 * model.message(call.bytes());
        // Of a node's ranks, a power of two are done among themselves before the others share its link.
        int local = call.wires().nodes() == 1 ? 1 : call.wires().local();
        double within = Integer.highestOneBit(local);
        return 2 * CostModel.floorLog(call.ranks()) * model.start()
            + 2 * local * (1 / within - 1.0 / call.ranks()) * model.transfer(call.bytes()) + fold;
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        Order order = geometry.commutes() ? geometry.order() : Order.identity(geometry.ranks());
        int place = order.position(geometry.rank());
        RecursiveExchange pattern = new RecursiveExchange(geometry.ranks());
        int blocks = pattern.core();
        schedule.split(blocks);
        Index zero = Index.of(0);
        if (geometry.ranks() == 1) {
            schedule.copy(schedule.recv(zero, 1), schedule.send(zero, 1));
            return;
        }
        int partner = pattern.paired(place) ? order.rank(pattern.partner(place)) : place;
        if (pattern.folded(place)) {
            schedule.send(partner, schedule.send(zero, blocks));
            schedule.receive(partner, schedule.recv(zero, blocks));
            return;
        }
        boolean inRecv = pattern.paired(place);
        if (inRecv) {
            schedule.receiveReduce(partner, schedule.recv(zero, blocks), schedule.send(zero, blocks),
                pattern.partner(place) < place);
        }

        int first = 0;
        int length = blocks;
        for (int bit = 0; bit < pattern.rounds(); bit++) {
            int peer = order.rank(pattern.peer(place, bit));
            length /= 2;
            boolean upper = (pattern.number(place) >> bit & 1) == 1;
            Index mine = Index.of(upper ? first + length : first);
            Index other = Index.of(upper ? first : first + length);
            Slice operand = inRecv ? schedule.recv(mine, length) : schedule.send(mine, length);
            schedule.send(peer, inRecv ? schedule.recv(other, length) : schedule.send(other, length));
            schedule.receiveReduce(peer, schedule.recv(mine, length), operand, upper);
            first = mine.base();
            inRecv = true;
        }
        for (int bit = pattern.rounds() - 1; bit >= 0; bit--) {
            int peer = order.rank(pattern.peer(place, bit));
            int other = (pattern.number(place) >> bit & 1) == 1 ? first - length : first + length;
            schedule.send(peer, schedule.recv(Index.of(first), length));
            schedule.receive(peer, schedule.recv(Index.of(other), length));
            first = Math.min(first, other);
            length *= 2;
        }
        if (pattern.paired(place)) {
            schedule.send(partner, schedule.recv(zero, blocks));
        }
    }
}
