package org.brigade.waiting;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.brigade.memory.NativeMemory;

/**
 * One rank's last long wait, in memory that other processes read at any time. The rank writes it under its engine's
 * lock when a wait has become long, and then the time of every look. Nothing is written when the wait ends: a reader
 * takes a wait as ended if its rank has not looked for a second.
 *
 * <pre>
 *   0  version: odd while the record is being written; 0: never written
 *   8  when the rank looked last (System.nanoTime, the same clock for all processes); written alone, too
 *  16  since when it waits
 *  24  kind (a {@link Wait} constant)
 *  32  context of the communicator
 *  40  number of the collective, or tag
 *  48  how many ranks it waits for; their numbers, 4 bytes each, from 56 on
 *  80  the call's name: its length (1 byte) and its text
 * 120  the communicator's name, likewise
 * 256  end
 * </pre>
 */
public final class WaitRecord implements WaitBoard {
    public static final int BYTES = 256;

    private static final int VERSION = 0;
    private static final int SEEN = 8;
    private static final int SINCE = 16;
    private static final int KIND = 24;
    private static final int CONTEXT = 32;
    private static final int NUMBER = 40;
    private static final int PEERS = 48;
    private static final int PEER = 56;
    private static final int CALL = 80;
    private static final int NAME = 120;
    /** A writer needs less than a microsecond; one that was killed meanwhile never ends. */
    private static final int TRIES = 10_000;

    private final NativeMemory memory;
    private final int at;

    /** @param at a multiple of 8 */
    public WaitRecord(NativeMemory memory, int at) {
        this.memory = memory;
        this.at = at;
    }

    /** Writes a wait that was noted first at {@code since}. One thread at a time; allocates nothing. */
    @Override
    public void write(Wait wait, long since, long now) {
        long version = memory.getLong(at + VERSION) | 1; // odd already if a thread failed while it wrote
        memory.putLong(at + VERSION, version);
        VarHandle.fullFence();
        memory.putLong(at + SEEN, now);
        memory.putLong(at + SINCE, since);
        memory.putLong(at + KIND, wait.kind);
        memory.putLong(at + CONTEXT, wait.context);
        memory.putLong(at + NUMBER, wait.number);
        memory.putLong(at + PEERS, wait.peerCount);
        for (int i = 0; i < wait.peerCount; i++) {
            memory.bytes.putInt(at + PEER + i * Integer.BYTES, wait.peers[i]);
        }
        text(wait.call, CALL, NAME);
        text(wait.communicator, NAME, BYTES);
        memory.putLongRelease(at + VERSION, version + 1);
    }

    @Override
    public void seen(long now) {
        memory.putLong(at + SEEN, now);
    }

    private void text(String text, int from, int to) {
        int length = Math.min(text.length(), to - from - 1);
        memory.bytes.put(at + from, (byte) length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            memory.bytes.put(at + from + 1 + i, (byte) (c >= ' ' && c < 127 ? c : '?'));
        }
    }

    /** What was written last; null if there is nothing, or if the writer was killed while it wrote. Any process. */
    public Wait read() {
        byte[] copy = new byte[BYTES];
        for (int i = 0; i < TRIES; i++) {
            long version = memory.getLongAcquire(at + VERSION);
            if (version == 0) {
                return null;
            }
            if ((version & 1) == 0) {
                memory.bytes.get(at, copy);
                VarHandle.acquireFence();
                if (memory.getLong(at + VERSION) == version) {
                    return wait(ByteBuffer.wrap(copy).order(memory.bytes.order()));
                }
            }
            Thread.onSpinWait();
        }
        return null;
    }

    private static Wait wait(ByteBuffer copy) {
        Wait wait = new Wait();
        wait.kind = (int) copy.getLong(KIND);
        wait.context = (int) copy.getLong(CONTEXT);
        wait.number = copy.getLong(NUMBER);
        wait.since = copy.getLong(SINCE);
        wait.seen = copy.getLong(SEEN);
        wait.peerCount = (int) Math.min(Wait.MOST_PEERS, copy.getLong(PEERS));
        for (int i = 0; i < wait.peerCount; i++) {
            wait.peers[i] = copy.getInt(PEER + i * Integer.BYTES);
        }
        wait.call = text(copy, CALL);
        wait.communicator = text(copy, NAME);
        return wait;
    }

    private static String text(ByteBuffer copy, int from) {
        return new String(copy.array(), from + 1, copy.get(from) & 0xff, StandardCharsets.ISO_8859_1);
    }
}
