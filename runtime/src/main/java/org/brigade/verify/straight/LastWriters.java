package org.brigade.verify.straight;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Which rank has written a byte last, in all memory of a run. One rank runs at a time. */
final class LastWriters {
    /** From its key up to {@code end}. */
    private record Written(long end, int rank) {
    }

    private final Map<Cells, NavigableMap<Long, Written>> memory = new IdentityHashMap<>();

    void write(SymbolicMemory.Place to, long bytes, int rank) {
        NavigableMap<Long, Written> stretches = memory.computeIfAbsent(to.cells(), cells -> new TreeMap<>());
        long begin = to.at();
        long end = begin + bytes;
        Map.Entry<Long, Written> before = stretches.floorEntry(begin);
        if (before != null && before.getValue().end > begin) {
            stretches.put(before.getKey(), new Written(begin, before.getValue().rank));
            if (before.getValue().end > end) {
                stretches.put(end, before.getValue());
            }
        }
        Map.Entry<Long, Written> last = stretches.lowerEntry(end);
        if (last != null && last.getValue().end > end) {
            stretches.put(end, last.getValue());
        }
        stretches.subMap(begin, true, end, false).clear();
        stretches.put(begin, new Written(end, rank));
    }

    /** What a rank reads of others. */
    record Foreign(long bytes, int writer) {
        Foreign and(Foreign more) {
            return new Foreign(bytes + more.bytes, writer < 0 ? more.writer : writer);
        }
    }

    /** Bytes of a stretch that others than a rank have written, and the first of these others; -1: nobody. */
    Foreign foreign(SymbolicMemory.Place from, long bytes, int rank) {
        NavigableMap<Long, Written> stretches = memory.get(from.cells());
        long foreign = 0;
        int writer = -1;
        if (stretches != null) {
            long begin = from.at();
            long end = begin + bytes;
            Long first = stretches.floorKey(begin);
            for (Map.Entry<Long, Written> each : stretches.subMap(first == null ? begin : first, true, end, false)
                .entrySet()) {
                long common = Math.min(end, each.getValue().end) - Math.max(begin, each.getKey());
                if (common > 0 && each.getValue().rank != rank) {
                    foreign += common;
                    writer = writer < 0 ? each.getValue().rank : writer;
                }
            }
        }
        return new Foreign(foreign, writer);
    }
}
