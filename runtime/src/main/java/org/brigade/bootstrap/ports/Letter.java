package org.brigade.bootstrap.ports;

import java.nio.ByteBuffer;
import org.brigade.bootstrap.Processors;
import org.brigade.process.ProcessIdentity;

/**
 * The content of every file: the process that it belongs to, then what it says. A file whose process has ended is
 * stale: anybody may remove it.
 *
 * @param machine {@link Processors#machine} of the process
 */
record Letter(long machine, ProcessIdentity owner, byte[] words) {
    private static final int HEADER = 4 * Long.BYTES;

    /** A letter of this process. */
    static Letter own(byte[] words) {
        return new Letter(Processors.machine(), ProcessIdentity.self(), words);
    }

    /** Null if the bytes are no letter. */
    static Letter of(byte[] bytes) {
        if (bytes.length < HEADER) {
            return null;
        }
        ByteBuffer all = ByteBuffer.wrap(bytes);
        long machine = all.getLong();
        ProcessIdentity owner = new ProcessIdentity(all.getLong(), all.getLong(), all.getLong());
        byte[] words = new byte[all.remaining()];
        all.get(words);
        return new Letter(machine, owner, words);
    }

    byte[] bytes() {
        return ByteBuffer.allocate(HEADER + words.length).putLong(machine).putLong(owner.pid())
            .putLong(owner.startTime()).putLong(owner.namespace()).put(words).array();
    }

    /** Whether the process has ended, as far as this process can tell. */
    boolean isStale() {
        return machine == Processors.machine() && ProcessIdentity.self().canSee(owner) && owner.ended();
    }
}
