package mpi;

import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.topology.NeighbourGraph;
import mpi.front.topology.Placing;
import mpi.spi.Neighbourhood;

/**
 * A communicator whose ranks are the vertices of a graph, in the camel dialect; {@link Graphcomm} is the capital
 * dialect's. {@link Intracomm#createGraph} makes one whose edges every rank knows; {@link Intracomm#createDistGraph
 * createDistGraph} and {@link Intracomm#createDistGraphAdjacent createDistGraphAdjacent} make distributed graphs, in
 * which each rank knows its own neighbours. Duplicates have the same graph.
 */
public final class GraphComm extends Intracomm {
    /** Null if the graph is distributed. */
    private final NeighbourGraph graph;
    /** Null if every rank knows the graph. */
    private final DistGraphNeighbors own;

    GraphComm(Handle handle, NeighbourGraph graph) {
        this(handle, graph, null);
    }

    GraphComm(Handle handle, DistGraphNeighbors own) {
        this(handle, null, own);
    }

    private GraphComm(Handle handle, NeighbourGraph graph, DistGraphNeighbors own) {
        super(handle);
        this.graph = graph;
        this.own = own;
    }

    /** See {@link Intracomm#createGraph}. */
    static GraphComm of(Intracomm parent, int[] index, int[] edges, boolean reorder) {
        NeighbourGraph graph = NeighbourGraph.of(parent.handle.ofCollectives, "createGraph", index, edges);
        return parent.descended(new GraphComm(
            Handle.of(Placing.place(parent.handle, parent.collectives(), "createGraph", graph, reorder)), graph));
    }

    @Override
    int topology() {
        return graph != null ? Constants.GRAPH : Constants.DIST_GRAPH;
    }

    @Override
    Neighbourhood edges(String call) {
        return graph != null ? graph.edges(handle.ofCollectives, call) : own.edges();
    }

    @Override
    GraphComm alike(Handle other) {
        return new GraphComm(other, graph, own);
    }

    @Override
    public GraphComm dup() throws MPIException {
        return (GraphComm) super.dup();
    }

    @Override
    public GraphComm iDup() throws MPIException {
        return (GraphComm) super.iDup();
    }

    @Override
    public GraphComm dupWithInfo(Info info) throws MPIException {
        return (GraphComm) super.dupWithInfo(info);
    }

    @Override
    public GraphComm clone() {
        return (GraphComm) super.clone();
    }

    /**
     * The whole graph (MPI_Graphdims_get, MPI_Graph_get).
     *
     * @throws MPIException ERR_TOPOLOGY if the graph is distributed
     */
    public GraphParms getDims() throws MPIException {
        return new GraphParms(known("getDims"));
    }

    /**
     * The neighbours of a rank, as often as edges lead to them (MPI_Graph_neighbors_count, MPI_Graph_neighbors).
     *
     * @param rank a rank of this communicator
     * @throws MPIException ERR_RANK if it is none; ERR_TOPOLOGY if the graph is distributed
     */
    public int[] getNeighbors(int rank) throws MPIException {
        return known("getNeighbors").neighbours(handle, "getNeighbors", rank);
    }

    private NeighbourGraph known(String call) {
        handle.lower(call);
        if (graph == null) {
            throw handle.error(ErrorClass.TOPOLOGY, call,
                "the graph is distributed: each rank knows its own neighbours; call getDistGraphNeighbors()");
        }
        return graph;
    }

    /**
     * This rank's neighbours in a distributed graph (MPI_Dist_graph_neighbors_count, MPI_Dist_graph_neighbors). They
     * come in the order in which {@link Intracomm#createDistGraphAdjacent createDistGraphAdjacent} was given them;
     * those of {@link Intracomm#createDistGraph createDistGraph} in the order of the ranks that named them, and as each
     * of these ordered them.
     *
     * @throws MPIException ERR_TOPOLOGY if the graph is not distributed
     */
    public DistGraphNeighbors getDistGraphNeighbors() throws MPIException {
        handle.lower("getDistGraphNeighbors");
        if (own == null) {
            throw handle.error(ErrorClass.TOPOLOGY, "getDistGraphNeighbors",
                "the graph is not distributed; call getNeighbors(rank) or getDims()");
        }
        return own;
    }

    /**
     * The rank that this process would get if a graph were placed on this communicator's ranks so that neighbours are
     * on the same node (MPI_Graph_map). It is local: it knows of nodes, but not of the caches that
     * {@link Intracomm#createGraph} also looks at.
     *
     * @param index as for {@link Intracomm#createGraph}
     * @param edges as for {@link Intracomm#createGraph}
     * @return {@link MPI#UNDEFINED} if the process would be outside the graph
     * @throws MPIException as for {@link Intracomm#createGraph}
     */
    public int map(int[] index, int[] edges) throws MPIException {
        return Placing.rankIn(handle, "map", NeighbourGraph.of(handle, "map", index, edges));
    }
}
