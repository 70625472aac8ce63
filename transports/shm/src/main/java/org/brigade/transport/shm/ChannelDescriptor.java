package org.brigade.transport.shm;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.Link;

/**
 * One channel: the messages from one rank to one rank on one lane. Positions are bytes from the channel's start.
 *
 * <pre>
 *   0                128               256               384         384 + 64 * slots
 *   +----------------+-----------------+-----------------+-----------+---------------------------+
 *   | sender's line  | receiver's line | loan            | slots     | ring                      |
 *   +----------------+-----------------+-----------------+-----------+---------------------------+
 *     0 tail           0 packets freed   0 target
 *     8 area           8 bytes freed     8 claimed
 *    32 area's place  16 answer         16 pushed
 *                     24 staged from
 *                     32 time
 *                     40 cannot read
 *
 *   a slot, one cache line:
 *   0        8                                   56        64
 *   +--------+------------------------------------+--------+
 *   | key    | payload, up to 48 bytes            | flag   |   flag: length:8 | kind:8 | sequence:32, from bit 47 down
 *   +--------+------------------------------------+--------+
 *   a message in the ring (the flag's length is {@link #IN_RING}):
 *   | key    | bytes | start | first | begun | way | flag  | start: ring bytes before it; first: first chunk's bytes;
 *                                                           begun: when the sender began it, 0 if nobody asks;
 *                                                           way: of {@link CopyWays}, if somebody asks
 *   a message that stays in device memory until the receiver answers (the flag's length is {@link #OFFERED}):
 *   | key    | bytes | export | offset | area | start | flag |    area: 1 if the sender has a staging area, 2 if the
 *                                                                 sender may withdraw the offer; start: 0, or 1 +
 *                                                                 ring bytes before the message, which goes there
 *   a message that stays in the sender's host memory until the receiver has it (the flag's length is {@link #LENT}):
 *   | key    | bytes | address        | begun | start | flag |
 * </pre>
 *
 * <p>
 * The tail counts the bytes ever put into the ring, including the padding between messages. Only the sender writes it.
 * Only the receiver writes the two freed counts. None of the three ever decreases. The flag's sequence is the packet's
 * number, counted from 1, so a slot's old flag never equals the flag of its next packet.
 *
 * <p>
 * Publication: the sender owns slot and ring bytes until {@code setRelease(flag)} (or, for the chunks after a message's
 * first, {@code setRelease(tail)}); the receiver owns them from {@code getAcquire} of that word until it frees them by
 * {@code setRelease} of a freed count, which the sender reads by {@code getAcquire} before it writes there again.
 *
 * <p>
 * Offered messages ({@link DeviceSender}) are numbered from 1. The receiver answers {@code number << 2 | verdict}.
 * {@link #TAKING} comes with the byte from which on the sender must put the message into host memory. The receiver
 * copies the bytes before it from device memory itself. {@link #TAKEN} follows when it has all of those. The host
 * memory is a staging area. Lent messages ({@link LentSender}) have numbers from the same series. The sender tells once
 * where it lies in the node's memory (its bytes, in {@code area}, last). If there is no room for an area, the ring
 * serves instead, as {@code start} in the slot tells.
 *
 * <p>
 * A short message ({@link #WITHDRAWABLE}) has one piece in {@code claimed}, which the sender sets before it publishes
 * the offer. Who claims the piece decides: the receiver to copy the message itself, the sender to send it through the
 * ring, whatever the receiver answers.
 *
 * <p>
 * A message in the ring begins on a cache line; its first chunk never wraps; every chunk but its last is a multiple of
 * 16 bytes, so no element is ever split.
 */
final class ChannelDescriptor {
    static final int TAIL = 0;
    static final int AREA = 8;
    static final int AREA_PLACE = 32;
    static final int PACKETS_FREED = 128;
    static final int BYTES_FREED = 136;
    static final int ANSWER = 144;
    static final int STAGED_FROM = 152;
    /** Which way a long message went, and how long it took ({@link CopyWays}). */
    static final int TIME = 160;
    /** 1: the receiver cannot read the sender's memory. */
    static final int CANNOT_READ = 168;
    /** Where the lent message goes in the receiver's memory, if the sender may write there. */
    static final int TARGET = 256;
    /** The lent message's number, and how many of its pieces have been claimed by either side. */
    static final int CLAIMED = 264;
    /** The lent message's number, and how many pieces the sender has written; or that it cannot write. */
    static final int PUSHED = 272;
    static final int SLOTS = 384;

    static final int SLOT_SHIFT = 6;
    static final int PAYLOAD = 8;
    static final int FLAG = PAYLOAD + Link.PACKET_BYTES;
    static final int MESSAGE_BYTES = PAYLOAD;
    static final int MESSAGE_START = PAYLOAD + 8;
    static final int MESSAGE_FIRST = PAYLOAD + 16;

    static final int OFFER_EXPORT = PAYLOAD + 8;
    static final int OFFER_OFFSET = PAYLOAD + 16;
    static final int OFFER_AREA = PAYLOAD + 24;

    static final int OFFER_START = PAYLOAD + 32;
    static final int WITHDRAWABLE = 2;

    static final int LOAN_ADDRESS = PAYLOAD + 8;
    /** When the sender began the message, {@link System#nanoTime}: one clock for all processes of a machine. */
    static final int BEGUN = PAYLOAD + 24;
    static final int WAY = PAYLOAD + 32;

    static final int IN_RING = 0xff;
    static final int OFFERED = 0xfe;
    static final int LENT = 0xfd;
    static final int TAKING = 1;
    static final int TAKEN = 2;
    /** The sender of a lent message must send it through the ring. */
    static final int REFUSED_LOAN = 3;
    private static final int PIECES_BITS = 24;
    private static final int LONGEST_PIECE = 512 << 10;
    private static final int PAGE = 4 << 10;
    /** Instead of a number of pieces: the sender cannot write into the receiver's memory. */
    static final int CANNOT_PUSH = (1 << PIECES_BITS) - 1;
    static final int LINE = 64;
    /** Pieces of a message are multiples of this, the size of the largest element. */
    static final int GRAIN = 16;

    /**
     * The first chunk of a message: small enough that the receiver starts soon, large enough that most messages need no
     * second chunk.
     */
    static final int FIRST_CHUNK = 8 << 10;
    /** Chunks double up to this size. Larger copies are no faster, and this size stays in the nearest cache. */
    static final int LARGEST_CHUNK = 64 << 10;
    /** A chunk takes at most one part in so many of the ring, so that both sides can copy at once. */
    static final int CHUNKS_A_RING = 4;
    /**
     * The receiver reports what it has freed once one part in so many of the slots, or of the ring, is unreported. That
     * part must be less than 1 - 2 / CHUNKS_A_RING of the whole, or a sender could starve.
     */
    static final int REPORTS_A_LAP = 8;

    private ChannelDescriptor() {
    }

    static int ring(int slots) {
        return SLOTS + (slots << SLOT_SHIFT);
    }

    static int bytes(int slots, int ringBytes) {
        return ring(slots) + ringBytes;
    }

    static long flag(long packet, int kind, int length) {
        return packet & 0xffff_ffffL | (kind & 0xffL) << 32 | (long) length << 40;
    }

    static int kind(long flag) {
        return (int) (flag >>> 32) & 0xff;
    }

    static int length(long flag) {
        return (int) (flag >>> 40) & 0xff;
    }

    static long answer(long offer, int verdict) {
        return offer << 2 | verdict;
    }

    /** A word about the pieces of a lent message. */
    static long share(long offer, int pieces) {
        return offer << PIECES_BITS | pieces;
    }

    /** The pieces in such a word; 0 if it belongs to another message. */
    static int pieces(long word, long offer) {
        return word >>> PIECES_BITS == offer ? (int) word & CANNOT_PUSH : 0;
    }

    /** Claims a piece for one side; -1 if none is left, or the word belongs to another message. */
    static int claim(NativeMemory memory, int at, long offer, int pieces) {
        while (true) {
            long was = memory.getLongAcquire(at);
            if (was >>> PIECES_BITS != offer || pieces(was, offer) >= pieces) {
                return -1;
            }
            if (memory.compareAndSetLong(at, was, was + 1)) {
                return pieces(was, offer);
            }
        }
    }

    /** Claims all pieces that are left; returns how many had been claimed before. */
    static int claimAll(NativeMemory memory, int at, long offer, int pieces) {
        long was = memory.getLongAcquire(at);
        while (!memory.compareAndSetLong(at, was, share(offer, pieces))) {
            was = memory.getLongAcquire(at);
        }
        return pieces(was, offer);
    }

    /**
     * The length of a piece of a lent message, but the last. Two pieces for most messages: each call of the kernel
     * costs about a microsecond. More for long ones, as the sides do not begin at the same time.
     */
    private static int piece(long bytes) {
        return (int) Math.min(LONGEST_PIECE, bytes / 2 + PAGE - 1 & -PAGE);
    }

    /** Pieces of a lent message, which either side copies. */
    static int pieces(long bytes) {
        int piece = piece(bytes);
        return (int) ((bytes + piece - 1) / piece);
    }

    static long pieceStart(long bytes, int piece) {
        return (long) piece * piece(bytes);
    }

    static long pieceLength(long bytes, int piece) {
        return Math.min(piece(bytes), bytes - pieceStart(bytes, piece));
    }

    static int largestChunk(int ringBytes) {
        return Math.min(LARGEST_CHUNK, ringBytes / CHUNKS_A_RING);
    }
}
