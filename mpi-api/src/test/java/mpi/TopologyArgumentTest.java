package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Wrong arguments of calls about topologies are errors of the right class, which say what is wrong and what to do. */
class TopologyArgumentTest {
    private final Intracomm comm = FakeProvider.intracomm(2, 4);

    @BeforeEach
    void join() {
        FakeProvider.run();
    }

    private static void fails(int errorClass, String message, Executable code) {
        MPIException e = assertThrows(MPIException.class, code);
        assertEquals(message, e.getMessage());
        assertEquals(errorClass, e.getErrorClass());
    }

    private CartComm grid() {
        return comm.createCart(new int[] {2, 2}, new boolean[] {true, false}, false);
    }

    @Test
    void gridsThatCannotBe() {
        fails(MPI.ERR_DIMS, "MPI_ERR_DIMS: createCart on rank 2 of 4 in TEST: a grid of 2 x 3 has more ranks than the 4"
            + " of this communicator; pass smaller dims",
            () -> comm.createCart(new int[] {2, 3}, new boolean[2], false));
        fails(MPI.ERR_DIMS, "MPI_ERR_DIMS: Create_cart on rank 2 of 4 in TEST: dims is [2, 0]; pass 1 or more ranks in"
            + " each dimension", () -> comm.Create_cart(new int[] {2, 0}, new boolean[2], true));
        fails(MPI.ERR_ARG, "MPI_ERR_ARG: createCart on rank 2 of 4 in TEST: periods is a boolean[1]; pass 2 elements,"
            + " one for each dimension", () -> comm.createCart(new int[] {2, 2}, new boolean[1], false));
        fails(MPI.ERR_ARG, "MPI_ERR_ARG: createCart on rank 2 of 4 in TEST: periods is null; pass 2 elements, one for"
            + " each dimension", () -> comm.createCart(new int[] {2, 2}, null, false));
        fails(MPI.ERR_ARG,
            "MPI_ERR_ARG: createCart on rank 2 of 4 in TEST: dims is null; pass an array, which may be empty",
            () -> comm.createCart(null, new boolean[1], false));
        assertEquals(MPI.ERR_DIMS, assertThrows(MPIException.class,
            () -> comm.createCart(new int[] {1 << 16, 1 << 16, 1 << 16, 1 << 16}, new boolean[4], false))
            .getErrorClass(), "a product that overflows");
    }

    @Test
    void questionsThatAGridCannotAnswer() {
        CartComm grid = grid();
        assertEquals(1, grid.getRank(new int[] {2, 1}), "periodic");
        fails(MPI.ERR_ARG, "MPI_ERR_ARG: getRank on rank 0 of 4 in TEST (grid of 2 x 2): coordinate 2 of dimension 1 is"
            + " outside the grid, and the dimension is not periodic; pass 0 to 1",
            () -> grid.getRank(new int[] {0, 2}));
        refuses(MPI.ERR_ARG, () -> grid.getRank(new int[1]));
        refuses(MPI.ERR_ARG, () -> grid.getRank(null));
        refuses(MPI.ERR_RANK, () -> grid.getCoords(4));
        refuses(MPI.ERR_RANK, () -> grid.getCoords(-1));
        refuses(MPI.ERR_DIMS, () -> grid.shift(2, 1));
        refuses(MPI.ERR_DIMS, () -> grid.shift(-1, 1));
        refuses(MPI.ERR_ARG, () -> grid.sub(new boolean[1]));
        refuses(MPI.ERR_ARG, () -> grid.sub(null));
        refuses(MPI.ERR_DIMS, () -> grid.map(new int[] {5}, new boolean[1]));
        refuses(MPI.ERR_ARG, () -> grid.getTopo().getDim(2));
        refuses(MPI.ERR_ARG, () -> grid.getTopo().getCoord(-1));
        grid.free();
        refuses(MPI.ERR_COMM, grid::getTopo);
        refuses(MPI.ERR_COMM, () -> grid.shift(0, 1));
        refuses(MPI.ERR_COMM, () -> grid.getRank(new int[2]));
        refuses(MPI.ERR_COMM, () -> grid.sub(new boolean[2]));
        refuses(MPI.ERR_COMM, () -> grid.map(new int[] {5}, new boolean[1]));
        refuses(MPI.ERR_COMM, grid::dup);
        refuses(MPI.ERR_COMM, grid::getTopology);
    }

    private static void refuses(int errorClass, Executable code) {
        MPIException e = assertThrows(MPIException.class, code);
        assertEquals(errorClass, e.getErrorClass(), e.getMessage());
        assertTrue(e.getMessage().contains(";"), e.getMessage());
    }

    @Test
    void graphsThatCannotBe() {
        fails(MPI.ERR_ARG, "MPI_ERR_ARG: createGraph on rank 2 of 4 in TEST: index[1] is 1, after 2; pass for each rank"
            + " the number of neighbours of all ranks up to it",
            () -> comm.createGraph(new int[] {2, 1}, new int[] {1, 0}, false));
        fails(MPI.ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY: Create_graph on rank 2 of 4 in TEST: edges[1] is 2, which is not a"
            + " rank of the graph; pass 0 <= edge < 2",
            () -> comm.Create_graph(new int[] {1, 2}, new int[] {1, 2}, false));
        fails(MPI.ERR_ARG, "MPI_ERR_ARG: createGraph on rank 2 of 4 in TEST: edges is an int[1]; pass 2 elements, one"
            + " for each neighbour that index counts",
            () -> comm.createGraph(new int[] {1, 2}, new int[] {1}, false));
        fails(MPI.ERR_ARG, "MPI_ERR_ARG: createGraph on rank 2 of 4 in TEST: a graph of 5 ranks has more than the 4 of"
            + " this communicator; pass a shorter index",
            () -> comm.createGraph(new int[5], new int[0], false));
        refuses(MPI.ERR_ARG, () -> comm.createGraph(null, new int[0], false));
        refuses(MPI.ERR_ARG, () -> comm.createGraph(new int[0], null, true));
        refuses(MPI.ERR_ARG, () -> comm.createGraph(new int[] {-1}, new int[0], true));
    }

    @Test
    void questionsThatAGraphCannotAnswer() {
        GraphComm graph = comm.createGraph(new int[] {1, 2, 2, 2}, new int[] {1, 0}, false);
        assertArrayEquals(new int[] {0}, graph.getNeighbors(1));
        assertArrayEquals(new int[0], graph.getNeighbors(2));
        assertEquals(4, graph.getDims().getIndexCount());
        assertEquals(2, graph.getDims().getEdgeCount());
        refuses(MPI.ERR_RANK, () -> graph.getNeighbors(4));
        refuses(MPI.ERR_TOPOLOGY, graph::getDistGraphNeighbors);
        refuses(MPI.ERR_ARG, () -> graph.getDims().getEdge(2));
        refuses(MPI.ERR_ARG, () -> graph.map(new int[5], new int[0]));
        graph.free();
        refuses(MPI.ERR_COMM, graph::getDims);
        refuses(MPI.ERR_COMM, () -> graph.getNeighbors(0));
        refuses(MPI.ERR_COMM, graph::getDistGraphNeighbors);
    }

    @Test
    void ranksOutsideGetANullCommunicatorOrNull() {
        CartComm outside = FakeProvider.intracomm(3, 4).createCart(new int[] {3}, new boolean[1], true);
        assertTrue(outside.isNull());
        refuses(MPI.ERR_COMM, outside::getTopo);
        assertNull(FakeProvider.intracomm(3, 4).Create_cart(new int[] {3}, new boolean[1], true));
        assertTrue(comm.createGraph(new int[0], new int[0], false).isNull());
        assertNull(comm.Create_graph(new int[0], new int[0], false));
    }
}
