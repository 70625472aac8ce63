package org.brigade.communicator.call;

import java.util.HashMap;
import java.util.Map;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;

/** The reductions that this process has used, in both operand orders. The last one is found without a map look-up. */
public final class CombinerCache {
    private static final int MOST = 256;

    private record Key(Reduction op, TypeLayout type) {
        // Written out, as a record's own equals and hashCode cost a JVM 35 ms when first called.
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && op == key.op && type == key.type;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(op) * 31 + System.identityHashCode(type);
        }
    }

    private final Map<Key, CombinerCache.Pair> pairs = new HashMap<>();
    private Reduction lastOp;
    private TypeLayout lastType;
    private Pair last;

    /**
     * One reduction in both orders: with the local operand on the left, and with the incoming value on the left.
     * {@code users}: it is a user's function, which may throw.
     */
    public record Pair(Combiner incomingLast, Combiner incomingFirst, boolean users) {
    }

    public Pair of(TypeLayout type, Reduction op) {
        if (op == lastOp && type == lastType) {
            return last;
        }
        Key key = new Key(op, type);
        Pair pair = pairs.get(key);
        if (pair == null) {
            if (pairs.size() >= MOST) {
                pairs.clear(); // a program that makes operations in a loop must not fill the memory
            }
            pair = new Pair(Combiners.of(type, op, false), Combiners.of(type, op, true), op.function != null);
            pairs.put(key, pair);
        }
        lastOp = op;
        lastType = type;
        last = pair;
        return pair;
    }
}
