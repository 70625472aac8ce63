package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.Endpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is left of an inter-communicator when members have died: ranks 0, 2 and 4 are one group, 1 and 3 the other. A
 * rank dies by leaving without Finalize.
 */
@Timeout(300)
@Tag("once")
class IntercommSurvivorsTest {
    private static final int RANKS = 5;
    private static final int TAG = 3;

    /** One rank of such a job. */
    private static final class Rank {
        private final Endpoint[] endpoints;
        private final CountDownLatch made;
        private final Intracomm world;
        private final Intracomm local;
        private final Intercomm inter;
        private final int number;

        Rank(Endpoint[] endpoints, CountDownLatch made, Intracomm world) throws Exception {
            this.endpoints = endpoints;
            this.made = made;
            this.world = world;
            world.setErrhandler(MPI.ERRORS_RETURN);
            number = world.getRank();
            local = world.split(number % 2, 0);
            inter = world.createIntercomm(local, 0, 1 - number % 2, TAG);
            made.countDown();
        }

        void die() throws InterruptedException {
            made.await(); // all have made the communicators
            endpoints[number].exiting();
        }

        int root() {
            return number == 0 ? MPI.ROOT : number % 2 == 0 ? MPI.PROC_NULL : 0;
        }
    }

    private interface Program {
        void run(Rank rank) throws Exception;
    }

    private static void run(Jobs kind, Program program) throws Exception {
        if (JobState.isNew()) {
            JobState.pretend(JobState.RUNNING);
        }
        Endpoint[] endpoints = kind.endpoints(RANKS, 1);
        CountDownLatch made = new CountDownLatch(RANKS);
        ThreadJob.run(endpoints,
            (provider, lower) -> program.run(new Rank(endpoints, made, new Intracomm(Handle.of(lower)))));
    }

    private static MPIException assertFails(int expected, Executable call) {
        MPIException thrown = assertThrows(MPIException.class, call);
        assertEquals(expected, thrown.getErrorClass(), thrown.getMessage());
        return thrown;
    }

    /** A call on an inter-communicator, which all members make. */
    private enum Deed {
        MERGE, DUP, IDUP, BARRIER, BCAST, ALLREDUCE, LONG_ALLREDUCE, TESTED_ALLGATHER, REDUCE_SCATTER, PREPARED, CREATE;

        private void by(Rank rank) throws Exception {
            Intercomm inter = rank.inter;
            switch (this) {
                case MERGE -> inter.merge(rank.number % 2 == 0);
                case DUP -> inter.dup();
                case IDUP -> inter.iDup().getRequest().waitFor();
                case BARRIER -> inter.barrier();
                case BCAST -> {
                    inter.bcast(new int[1], 1, MPI.INT, rank.root());
                    inter.iBarrier().waitFor(); // the root and those beside it may have ended their part of the bcast
                }
                case ALLREDUCE -> inter.allReduce(new int[1], new int[1], 1, MPI.INT, MPI.SUM);
                case LONG_ALLREDUCE -> inter.allReduce(new int[30_000], new int[30_000], 30_000, MPI.INT, MPI.SUM);
                case TESTED_ALLGATHER -> {
                    Request request = inter.iAllGather(MPI.newIntBuffer(1), 1, MPI.INT, MPI.newIntBuffer(RANKS), 1,
                        MPI.INT);
                    while (!request.test()) {
                        Thread.onSpinWait();
                    }
                }
                case REDUCE_SCATTER -> {
                    int[] counts = new int[inter.getSize()];
                    java.util.Arrays.fill(counts, 6 / counts.length);
                    inter.reduceScatter(new int[6], new int[6], counts, MPI.INT, MPI.SUM);
                }
                case PREPARED -> {
                    Prequest prepared = inter.barrierInit(MPI.INFO_NULL);
                    prepared.start();
                    prepared.waitFor();
                }
                case CREATE -> {
                    Intercomm another = rank.world.createIntercomm(rank.local, 0, 1 - rank.number % 2, TAG + 1);
                    another.setErrhandler(MPI.ERRORS_RETURN);
                    while (true) {
                        another.barrier(); // a death may have come too late for the call itself
                    }
                }
            }
        }
    }

    /**
     * Who has heard of a death makes no call any more until all have heard of it: so nobody waits for the dead rank,
     * nor for those that have heard of it. Then they go on by shrink.
     */
    @ParameterizedTest
    @EnumSource(Deed.class)
    void noCallWaitsForTheDeadNorForThoseWhoKnow(Deed deed) throws Exception {
        for (int victim : new int[] {0, 3, 4}) {
            CountDownLatch heard = new CountDownLatch(RANKS - 1);
            run(Jobs.WIDE, rank -> {
                if (rank.number == victim) {
                    rank.die();
                    return;
                }
                rank.made.await();
                assertFails(MPI.ERR_PROC_FAILED, () -> {
                    while (true) {
                        deed.by(rank);
                    }
                });
                heard.countDown();
                heard.await();
                goOn(rank.inter.shrink(), victim % 2 == 0 ? 2 : 3, victim % 2 == 0 ? 2 : 1, rank.number);
            });
        }
    }

    /** Uses a communicator between so many even and odd ranks. */
    private static void goOn(Intercomm rest, int even, int odd, int number) throws Exception {
        boolean isEven = number % 2 == 0;
        assertEquals(isEven ? even : odd, rest.getSize());
        assertEquals(isEven ? odd : even, rest.getRemoteSize());
        assertEquals(0, rest.getFailed().getSize());
        int[] sum = {-1};
        rest.allReduce(new int[] {isEven ? 1 : 100}, sum, 1, MPI.INT, MPI.SUM);
        assertEquals(isEven ? 100 * odd : even, sum[0]);
        Intercomm copy = rest.dup();
        Intracomm all = copy.merge(!isEven);
        int[] total = new int[1];
        all.allReduce(new int[] {isEven ? 1 : 100}, total, 1, MPI.INT, MPI.SUM);
        assertEquals(even + 100 * odd, total[0]);
        int[] flag = {isEven ? 6 : 3};
        rest.agree(flag);
        assertEquals(2, flag[0]);
        all.free();
        copy.free();
        rest.free();
    }

    /** One rank waits in each kind of call for ranks that live and will never answer. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void revocationEndsWhateverWaitsInBothGroups(Jobs kind) throws Exception {
        run(kind, rank -> {
            Intercomm inter = rank.inter;
            if (rank.number == 4) {
                rank.local.barrier(); // ranks 0 and 2 are about to wait
                inter.revoke();
            } else {
                if (rank.number % 2 == 0) {
                    rank.local.barrier();
                }
                assertFails(MPI.ERR_REVOKED, () -> {
                    switch (rank.number) {
                        case 0 -> inter.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 1);
                        case 1 -> inter.merge(true);
                        case 2 -> inter.sSend(new int[30_000], 30_000, MPI.INT, 1, 1);
                        default -> inter.iBarrier().waitFor();
                    }
                });
            }
            assertTrue(inter.isRevoked());
            assertFails(MPI.ERR_REVOKED, () -> inter.send(new int[1], 1, MPI.INT, 0, 2));
            assertFails(MPI.ERR_REVOKED, () -> inter.recv(new int[1], 1, MPI.INT, 0, 2));
            assertFails(MPI.ERR_REVOKED, () -> inter.iProbe(0, 2));
            assertFails(MPI.ERR_REVOKED, () -> inter.probe(0, 2));
            for (Deed deed : Deed.values()) {
                if (deed != Deed.CREATE) {
                    assertFails(MPI.ERR_REVOKED, () -> deed.by(rank));
                }
            }
            int[] flag = {7 - rank.number % 2};
            inter.agree(flag);
            assertEquals(6, flag[0]);
            goOn(inter.shrink(), 3, 2, rank.number);
            int[] sum = new int[1];
            rank.world.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
            assertEquals(RANKS, sum[0], "other communicators are as they were");
            inter.free();
        });
    }

    /** Rank 4 dies, which the odd ranks might receive from, and the even ones not. */
    @ParameterizedTest
    @EnumSource(value = Jobs.class, names = {"WIDE", "NODES"})
    void lossesInBothGroupsAreKnownAndAcknowledged(Jobs kind) throws Exception {
        run(kind, rank -> {
            Intercomm inter = rank.inter;
            Group both = Group.union(inter.getGroup(), inter.getRemoteGroup());
            if (rank.number == 4) {
                rank.die();
                return;
            }
            while (inter.getFailed().getSize() == 0) {
                Thread.onSpinWait();
            }
            assertEquals(1, Group.intersection(inter.getFailed(), both).getSize());
            int odd = rank.number % 2;
            int[] word = new int[1];
            if (odd == 1) {
                assertFails(MPI.ERR_PROC_FAILED, () -> inter.recv(word, 1, MPI.INT, MPI.ANY_SOURCE, 1));
                assertFails(MPI.ERR_PROC_FAILED, () -> inter.recv(word, 1, MPI.INT, 2, 1));
            }
            int[] flag = {rank.number};
            MPIException died = assertFails(MPI.ERR_PROC_FAILED, () -> inter.agree(flag));
            assertTrue(died.getMessage().contains(odd == 1 ? "rank 2 of the other group" : "rank 2 of this group"),
                died.getMessage());
            assertEquals(0, flag[0]);
            assertEquals(odd, inter.ackFailed(odd));
            // The ranks of one group tell those of the other, from wherever they come.
            if (odd == 0) {
                inter.send(new int[] {rank.number}, 1, MPI.INT, rank.number / 2, 1);
                inter.recv(word, 1, MPI.INT, MPI.ANY_SOURCE, 1);
            } else {
                inter.recv(word, 1, MPI.INT, MPI.ANY_SOURCE, 1);
                inter.send(new int[] {rank.number}, 1, MPI.INT, rank.number / 2, 1);
            }
            flag[0] = 7;
            assertFails(MPI.ERR_PROC_FAILED, () -> inter.agree(flag));
            assertEquals(1, inter.ackFailed(5));
            inter.agree(flag);
            assertEquals(7, flag[0]);
            assertFalse(inter.isRevoked());
            goOn(inter.shrink(), 2, 2, rank.number);
        });
    }

    /** The first group decides on contexts, so it is tried with each. */
    @ParameterizedTest
    @CsvSource({"0, 2", "1, 3"})
    void aGroupThatIsLeftAloneGoesOn(int parity, int left) throws Exception {
        run(Jobs.WIDE, rank -> {
            if (rank.number % 2 == parity) {
                rank.die();
                return;
            }
            int dead = RANKS - left;
            while (rank.inter.getFailed().getSize() < dead) {
                Thread.onSpinWait();
            }
            Intercomm rest = rank.inter.shrink();
            assertEquals(left, rest.getSize());
            assertEquals(0, rest.getRemoteSize());
            rest.barrier();
            Intercomm copy = rest.dup();
            Intracomm alone = copy.merge(true);
            int[] sum = new int[1];
            alone.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
            assertEquals(left, sum[0]);
            rest.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
            assertEquals(left, rest.shrink().getSize());
        });
    }
}
