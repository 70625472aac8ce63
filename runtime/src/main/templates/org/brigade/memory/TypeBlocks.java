// Made from src/main/templates: edit TypeBlocks.java there. See expand.xml.
package org.brigade.memory;

import java.nio.$Type$Buffer;

/**
 * Packs and unpacks blocks of a few $type$s at one distance, such as a column of a matrix. Elements pass through a
 * small array, as loops between arrays compile to the same fast code in every JVM; loops over a NIO buffer do not.
 */
final class $Type$Blocks {
    private final $type$[] few = new $type$[4096 >> $shift$];

    /**
     * Copies blocks between their holder and packed memory.
     *
     * @param holder a $type$[] or a $Type$Buffer of native order
     * @param first where the first block begins
     * @param step from the begin of a block to the next
     * @param length elements of each block, far fewer than 4 KiB
     * @param count number of blocks
     * @param slot where the packed elements begin in {@code packed}
     * @param unpacks false: from the holder to {@code packed}; true: the other way
     */
    void copy(Object holder, int first, int step, int length, int count, NativeMemory packed, int slot,
        boolean unpacks) {
        int round = few.length / length;
        for (int done = 0; done < count; done += round) {
            int blocks = Math.min(round, count - done);
            int begin = first + done * step;
            if (unpacks) {
                packed.$type$s.get(slot + done * length, few, 0, blocks * length);
                if (holder instanceof $type$[] array) {
                    scatter(array, begin, step, length, blocks);
                } else {
                    scatter(($Type$Buffer) holder, begin, step, length, blocks);
                }
            } else {
                if (holder instanceof $type$[] array) {
                    gather(array, begin, step, length, blocks);
                } else {
                    gather(($Type$Buffer) holder, begin, step, length, blocks);
                }
                packed.$type$s.put(slot + done * length, few, 0, blocks * length);
            }
        }
    }

    // The inner loop runs over the blocks, as they are many and their elements are few.

    private void gather($type$[] from, int first, int step, int length, int blocks) {
        $type$[] to = few;
        if (length == 1) {
            for (int i = 0; i < blocks; i++) { // this form compiles best
                to[i] = from[first + i * step];
            }
            return;
        }
        for (int i = 0; i < length; i++) {
            int at = first + i;
            for (int slot = i; slot < blocks * length; slot += length, at += step) {
                to[slot] = from[at];
            }
        }
    }

    private void scatter($type$[] to, int first, int step, int length, int blocks) {
        $type$[] from = few;
        for (int i = 0; i < length; i++) {
            int at = first + i;
            for (int slot = i; slot < blocks * length; slot += length, at += step) {
                to[at] = from[slot];
            }
        }
    }

    private void gather($Type$Buffer from, int first, int step, int length, int blocks) {
        $type$[] to = few;
        for (int i = 0; i < length; i++) {
            int at = first + i;
            for (int slot = i; slot < blocks * length; slot += length, at += step) {
                to[slot] = from.get(at);
            }
        }
    }

    private void scatter($Type$Buffer to, int first, int step, int length, int blocks) {
        $type$[] from = few;
        for (int i = 0; i < length; i++) {
            int at = first + i;
            for (int slot = i; slot < blocks * length; slot += length, at += step) {
                to.put(at, from[slot]);
            }
        }
    }
}
