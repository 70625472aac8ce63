package org.brigade.algorithm.alltoall;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.Dissemination;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Bruck's alltoall: a block that must travel a distance d takes the hops that are powers of two in d; all blocks of a
 * round go in one message.
 *
 * <p>
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all communications in multiport
 * message-passing systems", 1997. {@code T = ceil(log2 n)(ts + (n/2) m/B)} for blocks of m bytes. Rounds: ceil(log2 n).
 * Bytes: about (n/2) m log2 n a rank, m for each bit that is set in 1 to n - 1. Restrictions: none.
 *
 * <p>
 * Every round packs its blocks contiguously. What arrives stays where it is until its next round or the end, so there
 * is no unpacking and no rotation. SCRATCH: areas 0 and 1 are for packing, in turn; area 2 + k holds what arrives in
 * round k.
 */
public final class BruckAlltoall extends CollectiveAlgorithm {
    public BruckAlltoall() {
        super(Collective.ALLTOALL, "bruck", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        double blocks = 0;
        for (int distance = 1; distance < call.ranks(); distance++) {
            blocks += Integer.bitCount(distance);
        }
        return CostModel.rounds(call.ranks(), 2) * model.start() + model.transfer(blocks * call.bytes())
            + model.copy((blocks + call.ranks()) * call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        Dissemination pattern = new Dissemination(ranks);
        Slice[] held = new Slice[ranks];
        for (int distance = 0; distance < ranks; distance++) {
            held[distance] = send(schedule, (rank + distance) % ranks);
        }
        for (int round = 0; round < pattern.rounds(); round++) {
            int count = 0;
            for (int distance = 0; distance < ranks; distance++) {
                if ((distance >> round & 1) == 1) {
                    schedule.copy(scratch(schedule, round & 1, count), held[distance]);
                    held[distance] = scratch(schedule, 2 + round, count);
                    count++;
                }
            }
            schedule.send(pattern.to(rank, round), schedule.scratch(round & 1, Index.of(0), count));
            schedule.receive(pattern.from(rank, round), schedule.scratch(2 + round, Index.of(0), count));
        }
        for (int distance = 0; distance < ranks; distance++) {
            schedule.copy(recv(schedule, Math.floorMod(rank - distance, ranks)), held[distance]);
        }
    }
}
