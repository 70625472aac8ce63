package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mpi.front.job.Handle;
import mpi.front.job.JobState;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Making inter-communicators, what they say of themselves, and their messages. */
class IntercommTest {
    /** What a rank does. */
    private interface Program {
        void run(Intracomm world) throws Exception;
    }

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
    }

    private static void run(int ranks, Program program) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, lower) -> program.run(new Intracomm(Handle.of(lower))));
    }

    private static void refused(int errorClass, String part, Runnable call) {
        MPIException e = assertThrows(MPIException.class, call::run);
        assertEquals(errorClass, e.getErrorClass(), e.getMessage());
        assertTrue(e.getMessage().contains(part), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void ranksAreThoseOfTheOtherGroup(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            Intercomm inter = groups.inter;
            assertTrue(inter.isInter() && inter.Test_inter());
            assertFalse(groups.local.isInter());
            assertEquals(groups.local.getRank(), inter.getRank());
            assertEquals(groups.local.getSize(), inter.Size());
            assertEquals(ranks - inter.getSize(), inter.Remote_size());
            assertEquals(MPI.IDENT, Group.compare(groups.local.getGroup(), inter.getGroup()));
            int[] members = new int[groups.remoteSize];
            inter.allGather(new int[] {groups.world.getRank()}, 1, MPI.INT, members, 1, MPI.INT);
            assertEquals(MPI.IDENT, Group.compare(groups.world.getGroup().incl(members), inter.getRemoteGroup()));
            assertEquals(MPI.IDENT, Group.compare(inter.Remote_group(), inter.getRemoteGroup()));
            messages(groups, inter);
        });
    }

    private static void messages(TwoGroups groups, Intercomm inter) {
        int others = groups.remoteSize;
        Request[] requests = new Request[others];
        int[][] came = new int[others][1];
        for (int i = 0; i < others; i++) {
            requests[i] = inter.iRecv(came[i], 1, MPI.INT, i, groups.rank);
        }
        for (int i = 0; i < others; i++) {
            inter.Send(new int[] {0, 100 * groups.rank + i}, 1, 1, MPI.INT, i, i);
        }
        for (int i = 0; i < others; i++) {
            Status status = requests[i].waitStatus();
            assertEquals(i, status.getSource());
            assertEquals(100 * i + groups.rank, came[i][0]);
        }
        int partner = Math.min(groups.rank, others - 1);
        boolean paired = groups.rank < others;
        int[] swapped = {groups.rank};
        Status status = inter.sendRecvReplace(swapped, 1, MPI.INT, paired ? partner : MPI.PROC_NULL, 3,
            paired ? partner : MPI.PROC_NULL, 3);
        assertEquals(paired ? partner : MPI.PROC_NULL, status.getSource());
        assertEquals(groups.rank, swapped[0]);
        // From anybody, with a probe, matched and not.
        if (groups.rank == 0) {
            Request send = inter.isSend(new byte[] {1, 2}, 2, MPI.BYTE, 0, 5);
            Status probed = inter.probe(MPI.ANY_SOURCE, 5);
            assertEquals(0, probed.getSource());
            assertEquals(2, probed.getCount(MPI.BYTE));
            byte[] bytes = new byte[2];
            assertEquals(0, inter.recv(bytes, 2, MPI.BYTE, MPI.ANY_SOURCE, 5).getSource());
            assertArrayEquals(new byte[] {1, 2}, bytes);
            send.waitFor();
            send = inter.iSend(new byte[] {3}, 1, MPI.BYTE, 0, 6);
            Message message = new Message();
            assertEquals(0, message.mProbe(MPI.ANY_SOURCE, MPI.ANY_TAG, inter).getSource());
            assertEquals(6, message.mRecv(bytes, 1, MPI.BYTE).getTag());
            send.waitFor();
            Prequest sends = inter.sendInit(new int[] {9}, 1, MPI.INT, 0, 9);
            int[] nine = new int[1];
            Prequest receives = inter.recvInit(nine, 1, MPI.INT, 0, 9);
            Prequest.startAll(new Prequest[] {sends, receives});
            Request.waitAll(new Request[] {sends, receives});
            assertEquals(9, nine[0]);
            sends.free();
            receives.free();
        }
        inter.barrier();
        assertNull(inter.iProbe(MPI.ANY_SOURCE, MPI.ANY_TAG));
        refused(MPI.ERR_RANK, "pass 0 <= dest < " + others,
            () -> inter.send(new int[1], 1, MPI.INT, others, 0));
        refused(MPI.ERR_RANK, "pass 0 <= source < " + others,
            () -> inter.recv(new int[1], 1, MPI.INT, others, 0));
        refused(MPI.ERR_RANK, "rank " + groups.rank + " of " + groups.size + " in", () -> inter.probe(others, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void copiesAndMergersWork(int ranks) throws Exception {
        TwoGroups.inAllWays(ranks, groups -> {
            Intercomm inter = groups.inter;
            int key = Comm.createKeyval();
            inter.setAttr(key, "attached");
            inter.setName("two groups");
            assertEquals("two groups", inter.getName());
            Intercomm promised = inter.iDup();
            Intercomm second = inter.iDup();
            second.getRequest().waitFor();
            promised.getRequest().waitFor();
            for (Intercomm copy : new Intercomm[] {inter.dup(), inter.clone(), inter.dupWithInfo(new Info()), promised,
                second, inter.dup().dup()}) {
                assertEquals("attached", copy.getAttr(key));
                assertEquals("", copy.getName());
                assertEquals(MPI.CONGRUENT, Comm.compare(inter, copy));
                assertEquals(MPI.IDENT, Comm.compare(copy, copy));
                // A message of the original is not taken by the copy.
                Request early = inter.iSend(new int[] {1}, 1, MPI.INT, 0, 0);
                Request own = copy.iSend(new int[] {2}, 1, MPI.INT, 0, 0);
                int[] came = new int[1];
                for (int i = 0; groups.rank == 0 && i < groups.remoteSize; i++) {
                    copy.recv(came, 1, MPI.INT, i, 0);
                    assertEquals(2, came[0]);
                    inter.recv(came, 1, MPI.INT, i, 0);
                    assertEquals(1, came[0]);
                }
                early.waitFor();
                own.waitFor();
                int[] sum = new int[1];
                copy.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
                assertEquals(groups.remoteSize, sum[0]);
                copy.free();
                assertTrue(copy.isNull());
            }
            assertEquals(MPI.UNEQUAL, Comm.compare(inter, groups.local));
            for (int form = 0; form < 3; form++) {
                boolean high = form == 2 || groups.side == form;
                Intracomm merged = form == 0 ? inter.Merge(high) : inter.merge(high);
                assertEquals(ranks, merged.getSize());
                assertFalse(merged.isInter());
                if (form < 2) {
                    int behind = high ? groups.remoteSize : 0;
                    assertEquals(behind + groups.rank, merged.getRank());
                }
                int[] sum = {1 << merged.getRank()};
                merged.allReduce(sum, 1, MPI.INT, MPI.SUM);
                assertEquals((1 << ranks) - 1, sum[0]);
                merged.free();
            }
            if (ranks > 2) {
                boolean differ = groups.size > 1 && groups.rank == 0;
                refused(MPI.ERR_ARG, "high", () -> inter.merge(differ));
            }
            inter.barrier();
        });
    }

    /** Groups of one rank may name that rank as peer's in an inter-communicator. */
    @Test
    void leadersMayMeetInAnInterCommunicator() throws Exception {
        TwoGroups.inAllWays(4, groups -> {
            Intracomm alone = groups.local.split(groups.rank == 0 ? 0 : MPI.UNDEFINED, 0);
            if (groups.rank == 0) {
                Intercomm again = groups.inter.createIntercomm(alone, 0, 0, 1);
                int[] came = new int[1];
                again.allGather(new int[] {groups.side}, 1, MPI.INT, came, 1, MPI.INT);
                assertEquals(1 - groups.side, came[0]);
            }
        });
    }

    @Test
    void wrongLeadersAndTagsAreErrorsOfAWholeGroup() throws Exception {
        run(4, world -> {
            int rank = world.getRank();
            Intracomm group = world.split(rank % 2, rank);
            int other = 1 - rank % 2;
            refused(MPI.ERR_RANK, "local leader 2", () -> world.createIntercomm(group, 2, other, 0));
            refused(MPI.ERR_RANK, "local leader -1", () -> world.Create_intercomm(group, -1, other, 0));
            refused(MPI.ERR_TAG, "tag -1", () -> world.createIntercomm(group, 0, other, -1));
            refused(rank < 2 ? MPI.ERR_RANK : MPI.ERR_ARG, rank < 2 ? "remote leader 4" : "refuses its arguments",
                () -> world.createIntercomm(group, 0, 4, 0));
            refused(rank < 2 ? MPI.ERR_RANK : MPI.ERR_ARG, rank < 2 ? "is in the local group" : "refuses",
                () -> world.createIntercomm(group, 0, rank % 2 + 2, 0));
            refused(MPI.ERR_COMM, "local communicator is null", () -> world.createIntercomm(null, 0, other, 0));
            Intracomm freed = world.dup();
            freed.free();
            refused(MPI.ERR_COMM, "freed", () -> world.createIntercomm(freed, 0, other, 0));
            refused(rank < 2 ? MPI.ERR_COMM : MPI.ERR_ARG, rank < 2 ? "freed" : "refuses",
                () -> freed.createIntercomm(group, 0, other, 0));
            // Ranks of a group name different leaders.
            if (rank % 2 == 0) {
                refused(MPI.ERR_ARG, "leader", () -> world.createIntercomm(group, rank == 0 ? 0 : 1, 1, 0));
            } else {
                // Rank 0, a leader there, tells this group; nobody waits.
                refused(MPI.ERR_ARG, "other group refuses", () -> world.createIntercomm(group, 0, 0, 0));
            }
        });
    }

    /** All that is wrong is found before anybody waits, and the next attempt works. */
    @ParameterizedTest
    @CsvSource({"0", "1"})
    void whatOneRankRefusesIsAnErrorInBothGroups(int culprit) throws Exception {
        run(4, world -> {
            int rank = world.getRank();
            Intracomm group = world.split(rank / 2, rank);
            int other = rank < 2 ? 2 : 0;
            int tag = rank == 1 && culprit == 1 ? -5 : 3;
            int leader = rank == 1 && culprit == 0 ? 7 : 0;
            refused(rank != 1 ? MPI.ERR_ARG : culprit == 1 ? MPI.ERR_TAG : MPI.ERR_RANK,
                rank == 1 ? "" : rank == 0 ? "rank 1 of this group" : "other group refuses",
                () -> world.createIntercomm(group, leader, other, tag));
            Intercomm inter = world.createIntercomm(group, 0, other, 3);
            int[] came = new int[2];
            inter.allGather(new int[] {rank}, 1, MPI.INT, came, 1, MPI.INT);
            assertArrayEquals(new int[] {other, other + 1}, came);
            refused(MPI.ERR_COMM, "is an inter-communicator", () -> world.createIntercomm(inter, 0, other, 3));
            inter.free();
            refused(MPI.ERR_COMM, "freed", inter::getRemoteSize);
            refused(MPI.ERR_COMM, "freed", () -> inter.merge(true));
            refused(MPI.ERR_COMM, "freed", inter::barrier);
        });
    }

    @Test
    void overlappingGroupsAreAnErrorInBoth() throws Exception {
        run(3, world -> {
            int rank = world.getRank();
            // Rank 1 is in both groups; two threads of it call, one for each.
            Intracomm left = world.create(world.getGroup().incl(new int[] {0, 1}));
            Intracomm right = world.create(world.getGroup().incl(new int[] {2, 1}));
            Runnable inLeft =
                () -> refused(MPI.ERR_GROUP, "in both groups", () -> world.createIntercomm(left, 0, 2, 0));
            Runnable inRight =
                () -> refused(MPI.ERR_GROUP, "in both groups", () -> world.createIntercomm(right, 0, 0, 0));
            if (rank == 1) {
                Throwable[] failure = new Throwable[1];
                Thread thread = new Thread(inRight);
                thread.setUncaughtExceptionHandler((any, e) -> failure[0] = e);
                thread.start();
                inLeft.run();
                thread.join();
                assertNull(failure[0]);
            } else {
                (rank == 0 ? inLeft : inRight).run();
            }
        });
    }

    @Test
    void thereIsNoParent() {
        JobState.pretend(JobState.NEW);
        try {
            assertThrows(MPIException.class, Intercomm::getParent);
        } finally {
            JobState.pretend(JobState.RUNNING);
        }
    }

    /** Contexts of freed inter-communicators are used again. */
    @Test
    void manyCanBeMadeAndFreed() throws Exception {
        run(3, world -> {
            int rank = world.getRank();
            Intracomm group = world.split(rank == 0 ? 0 : 1, rank);
            for (int i = 0; i < 300; i++) {
                Intercomm inter = world.createIntercomm(group, 0, rank == 0 ? 1 : 0, i);
                inter.barrier();
                Intracomm merged = inter.merge(rank == 0);
                merged.free();
                inter.free();
            }
        });
    }
}
