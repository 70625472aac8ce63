package org.brigade.cli.bench.versus;

import java.util.Arrays;
import java.util.regex.Pattern;

/** Names of the spans of calls for which {@code bench --cold} gives a time: {@code 1}, {@code 2}, {@code 3-10}. */
public final class CallSpan {
    /** The time of Init, which stands before the first call. */
    public static final String INIT = "init";
    /** The sum over all calls. */
    public static final String TOTAL = "total";
    /** The most calls of one start. */
    public static final int MOST_CALLS = 1_000_000;
    private static final int[] LASTS =
        {1, 2, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, MOST_CALLS};
    private static final Pattern NAME = Pattern.compile(INIT + "|" + TOTAL + "|[1-9]\\d{0,6}(-[1-9]\\d{0,6})?");

    private CallSpan() {
    }

    /** The number of the last call of each span; the last one ends with the last call. */
    static int[] lasts(int calls) {
        int spans = 1;
        while (LASTS[spans - 1] < calls) {
            spans++;
        }
        int[] lasts = Arrays.copyOf(LASTS, spans);
        lasts[spans - 1] = calls;
        return lasts;
    }

    static String words(int first, int last) {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Where a span stands on an axis of call numbers: the geometric middle; NaN for Init and the total. */
    public static double middle(String name) {
        if (name.equals(INIT) || name.equals(TOTAL)) {
            return Double.NaN;
        }
        String[] ends = name.split("-");
        return Math.sqrt(Double.parseDouble(ends[0]) * Double.parseDouble(ends[ends.length - 1]));
    }

    /** An order of all names: Init, the spans by their first call, the total. */
    public static long order(String name) {
        return name.equals(INIT) ? 0 : name.equals(TOTAL) ? Long.MAX_VALUE : Long.parseLong(name.split("-")[0]);
    }
}
