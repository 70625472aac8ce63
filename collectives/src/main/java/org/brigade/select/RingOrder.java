package org.brigade.select;

import java.util.Arrays;
import org.brigade.pattern.Order;

/**
 * The order of rings and chains that the user forces by {@code brigade.ring.order=0,2,1,3}, for communicators of this
 * many ranks.
 */
public final class RingOrder {
    private static final String KEY = "ring.order";

    private RingOrder() {
    }

    /**
     * The forced order; null if none is.
     *
     * @throws TuningException if it is no permutation of 0 to n - 1
     */
    public static Order of(Settings settings) {
        String text = settings.get(KEY);
        if (text == null) {
            return null;
        }
        int[] ranks = new int[8];
        int count = 0;
        for (int from = 0; from <= text.length();) {
            int comma = text.indexOf(',', from);
            int end = comma < 0 ? text.length() : comma;
            if (count == ranks.length) {
                ranks = Arrays.copyOf(ranks, 2 * count);
            }
            ranks[count++] = number(settings, text.substring(from, end).trim());
            from = end + 1;
        }
        try {
            return Order.of(Arrays.copyOf(ranks, count));
        } catch (IllegalArgumentException e) {
            throw new TuningException(settings.origin(KEY) + ": " + e.getMessage());
        }
    }

    private static int number(Settings settings, String word) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw new TuningException(settings.origin(KEY)
                + " must name every rank of a communicator once, separated by commas, such as 0,2,1,3");
        }
    }
}
