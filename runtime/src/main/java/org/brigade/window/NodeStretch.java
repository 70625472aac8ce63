package org.brigade.window;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.NodeMemory;

/**
 * What the ranks of a window share on this node: one stretch of the node's memory.
 *
 * <pre>
 *  control blocks of the node's ranks | memory of the first rank | memory of the second ... each from a page on
 * </pre>
 *
 * The first rank of the node reserves it. A window whose memory is small in all is filled by that rank and mapped in
 * one piece. Of a larger one, each rank fills its own memory, so that the ranks share the work.
 */
final class NodeStretch {
    private static final int PAGE = 4096;

    private final NodeMemory memory;
    private final int rank;
    /** The window's ranks on this node, ascending. */
    private final int[] here;
    private final int block;
    private final int ranks;
    /** Bytes that each rank of the window has in it; null for control blocks alone. */
    private long[] parts;
    /** Bytes that are kept for each of them; -1 if for each as many as it has. */
    private long room = -1;
    private boolean small = true;
    private long at = -1;
    /** Those of this node's ranks, once this rank has mapped them. */
    private ControlBlock[] controls;
    private IOException failure;

    NodeStretch(NodeMemory memory, int rank, int ranks, int[] here) {
        this.memory = memory;
        this.rank = rank;
        this.ranks = ranks;
        this.here = here;
        block = ControlBlock.bytes(ranks);
    }

    int leader() {
        return here[0];
    }

    int[] ranksHere() {
        return here;
    }

    NodeMemory memory() {
        return memory;
    }

    /** Why this rank has no memory; null if it is known of none. */
    IOException failure() {
        return failure;
    }

    /** The window has memory of its own, so much of each of its ranks. */
    void hasParts(long[] bytes) {
        parts = bytes;
        room = -1;
        failure = null; // of room that was not needed
        small = bytes() <= NodeMemory.SMALL;
    }

    /**
     * The same before the ranks have told how much it is: as many bytes for each of this node. False if that is so much
     * that it is not to be reserved on trust.
     */
    boolean hasRoom(long bytes) {
        parts = new long[ranks];
        room = bytes;
        return bytes() <= NodeMemory.SMALL;
    }

    /** Whether the ranks' bytes fit in the room that the first rank of the node has reserved. */
    boolean fits(long[] bytes) {
        if (!hasRoom(bytes[here[0]])) {
            return false;
        }
        parts = bytes;
        for (int each : here) {
            if (bytes[each] > room) {
                return false;
            }
        }
        return true;
    }

    private long blocks() {
        return pages((long) block * here.length);
    }

    private long bytes() {
        long all = blocks();
        for (int i = 0; parts != null && i < here.length; i++) {
            all += room(here[i]);
        }
        return all;
    }

    private long room(int rank) {
        return pages(room < 0 ? parts[rank] : room);
    }

    private static long pages(long bytes) {
        return bytes + PAGE - 1 & -PAGE;
    }

    /** Reserves the stretch, if this rank is the first. Returns where it lies; -1 if there is none. */
    long reserve() {
        if (rank == here[0]) {
            try {
                at = memory.reserve(bytes());
                memory.fill(at, small ? bytes() : blocks());
            } catch (IOException noRoom) {
                failure = noRoom;
                end();
            }
        }
        return at;
    }

    /**
     * Maps everything, and fills what this rank must.
     *
     * @param there where the stretch lies; -1 if there is none
     * @param mapped gets each rank's memory
     * @return false if that failed
     */
    boolean map(long there, ControlBlock[] controls, ByteBuffer[] mapped) {
        at = there;
        if (there < 0) {
            return false;
        }
        this.controls = controls;
        try {
            ByteBuffer whole = memory.map(there, (int) (small ? bytes() : blocks()));
            long begin = blocks();
            for (int i = 0; i < here.length; i++) {
                int each = here[i];
                controls[each] = new ControlBlock(new NativeMemory(whole.slice(i * block, block)));
                if (parts != null) {
                    mapped[each] = small
                        ? whole.slice((int) begin, (int) parts[each]).order(whole.order())
                        : part(each, there + begin);
                    begin += room(each);
                }
            }
            return true;
        } catch (IOException e) {
            failure = e;
            return false;
        }
    }

    private ByteBuffer part(int of, long begin) throws IOException {
        if (of == rank) {
            memory.fill(begin, parts[of]);
        }
        return memory.map(begin, (int) parts[of]);
    }

    /**
     * This rank's window has ended: gives back its memory, and touches the stretch no more.
     *
     * @return whether this rank must end the stretch when the others have left it, too
     */
    boolean leave() {
        release();
        controls[rank].leave();
        return rank == here[0];
    }

    /** Ends the stretch if all ranks have left it; false if some have not. */
    boolean endsUnused() {
        for (int each : here) {
            if (!controls[each].isLeft()) {
                return false;
            }
        }
        end();
        return true;
    }

    /** Gives back this rank's memory, which nobody uses any more. */
    void release() {
        long begin = at + blocks();
        for (int i = 0; at >= 0 && parts != null && here[i] != rank; i++) {
            begin += room(here[i]);
        }
        if (at >= 0 && !small) {
            memory.release(begin, parts[rank]);
        }
    }

    /** No rank uses the stretch any more, and all have released theirs. */
    void end() {
        if (at >= 0 && rank == here[0]) {
            memory.end(at, bytes());
        }
        at = -1;
    }
}
