package org.brigade.algorithm.allreduce;

import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.RecursiveExchange;
import org.brigade.schedule.Collective;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Recursive doubling allreduce: in round k, ranks whose numbers differ in bit k exchange what they have and add it up.
 *
 * <p>Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section 4.
 * {@code T = log2(n) (ts + M/B + M c)}. Rounds: log2 n, two more unless n is a power of two. Bytes: M log2 n a rank. Restrictions: none.
 *
 * <p>Order: every rank computes the same term, rank order kept; for a power of two {@code ((0+1)+(2+3))+...}. What a rank sends in a round
 * it must not overwrite in that round, so results alternate between RECV and SCRATCH, the last one falling into RECV; nothing is copied.
 */
public final class RecursiveDoublingAllreduce extends CollectiveAlgorithm {
    public RecursiveDoublingAllreduce() {
        super(Collective.ALLREDUCE, "recursive-doubling", Restrictions.NONE);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int rank = geometry.rank();
        RecursiveExchange pattern = new RecursiveExchange(geometry.ranks());
        Slice result = recv(schedule, 0);
        Slice current = send(schedule, 0);
        if (geometry.ranks() == 1) {
            schedule.copy(result, current);
            return;
        }
        if (pattern.folded(rank)) {
            schedule.send(pattern.partner(rank), current);
            schedule.receive(pattern.partner(rank), result);
            return;
        }

        int rounds = pattern.rounds();
        if (pattern.paired(rank)) {
            int partner = pattern.partner(rank);
            Slice target = geometry.inPlace() || rounds % 2 == 0 ? result : scratch(schedule, 0, 0);
            schedule.receiveReduce(partner, target, current, partner < rank);
            current = target;
        }
        // Whether round 0 reads RECV where the plain alternation would have it write RECV.
        boolean shifted = geometry.inPlace() && rounds % 2 == 1;
        if (shifted && rounds == 1) {
            exchangeInPlace(schedule, pattern.peer(rank, 0), rank);
        } else {
            for (int bit = 0; bit < rounds; bit++) {
                int peer = pattern.peer(rank, bit);
                Slice target;
                if (shifted && bit < 2) {
                    target = scratch(schedule, bit, 0);
                } else {
                    target = (rounds - 1 - bit) % 2 == 0 ? result : scratch(schedule, 0, 0);
                }
                schedule.send(peer, current);
                schedule.receiveReduce(peer, target, current, peer < rank);
                current = target;
            }
        }
        if (pattern.paired(rank)) {
            schedule.send(pattern.partner(rank), result);
        }
    }

    /** The only round in place: there is no second buffer to turn to, so the sum is made once the send has gone. */
    private static void exchangeInPlace(ScheduleBuilder schedule, int peer, int rank) {
        Slice result = recv(schedule, 0);
        Slice incoming = scratch(schedule, 0, 0);
        schedule.send(peer, result);
        schedule.receive(peer, incoming);
        schedule.reduce(result, incoming, peer < rank);
    }
}
