package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.Endpoint;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.nodes.NodesJob;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Neighbourhood collectives among ranks that are threads. They must give what the standard's own definition gives: a
 * message for each edge.
 */
class NeighbourRanksTest {
    private static final int GAP = -7;
    private static final int TAG = 100;

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

    private static void among(Endpoint[] endpoints, boolean checks, Program program) throws Exception {
        ThreadJob.run(endpoints, checks, (provider, world) -> program.run(new Intracomm(Handle.of(world))));
    }

    /** A communicator and this rank's edges, as the public API tells them. */
    private record Topology(Intracomm comm, int[] sources, int[] destinations) {
        static Topology of(Intracomm comm) {
            if (comm instanceof CartComm grid) {
                int[] neighbours = new int[2 * grid.getTopo().getDimCount()];
                for (int dim = 0; dim < neighbours.length / 2; dim++) {
                    ShiftParms shift = grid.shift(dim, 1);
                    neighbours[2 * dim] = shift.getRankSource();
                    neighbours[2 * dim + 1] = shift.getRankDest();
                }
                return new Topology(comm, neighbours, neighbours);
            }
            GraphComm graph = (GraphComm) comm;
            if (graph.getTopology() == MPI.GRAPH) {
                int[] neighbours = graph.getNeighbors(graph.getRank());
                return new Topology(comm, neighbours, neighbours);
            }
            DistGraphNeighbors own = graph.getDistGraphNeighbors();
            return new Topology(comm, IntStream.range(0, own.getInDegree()).map(own::getSource).toArray(),
                IntStream.range(0, own.getOutDegree()).map(own::getDestination).toArray());
        }

        /** On a grid a message's tag is the direction in which it moves; on graphs the order of messages counts. */
        private int tag(int direction) {
            return comm instanceof CartComm ? TAG + direction : TAG;
        }

        /** The definition: a message for each edge, of these lengths and from and to these places. */
        int[] exchanged(int[] send, int[] counts, int[] places, int[] recv, int[] recvCounts, int[] recvPlaces) {
            Request[] requests = new Request[sources.length + destinations.length];
            for (int i = 0; i < sources.length; i++) {
                requests[i] =
                    comm.Irecv(recv, recvPlaces[i], recvCounts[i], MPI.INT, sources[i], tag(i ^ 1));
            }
            for (int i = 0; i < destinations.length; i++) {
                requests[sources.length + i] =
                    comm.Isend(send, places[i], counts[i], MPI.INT, destinations[i], tag(i));
            }
            Request.waitAll(requests);
            return recv;
        }
    }

    // ---- topologies ----

    /** The same on all ranks; null where a rank is not in it. */
    private static Intracomm grid(Intracomm world, Random random) {
        int[] dims = new int[1 + random.nextInt(3)];
        boolean[] periods = new boolean[dims.length];
        int left = world.getSize();
        for (int i = 0; i < dims.length; i++) {
            dims[i] = 1 + random.nextInt(Math.min(left, 3));
            left /= dims[i];
            periods[i] = random.nextInt(3) > 0;
        }
        return world.createCart(dims, periods, random.nextBoolean());
    }

    /** Every edge both ways, in any order, some often, some of a rank to itself. */
    private static Intracomm graph(Intracomm world, Random random) {
        int n = world.getSize();
        int[][] lists = new int[n][0];
        for (int i = random.nextInt(3 * n); i > 0; i--) {
            int one = random.nextInt(n);
            int other = random.nextInt(n);
            lists[one] = with(lists[one], other, random);
            lists[other] = with(lists[other], one, random);
        }
        int[] index = new int[n];
        for (int rank = 0; rank < n; rank++) {
            index[rank] = (rank == 0 ? 0 : index[rank - 1]) + lists[rank].length;
        }
        return world.createGraph(index, Arrays.stream(lists).flatMapToInt(Arrays::stream).toArray(),
            random.nextBoolean());
    }

    private static Intracomm distributed(Intracomm world, Random random) {
        int n = world.getSize();
        int[][] in = new int[n][0];
        int[][] out = new int[n][0];
        for (int i = random.nextInt(4 * n); i > 0; i--) {
            int from = random.nextInt(n);
            int to = random.nextInt(n);
            out[from] = with(out[from], to, random);
            in[to] = with(in[to], from, random);
            if (random.nextInt(4) == 0) {
                out[from] = with(out[from], MPI.PROC_NULL, random);
                in[from] = with(in[from], MPI.PROC_NULL, random);
            }
        }
        return world.createDistGraphAdjacent(in[world.getRank()], out[world.getRank()], null, random.nextBoolean());
    }

    private static int[] with(int[] list, int neighbour, Random random) {
        int[] longer = Arrays.copyOf(list, list.length + 1);
        int at = random.nextInt(longer.length);
        System.arraycopy(list, at, longer, at + 1, list.length - at);
        longer[at] = neighbour;
        return longer;
    }

    // ---- calls ----

    private static int[] values(int rank, int count) {
        return IntStream.range(0, count).map(i -> 1_000_003 * rank + i).toArray();
    }

    private static int[] gaps(int count) {
        int[] values = new int[count];
        Arrays.fill(values, GAP);
        return values;
    }

    private static int[] same(int count, int blocks) {
        int[] counts = new int[blocks];
        Arrays.fill(counts, count);
        return counts;
    }

    /** Places side by side with gaps, the last block first. */
    private static int[] placesFromBehind(int[] counts, int gap) {
        int[] places = new int[counts.length];
        int next = gap;
        for (int i = counts.length - 1; i >= 0; i--) {
            places[i] = next;
            next += counts[i] + gap;
        }
        return places;
    }

    private static int[] placesInOrder(int[] counts) {
        int[] places = new int[counts.length];
        for (int i = 1; i < counts.length; i++) {
            places[i] = places[i - 1] + counts[i - 1];
        }
        return places;
    }

    private static int room(int[] counts, int[] places) {
        int room = 0;
        for (int i = 0; i < counts.length; i++) {
            room = Math.max(room, places[i] + counts[i]);
        }
        return room;
    }

    private static ByteBuffer direct(int[] values) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.nativeOrder());
        bytes.asIntBuffer().put(values);
        return bytes;
    }

    private static int[] ints(ByteBuffer bytes) {
        int[] values = new int[bytes.capacity() / 4];
        bytes.asIntBuffer().get(values);
        return values;
    }

    private static void everyCall(Topology t, int count) {
        int rank = t.comm.getRank();
        int ins = t.sources.length;
        int outs = t.destinations.length;
        // The same block to all neighbours.
        int[] one = values(rank, count);
        int[] alike = same(count, ins);
        int[] expected = t.exchanged(one, same(count, outs), new int[outs], gaps(count * ins), alike,
            placesInOrder(alike));
        int[] got = gaps(count * ins);
        t.comm.neighborAllGather(one, count, MPI.INT, got, count, MPI.INT);
        assertArrayEquals(expected, got, "neighborAllGather");
        ByteBuffer there = direct(gaps(count * ins));
        t.comm.iNeighborAllGather(direct(one), count, MPI.INT, there, count, MPI.INT).waitFor();
        assertArrayEquals(expected, ints(there), "iNeighborAllGather");
        // A block of each neighbour's own.
        int[] each = values(rank, count * outs);
        expected = t.exchanged(each, same(count, outs), placesInOrder(same(count, outs)), gaps(count * ins), alike,
            placesInOrder(alike));
        got = gaps(count * ins);
        t.comm.neighborAllToAll(each, count, MPI.INT, got, count, MPI.INT);
        assertArrayEquals(expected, got, "neighborAllToAll");
        there = direct(gaps(count * ins));
        t.comm.iNeighborAllToAll(direct(each), count, MPI.INT, there, count, MPI.INT).waitFor();
        assertArrayEquals(expected, ints(there), "iNeighborAllToAll");
        // Blocks of any length.
        int[] own = values(rank, count * rank);
        int[] counts = Arrays.stream(t.sources).map(from -> from < 0 ? 3 : count * from).toArray();
        int[] places = placesFromBehind(counts, 2);
        expected = t.exchanged(own, same(own.length, outs), new int[outs], gaps(room(counts, places)), counts, places);
        got = gaps(expected.length);
        t.comm.neighborAllGatherv(own, own.length, MPI.INT, got, counts, places, MPI.INT);
        assertArrayEquals(expected, got, "neighborAllGatherv");
        there = direct(gaps(expected.length));
        t.comm.iNeighborAllGatherv(direct(own), own.length, MPI.INT, there, counts, places, MPI.INT).waitFor();
        assertArrayEquals(expected, ints(there), "iNeighborAllGatherv");
        int[] lengths = Arrays.stream(t.destinations).map(to -> to < 0 ? 5 : length(rank, to, count)).toArray();
        int[] from = placesFromBehind(lengths, 1);
        counts = Arrays.stream(t.sources).map(source -> source < 0 ? 4 : length(source, rank, count)).toArray();
        places = placesFromBehind(counts, 3);
        each = values(rank, room(lengths, from));
        expected = t.exchanged(each, lengths, from, gaps(room(counts, places)), counts, places);
        got = gaps(expected.length);
        t.comm.neighborAllToAllv(each, lengths, from, MPI.INT, got, counts, places, MPI.INT);
        assertArrayEquals(expected, got, "neighborAllToAllv");
        there = direct(gaps(expected.length));
        t.comm.iNeighborAllToAllv(direct(each), lengths, from, MPI.INT, there, counts, places, MPI.INT).waitFor();
        assertArrayEquals(expected, ints(there), "iNeighborAllToAllv");
    }

    private static int length(int from, int to, int count) {
        return (5 * from + 3 * to) % 4 * count;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6, 8})
    void everyCallGivesWhatMessagesAlongTheEdgesGive(int ranks) throws Exception {
        for (int seed = 0; seed < 8; seed++) {
            int number = seed;
            Endpoint[] endpoints =
                seed % 2 == 0 ? LoopbackJob.endpoints(ranks) : Jobs.values()[seed % 3].endpoints(ranks, seed);
            among(endpoints, seed % 4 == 3, world -> {
                Random random = new Random(ranks + 1000L * number);
                for (int kind = 0; kind < 3; kind++) {
                    Intracomm comm = kind == 0 ? grid(world, random)
                        : kind == 1 ? graph(world, random) : distributed(world, random);
                    if (!comm.isNull()) {
                        for (int count : new int[] {1, 0, 37, 3000}) {
                            everyCall(Topology.of(comm), count);
                        }
                        everyCall(Topology.of(comm.dup()), 2);
                    }
                }
            });
        }
    }

    /** With one or two ranks in a periodic dimension both neighbours are one rank: blocks still cross over. */
    @Test
    void whatGoesDownComesFromAbove() throws Exception {
        for (int ranks = 1; ranks <= 2; ranks++) {
            among(LoopbackJob.endpoints(ranks), false, world -> {
                int rank = world.getRank();
                int other = world.getSize() - 1 - rank;
                Cartcomm ring = world.Create_cart(new int[] {world.getSize()}, new boolean[] {true}, false);
                int[] got = new int[2];
                ring.neighborAllToAll(new int[] {10 * rank, 10 * rank + 1}, 1, MPI.INT, got, 1, MPI.INT);
                assertArrayEquals(new int[] {10 * other + 1, 10 * other}, got);
            });
        }
    }

    @Test
    void blocksOfNobodyAreLeftAlone() throws Exception {
        among(LoopbackJob.endpoints(3), false, world -> {
            int rank = world.getRank();
            CartComm line = world.createCart(new int[] {3}, new boolean[1], false);
            int[] got = {GAP, GAP};
            line.neighborAllGather(new int[] {rank}, 1, MPI.INT, got, 1, MPI.INT);
            assertArrayEquals(new int[][] {{GAP, 1}, {0, 2}, {1, GAP}}[rank], got);
            Graphcomm pair = world.Create_graph(new int[] {1, 2, 2}, new int[] {1, 0}, false);
            int[] from = {GAP};
            pair.neighborAllGather(new int[] {rank}, 1, MPI.INT, rank == 2 ? null : from, 1, MPI.INT);
            assertEquals(rank == 2 ? GAP : 1 - rank, from[0]);
        });
    }

    /** A ring of large messages, in which each rank names its neighbours in the order that would stop naive sends. */
    @Test
    void largeBlocksComeThroughNarrowLinksInAnyOrderOfNeighbours() throws Exception {
        among(NodesJob.narrowEndpoints(new int[] {0, 0, 1, 1, 2}), false, world -> {
            int n = world.getSize();
            int rank = world.getRank();
            int[] to = IntStream.range(1, n).map(i -> (rank + (rank % 2 == 0 ? i : n - i)) % n).toArray();
            int[] from = IntStream.range(1, n).map(i -> (rank + (rank % 3 == 0 ? i : n - i)) % n).toArray();
            everyCall(Topology.of(world.createDistGraphAdjacent(from, to, null, false)), 50_000);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callsUnderWayDoNotDisturbOtherTraffic(boolean checks) throws Exception {
        among(Jobs.WILD.endpoints(4, 9), checks, world -> {
            int rank = world.getRank();
            CartComm grid = world.createCart(new int[] {2, 2}, new boolean[] {true, false}, false);
            Topology t = Topology.of(grid);
            int count = 9_000;
            int[] each = values(rank, 4 * count);
            int[] alike = same(count, 4);
            int[] expected = t.exchanged(each, alike, placesInOrder(alike), gaps(4 * count), alike,
                placesInOrder(alike));
            for (int round = 0; round < 10; round++) {
                ByteBuffer first = direct(gaps(4 * count));
                ByteBuffer second = direct(gaps(4));
                Request large = grid.iNeighborAllToAll(direct(each), count, MPI.INT, first, count, MPI.INT);
                Request small = grid.iNeighborAllGather(direct(new int[] {rank}), 1, MPI.INT, second, 1, MPI.INT);
                int[] sum = {rank};
                grid.allReduce(sum, 1, MPI.INT, MPI.SUM);
                assertEquals(6, sum[0]);
                int[] came = new int[count];
                grid.Sendrecv(each, 0, count, MPI.INT, (rank + 1) % 4, 1, came, 0, count, MPI.INT, (rank + 3) % 4, 1);
                assertArrayEquals(values((rank + 3) % 4, count), came);
                int[] got = gaps(4 * count);
                grid.neighborAllToAll(each, count, MPI.INT, got, count, MPI.INT);
                assertArrayEquals(expected, got);
                small.waitFor();
                large.waitFor();
                assertArrayEquals(expected, ints(first));
                assertArrayEquals(t.sources, Arrays.stream(ints(second)).map(r -> r == GAP ? MPI.PROC_NULL : r)
                    .toArray());
            }
        });
    }

    /** Prepared once: every start sends what is in the buffers then. */
    @Test
    void everyStartOfAPreparedCallSendsWhatIsThereThen() throws Exception {
        among(LoopbackJob.endpoints(3), false, world -> {
            Random random = new Random(5);
            Topology t = Topology.of(distributed(world, random));
            int outs = t.destinations.length;
            int ins = t.sources.length;
            int count = 700;
            int[] each = new int[count * Math.max(1, outs)];
            int[] counts = same(count, ins);
            int[] places = placesInOrder(counts);
            int[] lengths = same(count, outs);
            int[] from = placesInOrder(lengths);
            int[][] got = new int[4][count * ins];
            Prequest[] all = {t.comm.neighborAllGatherInit(each, count, MPI.INT, got[0], count, MPI.INT, null),
                t.comm.neighborAllGathervInit(each, count, MPI.INT, got[1], counts, places, MPI.INT, null),
                t.comm.neighborAllToAllInit(each, count, MPI.INT, got[2], count, MPI.INT, null),
                t.comm.neighborAllToAllvInit(each, lengths, from, MPI.INT, got[3], counts, places, MPI.INT, null)};
            for (int start = 0; start < 5; start++) {
                for (int i = 0; i < each.length; i++) {
                    each[i] = 1000 * t.comm.getRank() + i + start;
                }
                for (int[] result : got) {
                    Arrays.fill(result, GAP);
                }
                Prequest.startAll(all);
                Request.waitAll(all);
                int[] alike = t.exchanged(each, lengths, new int[outs], gaps(count * ins), counts, places);
                int[] own = t.exchanged(each, lengths, from, gaps(count * ins), counts, places);
                assertArrayEquals(alike, got[0]);
                assertArrayEquals(alike, got[1]);
                assertArrayEquals(own, got[2]);
                assertArrayEquals(own, got[3]);
            }
            for (Prequest prepared : all) {
                prepared.free();
            }
        });
    }

    /** The halo of a matrix: columns go left and right, and what comes lies side by side. */
    @Test
    void columnsOfAMatrixAreItsHalo() throws Exception {
        among(LoopbackJob.endpoints(3), false, world -> {
            int rank = world.getRank();
            int rows = 500;
            int columns = 6;
            CartComm ring = world.createCart(new int[] {3}, new boolean[] {true}, false);
            Datatype column = Datatype.createVector(rows, 1, columns, MPI.INT);
            Datatype resized = Datatype.createResized(column, 0, Integer.BYTES);
            resized.commit();
            int[] matrix = values(rank, rows * columns);
            int[] halo = gaps(2 * rows);
            ring.neighborAllToAllv(matrix, new int[] {1, 1}, new int[] {0, columns - 1}, resized,
                halo, new int[] {rows, rows}, new int[] {0, rows}, MPI.INT);
            int[] left = values((rank + 2) % 3, rows * columns);
            int[] right = values((rank + 1) % 3, rows * columns);
            for (int row = 0; row < rows; row++) {
                assertEquals(left[row * columns + columns - 1], halo[row]);
                assertEquals(right[row * columns], halo[rows + row]);
            }
            int[] into = gaps(rows * columns);
            ring.neighborAllToAll(halo, rows, MPI.INT, into, 1, resized);
            for (int row = 0; row < rows; row++) {
                assertEquals(matrix[row * columns], into[row * columns], "my left column came back from the left");
                assertEquals(matrix[row * columns + columns - 1], into[row * columns + 1]);
                assertEquals(GAP, into[row * columns + 2]);
            }
        });
    }

    // ---- errors ----

    private static void fails(int errorClass, String words, Runnable call) {
        MPIException e = assertThrows(MPIException.class, call::run);
        assertEquals(errorClass, e.getErrorClass(), e.getMessage());
        assertTrue(e.getMessage().contains(words), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wrongCallsAreRefused(boolean checks) throws Exception {
        among(LoopbackJob.endpoints(2), checks, world -> {
            int[] two = new int[2];
            String none = "this communicator has no topology";
            ByteBuffer some = direct(two);
            fails(MPI.ERR_TOPOLOGY, none, () -> world.neighborAllGather(two, 1, MPI.INT, two, 1, MPI.INT));
            fails(MPI.ERR_TOPOLOGY, none, () -> world.neighborAllGatherv(two, 1, MPI.INT, two, two, two, MPI.INT));
            fails(MPI.ERR_TOPOLOGY, none, () -> world.neighborAllToAll(two, 1, MPI.INT, two, 1, MPI.INT));
            fails(MPI.ERR_TOPOLOGY, none,
                () -> world.neighborAllToAllv(two, two, two, MPI.INT, two, two, two, MPI.INT));
            fails(MPI.ERR_TOPOLOGY, none, () -> world.iNeighborAllToAll(some, 1, MPI.INT, some, 1, MPI.INT));
            // Rank 1 does not name its neighbour 0.
            GraphComm oneWay = world.createGraph(new int[] {1, 1}, new int[] {1}, false);
            fails(MPI.ERR_TOPOLOGY, "ranks 0 and 1 are not neighbours of each other equally often",
                () -> oneWay.neighborAllGather(two, 1, MPI.INT, two, 1, MPI.INT));
            CartComm ring = world.createCart(new int[] {2}, new boolean[] {true}, false);
            fails(MPI.ERR_COUNT, "count 2 of MPI.INT for each of 2 blocks needs 16 bytes, but recvbuf is an int[2]",
                () -> ring.neighborAllGather(two, 2, MPI.INT, two, 2, MPI.INT));
            fails(MPI.ERR_COUNT, "count -1 of neighbour 1 in sendbuf is negative",
                () -> ring.neighborAllToAllv(two, new int[] {1, -1}, two, MPI.INT, two, two, two, MPI.INT));
            fails(MPI.ERR_COUNT, "the block of neighbour 1",
                () -> ring.neighborAllGatherv(two, 1, MPI.INT, two, new int[] {1, 1}, new int[] {0, 2}, MPI.INT));
            fails(MPI.ERR_ARG, "the displacements of recvbuf are 1; pass one for each of 2 neighbours",
                () -> ring.neighborAllGatherv(two, 1, MPI.INT, two, two, new int[1], MPI.INT));
            fails(MPI.ERR_BUFFER, "recvbuf", () -> ring.neighborAllToAll(two, 1, MPI.INT, null, 1, MPI.INT));
            fails(MPI.ERR_TYPE, "objects cannot be used among neighbours",
                () -> ring.neighborAllGather(new Object[1], 1, MPI.OBJECT, new Object[2], 1, MPI.OBJECT));
            int[] got = new int[2];
            ring.neighborAllGather(new int[] {world.getRank()}, 1, MPI.INT, got, 1, MPI.INT);
            assertArrayEquals(new int[] {1 - world.getRank(), 1 - world.getRank()}, got);
            ring.free();
            fails(MPI.ERR_COMM, "has been freed", () -> ring.neighborAllGather(two, 1, MPI.INT, two, 1, MPI.INT));
        });
    }

    @Test
    void differentCountsOfTwoNeighboursAreNoticedWhereCallsAreCompared() throws Exception {
        among(LoopbackJob.endpoints(3), true, world -> {
            CartComm ring = world.createCart(new int[] {3}, new boolean[] {true}, false);
            int sends = world.getRank() == 1 ? 2 : 1;
            fails(MPI.ERR_NOT_SAME, "rank",
                () -> ring.neighborAllGather(new int[2], sends, MPI.INT, new int[2], 1, MPI.INT));
            fails(MPI.ERR_NOT_SAME, world.getRank() == 0 ? "neighbor-alltoall" : "neighbor-allgather", () -> {
                if (world.getRank() == 0) {
                    ring.neighborAllToAll(new int[2], 1, MPI.INT, new int[2], 1, MPI.INT);
                } else {
                    ring.neighborAllGather(new int[1], 1, MPI.INT, new int[2], 1, MPI.INT);
                }
            });
        });
    }
}
