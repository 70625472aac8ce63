package org.brigade.failure;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * What a rank puts into an agreement, and what comes out of it. As bytes:
 *
 * <pre>
 *  0  round: the member that proposes this to all; -1: one rank's own word
 *  4  call: {@link #AGREE}, {@link #SHRINK}; -1: the ranks' calls differ
 *  8  flags, combined by AND            12  length of each set in bytes
 * 16  1: a word for a coordinator; 0: its sender has adopted it
 * 20  number of offers: ids of new communicators, by the rank that decides
 * 24  the offers, 8 bytes each; then failed members, then acknowledged members
 * </pre>
 */
final class Ballot {
    static final int AGREE = 1;
    static final int SHRINK = 2;
    static final int DIFFERENT = -1;
    private static final int WORD = 16;
    private static final int HEAD = 24;

    static final int OWN = -1;

    /** The member that has proposed this; {@link #OWN} for what one rank gives. */
    final int round;
    final int call;
    final int flags;
    final long[] offers;
    /** Members that are known to be lost: by any rank that takes part. */
    final BitSet failed;
    /** Members whose loss has been acknowledged: by all ranks that take part. */
    final BitSet acknowledged;

    Ballot(int round, int call, int flags, long[] offers, BitSet failed, BitSet acknowledged) {
        this.round = round;
        this.call = call;
        this.flags = flags;
        this.offers = offers;
        this.failed = failed;
        this.acknowledged = acknowledged;
    }

    /** This word with another one, which keeps this one's offers. */
    Ballot and(Ballot other) {
        BitSet anyFailed = (BitSet) failed.clone();
        anyFailed.or(other.failed);
        BitSet allAcknowledged = (BitSet) acknowledged.clone();
        allAcknowledged.and(other.acknowledged);
        return new Ballot(OWN, call == other.call ? call : DIFFERENT, flags & other.flags, offers, anyFailed,
            allAcknowledged);
    }

    /** This as a proposal of that member. */
    Ballot proposedBy(int member) {
        return new Ballot(member, call, flags, offers, failed, acknowledged);
    }

    /** @param word whether it is for a coordinator; else it tells what its sender has adopted */
    byte[] bytes(boolean word) {
        byte[] lost = failed.toByteArray();
        byte[] known = acknowledged.toByteArray();
        int length = Math.max(lost.length, known.length);
        ByteBuffer bytes = ByteBuffer.allocate(HEAD + offers.length * Long.BYTES + 2 * length).putInt(round)
            .putInt(call).putInt(flags).putInt(length).putInt(word ? 1 : 0).putInt(offers.length);
        for (long offer : offers) {
            bytes.putLong(offer);
        }
        int sets = bytes.position();
        return bytes.put(lost).position(sets + length).put(known).array();
    }

    static boolean isWord(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getInt(WORD) == 1;
    }

    static Ballot of(byte[] bytes) {
        ByteBuffer words = ByteBuffer.wrap(bytes);
        int round = words.getInt();
        int call = words.getInt();
        int flags = words.getInt();
        int length = words.getInt();
        words.getInt();
        long[] offers = new long[words.getInt()];
        for (int i = 0; i < offers.length; i++) {
            offers[i] = words.getLong();
        }
        int sets = words.position();
        return new Ballot(round, call, flags, offers, BitSet.valueOf(words.slice(sets, length)),
            BitSet.valueOf(words.slice(sets + length, length)));
    }
}
