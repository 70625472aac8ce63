package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Paired allreduce, in three stages: the two ranks of a pair exchange halves, and each reduces one; the pairs add up
 * the halves by recursive doubling; the two give each other their sums. Window follows window, and every stage has
 * links of its own.
 *
 * <p>
 * Source: Temucin, Sojoodi, Alizadeh, Afsahi, "Efficient multi-path NVLink/PCIe-aware UCX based collective
 * communication for deep learning", 2021, section V.B. There one rank of a pair leads, and has all that goes between
 * the pairs; here both do half of everything. Ranks 2 i and 2 i + 1 are a pair. With p pairs,
 * {@code T = (2 + log2 p) w (ts + M/(2 w B))} for w windows of a half; where every stage has links of its own, {@code
 * (2 w + log2 p) (ts + M/(2 w B))}. Rounds: 2 + log2 p for each window. Bytes: M a rank within the pair and (M/2) log2
 * p between pairs. Restrictions: a power of two ranks.
 *
 * <p>
 * What is sent in a round is not overwritten in it, so sums alternate between RECV and SCRATCH, and the last is in
 * RECV. Terms grow in rank order. All ranks compute the same ones: {@code (0+1)+(2+3)}.
 */
public final class PairedAllreduce extends CollectiveAlgorithm {
    public PairedAllreduce() {
        super(Collective.ALLREDUCE, "paired", new Restrictions(false, true, Integer.MAX_VALUE, Long.MAX_VALUE));
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        double windows = CostModel.windows((call.bytes() + 1) / 2, call.chunk());
        return (1 + CostModel.floorLog(call.ranks())) * (windows * model.start() + model.transfer(call.bytes() / 2.0));
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        schedule.split(2);
        int rank = geometry.rank();
        int rounds = CostModel.floorLog(geometry.ranks());
        if (rounds == 0) {
            for (int half = 0; half < 2; half++) {
                schedule.copy(recv(schedule, half), send(schedule, half));
            }
            return;
        }
        int partner = rank ^ 1;
        int mine = rank & 1;
        // All messages of two ranks are one stream, in which a sum would wait behind the halves of later windows: so
        // the sums come after all halves.
        schedule.stages(rounds);
        schedule.windows(() -> {
            schedule.stage(0);
            schedule.send(partner, send(schedule, 1 - mine));
            Slice sum = target(schedule, rounds - 1, mine);
            schedule.receiveReduce(partner, sum, send(schedule, mine), partner < rank);
            for (int bit = 1; bit < rounds; bit++) {
                schedule.stage(bit);
                int peer = rank ^ 1 << bit;
                Slice next = target(schedule, rounds - 1 - bit, mine);
                schedule.send(peer, sum);
                schedule.receiveReduce(peer, next, sum, peer < rank);
                sum = next;
            }
        });
        schedule.windows(() -> {
            schedule.stage(0);
            schedule.send(partner, recv(schedule, mine));
            schedule.receive(partner, recv(schedule, 1 - mine));
        });
    }

    /** Where a sum goes that so many others will follow. */
    private static Slice target(ScheduleBuilder schedule, int followers, int half) {
        return followers % 2 == 0 ? recv(schedule, half) : scratch(schedule, 0, half);
    }
}
