package mpi;

import mpi.front.topology.DistGraph;
import mpi.front.topology.Neighbours;
import mpi.front.topology.TopologyArguments;
import mpi.spi.Neighbourhood;

/** This process's neighbours in a distributed graph; from {@link GraphComm#getDistGraphNeighbors}. */
public final class DistGraphNeighbors {
    private final Neighbours in;
    private final Neighbours out;
    private final boolean weighted;

    DistGraphNeighbors(DistGraph graph) {
        in = graph.in();
        out = graph.out();
        weighted = graph.weighted();
    }

    Neighbourhood edges() {
        return Neighbourhood.inOrder(in.ranks(), out.ranks());
    }

    /** Number of edges into this process. */
    public int getInDegree() {
        return in.ranks().length;
    }

    /** Number of edges out of this process. */
    public int getOutDegree() {
        return out.ranks().length;
    }

    /** Whether the edges were given weights. */
    public boolean isWeighted() {
        return weighted;
    }

    /**
     * The rank from which an edge comes.
     *
     * @param i an edge into this process, from 0
     * @throws MPIException ERR_ARG if there is no such edge
     */
    public int getSource(int i) {
        return in.ranks()[source("getSource", i)];
    }

    /**
     * The weight of an edge into this process; 0 if the edges have none.
     *
     * @param i an edge into this process, from 0
     * @throws MPIException ERR_ARG if there is no such edge
     */
    public int getSourceWeight(int i) {
        return in.weights()[source("getSourceWeight", i)];
    }

    /**
     * The rank to which an edge leads.
     *
     * @param i an edge out of this process, from 0
     * @throws MPIException ERR_ARG if there is no such edge
     */
    public int getDestination(int i) {
        return out.ranks()[destination("getDestination", i)];
    }

    /**
     * The weight of an edge out of this process; 0 if the edges have none.
     *
     * @param i an edge out of this process, from 0
     * @throws MPIException ERR_ARG if there is no such edge
     */
    public int getDestinationWeight(int i) {
        return out.weights()[destination("getDestinationWeight", i)];
    }

    private int source(String call, int i) {
        return TopologyArguments.index("DistGraphNeighbors." + call, "source", i, in.ranks().length);
    }

    private int destination(String call, int i) {
        return TopologyArguments.index("DistGraphNeighbors." + call, "destination", i, out.ranks().length);
    }
}
