package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.DoubleBuffer;
import mpi.front.job.Handle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls that programs make millions of times allocate nothing in this package, compiled or not. */
class HotPathTest {
    private static final int CALLS = 2000;
    private final Intracomm comm = new Intracomm(Handle.of(new SilentCommunicator()));
    private final double[] array = new double[16];
    private final double[] result = new double[16];
    private final DoubleBuffer buffer = MPI.newDoubleBuffer(16);

    @BeforeEach
    void join() {
        FakeProvider.run();
    }

    private static long allocated(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported());
        long self = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        // The least of some rounds: what the first ones load and link is not the calls' own.
        for (int round = 0; round < 5; round++) {
            long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        // Below one byte a call: the reading itself allocates a little.
        return least / CALLS;
    }

    @Test
    void collectivesAllocateNothing() {
        assertEquals(0, allocated(comm::barrier), "bytes a barrier");
        assertEquals(0, allocated(() -> comm.bcast(array, 16, MPI.DOUBLE, 0)), "bytes a bcast of an array");
        assertEquals(0, allocated(() -> comm.bcast(buffer, 16, MPI.DOUBLE, 0)), "bytes a bcast of a buffer");
        assertEquals(0, allocated(() -> comm.allReduce(array, result, 16, MPI.DOUBLE, MPI.SUM)), "bytes an allReduce");
        assertEquals(0, allocated(() -> comm.allReduce(buffer, 16, MPI.DOUBLE, MPI.SUM)),
            "bytes an allReduce in place");
        assertEquals(0, allocated(() -> comm.Allreduce(array, 1, result, 1, 7, MPI.DOUBLE2, MPI.MAXLOC)),
            "bytes an Allreduce");
    }

    @Test
    void sendsAllocateNothingAndReceivesTheirStatus() {
        assertEquals(0, allocated(() -> comm.send(array, 16, MPI.DOUBLE, 1, 0)), "bytes a send");
        long status = allocated(() -> comm.recv(array, 16, MPI.DOUBLE, 1, 0));
        assertTrue(status <= 48, status + " bytes a recv: more than its Status");
    }

    @Test
    void startsAllocateNothing() {
        Prequest send = comm.sendInit(buffer, 16, MPI.DOUBLE, 1, 0);
        Prequest sum = comm.allReduceInit(array, result, 16, MPI.DOUBLE, MPI.SUM, null);
        Prequest[] both = {send, sum};
        assertEquals(0, allocated(() -> {
            send.start();
            send.waitFor();
            Prequest.startAll(both);
            Request.waitAll(both);
        }), "bytes of some starts and waits");
    }
}
