package org.brigade.transport.sisci.adapter;

import java.nio.ByteBuffer;

/**
 * A multicast segment: each member owns one under the same id, and a store of one member reaches the segments of all
 * others. It contains a ring of words for each member, which only that member writes.
 *
 * <pre>
 *   +----------------+----------------+-----
 *   | ring, member 0 | ring, member 1 | ...
 *   +----------------+----------------+-----
 *
 *   a word, one aligned store of 8 bytes:
 *   0                         7     8
 *   +-------------------------+-----+
 *   | data                    | lap |    lap: how often the writer has been through its ring, from 1, modulo 256
 *   +-------------------------+-----+
 *   a message, word by word, from wherever the last one ended, round the end:
 *   | bytes:48 kind:8 | key:56 | payload, 7 bytes a word ... |
 * </pre>
 *
 * <p>
 * An adapter can tell whether its own stores to a group were sent, never whether all members received them. So only
 * words that identify themselves are used. A member tells the writer how much it has consumed in a word of the writer's
 * inbox ({@link InboxDescriptor}), after the lines of the lanes:
 *
 * <pre>
 *   | words consumed:48 tag:16 |    tag: of the segment's id, as slots are used again
 * </pre>
 *
 * <p>
 * Words that some member has not consumed for a while are stored again; if they had arrived, that changes nothing.
 * Words are overwritten only after all members have consumed them, so a place holds words of this lap or of the last
 * one, and eight bits of lap are more than enough.
 */
public final class MulticastDescriptor {
    /** Multicasts that a process may have at a time. */
    public static final int SLOTS = 8;

    public static final int DATA_BYTES = 7;
    public static final int HEAD_WORDS = 2;
    /**
     * Messages are delivered in multiples of so many words, except at their ends: pieces are then multiples of 16
     * bytes, so that elements are not cut in two.
     */
    public static final int GRAIN_WORDS = 16;
    public static final int GRAIN_BYTES = GRAIN_WORDS * DATA_BYTES;
    /** Most words sent with one copy: the receivers should start early. */
    public static final int CHUNK_WORDS = 2048;

    private static final int LARGEST_RING = 32 << 10;
    private static final int SMALLEST_RING = 4 << 10;
    private static final int SEGMENT_WORDS = 1 << 20;
    private static final int LAP_SHIFT = 56;
    private static final long DATA = (1L << LAP_SHIFT) - 1;
    private static final int LENGTH_BITS = 48;
    private static final int SLOTS_AT = 1024;
    private static final int SLOT = 64;

    private MulticastDescriptor() {
    }

    /** Words of a ring for this many members; a power of two. */
    public static int ringWords(int members) {
        int words = LARGEST_RING;
        while (words > SMALLEST_RING && (long) words * members > SEGMENT_WORDS) {
            words >>= 1;
        }
        return words;
    }

    /** Offset in an inbox of the word in which its writer acknowledges what it has consumed. */
    public static int acknowledged(int slot) {
        return SLOTS_AT + slot * SLOT;
    }

    public static long word(long data, long position, int ringWords) {
        return data & DATA | lapBits(position, ringWords);
    }

    /** Whether a stored word is the word of a position. */
    public static boolean isThere(long word, long position, int ringWords) {
        return word >>> LAP_SHIFT == lap(position, ringWords);
    }

    public static long data(long word) {
        return word & DATA;
    }

    private static long lap(long position, int ringWords) {
        // without a division, which would cost more than the rest of a word's processing
        return (position >>> Integer.numberOfTrailingZeros(ringWords)) + 1 & 0xff;
    }

    /** The lap of a position, shifted to its place in a word. */
    public static long lapBits(long position, int ringWords) {
        return lap(position, ringWords) << LAP_SHIFT;
    }

    /** Makes consecutive words of one lap from data. Reads a byte beyond the data. */
    public static void pack(ByteBuffer data, int at, ByteBuffer words, int place, int count, long lapBits) {
        for (int i = 0; i < count; i++) {
            words.putLong(place + (i << 3), data.getLong(at + i * DATA_BYTES) & DATA | lapBits);
        }
    }

    /**
     * Copies the data of consecutive words of one lap, up to the first missing word; returns the number of words.
     * Writes a byte beyond the data.
     */
    public static int unpack(ByteBuffer words, int place, ByteBuffer data, int at, int count, long lapBits) {
        for (int i = 0; i < count; i++) {
            long word = words.getLong(place + (i << 3));
            if ((word & ~DATA) != lapBits) {
                return i;
            }
            data.putLong(at + i * DATA_BYTES, word); // the next word overwrites the lap
        }
        return count;
    }

    public static long head(int kind, long bytes) {
        return bytes | (long) kind << LENGTH_BITS;
    }

    public static long bytes(long head) {
        return head & (1L << LENGTH_BITS) - 1;
    }

    public static int kind(long head) {
        return (int) (head >>> LENGTH_BITS) & 0xff;
    }

    public static long key(long key) {
        return key & DATA;
    }

    public static long payloadWords(long bytes) {
        return (bytes + DATA_BYTES - 1) / DATA_BYTES;
    }

    public static long acknowledgement(int id, long consumed) {
        return consumed & (1L << LENGTH_BITS) - 1 | (long) id << LENGTH_BITS;
    }

    /** Number of words that an acknowledgement reports for the multicast with this id; 0 if it is for another. */
    public static long consumed(int id, long word) {
        return (int) (word >>> LENGTH_BITS) == (id & 0xffff) ? word & (1L << LENGTH_BITS) - 1 : 0;
    }
}
