package org.brigade.transport.sisci.adapter;

import org.brigade.transport.FabricEnd;

/**
 * An inbox: a segment in the memory of its owner that one peer writes and the owner reads. Each pair of ranks has two,
 * so that nobody ever reads over the bridge. Positions are bytes.
 *
 * <pre>
 *   0                    4096                                                        rings
 *   +--------------------+----------------+----------------+----------------+-------------+-------------+
 *   | lines, one a lane  | words, lane 0  | words, lane 1  | words, control | ring lane 0 | ring lane 1 |
 *   +--------------------+----------------+----------------+----------------+-------------+-------------+
 *     0 tail               16384 words      16384 words      2048 words       ring bytes    ring bytes
 *     8 words freed
 *    16 bytes freed
 *    24 probe verdict
 *    64 answer: 6 words
 *
 *   a word, one aligned store of 8 bytes, the widest that arrives whole:
 *   0        4        8
 *   +--------+--------+
 *   | data   | lap    |    lap: number of the writer's pass through these words, from 1
 *   +--------+--------+
 *   a record, word by word, from the end of the last one, around the end of the words:
 *   | length:24 kind:8 | key | key | payload, 4 bytes a word ... |
 *   a message in the ring, whose length is {@link #RINGED}, or a probe there, with {@link #PROBE}; a probe's key is its
 *   number and checksum ({@code DeviceProbe}):
 *   | RINGED:24 kind:8 | key | key | bytes | bytes | start | start | first |
 *   low halves first; start: ring bytes before it; first: bytes that are there with the record
 * </pre>
 *
 * <p>
 * A message that DMA writes into the receiver's own memory begins with a record of length {@link #RENDEZVOUS}, and ends
 * with one of {@link #NOTIFIED} ({@code RendezvousSender}); both are as long as that of a message in the ring. What the
 * receiver says to it are the words of the answer, whose laps are the answer's number on the lane.
 *
 * <p>
 * After the lines, from byte 1024 on, the writer acknowledges multicasts ({@link MulticastDescriptor}).
 *
 * <p>
 * The lap tells that a word has arrived, so a record needs no second message, and stores may arrive in any order. The
 * tail counts the bytes ever put into the lane's ring; it is stored when the adapter has confirmed them. {@code words
 * freed} and {@code bytes freed} belong to the opposite direction: how much the writer of this inbox has consumed of
 * what the owner wrote into the writer's inbox. None of the three ever goes back, so each may be stored again after an
 * error, and so may words that have not been freed.
 */
public final class InboxDescriptor {
    public static final int TAIL = 0;
    public static final int WORDS_FREED = 8;
    public static final int BYTES_FREED = 16;
    public static final int PROBE_VERDICT = 24;
    public static final int ANSWER = 64;
    public static final int ANSWER_WORDS = 6;
    /** Instead of a segment in an answer: the message comes by the ring. No segment has such an id. */
    public static final int BY_RING = 0;
    /** Instead of a segment in an answer: the message has arrived. */
    public static final int TAKEN = 1;
    /** In an answer's word of the first byte: the receiver says whether all has arrived. */
    public static final int CONFIRM = 1 << 31;
    public static final int LINE = 128;

    public static final int WORDS = 4096;
    private static final int LANE_WORDS = 16 << 10;
    private static final int CONTROL_WORDS = 2 << 10;
    /** Multiples of the page. */
    public static final int RINGS = WORDS + 8 * (2 * LANE_WORDS + CONTROL_WORDS);

    public static final int HEAD_WORDS = 3;
    public static final int RINGED_WORDS = 8;
    public static final int RINGED = 0xff_ffff;
    public static final int PROBE = 0xff_fffe;
    public static final int RENDEZVOUS = 0xff_fffd;
    public static final int NOTIFIED = 0xff_fffc;
    /**
     * Longer messages use the ring: there each byte is stored once, but the adapter's answer must be waited for.
     */
    public static final int INLINE_BYTES = 2 << 10;
    public static final int INLINE_CONTROL_BYTES = FabricEnd.NOTICE_BYTES;
    /** The writer is told of consumed words at least so many times a lap. */
    public static final int REPORTS_A_LAP = 8;

    public static final int SMALLEST_RING = 256 << 10;
    public static final int LARGEST_RING = 16 << 20;
    /** Messages begin at multiples of this, and all chunks but the last have multiples of it. */
    public static final int GRAIN = 64;

    private InboxDescriptor() {
    }

    public static int line(int lane) {
        return lane * LINE;
    }

    public static int words(int lane) {
        return WORDS + lane * LANE_WORDS * 8;
    }

    public static int wordCount(int lane) {
        return lane == FabricEnd.CONTROL ? CONTROL_WORDS : LANE_WORDS;
    }

    public static int inlineBytes(int lane) {
        return lane == FabricEnd.CONTROL ? INLINE_CONTROL_BYTES : INLINE_BYTES;
    }

    public static int ring(int lane, int ringBytes) {
        return RINGS + lane * ringBytes;
    }

    public static int bytes(int ringBytes) {
        return RINGS + 2 * ringBytes;
    }

    /** Whether a ring may have so many bytes. */
    public static boolean isRing(int bytes) {
        return bytes >= SMALLEST_RING && bytes <= LARGEST_RING && (bytes & bytes - 1) == 0;
    }

    public static int lap(long position, int wordCount) {
        return (int) (position / wordCount) + 1;
    }

    /** The answer to a probe of device memory. */
    public static long verdict(int number, boolean arrived) {
        return (long) number << 1 | (arrived ? 1 : 0);
    }

    public static long word(int data, int lap) {
        return data & 0xffff_ffffL | (long) lap << 32;
    }

    public static int head(int kind, int length) {
        return length | kind << 24;
    }

    public static int payloadWords(int bytes) {
        return bytes + 3 >> 2;
    }
}
