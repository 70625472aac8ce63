package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CountDownLatch;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import org.brigade.bootstrap.CoreShare;
import org.brigade.communicator.BrigadeProvider;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that test and probe instead of waiting leave the processor to the ranks that they wait for. */
class PollingTest {
    private static final int TAG = 7;
    /** These take a hundred times as long as tests go on before they give the processor away. */
    private static final int MANY = 1_000_000;

    /** A call that finds nothing, again and again. */
    private interface Vain {
        void call() throws Exception;
    }

    /** Calls on a request that is not complete. */
    private enum Form {
        TEST(all -> assertFalse(all[1].test())), TEST_STATUS(all -> assertNull(all[1].Test())),
        GET_STATUS(all -> assertNull(all[1].getStatus())), TEST_ALL(all -> assertFalse(Request.testAll(all))),
        TEST_ALL_STATUS(all -> assertNull(Request.Testall(all))),
        TEST_ANY(all -> assertEquals(MPI.UNDEFINED, Request.testAny(all))),
        TEST_ANY_STATUS(all -> assertNull(Request.Testany(all))),
        TEST_SOME(all -> assertEquals(0, Request.testSome(all).length)),
        TEST_SOME_STATUS(all -> assertEquals(0, Request.Testsome(all).length));

        interface Call {
            void on(Request[] all) throws Exception;
        }

        final Call call;

        Form(Call call) {
            this.call = call;
        }
    }

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
    }

    private static void givesAway(BrigadeProvider provider, String what, Vain vain) throws Exception {
        long before = ThreadJob.timesLent(provider);
        for (int i = 0; i < MANY; i++) {
            vain.call();
            if (ThreadJob.timesLent(provider) > before) {
                return;
            }
        }
        throw new AssertionError(MANY + " times in vain, and the processor was never given away: " + what);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void everyTestInVainGivesTheProcessorAwayInTheEnd(Form form) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(1), CoreShare.SHARED, (provider, lower) -> {
            Intracomm comm = new Intracomm(Handle.of(lower));
            Request[] all = {null, comm.iRecv(new int[1], 1, MPI.INT, 0, TAG)};
            givesAway(provider, "receive", () -> form.call.on(all));
            all[1].cancel();
            all[1].waitFor();
        });
    }

    /** Rank 1 comes when rank 0 has tried all. */
    @Test
    void soDoTestsOfEveryKindOfRequestAndProbes() throws Exception {
        CountDownLatch tried = new CountDownLatch(1);
        ThreadJob.run(LoopbackJob.endpoints(2), CoreShare.SHARED, (provider, lower) -> {
            Intracomm comm = new Intracomm(Handle.of(lower));
            int[] in = new int[2];
            int[] out = {comm.getRank() + 1};
            Prequest fused = comm.allReduceInit(out, in, 1, MPI.INT, MPI.SUM, null);
            Prequest scheduled = comm.allGatherInit(out, 1, MPI.INT, in, 1, MPI.INT, null);
            Intracomm own = comm.split(comm.getRank(), 0);
            Intercomm inter = comm.createIntercomm(own, 0, 1 - comm.getRank(), TAG);
            Win win = new Win(MPI.newIntBuffer(1), 1, 4, MPI.INFO_NULL, comm);
            if (comm.getRank() == 1) {
                tried.await();
                comm.iAllReduce(out, in, 1, MPI.INT, MPI.SUM).waitFor();
                fused.start();
                fused.waitFor();
                scheduled.start();
                scheduled.waitFor();
                inter.barrier();
                PartitionedRequest send = comm.pSendInit(out, 1, 1, MPI.INT, 0, TAG, null);
                send.start();
                send.pReady(0);
                send.waitFor();
                send.free();
                win.start(comm.getGroup().incl(new int[] {0}), 0);
                win.complete();
            } else {
                PartitionedRequest parts = comm.pRecvInit(in, 1, 1, MPI.INT, 1, TAG, null);
                parts.start();
                fused.start();
                scheduled.start();
                Prequest receive = comm.recvInit(in, 1, MPI.INT, 1, TAG);
                receive.start();
                Request[] sums = {comm.iAllReduce(out, in, 1, MPI.INT, MPI.SUM), fused, scheduled, inter.iBarrier(),
                    parts};
                win.post(comm.getGroup().incl(new int[] {1}), 0);
                for (int i = 0; i < sums.length; i++) {
                    Request request = sums[i];
                    givesAway(provider, "request " + i, () -> assertFalse(request.test()));
                }
                givesAway(provider, "persistent receive", () -> assertFalse(receive.test()));
                givesAway(provider, "partition", () -> assertFalse(parts.pArrived(0)));
                givesAway(provider, "iProbe", () -> assertNull(comm.iProbe(1, MPI.ANY_TAG)));
                givesAway(provider, "Iprobe", () -> assertNull(comm.Iprobe(MPI.ANY_SOURCE, TAG)));
                givesAway(provider, "imProbe", () -> assertNull(new Message().imProbe(1, TAG, comm)));
                givesAway(provider, "window", () -> assertFalse(win.test()));
                tried.countDown();
                Request.waitAll(sums);
                win.waitFor();
                receive.cancel();
                receive.waitFor();
                parts.free();
                receive.free();
            }
            fused.free();
            scheduled.free();
            inter.free();
            win.free();
        });
    }

    /** A rank with a processor of its own looks at the clock at every 32nd test. */
    @ParameterizedTest
    @EnumSource(names = {"OWN", "SPARE"}, value = CoreShare.class)
    void aRankWithAProcessorOfItsOwnTestsWithoutGivingItAway(CoreShare cores) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(1), cores, (provider, lower) -> {
            Intracomm comm = new Intracomm(Handle.of(lower));
            for (int i = 0; i < 31; i++) {
                assertNull(comm.iProbe(0, TAG));
            }
            assertEquals(0, ThreadJob.timesLent(provider));
        });
    }
}
