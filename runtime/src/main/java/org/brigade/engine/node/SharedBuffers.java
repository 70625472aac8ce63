package org.brigade.engine.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.transport.NodeMemory;

/**
 * The shared buffers of this rank's communicators. They are made when a communicator first needs one; the next
 * communicator of the same ranks takes over the buffer of one that has ended.
 *
 * <p>
 * The first member of a communicator decides which buffer it gets. That rank decides for all communicators that could
 * have the same buffer, as these have the same members, and takes the buffer before it tells the others. So threads
 * that open several communicators at once, on each rank in another order, never get one buffer for two of them. Under
 * the progress lock, which is released while the members tell each other.
 */
public final class SharedBuffers {
    /** A part of /dev/shm, and no more, may go to a new buffer. */
    private static final int FREE_FOR_EACH = 4;
    private static final int PAGE = 4096;

    /** A buffer, by the name of the communicator that it was made for. */
    private static final class Entry {
        private final int[] members;
        private final long name;
        private final SharedBuffer buffer;
        /** Communicators that have had it, the present one among them; only its first member counts. */
        private long uses = 1;

        Entry(int[] members, long name, SharedBuffer buffer) {
            this.members = members;
            this.name = name;
            this.buffer = buffer;
        }
    }

    private final NodeMemory memory;
    private final List<Entry> entries = new ArrayList<>();

    /** @param memory null if the ranks of this node share none */
    public SharedBuffers(NodeMemory memory) {
        this.memory = memory;
    }

    /**
     * A buffer for a communicator whose members are all of one node. All members call this at the same time.
     *
     * @param members ranks of the job
     * @param rank this rank's place among them
     * @param name of the communicator: not 0, and no other one's of this job
     * @return null, on all members, if there is no memory
     */
    public SharedBuffer take(int[] members, int rank, long name, Members all) {
        Entry free = rank == 0 ? takeEnded(members) : null;
        long[] told = {free == null ? 0 : free.name, memory == null ? 1 : 0};
        all.greatest(told); // if it fails, a member is lost: then nobody can use the buffer
        if (told[1] != 0) {
            return null;
        }
        if (told[0] != 0) {
            SharedBuffer again = named(told[0]);
            again.restart();
            return again;
        }
        SharedBuffer made = make(members, rank, all);
        if (made != null) {
            entries.add(new Entry(members, name, made));
        }
        return made;
    }

    /** Takes a buffer that all members have ended, before anybody hears of it. Null if there is none. */
    private Entry takeEnded(int[] members) {
        for (Entry entry : entries) {
            if (Arrays.equals(entry.members, members) && entry.buffer.haveEnded(entry.uses)) {
                entry.uses++;
                return entry;
            }
        }
        return null;
    }

    /** A buffer that this rank has ended. */
    private SharedBuffer named(long name) {
        for (Entry entry : entries) {
            if (entry.name == name) {
                return entry.buffer;
            }
        }
        throw new IllegalStateException("no shared buffer " + name);
    }

    /** The communicator makes no more calls. */
    public void end(SharedBuffer buffer) {
        buffer.end();
    }

    private SharedBuffer make(int[] members, int rank, Members all) {
        int bytes = SharedBuffer.bytes(members.length);
        long made = rank == 0 ? reserve(bytes) : -1;
        long[] place = {made};
        all.greatest(place);
        ByteBuffer mapped = place[0] < 0 ? null : map(place[0], bytes, rank, members.length);
        long[] failed = {mapped == null ? 1 : 0};
        all.greatest(failed);
        if (failed[0] == 0) {
            return new SharedBuffer(mapped, members.length, rank);
        }
        if (place[0] >= 0) {
            release(place[0], bytes, rank, members.length);
            all.greatest(failed); // until all have: the stretch may then serve another communicator
        }
        if (made >= 0) {
            memory.end(made, bytes);
        }
        return null;
    }

    /** -1 if there is no room. */
    private long reserve(int bytes) {
        try {
            return memory.free() / FREE_FOR_EACH < bytes ? -1 : memory.reserve(bytes);
        } catch (IOException e) {
            return -1;
        }
    }

    private static long begin(int bytes, int rank, int ranks) {
        return ((long) bytes * rank / ranks) & -PAGE;
    }

    private static long share(int bytes, int rank, int ranks) {
        return (rank + 1 == ranks ? bytes : begin(bytes, rank + 1, ranks)) - begin(bytes, rank, ranks);
    }

    /** Each rank fills its part, so that on a machine of several memories each holds some. Null if there is no room. */
    private ByteBuffer map(long at, int bytes, int rank, int ranks) {
        try {
            memory.fill(at + begin(bytes, rank, ranks), share(bytes, rank, ranks));
            return memory.map(at, bytes);
        } catch (IOException e) {
            return null;
        }
    }

    private void release(long at, int bytes, int rank, int ranks) {
        memory.release(at + begin(bytes, rank, ranks), share(bytes, rank, ranks));
    }
}
