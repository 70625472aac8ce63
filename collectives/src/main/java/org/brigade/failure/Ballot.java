package org.brigade.failure;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * What a rank puts into an agreement, and what comes out of it. As bytes:
 *
 * <pre>
 *  0  1: decided; 0: one rank's word     4  call: {@link #AGREE}, {@link #SHRINK}; -1: the ranks' calls differ
 *  8  flags, combined by AND            12  length of each set in bytes
 * 16  offer: id of a new communicator, by the rank that decides
 * 24  failed members                       24 + length  acknowledged members
 * </pre>
 */
final class Ballot {
    static final int AGREE = 1;
    static final int SHRINK = 2;
    static final int DIFFERENT = -1;
    private static final int HEAD = 24;

    final boolean decided;
    final int call;
    final int flags;
    final long offer;
    /** Members that are known to be lost: by any rank that takes part. */
    final BitSet failed;
    /** Members whose loss has been acknowledged: by all ranks that take part. */
    final BitSet acknowledged;

    Ballot(boolean decided, int call, int flags, long offer, BitSet failed, BitSet acknowledged) {
        this.decided = decided;
        this.call = call;
        this.flags = flags;
        this.offer = offer;
        this.failed = failed;
        this.acknowledged = acknowledged;
    }

    /** This word with another one, which keeps this one's offer. */
    Ballot and(Ballot other) {
        BitSet anyFailed = (BitSet) failed.clone();
        anyFailed.or(other.failed);
        BitSet allAcknowledged = (BitSet) acknowledged.clone();
        allAcknowledged.and(other.acknowledged);
        return new Ballot(false, call == other.call ? call : DIFFERENT, flags & other.flags, offer, anyFailed,
            allAcknowledged);
    }

    /** This word as the result for all. */
    Ballot decided() {
        return new Ballot(true, call, flags, offer, failed, acknowledged);
    }

    byte[] bytes() {
        byte[] lost = failed.toByteArray();
        byte[] known = acknowledged.toByteArray();
        int length = Math.max(lost.length, known.length);
        return ByteBuffer.allocate(HEAD + 2 * length).putInt(decided ? 1 : 0).putInt(call).putInt(flags).putInt(length)
            .putLong(offer).put(lost).position(HEAD + length).put(known).array();
    }

    static Ballot of(byte[] bytes) {
        ByteBuffer words = ByteBuffer.wrap(bytes);
        boolean decided = words.getInt() == 1;
        int call = words.getInt();
        int flags = words.getInt();
        int length = words.getInt();
        long offer = words.getLong();
        return new Ballot(decided, call, flags, offer, BitSet.valueOf(words.slice(HEAD, length)),
            BitSet.valueOf(words.slice(HEAD + length, length)));
    }
}
