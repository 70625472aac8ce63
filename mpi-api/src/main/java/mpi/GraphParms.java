package mpi;

import mpi.front.topology.NeighbourGraph;
import mpi.front.topology.TopologyArguments;

/** A graph topology; from {@link GraphComm#getDims} or {@link Graphcomm#Get}. */
public class GraphParms {
    /** For each rank, the number of neighbours of the ranks up to it. */
    public int[] index;
    /** The neighbours of rank 0, then those of rank 1, and so on. */
    public int[] edges;

    /** A graph without ranks. */
    public GraphParms() {
        this(new int[0], new int[0]);
    }

    GraphParms(NeighbourGraph graph) {
        this(graph.index(), graph.edges());
    }

    private GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }

    /** Number of ranks. */
    public int getIndexCount() {
        return index.length;
    }

    /**
     * The number of neighbours of the ranks up to {@code i}.
     *
     * @param i a rank
     * @throws MPIException ERR_ARG if there is no such rank
     */
    public int getIndex(int i) {
        return index[TopologyArguments.index("GraphParms.getIndex", "rank", i, index.length)];
    }

    /** Number of neighbours of all ranks together. */
    public int getEdgeCount() {
        return edges.length;
    }

    /**
     * A neighbour: those of rank 0 come first, then those of rank 1.
     *
     * @param i its position, from 0
     * @throws MPIException ERR_ARG if there is no such position
     */
    public int getEdge(int i) {
        return edges[TopologyArguments.index("GraphParms.getEdge", "edge", i, edges.length)];
    }
}
