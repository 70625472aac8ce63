package org.brigade.verify.straight;

import java.util.Random;

/** Orders in which ranks go on. */
final class Orders {
    private Orders() {
    }

    /** At random by a seed; the rank that runs goes on in three of four cases, so that some run far ahead. */
    static Interleaving.Order random(long seed) {
        Random random = new Random(seed);
        return (current, ready, count) -> {
            if (random.nextInt(4) != 0) {
                for (int i = 0; i < count; i++) {
                    if (ready[i] == current) {
                        return i;
                    }
                }
            }
            return random.nextInt(count);
        };
    }

    /** All orders, one after another: run, {@link #next}, run again. */
    static final class All implements Interleaving.Order {
        private int[] chosen = new int[64];
        private int[] of = new int[64];
        private int depth;
        private int length;

        @Override
        public int choose(int current, int[] ready, int count) {
            if (depth == chosen.length) {
                chosen = java.util.Arrays.copyOf(chosen, 2 * depth);
                of = java.util.Arrays.copyOf(of, 2 * depth);
            }
            if (depth == length) {
                chosen[depth] = 0;
                length++;
            }
            of[depth] = count;
            return chosen[depth++];
        }

        /** Begins the next order. @return false if all have been */
        boolean next() {
            depth = 0;
            while (length > 0 && chosen[length - 1] + 1 == of[length - 1]) {
                length--;
            }
            if (length == 0) {
                return false;
            }
            chosen[length - 1]++;
            return true;
        }
    }
}
