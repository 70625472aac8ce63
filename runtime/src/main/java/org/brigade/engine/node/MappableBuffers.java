package org.brigade.engine.node;

import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;
import org.brigade.nativ.Libc;
import org.brigade.transport.Endpoint;
import org.brigade.transport.NodeMemory;

/**
 * Buffers of the program in memory that the node's other ranks can map: what {@code MPI.newByteBuffer} and its like
 * give. A window on such a buffer is reached by loads and stores, without a call of the system for each access.
 *
 * <p>
 * A stretch of the node's memory is mapped for each long buffer; short ones are cut from a common stretch. A mapping's
 * first buffer is reachable as long as any view of it, as the JDK's own release of memory needs that. Once it is not,
 * the stretch serves other buffers. Any thread; never takes the progress lock.
 */
public final class MappableBuffers {
    /** Longer buffers gain little: each access to them moves much. */
    static final int LONGEST = 64 << 20;
    /** Bytes of a stretch from which short buffers are cut. */
    static final int COMMON = 64 << 10;
    private static final int SHORT = COMMON / 4;
    private static final int LINE = 64;
    /** The ranks of a node together take no more than this part of the memory that is free at first. */
    private static final int PART = 4;

    private final Endpoint endpoint;
    private final Set<Stretch> stretches = new LinkedHashSet<>();
    private final ReferenceQueue<ByteBuffer> unused = new ReferenceQueue<>();
    /** Null before the first buffer, and if the ranks of this node share none. */
    private NodeMemory memory;
    /** Bytes that may still be taken. */
    private long left;
    private boolean asked;
    private ByteBuffer common;
    private int cut;

    /** A mapping of a stretch, as long as some view of it can be reached. */
    private static final class Stretch extends WeakReference<ByteBuffer> {
        private final long at;
        private final int bytes;
        private long address;

        Stretch(ByteBuffer mapping, long at, ReferenceQueue<ByteBuffer> unused) {
            super(mapping, unused);
            this.at = at;
            bytes = mapping.capacity();
        }

        /** Where an address lies in the node's memory; -1 if it lies elsewhere. */
        long place(long wanted) {
            ByteBuffer mapping = get();
            if (mapping == null) {
                return -1;
            }
            if (address == 0) {
                address = Libc.address(mapping);
            }
            Reference.reachabilityFence(mapping);
            return wanted >= address && wanted < address + bytes ? at + wanted - address : -1;
        }
    }

    /** @param endpoint of this rank; asked for the node's memory when a buffer is first made */
    public MappableBuffers(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * A zeroed buffer, on a cache line of its own.
     *
     * @return null if it is too long, or if there is no memory for it: then any other memory will do
     */
    public synchronized ByteBuffer make(int bytes) {
        if (bytes <= 0 || bytes > LONGEST || !shares()) {
            return null;
        }
        reuse();
        if (bytes > SHORT) {
            return map(bytes);
        }
        if (common == null || common.capacity() - cut < bytes) {
            common = map(COMMON);
            cut = 0;
        }
        if (common == null) {
            return null;
        }
        ByteBuffer part = common.slice(cut, bytes);
        cut = cut + bytes + LINE - 1 & -LINE;
        return part;
    }

    private boolean shares() {
        if (!asked) {
            asked = true;
            Endpoint node = endpoint.withinNode();
            memory = node.size() == 1 ? null : node.nodeMemory();
            left = memory == null ? 0 : memory.free() / PART / node.size();
        }
        return memory != null;
    }

    private ByteBuffer map(int bytes) {
        if (bytes > left) {
            return null;
        }
        long at = -1;
        try {
            at = memory.reserve(bytes);
            memory.fill(at, bytes);
            ByteBuffer mapping = memory.mapAlone(at, bytes);
            stretches.add(new Stretch(mapping, at, unused));
            left -= bytes;
            return mapping;
        } catch (IOException noMemory) {
            if (at >= 0) {
                giveBack(at, bytes);
            }
            return null;
        }
    }

    /** Gives back the stretches of buffers that nobody can reach any more. */
    private void reuse() {
        for (Reference<?> each = unused.poll(); each != null; each = unused.poll()) {
            Stretch stretch = (Stretch) each;
            stretches.remove(stretch);
            giveBack(stretch.at, stretch.bytes);
            left += stretch.bytes;
        }
    }

    private void giveBack(long at, int bytes) {
        if (bytes > NodeMemory.SMALL) {
            memory.release(at, bytes);
        }
        memory.end(at, bytes);
    }

    /**
     * Where byte 0 of a direct buffer lies in the memory that this node's ranks share.
     *
     * @param shared the memory that is meant
     * @return -1 if it does not lie there
     */
    public synchronized long place(Buffer buffer, NodeMemory shared) {
        if (stretches.isEmpty() || shared != memory) {
            return -1;
        }
        long address = Libc.address(buffer);
        for (Stretch each : stretches) {
            long place = each.place(address);
            if (place >= 0) {
                return place;
            }
        }
        return -1;
    }
}
