package mpi.front.io;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * What an aggregator of {@link TwoPhase} collects in: outside the heap, so the kernel and other ranks copy from and to
 * it at once. Made at the first use, longer when a call needs that, and kept as long as the file is open.
 */
public final class CollectingMemory {
    private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

    /** The bytes of the window that have come. */
    final BitSet written = new BitSet();
    private ByteBuffer window = NONE;
    private ByteBuffer messages = NONE;

    ByteBuffer window(int bytes) {
        window = atLeast(window, bytes);
        return window;
    }

    ByteBuffer messages(int bytes) {
        messages = atLeast(messages, bytes);
        return messages;
    }

    private static ByteBuffer atLeast(ByteBuffer buffer, int bytes) {
        return buffer.capacity() >= bytes ? buffer : ByteBuffer.allocateDirect(bytes);
    }
}
