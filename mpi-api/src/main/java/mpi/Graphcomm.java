package mpi;

import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.topology.NeighbourGraph;
import mpi.front.topology.Neighbours;
import mpi.front.topology.Placing;
import mpi.spi.Communicator;
import mpi.spi.Neighbourhood;

/** A communicator whose ranks are the vertices of a graph, in the capital dialect; see {@link GraphComm}. */
public class Graphcomm extends Intracomm {
    private final NeighbourGraph graph;

    Graphcomm(Handle handle, NeighbourGraph graph) {
        super(handle);
        this.graph = graph;
    }

    /** See {@link Intracomm#Create_graph}. */
    static Graphcomm of(Intracomm parent, int[] index, int[] edges, boolean reorder) {
        NeighbourGraph graph = NeighbourGraph.of(parent.handle.ofCollectives, "Create_graph", index, edges);
        Communicator mine = Placing.place(parent.handle, parent.collectives(), "Create_graph", graph, reorder);
        return mine == null ? null : parent.descended(new Graphcomm(Handle.of(mine), graph));
    }

    @Override
    int topology() {
        return Constants.GRAPH;
    }

    @Override
    Neighbourhood edges(String call) {
        return graph.edges(handle.ofCollectives, call);
    }

    @Override
    Graphcomm alike(Handle other) {
        return new Graphcomm(other, graph);
    }

    @Override
    public Graphcomm dup() throws MPIException {
        return (Graphcomm) super.dup();
    }

    @Override
    public Graphcomm iDup() throws MPIException {
        return (Graphcomm) super.iDup();
    }

    @Override
    public Graphcomm dupWithInfo(Info info) throws MPIException {
        return (Graphcomm) super.dupWithInfo(info);
    }

    @Override
    public Graphcomm clone() {
        return (Graphcomm) super.clone();
    }

    /** As {@link GraphComm#getDims} (MPI_Graphdims_get, MPI_Graph_get). */
    public GraphParms Get() throws MPIException {
        handle.lower("Get");
        return new GraphParms(graph);
    }

    /** As {@link GraphComm#getNeighbors} (MPI_Graph_neighbors_count, MPI_Graph_neighbors). */
    public int[] Neighbours(int rank) throws MPIException {
        return graph.neighbours(handle, "Neighbours", rank);
    }

    /** As {@link GraphComm#map} (MPI_Graph_map). */
    public int Map(int[] index, int[] edges) throws MPIException {
        return Placing.rankIn(handle, "Map", NeighbourGraph.of(handle, "Map", index, edges));
    }
}
