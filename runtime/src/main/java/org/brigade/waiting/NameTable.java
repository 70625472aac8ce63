package org.brigade.waiting;

import org.brigade.memory.NativeMemory;

/**
 * Names that one rank writes and any process reads. An entry:
 *
 * <pre>
 * 0  its key, never 0: written last, by release
 * 8  length of the name (1 byte), and its text
 * </pre>
 */
final class NameTable {
    private static final int LENGTH = 8;
    private static final int TEXT = LENGTH + 1;

    private final NativeMemory memory;
    private final int at;
    private final int entryBytes;

    /** @param at where the entries begin; a multiple of 8, as is entryBytes */
    NameTable(NativeMemory memory, int at, int entryBytes) {
        this.memory = memory;
        this.at = at;
        this.entryBytes = entryBytes;
    }

    /** Writes an entry. What has no room in it is left out. */
    void put(int entry, long key, String name) {
        int place = at + entry * entryBytes;
        int length = Math.min(name.length(), entryBytes - TEXT);
        memory.putLong(place, 0);
        memory.bytes.put(place + LENGTH, (byte) length);
        for (int i = 0; i < length; i++) {
            char c = name.charAt(i);
            memory.bytes.put(place + TEXT + i, (byte) (c >= ' ' && c < 127 ? c : '?'));
        }
        memory.putLongRelease(place, key);
    }

    /** The name in an entry; empty if the entry has another key. */
    String text(int entry, long key) {
        int place = at + entry * entryBytes;
        if (memory.getLongAcquire(place) != key) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0, length = memory.bytes.get(place + LENGTH); i < Math.min(length, entryBytes - TEXT); i++) {
            text.append((char) memory.bytes.get(place + TEXT + i));
        }
        return text.toString();
    }
}
