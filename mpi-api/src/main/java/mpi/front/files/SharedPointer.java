package mpi.front.files;

import java.io.IOException;
import mpi.front.types.ItemType;
import mpi.spi.Communicator;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.Reduction.Operator;
import mpi.spi.window.Access;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;

/**
 * The file pointer that the ranks of a file share: one long in a window, at rank 0. So it has no name anywhere, and
 * ends with the ranks. On other nodes than that of rank 0, an access is a message, which a thread of rank 0 answers if
 * rank 0 computes.
 */
public final class SharedPointer {
    /** In etypes, while nobody has moved it: the window's long begins at 0. */
    private final long initial;
    /** Null if there is one rank only. */
    private final WindowEnd window;
    private long alone;

    /** Collective. */
    SharedPointer(Communicator ranks, String name, long initial) {
        this.initial = initial;
        if (ranks.size() == 1) {
            window = null;
            return;
        }
        window = ((WindowMaker) ranks).window(WindowKind.ALLOCATED, null, ranks.rank() == 0 ? Long.BYTES : 0, 1, false,
            name, null);
        window.fence(true, false); // an epoch without end
    }

    /** Adds to the pointer; returns its value before. */
    long advance(String call, long by) throws IOException {
        long before = initial + change(call, by, Operator.SUM);
        try {
            Math.addExact(before, by);
        } catch (ArithmeticException e) {
            change(call, -by, Operator.SUM);
            throw new IOException("the shared pointer would exceed a long", e);
        }
        return before;
    }

    void set(String call, long value) {
        change(call, value - initial, Operator.REPLACE);
    }

    long get(String call) {
        return initial + change(call, 0, Operator.NO_OP);
    }

    /** Combines a number with the window's long; returns what that was before. */
    private long change(String call, long by, Operator op) {
        if (window == null) {
            synchronized (this) {
                long before = alone;
                alone = op == Operator.SUM ? before + by : op == Operator.REPLACE ? by : before;
                return before;
            }
        }
        Access access = new Access(call, Access.Kind.ACCUMULATE, 0, 0, ItemType.LONG.shape.map, Long.BYTES);
        long[] before = new long[1];
        access.origin = op == Operator.NO_OP ? null : new long[] {by};
        access.result = before;
        ItemType element = op == Operator.SUM ? ItemType.LONG : ItemType.BYTE;
        access.element = element.layout();
        access.op = Reduction.predefined(op);
        Operation answer = window.access(access);
        if (answer != null) {
            answer.await();
        }
        return before[0];
    }

    /** Collective. */
    void close() {
        if (window != null) {
            window.free();
        }
    }
}
