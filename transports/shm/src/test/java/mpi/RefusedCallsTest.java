package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** With brigade.check, a call that one rank refuses is an error on all ranks, and the next call works. */
class RefusedCallsTest {
    private static final int RANKS = 3;

    /** A call of all ranks; {@code wrong}: this rank passes an argument that is refused. */
    private interface Call {
        void make(Intracomm comm, boolean wrong);
    }

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
    }

    private static int[] each(int first, int step) {
        int[] all = new int[RANKS];
        Arrays.setAll(all, i -> first + i * step);
        return all;
    }

    private static Map<String, Call> calls() {
        int[] ones = each(1, 0);
        int[] places = each(0, 1);
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put("bcast", (comm, wrong) -> comm.bcast(new int[1], 1, MPI.INT, wrong ? 99 : 0));
        calls.put("allReduce",
            (comm, wrong) -> comm.allReduce(new int[1], new int[1], 1, MPI.INT, wrong ? null : MPI.SUM));
        calls.put("Gatherv", (comm, wrong) -> comm.Gatherv(new int[1], 0, wrong ? 2 : 1, MPI.INT, new int[RANKS], 0,
            ones, places, MPI.INT, 0));
        calls.put("allToAllv", (comm, wrong) -> comm.allToAllv(new int[RANKS], wrong ? null : ones, places, MPI.INT,
            new int[RANKS], ones, places, MPI.INT));
        calls.put("iBcast", (comm, wrong) -> comm.iBcast(MPI.newIntBuffer(1), wrong ? -1 : 1, MPI.INT, 0).waitFor());
        calls.put("iScan", (comm, wrong) -> comm.iScan(MPI.newIntBuffer(1), MPI.newIntBuffer(1), wrong ? 2 : 1,
            MPI.INT, MPI.SUM).waitFor());
        calls.put("bcastInit", (comm, wrong) -> start(comm.bcastInit(new int[1], 1, MPI.INT, wrong ? 99 : 0, null)));
        calls.put("reduceInit", (comm, wrong) -> start(
            comm.reduceInit(new int[1], new int[1], 1, wrong ? null : MPI.INT, MPI.SUM, 0, null)));
        calls.put("split", (comm, wrong) -> comm.split(wrong ? -5 : 0, 0).free());
        calls.put("Split", (comm, wrong) -> comm.Split(wrong ? -5 : 0, 0).free());
        calls.put("splitType", (comm, wrong) -> comm.splitType(wrong ? 77 : Comm.TYPE_SHARED, 0, null).free());
        calls.put("create", (comm, wrong) -> comm.create(wrong ? null : comm.getGroup()).free());
        calls.put("Create", (comm, wrong) -> comm.Create(wrong ? MPI.GROUP_NULL : comm.getGroup()).free());
        calls.put("createCart", (comm, wrong) -> comm.createCart(wrong ? null : new int[] {RANKS},
            new boolean[] {false}, false).free());
        calls.put("Create_graph", (comm, wrong) -> comm.Create_graph(each(0, 0), wrong ? null : new int[0], false)
            .Free());
        calls.put("neighborAllGather", (comm, wrong) -> {
            CartComm ring = comm.createCart(new int[] {RANKS}, new boolean[] {true}, false);
            try {
                ring.neighborAllGather(new int[1], wrong ? 2 : 1, MPI.INT, new int[2], 1, MPI.INT);
            } finally {
                ring.free();
            }
        });
        return calls;
    }

    private static void start(Prequest request) {
        request.start();
        request.waitFor();
        request.free();
    }

    @Test
    void aCallThatOneRankRefusesFailsOnAllAndTheNextOneWorks() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(RANKS), true, (provider, world) -> {
            Intracomm comm = new Intracomm(Handle.of(world));
            for (Map.Entry<String, Call> call : calls().entrySet()) {
                for (int bad = 0; bad < RANKS; bad++) {
                    boolean wrong = comm.getRank() == bad;
                    MPIException thrown = assertThrows(MPIException.class, () -> call.getValue().make(comm, wrong),
                        call.getKey() + " on rank " + comm.getRank());
                    assertTrue(thrown.getMessage().contains(call.getKey() + " on rank " + bad)
                        && (wrong || thrown.getMessage().contains("failed on rank " + bad)), thrown.getMessage());
                    int[] sum = new int[1];
                    comm.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
                    assertEquals(RANKS, sum[0], call.getKey());
                }
                call.getValue().make(comm, false);
            }
        });
    }

    /** One rank alone sees that what it sends to itself is not what it expects; the others go on to the next step. */
    @Test
    void whatOneRankAloneFindsWrongInAPreparedCallIsAnErrorOnAll() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(RANKS), true, (provider, world) -> {
            Intracomm comm = new Intracomm(Handle.of(world));
            for (int round = 0; round < 3; round++) {
                MPIException thrown = assertThrows(MPIException.class, () -> comm.scattervInit(new int[RANKS],
                    new int[] {0, 1, 1}, each(0, 1), MPI.INT, new int[1], 1, MPI.INT, 0, null),
                    "rank " + comm.getRank());
                assertEquals(MPI.ERR_NOT_SAME, thrown.getErrorClass(), thrown.getMessage());
                int[] sum = new int[1];
                comm.allReduce(new int[] {1}, sum, 1, MPI.INT, MPI.SUM);
                assertEquals(RANKS, sum[0]);
                start(comm.scattervInit(new int[RANKS], each(1, 0), each(0, 1), MPI.INT, new int[1], 1, MPI.INT, 0,
                    null));
            }
        });
    }

    /** Arrays of counts and displacements may be longer than the communicator, and what lies behind is not read. */
    @Test
    void whatFollowsTheCountsAndDisplacementsThatAreNeededIsNotRead() throws Exception {
        int[] counts = {1, 1, 1, Integer.MAX_VALUE, -7};
        int[] places = {0, 1, 2, -1, Integer.MIN_VALUE, 9, 9};
        for (boolean checks : new boolean[] {false, true}) {
            ThreadJob.run(LoopbackJob.endpoints(RANKS), checks, (provider, world) -> {
                Intracomm comm = new Intracomm(Handle.of(world));
                int rank = comm.getRank();
                int[] mine = {rank};
                int[] all = each(0, 1);
                int[] got = new int[RANKS];
                comm.allGatherv(mine, 1, MPI.INT, got, counts, places, MPI.INT);
                assertArrayEquals(all, got);
                Arrays.fill(got, -1);
                comm.gatherv(mine, 1, MPI.INT, got, counts, places, MPI.INT, 1);
                assertArrayEquals(rank == 1 ? all : each(-1, 0), got);
                int[] part = new int[1];
                comm.scatterv(all, counts, places, MPI.INT, part, 1, MPI.INT, 0);
                assertArrayEquals(mine, part);
                comm.allToAllv(each(10 * rank, 1), counts, places, MPI.INT, got, counts, places, MPI.INT);
                assertArrayEquals(each(rank, 10), got);
                comm.reduceScatter(all, part, counts, MPI.INT, MPI.SUM);
                assertEquals(RANKS * rank, part[0]);
                int[] inPlace = all.clone();
                comm.reduceScatter(inPlace, counts, MPI.INT, MPI.SUM);
                assertEquals(RANKS * rank, inPlace[0]);
                IntBuffer later = MPI.newIntBuffer(RANKS);
                comm.iAllGatherv(MPI.newIntBuffer(1).put(0, rank), 1, MPI.INT, later, counts, places, MPI.INT)
                    .waitFor();
                assertEquals(2, later.get(2));
            });
        }
    }
}
