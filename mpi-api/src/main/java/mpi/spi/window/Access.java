package mpi.spi.window;

import mpi.spi.Communicator;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import mpi.spi.TypeMap;

/** One access to the memory of a window, whose arguments package mpi has checked, as far as this rank knows them. */
public final class Access {
    /** What an access does. */
    public enum Kind {
        /** {@code target = origin}. */
        PUT,
        /** {@code result = target}. */
        GET,
        /** {@code target = origin op target}; before that {@code result = target}, if there is a result. */
        ACCUMULATE,
        /**
         * {@code result = target}; if the result is the same bytes as {@code compare}, then {@code target = origin}.
         */
        SWAP
    }

    /** The user's call, for messages. */
    public final String call;
    public final Kind kind;
    /** The rank whose memory it is about. */
    public final int target;
    /** Where that memory begins, in the target's displacement units. */
    public final long displacement;
    /** The target's items, relative to that place. */
    public final TypeMap items;
    /** Packed bytes of the items, and of each buffer below that is not null. */
    public final long bytes;
    /** Buffers as {@link Communicator} describes them, from their byte 0 on; null if the kind has none. */
    public Object origin;
    public Object compare;
    public Object result;
    /** The elements that an ACCUMULATE combines, and how; null for other kinds. */
    public TypeLayout element;
    public Reduction op;

    public Access(String call, Kind kind, int target, long displacement, TypeMap items, long bytes) {
        this.call = call;
        this.kind = kind;
        this.target = target;
        this.displacement = displacement;
        this.items = items;
        this.bytes = bytes;
    }
}
