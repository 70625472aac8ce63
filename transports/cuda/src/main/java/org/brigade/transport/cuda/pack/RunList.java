package org.brigade.transport.cuda.pack;

import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import mpi.spi.TypeMap;

/**
 * A {@link TypeMap} as the kernels read it: the runs of one item, and how far apart items are. A run is {@code struct
 * Run} of pack.cu: first packed byte, place, distance of blocks, length of a block.
 */
final class RunList implements TypeMap.Visitor {
    /** Longs of a run. */
    static final int RUN = 4;
    /** The list of an item with more runs takes too much memory. */
    private static final int MOST_RUNS = 1 << 22;
    /** By type map, for as long as its datatype lives. */
    private static final Map<TypeMap, RunList> KNOWN = new WeakHashMap<>();

    /** Packed bytes of an item. */
    final long size;
    /** Bytes by which items are apart. */
    final long step;
    /** All runs, {@link #RUN} numbers each. */
    long[] runs = new long[RUN];
    /** Number of runs; too many to be used if it is over {@link #MOST_RUNS}. */
    int number;
    /** The bits that are set in any of these numbers, so that its lowest bit is what all are multiples of. */
    long bits;

    /** The packed byte behind the runs so far. */
    private long end;

    private RunList(TypeMap items) {
        TypeMap item = items.item();
        size = item.size;
        step = items.step();
        bits = size | step;
        item.visit(0, 0, size, this);
        runs = Arrays.copyOf(runs, Math.min(number, MOST_RUNS) * RUN);
    }

    /** The runs of a map; null if there are none, or too many. */
    static RunList of(TypeMap items) {
        synchronized (KNOWN) {
            RunList list = KNOWN.get(items);
            if (list == null) {
                list = new RunList(items);
                KNOWN.put(items, list);
            }
            return list.number == 0 || list.number > MOST_RUNS ? null : list;
        }
    }

    @Override
    public void blocks(long at, long stride, long bytes, long count) {
        if (number < MOST_RUNS) {
            int place = number * RUN;
            if (place == runs.length) {
                runs = Arrays.copyOf(runs, 2 * place);
            }
            runs[place] = end;
            runs[place + 1] = at;
            runs[place + 2] = stride;
            runs[place + 3] = bytes;
            end += bytes * count;
            bits |= at | stride | bytes;
        }
        number = Math.min(number + 1, MOST_RUNS + 1);
    }
}
