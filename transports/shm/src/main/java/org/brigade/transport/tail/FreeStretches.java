package org.brigade.transport.tail;

import java.util.Map;
import java.util.TreeMap;

/** Stretches of a file that this process may use again: those that touch are one. */
final class FreeStretches {
    private final TreeMap<Long, Long> bytesAt = new TreeMap<>();

    /** Takes the first stretch that is long enough; -1 if there is none. */
    long take(long bytes) {
        for (Map.Entry<Long, Long> each : bytesAt.entrySet()) {
            long at = each.getKey();
            long found = each.getValue();
            if (found >= bytes) {
                bytesAt.remove(at);
                if (found > bytes) {
                    bytesAt.put(at + bytes, found - bytes);
                }
                return at;
            }
        }
        return -1;
    }

    /** Adds a stretch that does not overlap any. */
    void add(long at, long bytes) {
        long from = at;
        long length = bytes;
        Map.Entry<Long, Long> before = bytesAt.lowerEntry(at);
        if (before != null && before.getKey() + before.getValue() == at) {
            from = before.getKey();
            length += before.getValue();
        }
        Long behind = bytesAt.remove(at + bytes);
        bytesAt.put(from, behind == null ? length : length + behind);
    }
}
