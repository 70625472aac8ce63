package org.brigade.failure;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * One agreement among the members of a communicator that are left: all that end it get the same result, whoever dies
 * meanwhile, even those that have ended it already (uniform consensus). Chandra and Toueg's rotating coordinator
 * (Unreliable failure detectors for reliable distributed systems, JACM 43(2), 1996), with a detector that is never
 * wrong: the lowest member that is left collects the others' words, decides, and tells all.
 *
 * <p>
 * Every rank tells all others what was decided before it ends the agreement, so n * n messages of 24 bytes and two bits
 * a member. This makes the result uniform: if a rank has ended the agreement, its message lies in the links of all that
 * are left, even if it is dead. A coordinator takes over only after it has taken all messages of those that are dead,
 * so it finds that result.
 *
 * <p>
 * Under the progress lock.
 */
final class Consensus {
    private final Progress progress;
    private final long key;
    /** The party of notices; see {@link Failures}. */
    private final Membership sender;
    /** Null until this rank takes part. */
    private Membership party;
    private Ballot own;
    /** By rank of the job: what others have said, also before this rank takes part. */
    private final Map<Integer, Ballot> words = new HashMap<>();
    /** The member that has got this rank's word; -1 if none has. */
    private int told = -1;
    private Ballot result;
    private List<Progress.Sent> forwarded;

    Consensus(Progress progress, long key, Membership sender) {
        this.progress = progress;
        this.key = key;
        this.sender = sender;
    }

    /** This rank takes part. @param dead ranks of the job */
    void begin(Membership members, Ballot word, BitSet dead) {
        party = members;
        own = word;
        step(dead);
    }

    /** A word of another rank has come. */
    void came(int from, Ballot word, BitSet dead) {
        if (result != null) {
            return; // this rank's own message to that rank says all
        }
        if (word.decided) {
            result = word;
        } else {
            words.put(from, word);
        }
        step(dead);
    }

    /** Goes on as far as possible. */
    void step(BitSet dead) {
        if (party == null) {
            return;
        }
        if (result == null) {
            int first = 0;
            while (dead.get(party.members[first])) {
                first++;
            }
            if (first == party.rank) {
                result = decide(dead);
            } else if (told != first) {
                told = first;
                progress.source().tell(party.members[first], sender, Progress.AGREEMENT, key, own.bytes());
            }
        }
        if (result != null && forwarded == null) {
            tellAll(dead);
        }
    }

    /** The result, if all that are left have given their words; else null. */
    private Ballot decide(BitSet dead) {
        Ballot all = own;
        for (int i = 0; i < party.members.length; i++) {
            int member = party.members[i];
            Ballot word = words.get(member);
            if (i != party.rank && word != null) {
                all = all.and(word);
            } else if (i != party.rank && !dead.get(member)) {
                return null;
            }
            if (dead.get(member)) {
                all.failed.set(i);
            }
        }
        return all.decided();
    }

    private void tellAll(BitSet dead) {
        forwarded = new ArrayList<>();
        byte[] bytes = result.bytes();
        for (int i = 0; i < party.members.length; i++) {
            if (i != party.rank && !dead.get(party.members[i])) {
                forwarded
                    .add(progress.source().tell(party.members[i], sender, Progress.AGREEMENT, key, bytes));
            }
        }
    }

    /** What all agree on; null before it is known and everyone has been told. */
    Ballot result() {
        if (forwarded == null) {
            return null;
        }
        for (Progress.Sent each : forwarded) {
            if (!each.hasGone()) {
                return null;
            }
        }
        return result;
    }

    /** A member that is in Finalize and whose word is missing, as a rank of the job; -1 if there is none. */
    int missing(BitSet dead) {
        for (int i = 0; result == null && i < party.members.length; i++) {
            int member = party.members[i];
            if (i != party.rank && !dead.get(member) && !words.containsKey(member)
                && progress.endpoint.isLeaving(member)) {
                return member;
            }
        }
        return -1;
    }
}
