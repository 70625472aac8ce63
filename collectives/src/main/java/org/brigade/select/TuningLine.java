package org.brigade.select;

/** The words of one line of a tuning table, from left to right, and the errors that name the line. */
final class TuningLine {
    private static final int MOST_SHOWN = 60;

    private final String source;
    private final int number;
    private final String text;
    private final int end;
    private int at;

    /** Characters {@code from} to {@code end} of the text, up to a '#'. */
    TuningLine(String source, int number, String text, int from, int end) {
        this.source = source;
        this.number = number;
        this.text = text;
        int comment = from;
        while (comment < end && text.charAt(comment) != '#') {
            comment++;
        }
        this.end = comment;
        at = from;
    }

    /** The next word, or null at the end. */
    String next() {
        while (at < end && text.charAt(at) <= ' ') {
            at++;
        }
        int from = at;
        while (at < end && text.charAt(at) > ' ') {
            at++;
        }
        return from == at ? null : text.substring(from, at);
    }

    /** All that is left, trimmed. */
    String rest() {
        String rest = text.substring(at, end).trim();
        at = end;
        return rest;
    }

    void end() {
        String more = next();
        if (more != null) {
            throw error("'" + shown(more) + "' is one word too many; delete it or begin a comment with #");
        }
    }

    long number(String what, long least, long most) {
        String word = next();
        if (word == null) {
            throw error(what + " needs a number after it, such as 64K");
        }
        long value = parse(word);
        if (value < least || value > most) {
            throw error(what + " is " + value + ", but must be " + least + " to " + most);
        }
        return value;
    }

    double positive(String unit) {
        String word = next();
        double value = word == null ? -1 : decimal(word);
        if (value <= 0 || value > 1e12) {
            throw error(
                "a positive number of " + unit + " is needed" + (word == null ? "" : ", not '" + shown(word) + "'"));
        }
        return value;
    }

    /**
     * A number such as 12 or 0.25; -1 for anything else. Written out, as the table is read while a job starts and
     * Double.parseDouble loads many classes.
     */
    private static double decimal(String word) {
        long digits = 0;
        double scale = 1;
        boolean point = false;
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c == '.' && !point && i > 0) {
                point = true;
            } else if (c >= '0' && c <= '9' && i < 16) {
                digits = digits * 10 + c - '0';
                scale *= point ? 10 : 1;
            } else {
                return -1;
            }
        }
        return digits / scale;
    }

    /** Reads bytes: {@code A..B}, {@code A..}, {@code ..B} or {@code A}. */
    long[] bytes() {
        long[] ends = {0, Long.MAX_VALUE};
        range("bytes", null, ends);
        return ends;
    }

    /** Reads such a range of numbers, with the scale's units. */
    RuleScope.Range range(String what, RuleScope.Scale scale) {
        long[] ends = {RuleScope.Range.ANY.least(), RuleScope.Range.ANY.most()};
        String word = range(what, scale, ends);
        boolean count = scale == RuleScope.Scale.COUNT;
        if (ends[0] < 1 || count && ends[1] > RuleScope.Range.MOST_COUNTED
            && ends[1] < RuleScope.Range.ANY.most()) {
            throw error(what + " " + shown(word) + " is out of range; " + what
                + (count ? " are 1 to " + Integer.MAX_VALUE : " is such as " + scale.example));
        }
        return RuleScope.Range.of(ends);
    }

    /** @param scale null: bytes */
    private String range(String what, RuleScope.Scale scale, long[] ends) {
        String word = next();
        if (word == null) {
            throw error(what + " needs a range after it, such as " + (scale == null ? "64K.. or ..1M"
                : scale == RuleScope.Scale.COUNT ? "2..8 or 2.." : scale.example.replace(" or ", "..")));
        }
        int dots = word.indexOf("..");
        if (dots < 0) {
            ends[0] = parse(what, scale, word);
            ends[1] = ends[0];
        } else {
            ends[0] = dots > 0 ? parse(what, scale, word.substring(0, dots)) : ends[0];
            ends[1] = dots + 2 < word.length() ? parse(what, scale, word.substring(dots + 2)) : ends[1];
        }
        if (ends[0] > ends[1]) {
            throw error(what + " " + shown(word) + " is an empty range; write the smaller bound first");
        }
        return word;
    }

    private long parse(String what, RuleScope.Scale scale, String word) {
        if (scale == null) {
            return parse(word);
        }
        long number = scale.parse(word);
        if (number < 0) {
            throw error("'" + shown(word) + "' is no number of " + what + "; write for instance " + scale.example);
        }
        return number;
    }

    private long parse(String word) {
        try {
            return ByteSize.parse(word);
        } catch (NumberFormatException e) {
            throw error("'" + shown(word) + "' is no number; write digits and optionally K, M or G, as in 64K");
        }
    }

    /** A word as a message may show it: not too long, without control characters. */
    String shown(String word) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < word.length() && i < MOST_SHOWN; i++) {
            char c = word.charAt(i);
            shown.append(c < ' ' || c > '~' ? '?' : c);
        }
        return word.length() > MOST_SHOWN ? shown.append("...").toString() : shown.toString();
    }

    TuningException error(String what) {
        return new TuningException(source + ", line " + number + ": " + what);
    }
}
