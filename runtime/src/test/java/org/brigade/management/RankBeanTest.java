package org.brigade.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import mpi.spi.Collective;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.RankActivity;
import org.junit.jupiter.api.Test;

/** A bean as consoles read it. */
class RankBeanTest {
    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

    @Test
    void theRecordersCallsAreRead() throws Exception {
        FlightRecorder recorder = FlightRecorder.unseen();
        ObjectName name = new ObjectName("org.brigade:type=Rank,rank=3");
        try (RankBean bean = new RankBean(3, recorder, List::of)) {
            assertEquals(0L, beans.getAttribute(name, "Calls"));
            assertEquals("", beans.getAttribute(name, "NewestCall"));
            assertEquals(-1L, beans.getAttribute(name, "NewestBytes"));
            recorder.names(1, "MPI_COMM_WORLD");
            int call = recorder.enters(Collective.ALLREDUCE.ordinal(), 1L << 32, FlightRecorder.NOBODY, 1024);
            recorder.show();
            assertEquals("in allreduce number 1 of MPI_COMM_WORLD, 1024 bytes", beans.getAttribute(name, "NewestCall"));
            assertEquals("", beans.getAttribute(name, "NewestAlgorithm"));
            recorder.runs(call, recorder.algorithm("ring"));
            assertEquals("ring", beans.getAttribute(name, "NewestAlgorithm"));
            assertEquals(1024L, beans.getAttribute(name, "Bytes"));
            recorder.ended(call);
            assertEquals("after allreduce number 1 of MPI_COMM_WORLD, 1024 bytes",
                beans.getAttribute(name, "NewestCall"));
            assertEquals(1024L, beans.getAttribute(name, "NewestBytes"));
            assertEquals(1L, beans.getAttribute(name, "Calls"));
            assertEquals("", beans.getAttribute(name, "WaitingFor"));
            bean.close();
            assertFalse(beans.isRegistered(name));
            assertEquals(1, bean.getCalls());
            assertEquals(1024, bean.getBytes());
            assertEquals("", bean.getNewestCall());
            new RankBean(3, recorder, List::of);
        }
        assertFalse(beans.isRegistered(name));
    }

    @Test
    void callsAreCountedBeyondTheRecordersOwnCount() throws Exception {
        FlightRecorder recorder = FlightRecorder.unseen();
        try (RankBean bean = new RankBean(4, recorder, List::of)) {
            int most = RankActivity.MODULUS - 1;
            for (int look = 0; look < 2; look++) {
                for (int call = 0; call < most; call++) {
                    recorder.made(FlightRecorder.ISEND, 1L << 32, 0, 8);
                }
                assertEquals((look + 1L) * most, bean.getCalls());
            }
        }
    }
}
