package org.brigade.algorithm.allgather;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.Dissemination;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Bruck's allgather: in round k every rank receives, from the rank 2^k further on, all that rank has, up to n blocks.
 *
 * <p>
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all communications in multiport
 * message-passing systems", 1997. {@code T = (2 ceil(log2 n) - 1) ts + ((n - 1)/n) M/B} for M bytes gathered, of
 * allgatherv {@code (n - 1) ts + ((n - 1)/n) M/B}. Rounds: ceil(log2 n). Bytes: ((n - 1)/n) M a rank. Restrictions:
 * none.
 *
 * <p>
 * Blocks go directly to their final places, so nothing is rotated at the end. A run of blocks that passes the last rank
 * takes two messages. In allgatherv blocks need not be contiguous, so each block is a message.
 */
public final class BruckAllgather extends CollectiveAlgorithm {
    public BruckAllgather(Collective collective) {
        super(collective, "bruck", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        if (collective() == Collective.ALLGATHERV) {
            // The bytes are those of all ranks.
            return call.others() * model.start()
                + model.transferShifted((double) call.others() / call.ranks() * call.bytes());
        }
        // In every round of two blocks or more some run passes the last rank.
        int rounds = CostModel.rounds(call.ranks(), 2);
        int single = call.ranks() - (1 << rounds - 1) == 1 && rounds > 1 ? 2 : 1;
        return (2 * rounds - single) * model.start() + model.transferShifted((double) call.others() * call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        Dissemination pattern = new Dissemination(ranks);
        schedule.copy(recv(schedule, rank), send(schedule, 0));
        for (int round = 0; round < pattern.rounds(); round++) {
            int have = 1 << round;
            int run = Math.min(have, ranks - have);
            // Data comes from the rank that Dissemination would send to, and goes the other way.
            int from = pattern.to(rank, round);
            int to = pattern.from(rank, round);
            for (int at = 0; at < run;) {
                int length = length(geometry, rank, at, run);
                Index first = Index.of((rank + at) % ranks);
                schedule.send(to, round == 0 ? send(schedule, 0) : schedule.recv(first, length));
                at += length;
            }
            for (int at = 0; at < run;) {
                int length = length(geometry, from, at, run);
                schedule.receive(from, schedule.recv(Index.of((from + at) % ranks), length));
                at += length;
            }
        }
    }

    /** How many blocks one message can hold, from number {@code at} of a run that begins at block {@code start}. */
    private static int length(Geometry geometry, int start, int at, int run) {
        if (!geometry.collective().contiguous()) {
            return 1;
        }
        return Math.min(run - at, geometry.ranks() - (start + at) % geometry.ranks());
    }
}
