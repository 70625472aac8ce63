package org.brigade.failure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * One agreement among the members of a communicator that are left: all that end it get the same result, whoever dies
 * meanwhile, even those that have ended it already (uniform consensus). Chandra and Toueg's rotating coordinator
 * (Unreliable failure detectors for reliable distributed systems, JACM 43(2), 1996), with a detector that is never
 * wrong and may be late.
 *
 * <p>
 * The lowest member that is left, the coordinator, collects a word from each of the others and proposes their
 * combination. Its number is the round. Whoever adopts a proposal tells all others so, and ends the agreement when
 * there is a round that all that are left have adopted, itself included: later rounds have the same result. It answers
 * nothing afterwards, so those that have gone on to a later round end by the earlier one, too. Whoever has given a word
 * to a coordinator adopts nothing of earlier rounds. A word is the proposal that its rank has adopted last, if there is
 * one, and a coordinator proposes the latest of those again. So if a rank has ended the agreement, all later
 * coordinators propose what it has got: every rank that is left has adopted it. Messages of the dead may be late or
 * missing. n * n messages.
 *
 * <p>
 * Under the progress lock.
 */
final class Consensus {
    /** Sends what this rank says in an agreement. */
    @FunctionalInterface
    interface Notices {
        /** @param member a rank of the job */
        Progress.Sent tell(int member, byte[] ballot);
    }

    private static final BitSet NONE = new BitSet();

    private final Notices notices;
    /** Whether a rank of the job is in Finalize. */
    private final IntPredicate leaving;
    /** Null until this rank takes part. */
    private Membership membership;
    private Ballot own;
    /** By rank of the job: the words that this rank has got as coordinator, also before it takes part. */
    private final Map<Integer, Ballot> words = new HashMap<>();
    /** By rank of the job: the rounds that this rank has adopted. */
    private final Map<Integer, BitSet> adopters = new HashMap<>();
    /** The rounds that this rank has adopted, and has told all others of. */
    private final BitSet rounds = new BitSet();
    /** The coordinator that has got this rank's word; -1 if none has. */
    private int told = -1;
    /** Null before the first. */
    private Ballot adopted;
    /** Whether all have been told of it. */
    private boolean announced;
    /** What may still be on its way to others. */
    private final List<Progress.Sent> sent = new ArrayList<>();

    Consensus(Notices notices, IntPredicate leaving) {
        this.notices = notices;
        this.leaving = leaving;
    }

    /** This rank takes part. @param dead ranks of the job */
    void begin(Membership members, Ballot word, BitSet dead) {
        membership = members;
        own = word;
        step(dead);
    }

    /** A word of another rank has come, or the news that it has adopted a proposal. */
    void came(int from, boolean word, Ballot ballot, BitSet dead) {
        if (word) {
            words.put(from, ballot);
        } else {
            adopters.computeIfAbsent(from, any -> new BitSet()).set(ballot.round);
            consider(ballot);
        }
        step(dead);
    }

    private void consider(Ballot proposal) {
        if (proposal.round >= told && (adopted == null || proposal.round > adopted.round)) {
            adopted = proposal;
            announced = false;
        }
    }

    /** Goes on as far as possible. */
    void step(BitSet dead) {
        if (membership == null) {
            return;
        }
        int first = 0;
        while (dead.get(membership.members[first])) {
            first++;
        }
        if (first == membership.rank && (adopted == null || adopted.round < first)) {
            Ballot proposal = propose(dead);
            if (proposal != null) {
                consider(proposal);
            }
        } else if (first > told && first != membership.rank && (adopted == null || adopted.round < first)) {
            told = first;
            tell(membership.members[first], true, adopted == null ? own : adopted);
        }
        if (adopted != null && !announced) {
            announced = true;
            rounds.set(adopted.round);
            for (int i = 0; i < membership.members.length; i++) {
                if (i != membership.rank && !dead.get(membership.members[i])) {
                    tell(membership.members[i], false, adopted);
                }
            }
        }
    }

    private void tell(int member, boolean word, Ballot ballot) {
        sent.add(notices.tell(member, ballot.bytes(word)));
    }

    /** This rank's proposal as coordinator; null before all that are left have given their words. */
    private Ballot propose(BitSet dead) {
        told = membership.rank;
        Ballot all = own;
        Ballot latest = adopted;
        for (int i = 0; i < membership.members.length; i++) {
            int member = membership.members[i];
            Ballot word = words.get(member);
            if (i != membership.rank && word == null && !dead.get(member)) {
                return null;
            }
            if (i != membership.rank && word != null && word.round == Ballot.OWN) {
                all = all.and(word);
            } else if (word != null && (latest == null || word.round > latest.round)) {
                latest = word;
            }
            if (dead.get(member)) {
                all.failed.set(i);
            }
        }
        return (latest == null ? all : latest).proposedBy(membership.rank);
    }

    /**
     * What all agree on; null before all that are left have adopted it in one round, and have been told that this rank
     * has.
     */
    Ballot result(BitSet dead) {
        BitSet common = (BitSet) rounds.clone();
        for (int i = 0; i < membership.members.length; i++) {
            int member = membership.members[i];
            if (i != membership.rank && !dead.get(member)) {
                common.and(adopters.getOrDefault(member, NONE));
            }
        }
        if (common.isEmpty()) {
            return null;
        }
        for (Progress.Sent each : sent) {
            if (!each.hasGone()) {
                return null;
            }
        }
        return adopted;
    }

    /** A member that is in Finalize and whose word is missing, as a rank of the job; -1 if there is none. */
    int missing(BitSet dead) {
        for (int i = 0; adopted == null && i < membership.members.length; i++) {
            int member = membership.members[i];
            if (i != membership.rank && !dead.get(member) && !words.containsKey(member)
                && leaving.test(member)) {
                return member;
            }
        }
        return -1;
    }
}
