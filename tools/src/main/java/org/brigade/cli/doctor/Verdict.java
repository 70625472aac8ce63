package org.brigade.cli.doctor;

import java.util.Locale;

/** What a check has found. */
enum Verdict {
    /** Nothing to change. */
    GOOD,
    /** Jobs run, but slower or with less than the machine has. */
    COSTS,
    /** Jobs run, but a part of Brigade cannot be used. */
    MISSING,
    /** No job of two ranks can run. */
    BLOCKS;

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
