package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.topology.CartesianGrid;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks, coordinates and neighbours in grids of any shape, in both dialects. */
class CartesianGridTest {
    @BeforeEach
    @BeforeTry
    void join() {
        FakeProvider.run();
        JobState.pretend(JobState.RUNNING);
    }

    private record Sample(int[] dims, boolean[] periods, int ranks) {
        static Sample of(int dimensions, Random random) {
            int[] dims = random.ints(dimensions, 1, 5).toArray();
            boolean[] periods = new boolean[dimensions];
            for (int i = 0; i < dimensions; i++) {
                periods[i] = random.nextBoolean();
            }
            return new Sample(dims, periods, Arrays.stream(dims).reduce(1, (a, b) -> a * b));
        }

        CartComm camel(int rank) {
            Handle handle = Handle.of(FakeProvider.communicator("GRID", rank, ranks));
            return new CartComm(handle, CartesianGrid.of(handle, "createCart", dims, periods));
        }

        Cartcomm capital(int rank) {
            Handle handle = Handle.of(FakeProvider.communicator("GRID", rank, ranks));
            return new Cartcomm(handle, CartesianGrid.of(handle, "Create_cart", dims, periods));
        }
    }

    @Property(tries = 300)
    void ranksAndCoordinatesAreInverse(@ForAll @IntRange(max = 5) int dimensions, @ForAll int seed) {
        Sample grid = Sample.of(dimensions, new Random(seed));
        CartComm comm = grid.camel(0);
        int[] before = null;
        for (int rank = 0; rank < grid.ranks(); rank++) {
            int[] coords = comm.getCoords(rank);
            assertEquals(dimensions, coords.length);
            assertEquals(rank, comm.getRank(coords));
            assertTrue(before == null || Arrays.compare(before, coords) < 0, "the last dimension varies fastest");
            before = coords;
            Cartcomm capital = grid.capital(rank);
            assertArrayEquals(coords, capital.Coords(rank));
            assertEquals(rank, capital.Rank(coords));
            assertArrayEquals(coords, capital.Get().coords);
            assertArrayEquals(grid.dims(), capital.Get().dims);
            assertArrayEquals(grid.periods(), capital.Get().periods);
        }
    }

    @Property(tries = 300)
    void aShiftBackIsTheInverseOfAShift(@ForAll @IntRange(min = 1, max = 4) int dimensions, @ForAll int seed,
        @ForAll @IntRange(min = -9, max = 9) int disp) {
        Random random = new Random(seed);
        Sample grid = Sample.of(dimensions, random);
        int direction = random.nextInt(dimensions);
        for (int rank = 0; rank < grid.ranks(); rank++) {
            CartComm comm = grid.camel(rank);
            ShiftParms there = comm.shift(direction, disp);
            ShiftParms back = grid.capital(rank).Shift(direction, -disp);
            assertEquals(there.getRankDest(), back.rank_source);
            assertEquals(there.getRankSource(), back.rank_dest);
            int[] to = comm.getCoords(rank);
            to[direction] += disp;
            boolean outside = to[direction] < 0 || to[direction] >= grid.dims()[direction];
            if (outside && !grid.periods()[direction]) {
                assertEquals(MPI.PROC_NULL, there.getRankDest());
            } else {
                assertEquals(comm.getRank(to), there.getRankDest());
                assertEquals(rank, grid.camel(there.getRankDest()).shift(direction, disp).getRankSource());
            }
        }
    }

    @Test
    void displacementsAsLongAsAnIntWrapAround() {
        CartComm ring = new Sample(new int[] {3}, new boolean[] {true}, 3).camel(0);
        assertEquals(Math.floorMod(Integer.MAX_VALUE, 3), ring.shift(0, Integer.MAX_VALUE).getRankDest());
        assertEquals(Math.floorMod(Integer.MIN_VALUE, 3), ring.shift(0, Integer.MIN_VALUE).getRankDest());
        assertEquals(Math.floorMod(-(long) Integer.MIN_VALUE, 3),
            ring.shift(0, Integer.MIN_VALUE).getRankSource());
        assertEquals(1, ring.getRank(new int[] {-5}));
        CartComm line = new Sample(new int[] {3}, new boolean[] {false}, 3).camel(2);
        assertEquals(MPI.PROC_NULL, line.shift(0, Integer.MAX_VALUE).getRankDest());
    }

    @Test
    void theDescriptionIsACopy() {
        CartComm comm = new Sample(new int[] {2, 3}, new boolean[] {true, false}, 6).camel(4);
        comm.getTopo().dims[0] = 7;
        CartParms topo = comm.getTopo();
        assertEquals(2, topo.getDimCount());
        assertEquals(2, topo.getDim(0));
        assertEquals(3, topo.getDim(1));
        assertTrue(topo.getPeriod(0));
        assertEquals(1, topo.getCoord(0));
        assertEquals(1, topo.getCoord(1));
        assertEquals(MPI.CART, comm.getTopology());
        assertEquals(MPI.CART, comm.Topo_test());
        assertEquals(MPI.UNDEFINED, MPI.COMM_WORLD.getTopology());
    }

    @Test
    void aGridWithoutDimensionsHasOneRank() {
        CartComm comm = new Sample(new int[0], new boolean[0], 1).camel(0);
        assertEquals(0, comm.getRank(new int[0]));
        assertArrayEquals(new int[0], comm.getCoords(0));
        assertEquals(0, comm.getTopo().getDimCount());
    }

    @Test
    void duplicatesOfEveryKindAreGrids() {
        Sample sample = new Sample(new int[] {2, 2}, new boolean[2], 4);
        CartComm comm = sample.camel(3);
        for (CartComm copy : new CartComm[] {comm.dup(), comm.clone(), comm.dupWithInfo(MPI.INFO_NULL),
            (CartComm) ((Intracomm) comm).dup()}) {
            assertArrayEquals(new int[] {1, 1}, copy.getCoords(3));
            assertEquals(MPI.CART, copy.getTopology());
        }
        Cartcomm capital = (Cartcomm) ((Comm) sample.capital(1)).clone();
        assertArrayEquals(new int[] {0, 1}, capital.Get().coords);
    }
}
