package org.brigade.cli.doctor.machine;

import org.brigade.cli.probe.Limits;
import org.brigade.select.ByteSize;

/** Limits in words. */
final class Words {
    private Words() {
    }

    static String of(long limit) {
        return limit == Limits.UNLIMITED ? "unlimited" : Long.toString(limit);
    }

    static String ofBytes(long limit) {
        return limit == Limits.UNLIMITED ? "unlimited" : ByteSize.words(limit);
    }
}
