package mpi.front.calls;

import mpi.front.arguments.PlainBuffers;
import mpi.front.types.ItemType;
import mpi.spi.Call;
import mpi.spi.DeviceBuffer;
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
    /** The memory that it leads to, if it is a pointer object; else null. */
    private DeviceBuffer device;

    /**
     * Keeps what has been checked.
     *
     * @param data what the buffer leads to
     * @param blocks how many ranks there are count items for
     */
    void is(Object buffer, Object data, int itsOffset, int itsCount, int blocks, ItemType itsType,
        boolean isWritten) {
        kind =
            itsType.gapped == null && itsType.direct() != null ? PlainBuffers.number(itsType.layout().kind) : UNKNOWN;
        if (kind < 0) {
            return;
        }
        device = data instanceof DeviceBuffer memory ? memory : null;
        isArray = device == null && PlainBuffers.inArray(buffer, kind) >= 0;
        if (device == null && !isArray && PlainBuffers.inDirect(buffer, kind, isWritten) < 0) {
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
        device = null;
    }

    /** This rank does not look at it. */
    void isIgnored() {
        kind = IGNORED;
    }

    /**
     * Takes an operand that is this one but for the contents, and is right as this one was.
     *
     * @param into gets the buffer
     * @param memo of the call
     * @return false if it is another
     */
    boolean isAgain(Operand into, Object buffer, int itsOffset, int itsCount, ItemType itsType,
        Call.Remembered memo) {
        if (kind < 0) {
            return kind == IGNORED;
        }
        if (itsType != type || itsCount != count || itsOffset != offset || itsType.direct() != array) {
            return false;
        }
        if (device != null) {
            if (!memo.isStill(buffer, device)) {
                return false;
            }
            into.buffer = device;
            return true;
        }
        if ((isArray ? PlainBuffers.inArray(buffer, kind)
            : PlainBuffers.inDirect(buffer, kind, written)) < elements) {
            return false;
        }
        into.buffer = buffer;
        return true;
    }
}
