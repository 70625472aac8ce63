package org.brigade.window;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import org.brigade.nativ.Libc;
import org.brigade.nativ.ProcessMemory;

/**
 * Direct buffers: each rank tells its process, the address of its buffer and that of the process's random number. Who
 * reads that number there has found the right process, and may read it. A process that was found once is not tried
 * again.
 */
final class PeerBuffers implements PeerReach {
    /** Process, address of the buffer, address of the number, and the number's two words. */
    static final int WORDS = 5;
    private static final int ADDRESS = 1;
    private static final int NUMBER_BYTES = 16;
    /** By process: what those that were found have told. */
    private static final ConcurrentHashMap<Integer, long[]> FOUND = new ConcurrentHashMap<>();
    private static final int MOST_FOUND = 10_000;

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
                NUMBER.getLong(8)};
        }
    }

    /** @param buffer this rank's memory */
    PeerBuffers(Object buffer) {
        long[] words = new long[WORDS];
        try {
            if (buffer instanceof Buffer direct && direct.isDirect()) {
                words = Self.WORDS_TOLD.clone();
                words[ADDRESS] = Libc.address(direct);
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
    public PeerMemory find(long[] words, long bytes) {
        if (words[ADDRESS] == 0) {
            return null;
        }
        int process = (int) words[0];
        try {
            long[] known = FOUND.get(process);
            if (known == null || !Arrays.equals(known, ADDRESS + 1, WORDS, words, ADDRESS + 1, WORDS)) {
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
        // Nothing is held.
    }
}
