package mpi.front.arguments;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.util.HashMap;
import java.util.Map;
import mpi.front.types.Bytes;

/**
 * What lies before a buffer of {@code MPI.slice}. In the camel dialect a slice is the only way to say where in a buffer
 * item 0 lies, and items may reach back from there, for instance with a negative stride. What a slice was made from is
 * kept here as long as the slice lives. A buffer that the program has sliced by itself ends where it begins.
 */
public final class SliceOrigin {
    private static final Map<Key, SliceOrigin> MADE = new HashMap<>();
    private static final ReferenceQueue<Buffer> GONE = new ReferenceQueue<>();

    /** The buffer, or the array, around a slice. */
    final Object whole;
    /** Where in it the slice begins, in bytes. */
    public final long begin;

    private SliceOrigin(Object whole, long begin) {
        this.whole = whole;
        this.begin = begin;
    }

    /** Notes that a slice begins {@code offset} elements behind the begin of a buffer or an array. */
    static <B extends Buffer> B of(Object whole, B slice, int offset) {
        if (offset > 0) {
            long begin = (long) offset << Bytes.shiftOf(slice);
            synchronized (MADE) {
                for (Object gone = GONE.poll(); gone != null; gone = GONE.poll()) {
                    MADE.remove(gone);
                }
                SliceOrigin outer = whole instanceof Buffer ? MADE.get(new Key((Buffer) whole, null)) : null;
                MADE.put(new Key(slice, GONE),
                    outer == null ? new SliceOrigin(whole, begin) : new SliceOrigin(outer.whole, outer.begin + begin));
            }
        }
        return slice;
    }

    /** Null if nothing is known to lie before a buffer. */
    public static SliceOrigin around(Object buffer) {
        if (!(buffer instanceof Buffer)) {
            return null;
        }
        synchronized (MADE) {
            return MADE.get(new Key((Buffer) buffer, null));
        }
    }

    /** A buffer by its identity. */
    private static final class Key extends WeakReference<Buffer> {
        private final int hash;

        Key(Buffer buffer, ReferenceQueue<Buffer> queue) {
            super(buffer, queue);
            hash = System.identityHashCode(buffer);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return this == other || other instanceof Key && get() != null && get() == ((Key) other).get();
        }
    }
}
