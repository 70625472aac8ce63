package org.brigade.window;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import org.brigade.nativ.Libc;
import org.brigade.nativ.ProcessMemory;

/**
 * Direct buffers: each rank tells its process, the address of its buffer and that of a random number. Who reads that
 * number there has found the right process, and may read it.
 */
final class PeerBuffers implements PeerReach {
    /** Process, address of the buffer, address of the number, and the number's two words. */
    static final int WORDS = 5;
    private static final int NUMBER_BYTES = 16;

    /** Stays alive until every rank has tried. */
    private final ByteBuffer number = ByteBuffer.allocateDirect(NUMBER_BYTES);
    private final long[] told = new long[WORDS];

    /** @param buffer this rank's memory */
    PeerBuffers(Object buffer) {
        SecureRandom random = new SecureRandom();
        number.putLong(0, random.nextLong()).putLong(8, random.nextLong());
        try {
            ProcessMemory.permitSiblings();
            told[0] = ProcessHandle.current().pid();
            told[1] = buffer instanceof Buffer direct && direct.isDirect() ? Libc.address(direct) : 0;
            told[2] = Libc.address(number);
            told[3] = number.getLong(0);
            told[4] = number.getLong(8);
        } catch (LinkageError noNativeCode) {
            told[1] = 0;
        }
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
        if (words[1] == 0) {
            return null;
        }
        try {
            ByteBuffer found = ByteBuffer.allocateDirect(NUMBER_BYTES);
            int process = (int) words[0];
            new PeerMemory(process, words[2], NUMBER_BYTES).read(0, found, 0, NUMBER_BYTES);
            boolean right = found.getLong(0) == words[3] && found.getLong(8) == words[4];
            return right ? new PeerMemory(process, words[1], bytes) : null;
        } catch (PeerMemory.CopyFailure | LinkageError refused) {
            return null;
        }
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
