package mpi.front.topology;

import mpi.spi.Communicator;

/**
 * A communicator with a distributed graph, as {@link DistGraphCreation} makes it.
 *
 * @param in the edges into this rank
 * @param out the edges out of this rank
 */
public record DistGraph(Communicator lower, Neighbours in, Neighbours out, boolean weighted) {
}
