package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mpi.spi.Envelope;
import mpi.spi.Operation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When requests are complete, active and null, in every wait and test. */
class RequestTest {
    /** A receive from its number that is complete after some tests, or fails. */
    private static final class Fake implements Operation {
        private final int number;
        private int testsLeft;
        private MPIException failure;
        private boolean awaited;

        Fake(int number, int testsLeft) {
            this.number = number;
            this.testsLeft = testsLeft;
        }

        @Override
        public boolean test() {
            if (testsLeft > 0) {
                testsLeft--;
                return false;
            }
            if (failure != null) {
                MPIException thrown = failure;
                failure = null;
                throw thrown;
            }
            return true;
        }

        @Override
        public void await() {
            awaited = true;
            testsLeft = 0;
            test();
        }

        @Override
        public void cancel() {
            testsLeft = 0;
        }

        @Override
        public void describe(Envelope envelope) {
            envelope.fill(number, 10 * number, 4L * number, false);
        }
    }

    private static final int NEVER = Integer.MAX_VALUE;

    private static Request request(int number, int testsLeft) {
        return new Request(new Fake(number, testsLeft), MPI.INT, 0);
    }

    @BeforeEach
    void join() {
        FakeProvider.run();
    }

    @Test
    void aTestThatSucceedsMakesTheRequestNullAndDescribesIt() {
        Request r = request(3, 1);
        assertNull(r.testStatus());
        assertFalse(r.isNull());
        Status s = r.testStatus();
        assertTrue(r.isNull());
        assertEquals(3, s.getSource());
        assertEquals(30, s.getTag());
        assertEquals(3, s.count);
        assertEquals(3, s.getCount(MPI.INT));
    }

    @Test
    void getStatusLeavesTheRequestActive() {
        Request r = request(1, 1);
        assertNull(r.getStatus());
        assertEquals(1, r.getStatus().getSource());
        assertFalse(r.isNull());
        r.free();
        assertTrue(r.isNull());
    }

    @Test
    void nullRequestsAreCompleteAndEmpty() {
        MPI.REQUEST_NULL.waitFor();
        assertTrue(MPI.REQUEST_NULL.test());
        assertEquals(MPI.ANY_SOURCE, MPI.REQUEST_NULL.waitStatus().getSource());
        Request[] nulls = {MPI.REQUEST_NULL, null};
        assertTrue(Request.testAll(nulls));
        assertEquals(2, Request.waitAllStatus(nulls).length);
        assertEquals(MPI.UNDEFINED, Request.waitAny(nulls));
        assertEquals(MPI.UNDEFINED, Request.waitAnyStatus(nulls).getIndex());
        assertEquals(MPI.UNDEFINED, Request.testAny(nulls));
        assertEquals(MPI.UNDEFINED, Request.testAnyStatus(nulls).getIndex());
        assertNull(Request.waitSome(nulls));
        assertNull(Request.waitSomeStatus(new Request[0]));
        assertNull(Request.testSome(nulls));
        assertEquals(0, Request.Testsome(nulls).length);
    }

    @Test
    void anyCompletesOneAndNamesIt() {
        Request[] r = {null, request(1, NEVER), request(2, 2)};
        assertNull(Request.testAnyStatus(r));
        Status s = Request.Waitany(r);
        assertEquals(2, s.index);
        assertEquals(2, s.source);
        assertTrue(r[2].isNull());
        assertFalse(r[1].isNull());
    }

    @Test
    void someCompletesAllThatAreDone() {
        Request[] r = {request(0, 0), request(1, NEVER), request(2, 0), MPI.REQUEST_NULL};
        assertArrayEquals(new int[] {0, 2}, Request.waitSome(r));
        assertTrue(r[0].isNull() && r[2].isNull());
        assertArrayEquals(new int[0], Request.testSome(r));
        Request[] again = {request(7, NEVER), request(8, 0)};
        Status[] statuses = Request.Waitsome(again);
        assertEquals(1, statuses.length);
        assertEquals(1, statuses[0].getIndex());
        assertEquals(8, statuses[0].getSource());
    }

    @Test
    void testAllLeavesAllActiveUntilAllAreDone() {
        Request[] r = {request(1, 0), request(2, 1)};
        assertNull(Request.testAllStatus(r));
        assertFalse(r[0].isNull());
        Status[] statuses = Request.testAllStatus(r);
        assertEquals(2, statuses[1].getSource());
        assertEquals(1, statuses[1].getIndex());
        assertTrue(r[0].isNull() && r[1].isNull());
    }

    @Test
    void waitAllCompletesTheOthersBeforeItThrows() {
        Fake bad = new Fake(1, 0);
        bad.failure = new MPIException(MPI.ERR_TRUNCATE, MPI.ERR_TRUNCATE, "too long");
        Fake good = new Fake(2, 0);
        Request[] r = {new Request(bad), new Request(good)};
        MPIException thrown = assertThrows(MPIException.class, () -> Request.waitAll(r));
        assertSame(MPI.ERR_TRUNCATE, thrown.getErrorClass());
        assertTrue(good.awaited);
        assertTrue(r[0].isNull() && r[1].isNull());
    }

    @Test
    void aFailedTestMakesTheRequestNull() {
        Fake bad = new Fake(1, 0);
        bad.failure = new MPIException("lost");
        Request r = new Request(bad);
        assertThrows(MPIException.class, r::test);
        assertTrue(r.isNull());
        assertTrue(r.test());
    }

    @Test
    void aFailureThatAWaitForAnyFindsEndsItsRequestOnly() {
        Fake bad = new Fake(1, 2);
        bad.failure = new MPIException("lost");
        Request[] r = {request(3, NEVER), new Request(bad), null};
        assertThrows(MPIException.class, () -> Request.waitAny(r));
        assertTrue(r[1].isNull());
        assertFalse(r[0].isNull());
        bad.failure = new MPIException("lost");
        r[1] = new Request(bad);
        assertThrows(MPIException.class, () -> Request.waitSome(r));
        assertTrue(r[1].isNull());
        assertFalse(r[0].isNull());
    }

    @Test
    void countsAreUndefinedForBrokenItems() {
        Status s = new Status();
        s.fill(0, 0, 12, false);
        assertEquals(3, s.getCount(MPI.INT));
        assertEquals(MPI.UNDEFINED, s.getCount(MPI.DOUBLE));
        assertEquals(MPI.UNDEFINED, s.getCount(MPI.INT2));
        assertEquals(3, s.getElements(MPI.INT2));
        assertEquals(MPI.UNDEFINED, s.getElements(MPI.DOUBLE));
        s.setElements(MPI.DOUBLE_INT, 3);
        assertEquals(3, s.getElements(MPI.DOUBLE_INT));
        assertEquals(new Count(3), s.getElementsX(MPI.DOUBLE_INT));
        s.setCancelled(true);
        assertTrue(s.isCancelled());
    }

    /** One that fails does not take the indices of the others with it, wherever it stands. */
    @Test
    void testSomeTellsAllThatAreCompleteAndAllErrors() {
        for (int bad = 0; bad < 3; bad++) {
            Request[] r = {request(1, 0), request(2, 0), request(3, 0), request(4, NEVER)};
            Fake failing = new Fake(9, 0);
            failing.failure = ErrorClass.TRUNCATE.in("Recv", "too long");
            r[bad] = new Request(failing, MPI.INT, 0);
            int told = 0;
            int errors = 0;
            for (int call = 0; call < 3; call++) {
                try {
                    told += call % 2 == 0 ? Request.testSome(r).length : Request.testSomeStatus(r).length;
                } catch (MPIException e) {
                    assertSame(MPI.ERR_TRUNCATE, e.getErrorClass());
                    errors++;
                }
            }
            assertEquals(2, told, "failing: " + bad);
            assertEquals(1, errors, "failing: " + bad);
            assertTrue(r[bad].isNull());
            assertFalse(r[3].isNull());
        }
    }
}
