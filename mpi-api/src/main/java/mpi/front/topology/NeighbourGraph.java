package mpi.front.topology;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.front.job.Handle;
import mpi.spi.Neighbourhood;

/**
 * A graph whose edges every rank knows, with the checks of the calls that ask it. Immutable; duplicates of a
 * communicator share it.
 */
public final class NeighbourGraph implements RankTopology {
    private final int[] index;
    private final int[] edges;

    private NeighbourGraph(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }

    /** A graph that the communicator's ranks can fill. */
    public static NeighbourGraph of(Handle handle, String call, int[] index, int[] edges) {
        handle.lower(call);
        TopologyArguments.present(handle, call, "index", index);
        TopologyArguments.present(handle, call, "edges", edges);
        if (index.length > handle.size) {
            throw handle.error(ErrorClass.ARG, call, "a graph of " + index.length + " ranks has more than the "
                + handle.size + " of this communicator; pass a shorter index");
        }
        int before = 0;
        for (int i = 0; i < index.length; i++) {
            if (index[i] < before) {
                throw handle.error(ErrorClass.ARG, call, "index[" + i + "] is " + index[i] + ", after " + before
                    + "; pass for each rank the number of neighbours of all ranks up to it");
            }
            before = index[i];
        }
        TopologyArguments.length(handle, call, "edges", edges, edges.length, before, "neighbour that index counts");
        for (int i = 0; i < before; i++) {
            if (edges[i] < 0 || edges[i] >= index.length) {
                throw handle.error(ErrorClass.TOPOLOGY, call, "edges[" + i + "] is " + edges[i]
                    + ", which is not a rank of the graph; pass 0 <= edge < " + index.length);
            }
        }
        return new NeighbourGraph(index.clone(), Arrays.copyOf(edges, before));
    }

    @Override
    public int size() {
        return index.length;
    }

    /** For each rank, the number of neighbours of the ranks up to it. */
    public int[] index() {
        return index.clone();
    }

    /** The neighbours of rank 0, then those of rank 1, and so on. */
    public int[] edges() {
        return edges.clone();
    }

    public int[] neighbours(Handle handle, String call, int rank) {
        handle.lower(call);
        TopologyArguments.rank(handle, call, rank);
        return Arrays.copyOfRange(edges, begin(rank), index[rank]);
    }

    /** This rank's edges in neighbourhood collectives, each of which must lead both ways. */
    public Neighbourhood edges(Handle handle, String call) {
        long[] there = new long[edges.length];
        long[] back = new long[edges.length];
        for (int rank = 0; rank < index.length; rank++) {
            for (int i = begin(rank); i < index[rank]; i++) {
                there[i] = (long) rank << Integer.SIZE | edges[i];
                back[i] = (long) edges[i] << Integer.SIZE | rank;
            }
        }
        Arrays.sort(there);
        Arrays.sort(back);
        int odd = Arrays.mismatch(there, back);
        if (odd >= 0) {
            long edge = Math.min(there[odd], back[odd]);
            int one = (int) (edge >>> Integer.SIZE);
            int other = (int) edge;
            throw handle.error(ErrorClass.TOPOLOGY, call, "ranks " + one + " and " + other
                + " are not neighbours of each other equally often; name each edge at both ends, or make the"
                + " communicator with createDistGraph");
        }
        int[] own = Arrays.copyOfRange(edges, begin(handle.rank), index[handle.rank]);
        return Neighbourhood.inOrder(own, own);
    }

    private int begin(int rank) {
        return rank == 0 ? 0 : index[rank - 1];
    }

    @Override
    public CommunicationGraph graph() {
        CommunicationGraph graph = new CommunicationGraph(index.length, edges.length);
        for (int rank = 0; rank < index.length; rank++) {
            for (int i = begin(rank); i < index[rank]; i++) {
                graph.edge(rank, edges[i], 1);
            }
        }
        return graph;
    }

    /** {@code graph of 4 ranks}. */
    @Override
    public String toString() {
        return "graph of " + index.length + " ranks";
    }
}
