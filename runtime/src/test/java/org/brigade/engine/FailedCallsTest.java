package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mpi.ErrorClass;
import mpi.MPIException;
import org.brigade.waiting.CallKey;
import org.junit.jupiter.api.Test;

/** Who hears that a call has failed on another rank: members in it, and in the agreement that comes before it. */
class FailedCallsTest {
    private static final int CONTEXT = 7;
    private static final byte[] NOTICE =
        FailedCalls.notice("bcast", 1, ErrorClass.TRUNCATE.in("bcast", "a longer message came"));

    private final Membership members = new Membership(0, new int[] {0, 1, 2}, "MPI_COMM_WORLD", true);
    private final FailedCalls failed = new FailedCalls();

    private static long own(long number) {
        return CallKey.own(CONTEXT, number);
    }

    @Test
    void aCallThatFailedEndsNoAgreementBeforeIt() {
        failed.add(own(5), NOTICE);
        assertNull(failed.take(CallKey.aside(CONTEXT, 5), members));
        assertNull(failed.take(own(4), members));
        MPIException error = failed.take(own(5), members);
        assertTrue(error.getMessage().contains("a longer message came"), error.getMessage());
        assertNull(failed.take(own(5), members), "it is heard once");
    }

    @Test
    void anAgreementThatFailedIsHeardInItAndByThoseWhoHaveItBehindThem() {
        failed.add(CallKey.aside(CONTEXT, 5), NOTICE);
        assertNotNull(failed.take(own(5), members));
        failed.add(CallKey.aside(CONTEXT, 5), NOTICE);
        assertNotNull(failed.take(CallKey.aside(CONTEXT, 5), members));
    }

    /** Keys aside are no call's own, also once the numbers have come half round. */
    @Test
    void bothSidesOfACallAreTwo() {
        for (long number : new long[] {0, 1, (1L << 31) - 1, 1L << 31, (1L << 32) - 1}) {
            assertFalse(CallKey.isAside(own(number)), "call " + number);
            assertTrue(CallKey.isAside(CallKey.aside(CONTEXT, number)), "call " + number);
            assertEquals(own(number), CallKey.otherSide(CallKey.aside(CONTEXT, number)));
        }
    }
}
