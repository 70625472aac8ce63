package org.brigade.transport.packet;

/**
 * A carrier's message: a head, and a piece of one of Brigade's messages. In native order, because all nodes of a job
 * are alike.
 *
 * <pre>
 *   0  the rank that sends it (4)
 *   4  what it is (1), lane (1), kind of the message (1), version of this layout (1)
 *   8  key of the message (8)
 *  16  bytes of the whole message; of a GRANT, those that may come (8)
 *  24  bytes of this piece (2), number of this piece on its lane, modulo 2^16 (2); of other packets, 0
 *  28  units that the sender has taken of what came to it on this lane, in all, modulo 2^32 (4)
 *  32  the piece
 * </pre>
 *
 * <p>
 * All pieces of a message but the last are {@link #PIECE_BYTES} long. Credit is counted in units of
 * {@link #UNIT_BYTES}. A piece takes as many units as it fills, and at least one, because a receiver may have to keep
 * so many bytes of pieces that are not taken. Pieces are numbered, as one that its sender dies in the middle of may be
 * lost, and a shorter one behind it may come.
 */
final class PacketDescriptor {
    static final int VERSION = 2;

    // Kinds of packets.
    static final int FIRST = 1;
    static final int NEXT = 2;
    /** Reports only the units taken. */
    static final int CREDIT = 3;
    /** ASK asks for a sign of life, ALIVE gives it. */
    static final int ASK = 4;
    static final int ALIVE = 5;

    /** As FIRST, and the message goes on in pieces without heads after {@link #PACKED_BYTES}. */
    static final int LONG = 6;
    /** Reports how many bytes of the long message under way may come: receives wait for them. */
    static final int GRANT = 7;

    static final int RANK = 0;
    static final int WHAT = 4;
    static final int KEY = 8;
    static final int TOTAL = 16;
    static final int LENGTH = 24;
    static final int NUMBER = 26;
    static final int TAKEN = 28;
    static final int HEAD_BYTES = 32;

    static final int UNIT_BYTES = 4 << 10;
    /** Below the size up to which MPIs over TCP send at once, with the head (Open MPI 64 KiB, MPICH 64 KiB or more). */
    static final int PIECE_BYTES = 32 << 10;

    /** From so many bytes on a message out of native memory goes in long pieces, if the carrier carries these. */
    static final int LONG_BYTES = 256 << 10;
    /** Bytes of such a message that go in packets. They are on their way while the receiver answers. */
    static final int PACKED_BYTES = 4 * PIECE_BYTES;
    /** Long enough that a piece's fixed cost does not count, short enough that the receiver reduces meanwhile. */
    static final int LONG_PIECE_BYTES = 512 << 10;

    static final int LEAST_WINDOW = 2 * PIECE_BYTES;
    static final int MOST_WINDOW = 1 << 30;

    private PacketDescriptor() {
    }

    static int what(int what, int lane, int kind) {
        return what << 24 | lane << 16 | kind << 8 | VERSION;
    }

    /** Units that a piece takes. */
    static int units(int length) {
        return length <= UNIT_BYTES ? 1 : (length + UNIT_BYTES - 1) / UNIT_BYTES;
    }
}
