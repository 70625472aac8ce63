package org.brigade.window;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import mpi.spi.TypeMap;

/**
 * The messages of a window between an origin and a target that it cannot reach by address.
 *
 * <pre>
 *  0      8    16   24      32       40        48     56       64
 *  +------+----+----+-------+--------+---------+------+--------+----------------------+------------------+
 *  | kind | id | at | bytes | pieces | element | op   | flags  | 4 words for a piece  | data             |
 *  +------+----+----+-------+--------+---------+------+--------+----------------------+------------------+
 * </pre>
 *
 * {@code at} is the displacement in bytes. A piece is what {@link TypeMap.Visitor} gets: where the target's bytes lie,
 * relative to {@code at}. A long access goes in several messages, each of at most {@link #DATA} bytes. The target
 * answers each message, once what it asks for is done, by a {@link #REPLY} with the same id; its {@code flags} are
 * {@link #OUTSIDE} if the memory is not in the window, so that nothing was touched, and {@link #LOST} if the memory
 * failed; then the data are the reason as text.
 */
final class WindowPacket {
    static final int PUT = 0, GET = 1, ACCUMULATE = 2, SWAP = 3, LOCK = 4, UNLOCK = 5, POST = 6, COMPLETE = 7,
        REPLY = 8;
    /**
     * Flags of requests: the result is wanted; the lock is an exclusive one; the origin holds another lock. Of replies:
     * nothing was done, as the memory is not in the window, or because of what the data say.
     */
    static final int RESULT = 1, EXCLUSIVE = 1, HOLDS = 2, OUTSIDE = 1, LOST = 2;

    private static final int ID = 8, AT = 16, BYTES = 24, PIECES = 32, ELEMENT = 40, OP = 48, FLAGS = 56;
    private static final int HEADER = 64;
    private static final int PIECE = 32;
    /** With these a message is as long as eager ones may be, unless the user has set another limit. */
    static final int DATA = 24 << 10;
    private static final int MOST_PIECES = 250;
    static final int LONGEST = HEADER + MOST_PIECES * PIECE + DATA;

    private static final TypeLayout.Pair[] PAIRS = TypeLayout.Pair.values();
    private static final TypeLayout.Numbers[] NUMBERS = TypeLayout.Numbers.values();
    private static final ElementKind[] KINDS = ElementKind.values();
    private static final Reduction[] REDUCTIONS = new Reduction[Reduction.Operator.values().length];
    /** The last element type that came: types are compared by identity. */
    private static TypeLayout lastElement;
    private static long lastCode = -1;

    final ByteBuffer memory;

    private WindowPacket(ByteBuffer memory) {
        this.memory = memory.order(ByteOrder.nativeOrder());
    }

    /** A packet in a buffer where it has arrived. */
    static WindowPacket in(ByteBuffer memory) {
        return new WindowPacket(memory);
    }

    /** A new packet without pieces. */
    static WindowPacket of(int kind, long id, int flags, int dataBytes) {
        return new WindowPacket(ByteBuffer.allocate(HEADER + dataBytes)).fill(kind, id, 0, 0, 0).flags(flags);
    }

    /**
     * A new packet for items of an access: packed bytes {@code from} to {@code from + bytes}, or fewer, if these have
     * too many pieces.
     *
     * @param dataTimes how often the data of these bytes are in the packet: 0, 1, or 2 for a SWAP
     */
    static WindowPacket of(int kind, long id, long at, TypeMap items, long from, long bytes, int dataTimes) {
        PieceList pieces = new PieceList();
        long some = bytes;
        items.visit(0, from, from + some, pieces);
        while (pieces.count > MOST_PIECES) {
            some = some / 2 & -16;
            pieces.count = 0;
            items.visit(0, from, from + some, pieces);
        }
        WindowPacket packet =
            new WindowPacket(ByteBuffer.allocate(HEADER + pieces.count * PIECE + (int) some * dataTimes))
                .fill(kind, id, at, some, pieces.count);
        for (int i = 0; i < pieces.count * 4; i++) {
            packet.memory.putLong(HEADER + 8 * i, pieces.words[i]);
        }
        return packet;
    }

    /** The reply to what failed. */
    static WindowPacket lost(long id, String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, DATA);
        WindowPacket packet = of(REPLY, id, LOST, length);
        packet.memory.putLong(BYTES, length).put(HEADER, text, 0, length);
        return packet;
    }

    /** The reason in a reply that is {@link #LOST}. */
    String why() {
        byte[] text = new byte[bytes()];
        memory.get(data(), text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private WindowPacket fill(int kind, long id, long at, long bytes, int pieces) {
        memory.putLong(0, kind).putLong(ID, id).putLong(AT, at).putLong(BYTES, bytes).putLong(PIECES, pieces);
        return this;
    }

    WindowPacket flags(int flags) {
        memory.putLong(FLAGS, flags);
        return this;
    }

    WindowPacket reduction(TypeLayout element, Reduction op) {
        memory.putLong(ELEMENT, element.kind.ordinal() | element.pair.ordinal() << 8 | element.numbers.ordinal() << 16
            | (long) element.elements << 32).putLong(OP, op.operator.ordinal());
        return this;
    }

    int kind() {
        return (int) memory.getLong(0);
    }

    long id() {
        return memory.getLong(ID);
    }

    long at() {
        return memory.getLong(AT);
    }

    int bytes() {
        return (int) memory.getLong(BYTES);
    }

    boolean has(int flag) {
        return (memory.getLong(FLAGS) & flag) != 0;
    }

    /** Where the data begin. */
    int data() {
        return HEADER + (int) memory.getLong(PIECES) * PIECE;
    }

    /** The target's items. */
    TypeMap items() {
        int count = (int) memory.getLong(PIECES);
        TypeMap[] parts = new TypeMap[count];
        long[] places = new long[count];
        for (int i = 0; i < count; i++) {
            int piece = HEADER + i * PIECE;
            places[i] = memory.getLong(piece);
            parts[i] = TypeMap.repeated(TypeMap.contiguous(memory.getLong(piece + 16), 1), memory.getLong(piece + 24),
                memory.getLong(piece + 8));
        }
        return TypeMap.sequence(parts, places);
    }

    TypeLayout element() {
        long code = memory.getLong(ELEMENT);
        synchronized (WindowPacket.class) {
            if (code != lastCode) {
                TypeLayout.Pair pair = PAIRS[(int) (code >> 8) & 0xff];
                int elements = (int) (code >> 32);
                lastElement = pair != TypeLayout.Pair.NONE ? TypeLayout.pair("a pair", pair, elements)
                    : TypeLayout.of("numbers", KINDS[(int) code & 0xff], elements, NUMBERS[(int) (code >> 16) & 0xff]);
                lastCode = code;
            }
            return lastElement;
        }
    }

    Reduction op() {
        int operator = (int) memory.getLong(OP);
        synchronized (WindowPacket.class) {
            if (REDUCTIONS[operator] == null) {
                REDUCTIONS[operator] = Reduction.predefined(Reduction.Operator.values()[operator]);
            }
            return REDUCTIONS[operator];
        }
    }

    /** The pieces of a stretch, as far as they are few. */
    private static final class PieceList implements TypeMap.Visitor {
        final long[] words = new long[4 * MOST_PIECES];
        int count;

        @Override
        public void blocks(long at, long stride, long bytes, long blocks) {
            if (count < MOST_PIECES) {
                words[4 * count] = at;
                words[4 * count + 1] = stride;
                words[4 * count + 2] = bytes;
                words[4 * count + 3] = blocks;
            }
            count++;
        }
    }
}
