package mpi.front.calls;

import mpi.front.arguments.PlainBuffers;
import mpi.front.types.ItemType;
import mpi.spi.Operand;

/**
 * An operand of a blocking call as a program passed it: when it makes the call again, only the buffer needs a look.
 */
final class LastOperand {
    private static final int UNKNOWN = -1;
    private static final int IGNORED = -2;

    private ItemType type;
    private Class<?> array;
    private int offset;
    private int count;
    private boolean written;
    /** Elements that the buffer must have. */
    private long elements;
    /** Of {@link PlainBuffers}, or one of the constants. */
    private int kind = UNKNOWN;
    private boolean isArray;

    /**
     * Keeps what has been checked.
     *
     * @param blocks how many ranks there are count items for
     */
    void is(Object buffer, int itsOffset, int itsCount, int blocks, ItemType itsType, boolean isWritten) {
        kind =
            itsType.gapped == null && itsType.direct() != null ? PlainBuffers.number(itsType.layout().kind) : UNKNOWN;
        if (kind < 0) {
            return;
        }
        isArray = PlainBuffers.inArray(buffer, kind) >= 0;
        if (!isArray && PlainBuffers.inDirect(buffer, kind, isWritten) < 0) {
            kind = UNKNOWN;
            return;
        }
        type = itsType;
        array = itsType.direct();
        offset = itsOffset;
        count = itsCount;
        written = isWritten;
        long bytes = (long) itsCount * itsType.size * blocks;
        elements = itsOffset + (bytes + (1L << itsType.shift) - 1 >> itsType.shift);
    }

    /** Forgets it: it can never be the same. */
    void isNone() {
        kind = UNKNOWN;
    }

    /** This rank does not look at it. */
    void isIgnored() {
        kind = IGNORED;
    }

    /**
     * Takes an operand that is this one but for the contents, and is right as this one was.
     *
     * @param into gets the buffer
     * @return false if it is another
     */
    boolean isAgain(Operand into, Object buffer, int itsOffset, int itsCount, ItemType itsType) {
        if (kind < 0) {
            return kind == IGNORED;
        }
        if (itsType != type || itsCount != count || itsOffset != offset || itsType.direct() != array
            || (isArray ? PlainBuffers.inArray(buffer, kind)
                : PlainBuffers.inDirect(buffer, kind, written)) < elements) {
            return false;
        }
        into.buffer = buffer;
        return true;
    }
}
