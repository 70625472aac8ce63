package org.brigade.window;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import org.brigade.engine.node.MappableBuffers;
import org.brigade.nativ.Libc;
import org.brigade.nativ.ProcessMemory;
import org.brigade.transport.NodeMemory;

/**
 * Direct buffers. One that lies in memory which the node's ranks share ({@link MappableBuffers}) is mapped by the
 * others: its rank tells where it lies. Of any other, each rank tells its process, the address of its buffer and that
 * of the process's random number. Who reads that number there has found the right process, and may read it. A process
 * that was found once is not tried again.
 */
final class PeerBuffers implements PeerReach {
    /**
     * Process, address of the buffer, address of the number, the number's two words, and 1 more than the place in the
     * memory that ranks share.
     */
    static final int WORDS = 6;
    private static final int ADDRESS = 1;
    private static final int PLACE = 5;
    private static final int NUMBER_BYTES = 16;
    /** By process: what those that were found have told. */
    private static final ConcurrentHashMap<Integer, long[]> FOUND = new ConcurrentHashMap<>();
    private static final int MOST_FOUND = 10_000;

    private final NodeMemory shared;
    private final long[] told;

    /** This process, made when its first window is. */
    private static final class Self {
        /** Lives as long as the process: others may read it at any time. */
        private static final ByteBuffer NUMBER = ByteBuffer.allocateDirect(NUMBER_BYTES);
        private static final long[] WORDS_TOLD = told();

        private Self() {
        }

        private static long[] told() {
            SecureRandom random = new SecureRandom();
            NUMBER.putLong(0, random.nextLong()).putLong(8, random.nextLong());
            ProcessMemory.permitSiblings();
            return new long[] {ProcessHandle.current().pid(), 0, Libc.address(NUMBER), NUMBER.getLong(0),
                NUMBER.getLong(8), 0};
        }
    }

    /**
     * @param mappable those of this rank's buffers that others can map
     * @param shared the memory of this node's ranks
     * @param buffer this rank's memory, of any kind
     */
    PeerBuffers(MappableBuffers mappable, NodeMemory shared, Object buffer) {
        this.shared = shared;
        long[] words = new long[WORDS];
        try {
            if (buffer instanceof Buffer direct && direct.isDirect()) {
                words = Self.WORDS_TOLD.clone();
                words[ADDRESS] = Libc.address(direct);
                words[PLACE] = mappable.place(direct, shared) + 1;
            }
        } catch (LinkageError noNativeCode) {
            words = new long[WORDS];
        }
        told = words;
    }

    @Override
    public int words() {
        return WORDS;
    }

    @Override
    public long[] told() {
        return told;
    }

    @Override
    public Object find(long[] words, long bytes) {
        try {
            return words[PLACE] != 0 ? shared.map(words[PLACE] - 1, (int) bytes) : copied(words, bytes);
        } catch (IOException notMapped) {
            return copied(words, bytes);
        }
    }

    /** The buffer as memory of another process; null if that cannot be reached. */
    private static PeerMemory copied(long[] words, long bytes) {
        if (words[ADDRESS] == 0) {
            return null;
        }
        int process = (int) words[0];
        try {
            long[] known = FOUND.get(process);
            if (known == null || !Arrays.equals(known, ADDRESS + 1, PLACE, words, ADDRESS + 1, PLACE)) {
                ByteBuffer found = ByteBuffer.allocateDirect(NUMBER_BYTES);
                new PeerMemory(process, words[2], NUMBER_BYTES).read(0, found, 0, NUMBER_BYTES);
                if (found.getLong(0) != words[3] || found.getLong(8) != words[4]) {
                    return null;
                }
                if (FOUND.size() < MOST_FOUND) {
                    FOUND.put(process, words.clone());
                }
            }
            return new PeerMemory(process, words[ADDRESS], bytes);
        } catch (PeerMemory.CopyFailure | LinkageError refused) {
            return null;
        }
    }

    @Override
    public void close() {
        // A mapping lasts as long as something refers to it; nothing else is held.
    }
}
