package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import org.brigade.communicator.ThreadJob;
import org.brigade.topology.Place;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.nodes.NodesJob;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topologies among ranks that are threads, on one node and on several. */
class TopologyRanksTest {
    private static final int TAG = 7;
    /** Four nodes of two ranks, in turn. */
    private static final int[] IN_TURN = {0, 1, 2, 3, 0, 1, 2, 3};

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

    private static void onNodes(int[] nodeOf, Program program) throws Exception {
        ThreadJob.run(NodesJob.narrowEndpoints(nodeOf),
            (provider, world) -> program.run(new Intracomm(Handle.of(world))));
    }

    private static void onOneNode(int ranks, Program program) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, world) -> program.run(new Intracomm(Handle.of(world))));
    }

    /** Sends this rank's number to each destination, receives from each source; the numbers that came. */
    private static int[] exchanged(Intracomm comm, int number, int[] sources, int[] destinations) {
        Request[] sends = new Request[destinations.length];
        for (int i = 0; i < sends.length; i++) {
            sends[i] = comm.Isend(new int[] {number}, 0, 1, MPI.INT, destinations[i], TAG);
        }
        int[] came = new int[sources.length];
        for (int i = 0; i < came.length; i++) {
            came[i] = MPI.PROC_NULL;
            comm.Recv(came, i, 1, MPI.INT, sources[i], TAG);
        }
        Request.waitAll(sends);
        return came;
    }

    private static int[] haloPartners(CartComm grid) {
        int[] partners = new int[2 * grid.getTopo().getDimCount()];
        for (int i = 0; i < partners.length; i += 2) {
            ShiftParms shift = grid.shift(i / 2, 1);
            partners[i] = shift.getRankSource();
            partners[i + 1] = shift.getRankDest();
        }
        return partners;
    }

    /** Bytes that one halo exchange of a grid sends between nodes, measured by the ranks that take part. */
    private static int bytesBetweenNodes(Intracomm world, int[] dims, int[] nodeOf, boolean reorder) {
        CartComm grid = world.createCart(dims, new boolean[dims.length], reorder);
        int[] partners = haloPartners(grid);
        int[] bytes = {0};
        for (int from : exchanged(grid, world.getRank(), partners, partners)) {
            bytes[0] += from != MPI.PROC_NULL && nodeOf[from] != nodeOf[world.getRank()] ? Integer.BYTES : 0;
        }
        grid.allReduce(bytes, 1, MPI.INT, MPI.SUM);
        grid.free();
        return bytes[0];
    }

    /** Halo exchanges of one int on 4 nodes of 2 ranks: bytes between nodes without and with reordered ranks. */
    @ParameterizedTest
    @CsvSource({"0.0.1.1.2.2.3.3, 2, 2, 2, 64, 64", "0.1.2.3.0.1.2.3, 2, 2, 2, 64, 64",
        "0.1.2.3.3.2.1.0, 2, 2, 2, 96, 64", "0.1.2.3.0.1.2.3, 4, 2, 1, 80, 48", "0.1.2.3.0.1.2.3, 8, 1, 1, 56, 24"})
    void reorderedHaloExchangesSendLessBetweenNodes(String nodes, int x, int y, int z, int before, int after)
        throws Exception {
        int[] nodeOf = IntStream.range(0, 8).map(i -> nodes.charAt(2 * i) - '0').toArray();
        onNodes(nodeOf, world -> {
            assertEquals(before, bytesBetweenNodes(world, new int[] {x, y, z}, nodeOf, false));
            assertEquals(after, bytesBetweenNodes(world, new int[] {x, y, z}, nodeOf, true));
        });
    }

    @Test
    void mapSaysTheRankThatReorderingGives() throws Exception {
        onNodes(IN_TURN, world -> {
            CartComm plain = world.createCart(new int[] {8}, new boolean[1], false);
            CartComm reordered = world.createCart(new int[] {8}, new boolean[1], true);
            assertEquals(reordered.getRank(), plain.map(new int[] {8}, new boolean[1]));
            Cartcomm fewer = world.Create_cart(new int[] {3, 2}, new boolean[2], true);
            int mapped = world.Create_cart(new int[] {8}, new boolean[1], false).Map(new int[] {3, 2}, new boolean[2]);
            assertEquals(fewer == null ? MPI.UNDEFINED : fewer.Rank(), mapped);
            int[] index = {1, 2, 3, 4, 5, 6, 7, 8};
            int[] edges = {4, 5, 6, 7, 0, 1, 2, 3};
            GraphComm pairs = world.createGraph(index, edges, true);
            assertEquals(pairs.getRank(), world.createGraph(index, edges, false).map(index, edges));
            Graphcomm capital = world.Create_graph(index, edges, false);
            assertEquals(world.Rank() < 2 ? world.Rank() : MPI.UNDEFINED,
                capital.Map(new int[] {1, 2}, new int[] {1, 0}));
        });
    }

    @Test
    void ranksThatShareACacheBecomeNeighbours() throws Exception {
        Place[] places = new Place[8];
        for (int rank = 0; rank < places.length; rank++) {
            places[rank] = new Place(0, rank % 4, -1);
        }
        ThreadJob.run(LoopbackJob.endpoints(8), false, null, places, (provider, lower) -> {
            Intracomm world = new Intracomm(Handle.of(lower));
            int cache = world.getRank() % 4;
            CartComm line = world.createCart(new int[] {8}, new boolean[1], true);
            int[] own = new int[8];
            line.allGather(new int[] {cache}, 1, MPI.INT, own, 1, MPI.INT);
            for (int i = 0; i < 8; i += 2) {
                assertEquals(own[i], own[i + 1]);
            }
        });
    }

    @Test
    void slicesOfAGridAreGrids() throws Exception {
        onNodes(new int[] {0, 0, 1, 1, 2, 2, 2}, world -> {
            CartComm grid = world.createCart(new int[] {3, 2}, new boolean[] {true, false}, false);
            Cartcomm capital = world.Create_cart(new int[] {3, 2}, new boolean[] {true, false}, false);
            if (world.getRank() == 6) {
                assertTrue(grid.isNull());
                assertNull(capital);
                return;
            }
            int rank = grid.getRank();
            assertEquals(world.getRank(), rank);
            assertEquals(MPI.CART, capital.Topo_test());
            CartComm column = grid.sub(new boolean[] {true, false});
            assertEquals(3, column.getSize());
            assertEquals(rank / 2, column.getRank());
            assertArrayEquals(new int[] {rank / 2}, column.getCoords(column.getRank()));
            assertEquals((rank / 2 + 1) % 3, column.shift(0, 1).getRankDest(), "the column is a ring");
            int[] sum = {rank};
            column.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertEquals(6 + 3 * (rank % 2), sum[0]);
            Cartcomm row = capital.Sub(new boolean[] {false, true});
            assertEquals(2, row.Size());
            assertArrayEquals(new int[] {rank % 2}, row.Get().coords);
            assertEquals(rank % 2 == 0 ? MPI.PROC_NULL : 0, row.Shift(0, 1).rank_source);
            CartComm point = grid.sub(new boolean[2]);
            assertEquals(1, point.getSize());
            assertEquals(0, point.getTopo().getDimCount());
            assertEquals(6, grid.sub(new boolean[] {true, true}).getSize());
        });
    }

    @Test
    void aGridWithoutDimensionsIsRankZero() throws Exception {
        onOneNode(2, world -> {
            CartComm point = world.createCart(new int[0], new boolean[0], true);
            assertEquals(world.getRank() > 0, point.isNull());
        });
    }

    @Test
    void duplicatesHaveTheTopologyAndMessagesOfTheirOwn() throws Exception {
        onOneNode(3, world -> {
            CartComm ring = world.createCart(new int[] {3}, new boolean[] {true}, false);
            CartComm later = ring.iDup();
            later.getRequest().waitFor();
            Cartcomm capital = world.Create_cart(new int[] {3}, new boolean[] {true}, false);
            CartComm clone = ring.clone();
            for (CartComm copy : new CartComm[] {ring.dup(), clone, later, ring.dupWithInfo(new Info())}) {
                assertEquals(MPI.CART, copy.getTopology());
                assertEquals(MPI.CONGRUENT, Comm.compare(ring, copy));
                int[] partners = haloPartners(copy);
                // Before the original receives what was sent on it, each copy exchanges messages of its own.
                Request early = ring.Isend(new int[] {-5}, 0, 1, MPI.INT, partners[1], TAG);
                assertArrayEquals(partners, exchanged(copy, copy.getRank(), partners, partners));
                int[] old = new int[1];
                ring.recv(old, 1, MPI.INT, partners[0], TAG);
                assertEquals(-5, old[0]);
                early.waitFor();
                copy.free();
            }
            assertEquals(3, capital.clone().Get().dims[0]);
            GraphComm graph = world.createGraph(new int[] {1, 2, 3}, new int[] {1, 2, 0}, false);
            assertArrayEquals(new int[] {0}, graph.dup().getNeighbors(2));
            GraphComm soon = graph.iDup();
            soon.getRequest().waitFor();
            assertEquals(MPI.GRAPH, soon.getTopology());
            assertArrayEquals(new int[] {2}, soon.getNeighbors(1));
            Graphcomm other = world.Create_graph(new int[] {1, 2, 3}, new int[] {1, 2, 0}, false);
            assertArrayEquals(new int[] {1}, other.clone().Neighbours(0));
            assertArrayEquals(new int[] {1, 2, 3}, other.Get().index);
        });
    }

    @Test
    void messagesFollowTheEdgesOfAGraph() throws Exception {
        int[] index = {2, 3, 4, 6};
        int[] edges = {1, 3, 0, 3, 0, 2};
        for (boolean reorder : new boolean[] {false, true}) {
            onNodes(new int[] {0, 1, 0, 1, 1}, world -> {
                GraphComm graph = world.createGraph(index, edges, reorder);
                assertEquals(world.getRank() == 4, graph.isNull());
                if (!graph.isNull()) {
                    assertEquals(4, graph.getSize());
                    assertTrue(reorder || graph.getRank() == world.getRank());
                    int[] mine = graph.getNeighbors(graph.getRank());
                    assertArrayEquals(mine, exchanged(graph, graph.getRank(), mine, mine));
                }
            });
        }
    }

    // ---- distributed graphs ----

    private static int[] sources(DistGraphNeighbors neighbours) {
        return IntStream.range(0, neighbours.getInDegree()).map(neighbours::getSource).toArray();
    }

    private static int[] destinations(DistGraphNeighbors neighbours) {
        return IntStream.range(0, neighbours.getOutDegree()).map(neighbours::getDestination).toArray();
    }

    /** Everybody sends to the next by 1 and by 3: weights 10 and 30 and something of the sender's. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aRankSaysItsOwnNeighbours(boolean weighted, boolean reorder) throws Exception {
        onNodes(IN_TURN, world -> {
            int n = world.getSize();
            int rank = world.getRank();
            int[] from = {(rank + n - 3) % n, (rank + n - 1) % n, MPI.PROC_NULL};
            int[] to = {(rank + 1) % n, MPI.PROC_NULL, (rank + 3) % n};
            int[] fromWeights = {3000 + from[0], 10 + from[1], 1};
            int[] toWeights = {10 + rank, 2, 3000 + rank};
            GraphComm graph = weighted
                ? world.createDistGraphAdjacent(from, fromWeights, to, toWeights, MPI.INFO_NULL, reorder)
                : world.createDistGraphAdjacent(from, to, null, reorder);
            assertEquals(MPI.DIST_GRAPH, graph.getTopology());
            assertThrows(MPIException.class, graph::getDims);
            int own = graph.getRank();
            assertTrue(reorder || own == rank);
            for (GraphComm each : new GraphComm[] {graph, graph.dup()}) {
                DistGraphNeighbors mine = each.getDistGraphNeighbors();
                assertEquals(weighted, mine.isWeighted());
                assertArrayEquals(new int[] {(own + n - 3) % n, (own + n - 1) % n, MPI.PROC_NULL}, sources(mine));
                assertArrayEquals(new int[] {(own + 1) % n, MPI.PROC_NULL, (own + 3) % n}, destinations(mine));
                assertEquals(weighted ? 3000 + (own + n - 3) % n : 0, mine.getSourceWeight(0));
                assertEquals(weighted ? 3000 + own : 0, mine.getDestinationWeight(2));
                assertArrayEquals(sources(mine), exchanged(each, own, sources(mine), destinations(mine)));
            }
        });
    }

    /** Heavy edges between ranks that are 4 apart in a job of nodes in pairs: they come together. */
    @Test
    void heavyEdgesStayWithinNodes() throws Exception {
        int[] nodeOf = {0, 0, 1, 1, 2, 2, 3, 3};
        onNodes(nodeOf, world -> {
            int rank = world.getRank();
            int[] others = {(rank + 4) % 8, (rank + 1) % 8, (rank + 7) % 8};
            int[] weights = {100, 1, 1};
            GraphComm graph = world.createDistGraphAdjacent(others, weights, others, weights, null, true);
            DistGraphNeighbors mine = graph.getDistGraphNeighbors();
            int[] came = exchanged(graph, nodeOf[rank], sources(mine), destinations(mine));
            assertEquals(nodeOf[rank], came[0], "the heavy neighbour's node");
        });
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void ranksDescribeEdgesOfOthers(boolean reorder) throws Exception {
        onNodes(new int[] {0, 1, 0, 1}, world -> {
            int rank = world.getRank();
            // Rank 3 describes the edges of ranks 0 and 2, rank 1 one of its own and one of rank 0; others none.
            int[] sources = rank == 3 ? new int[] {2, 0} : rank == 1 ? new int[] {1, 0} : new int[0];
            int[] degrees = rank == 3 ? new int[] {2, 1} : rank == 1 ? new int[] {1, 1} : new int[0];
            int[] destinations = rank == 3 ? new int[] {0, 1, 2} : rank == 1 ? new int[] {1, 3} : new int[0];
            int[] weights = rank == 3 ? new int[] {5, 6, 7} : new int[] {8, 9};
            GraphComm graph =
                world.createDistGraph(sources, degrees, destinations, rank % 2 == 0 ? new int[0] : weights, null,
                    reorder);
            DistGraphNeighbors mine = graph.getDistGraphNeighbors();
            int own = graph.getRank();
            assertArrayEquals(new int[][] {{2}, {1, 2}, {0}, {0}}[own], sources(mine));
            assertArrayEquals(new int[][] {{3, 2}, {1}, {0, 1}, {}}[own], destinations(mine));
            assertEquals(new int[] {5, 8, 7, 9}[own], mine.getSourceWeight(0));
            assertTrue(mine.isWeighted());
            assertArrayEquals(sources(mine), exchanged(graph, own, sources(mine), destinations(mine)));
            GraphComm plain = world.createDistGraph(sources, degrees, destinations, null, reorder);
            assertEquals(0, plain.getDistGraphNeighbors().getSourceWeight(0));
        });
    }

    private static void allFail(Intracomm world, int culprit, int atCulprit, int elsewhere, Runnable call) {
        MPIException e = assertThrows(MPIException.class, call::run);
        assertEquals(world.getRank() == culprit ? atCulprit : elsewhere, e.getErrorClass(), e.getMessage());
        world.barrier();
    }

    @Test
    void oneRanksMistakeIsAnErrorOnAllAndNobodyWaits() throws Exception {
        onOneNode(3, world -> {
            int rank = world.getRank();
            int[] next = {(rank + 1) % 3};
            int[] before = {(rank + 2) % 3};
            int[] wrong = rank == 1 ? new int[] {3} : next;
            allFail(world, 1, MPI.ERR_RANK, MPI.ERR_ARG,
                () -> world.createDistGraphAdjacent(before, wrong, null, false));
            allFail(world, 1, MPI.ERR_ARG, MPI.ERR_ARG,
                () -> world.createDistGraphAdjacent(rank == 1 ? null : before, next, null, true));
            allFail(world, 2, MPI.ERR_ARG, MPI.ERR_ARG, () -> world.createDistGraphAdjacent(before,
                rank == 2 ? new int[] {-1} : new int[1], next, new int[1], null, false));
            allFail(world, 0, MPI.ERR_RANK, MPI.ERR_ARG, () -> world.createDistGraph(
                rank == 0 ? new int[] {-3} : new int[0], new int[1], next, null, false));
            allFail(world, 0, MPI.ERR_ARG, MPI.ERR_ARG, () -> world.createDistGraph(new int[] {rank},
                rank == 0 ? new int[] {5} : new int[1], next, null, false));
            allFail(world, 0, MPI.ERR_ARG, MPI.ERR_ARG, () -> world.createDistGraph(new int[] {rank, rank},
                rank == 0 ? new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE} : new int[2], next, null, false));
            allFail(world, -1, 0, MPI.ERR_ARG, () -> {
                if (rank == 0) {
                    world.createDistGraphAdjacent(before, next, null, false);
                } else {
                    world.createDistGraphAdjacent(before, new int[1], next, new int[1], null, false);
                }
            });
            allFail(world, -1, 0, MPI.ERR_TOPOLOGY,
                () -> world.createDistGraphAdjacent(rank == 2 ? next : before, next, null, false));
        });
    }

    @Test
    void whoRefusesItsArgumentsSaysSoWhereCallsAreCompared() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(3), true, (provider, lower) -> {
            Intracomm world = new Intracomm(Handle.of(lower));
            int[] dims = {world.getRank() == 1 ? 4 : 3};
            MPIException e =
                assertThrows(MPIException.class, () -> world.createCart(dims, new boolean[1], false));
            assertTrue(e.getMessage().contains("a grid of 4 has more ranks than the 3"), e.getMessage());
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reorderThatOnlySomeRanksWantIsAnErrorOnAll(boolean compared) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(3), compared, (provider, lower) -> {
            Intracomm world = new Intracomm(Handle.of(lower));
            MPIException e = assertThrows(MPIException.class,
                () -> world.createCart(new int[] {3}, new boolean[1], world.getRank() == 1));
            assertEquals(MPI.ERR_ARG, e.getErrorClass(), e.getMessage());
            int[] next = {(world.getRank() + 1) % 3};
            e = assertThrows(MPIException.class, () -> world.createDistGraph(new int[] {world.getRank()}, new int[] {1},
                next, null, world.getRank() == 1));
            assertEquals(MPI.ERR_ARG, e.getErrorClass(), e.getMessage());
        });
    }
}
