package org.brigade.op;

import java.nio.ByteBuffer;
import mpi.spi.TypeLayout.Pair;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * MAXLOC and MINLOC on C structs of a value and an int index:
 *
 * <pre>
 *   0       2       4               8               12             16
 *   +-------+-------+---------------+
 *   | short |  pad  |     index     |                                   SHORT_INT
 *   +-------+-------+---------------+
 *   |  int or float |     index     |                                   INT_INT, FLOAT_INT
 *   +---------------+---------------+---------------+--------------+
 *   |        long or double         |     index     |     pad      |    LONG_INT, DOUBLE_INT
 *   +-------------------------------+---------------+--------------+
 * </pre>
 *
 * The winning struct is kept whole, padding included. Of equal values the one with the lower index wins; NaN beats
 * every number, as in MAX and MIN.
 */
final class PairCombiner implements Combiner {
    private final Pair pair;
    private final boolean max;
    private final int extent;
    private final int indexAt;
    private final NativeMemory held = NativeMemory.allocate(PIECE_BYTES);

    PairCombiner(Pair pair, boolean max, int extent) {
        this.pair = pair;
        this.max = max;
        this.extent = extent;
        this.indexAt = extent == 16 ? 8 : 4;
    }

    @Override
    public int itemBytes() {
        return extent;
    }

    @Override
    public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt, Region target,
        long targetAt) {
        for (int done = 0; done < bytes; done += PIECE_BYTES) {
            int piece = Math.min(PIECE_BYTES, bytes - done);
            operand.read(operandAt + done, held, 0, piece);
            for (int at = 0; at < piece; at += extent) {
                int other = incomingAt + done + at;
                if (!keeps(held.bytes, at, incoming.bytes, other)) {
                    held.bytes.put(at, incoming.bytes, other, extent);
                }
            }
            target.write(targetAt + done, held, 0, piece);
        }
    }

    private boolean keeps(ByteBuffer a, int at, ByteBuffer b, int other) {
        int order = switch (pair) {
            case SHORT_INT -> compare(a.getShort(at), b.getShort(other));
            case INT_INT -> compare(a.getInt(at), b.getInt(other));
            case LONG_INT -> compare(a.getLong(at), b.getLong(other));
            case FLOAT_INT -> compare(a.getFloat(at), b.getFloat(other));
            case DOUBLE_INT -> compare(a.getDouble(at), b.getDouble(other));
            case NONE -> throw new IllegalStateException("a struct pair is needed");
        };
        if (order == 0) {
            return a.getInt(at + indexAt) <= b.getInt(other + indexAt);
        }
        return order > 0;
    }

    /** Positive if the first value wins, 0 if they are equal. */
    private int compare(long a, long b) {
        return max ? Long.compare(a, b) : Long.compare(b, a);
    }

    /** As above. Not Double.compare: zeros of both signs are equal, and NaN wins a minimum too. */
    private int compare(double a, double b) {
        if (a == b) {
            return 0;
        }
        boolean noNumber = a != a;
        if (noNumber || b != b) {
            return (noNumber ? 1 : 0) - (b != b ? 1 : 0);
        }
        return a > b == max ? 1 : -1;
    }
}
