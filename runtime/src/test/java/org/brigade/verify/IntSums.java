package org.brigade.verify;

import java.util.function.IntFunction;

/** What a call on ints must deliver, if it reduces by sums. */
public final class IntSums {
    private IntSums() {
    }

    /**
     * @param contributed what a rank contributes
     * @param result what the receive buffer holds before; then what it must hold
     */
    public static void put(SampleCall call, int rank, IntFunction<int[]> contributed, int[] result) {
        call.result(rank, (at, source, terms, first, count) -> {
            System.arraycopy(contributed.apply(source), first, result, at, count);
            for (int term = source + 1; term < source + terms; term++) {
                int[] theirs = contributed.apply(term);
                for (int i = 0; i < count; i++) {
                    result[at + i] += theirs[first + i];
                }
            }
        });
    }
}
