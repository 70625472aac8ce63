package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.InboxDescriptor.*;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.sisci.adapter.InboxDescriptor;

/**
 * The words of one lane, as they are stored into the peer's inbox. Each word carries the number of its lap, so the
 * receiver sees by itself that it has arrived. Stores may get lost, so a copy is kept of all words that the peer has
 * not freed. Laps only grow, so storing a word twice does no harm. Under the connection's lock.
 */
final class WordWriter {
    private final LaneCredit credit;
    private final NativeMemory remote;
    private final int words;
    private final int count;
    private final int mask;
    private final NativeMemory mirror;
    private long written;
    private long freed;

    WordWriter(int lane, LaneCredit credit, NativeMemory remote) {
        this.credit = credit;
        this.remote = remote;
        words = InboxDescriptor.words(lane);
        count = InboxDescriptor.wordCount(lane);
        mask = count - 1;
        mirror = NativeMemory.allocate(count * 8);
    }

    /** Whether the peer has not yet freed enough for so many words. */
    boolean isShortOf(int needed) {
        if (written + needed - freed <= count) {
            return false;
        }
        freed = credit.read(WORDS_FREED, freed, written, "words");
        return written + needed - freed > count;
    }

    void putHead(int kind, long key, int length) {
        put(head(kind, length));
        putLong(key);
    }

    void putLong(long value) {
        put((int) value);
        put((int) (value >>> 32));
    }

    void put(int data) {
        int place = (int) written & mask;
        long word = word(data, lap(written, count));
        mirror.putLong(place << 3, word);
        remote.putLong(words + (place << 3), word);
        written++;
    }

    /** Stores everything again that the peer may not have. */
    void storeAgain() {
        for (long position = freed; position < written; position++) {
            int place = ((int) position & mask) << 3;
            remote.putLong(words + place, mirror.getLong(place));
        }
    }
}
