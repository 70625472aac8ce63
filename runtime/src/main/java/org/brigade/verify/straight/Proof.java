package org.brigade.verify.straight;

import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.WireUse;

/**
 * How it is known that an algorithm is right.
 *
 * @param kind the way
 * @param instead the schedule whose result it has, if it is only tested; else null
 */
public record Proof(Kind kind, Algorithm instead) {
    /** From the strongest to the weakest. */
    public enum Kind {
        /** One symbolic run of all ranks' schedules decides. */
        SCHEDULE("its schedule, run symbolically for all ranks"),
        /** The code that runs, for all ranks on symbolic memory, in many orders. */
        CODE("its code, run for all ranks on symbolic memory"),
        /** Stores that reach several nodes at once. */
        MULTICAST("FusedMulticastTest"),
        /** Kernels on devices. */
        KERNEL("DeviceVerifyTest, and on GPUs by verify --space device");

        private final String by;

        Kind(String by) {
            this.by = by;
        }

        /** What decides. */
        public String by() {
            return by;
        }
    }

    /** The proof of an algorithm of host or device memory. */
    public static Proof of(Algorithm algorithm) {
        if (StraightSuite.isVerified(algorithm)) {
            return new Proof(Kind.CODE, null);
        }
        Algorithm schedule = algorithm.schedule();
        if (algorithm.wireUse() == WireUse.MULTICAST) {
            return new Proof(Kind.MULTICAST, schedule);
        }
        return algorithm.launched() ? new Proof(Kind.KERNEL, schedule) : new Proof(Kind.SCHEDULE, null);
    }

    /** Whether nothing but tests compares it with a schedule. */
    public boolean isTested() {
        return kind == Kind.MULTICAST || kind == Kind.KERNEL;
    }

    /** The proof in words. */
    public String words() {
        return isTested() ? "no schedule; compared with " + instead.name() + " by " + kind.by : kind.by;
    }
}
