package org.brigade.algorithm.allreduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.LeaderGroups;
import org.brigade.pattern.RecursiveExchange;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Recursive doubling allreduce: in round k, ranks whose numbers differ in bit k exchange their sums and add them up.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section 4.
 * {@code T = log2(n) (ts + M/B + M c)}. Rounds: log2 n, two more unless n is a power of two. Bytes: M log2 n a rank.
 * Restrictions: none.
 *
 * <p>
 * Order: every rank computes the same term, in rank order; for a power of two {@code ((0+1)+(2+3))+...}. A rank must
 * not overwrite in a round what it sends in that round, so results alternate between RECV and SCRATCH such that the
 * last is in RECV; nothing is copied.
 */
public final class RecursiveDoublingAllreduce extends CollectiveAlgorithm {
    public RecursiveDoublingAllreduce() {
        super(Collective.ALLREDUCE, "recursive-doubling", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        double fold = Integer.bitCount(call.ranks()) == 1 ? 0 : 2 * model.message(call.bytes());
        return CostModel.floorLog(call.ranks()) * model.message(call.bytes()) + fold;
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        exchange(geometry.ranks(), null, geometry.rank(), schedule, send(schedule, 0), geometry.inPlace());
    }

    /**
     * The steps of one of {@code members} that add up the values of all of them, so that each has the sum in RECV.
     *
     * @param groups whose leaders the members are; null: the members are the ranks
     * @param member number of this member
     * @param current where its value is: SEND or RECV
     * @param inResult whether the value lies where the sum must be
     */
    static void exchange(int members, LeaderGroups groups, int member, ScheduleBuilder schedule, Slice current,
        boolean inResult) {
        RecursiveExchange pattern = new RecursiveExchange(members);
        Slice result = recv(schedule, 0);
        if (members == 1) {
            schedule.copy(result, current);
            return;
        }
        int partner = pattern.partner(member);
        if (pattern.folded(member)) {
            schedule.send(rank(groups, partner), current);
            schedule.receive(rank(groups, partner), result);
            return;
        }

        int rounds = pattern.rounds();
        if (pattern.paired(member)) {
            Slice target = inResult || rounds % 2 == 0 ? result : scratch(schedule, 0, 0);
            schedule.receiveReduce(rank(groups, partner), target, current, partner < member);
            current = target;
        }
        // Whether round 0 reads RECV although plain alternation would write RECV.
        boolean shifted = inResult && rounds % 2 == 1;
        if (shifted && rounds == 1) {
            exchangeInPlace(schedule, rank(groups, pattern.peer(member, 0)), pattern.peer(member, 0) < member);
        } else {
            for (int bit = 0; bit < rounds; bit++) {
                int peer = pattern.peer(member, bit);
                Slice target;
                if (shifted && bit < 2) {
                    target = scratch(schedule, bit, 0);
                } else {
                    target = (rounds - 1 - bit) % 2 == 0 ? result : scratch(schedule, 0, 0);
                }
                schedule.send(rank(groups, peer), current);
                schedule.receiveReduce(rank(groups, peer), target, current, peer < member);
                current = target;
            }
        }
        if (pattern.paired(member)) {
            schedule.send(rank(groups, partner), result);
        }
    }

    private static int rank(LeaderGroups groups, int member) {
        return groups == null ? member : groups.leader(member);
    }

    /** The only round in place: there is no second buffer, so the sum is made after the send. */
    private static void exchangeInPlace(ScheduleBuilder schedule, int peer, boolean incomingFirst) {
        Slice result = recv(schedule, 0);
        Slice incoming = scratch(schedule, 0, 0);
        schedule.send(peer, result);
        schedule.receive(peer, incoming);
        schedule.reduce(result, incoming, incomingFirst);
    }
}
