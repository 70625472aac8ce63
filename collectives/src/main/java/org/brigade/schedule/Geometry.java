package org.brigade.schedule;

import mpi.spi.Collective;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Neighbourhoods;
import org.brigade.pattern.Order;

/**
 * All that an algorithm may use to build a schedule; the same on all ranks except for {@code rank} and {@code inPlace}.
 *
 * @param ranks size of the communicator
 * @param rank the rank that the schedule is for
 * @param root 0 for collectives without one
 * @param inPlace the caller passed MPI_IN_PLACE: ALLREDUCE and the root of REDUCE: SEND is RECV's bytes; ALLGATHER(V)
 * and the root of GATHER(V): SEND is block {@code rank} of RECV; the root of SCATTER(V): RECV is block {@code rank} of
 * SEND. In rooted collectives only the root knows. The other collectives never see it: the engine copies their input
 * first
 * @param radix branching of trees, or leaders of a group, 2 or more; algorithms without either ignore it
 * @param wires what is known of the wires between the ranks: one instance for all schedules of a communicator
 * @param neighbours the topology's edges, of this rank at least; null unless the collective is among neighbours
 * @param commutes whether the operation commutes; else contributions are combined in rank order, whatever the wires.
 * True for collectives that do not reduce
 */
public record Geometry(Collective collective, int ranks, int rank, int root, boolean inPlace, int radix,
    CommunicatorTopology wires,
    Neighbourhoods neighbours, boolean commutes) {
    public Geometry {
        if (ranks < 1 || rank < 0 || rank >= ranks || root < 0 || root >= ranks || radix < 2) {
            throw new IllegalArgumentException("rank " + rank + " of " + ranks + ", root " + root + ", radix " + radix);
        }
    }

    /** With an operation that commutes. Collectives among neighbours: on a ring. */
    public Geometry(Collective collective, int ranks, int rank, int root, boolean inPlace, int radix,
        CommunicatorTopology wires) {
        this(collective, ranks, rank, root, inPlace, radix, wires,
            collective.amongNeighbours() ? new Neighbourhoods.Ring(ranks) : null, true);
    }

    /** With unknown wires. */
    public Geometry(Collective collective, int ranks, int rank, int root, boolean inPlace, int radix) {
        this(collective, ranks, rank, root, inPlace, radix, CommunicatorTopology.NONE);
    }

    /** The same call as another rank sees it (in place only where that rank can be). */
    public Geometry of(int other) {
        return new Geometry(collective, ranks, other, root, inPlace && (!collective.rooted || other == root), radix,
            wires, neighbours, commutes);
    }

    /** The same call with an operation that keeps rank order. */
    public Geometry ordered() {
        return new Geometry(collective, ranks, rank, root, inPlace, radix, wires, neighbours, false);
    }

    /** Number of blocks of a role; of SCRATCH, in one area. A vector is cut into so many blocks. */
    public int blocks(Role role, int vectorBlocks) {
        return switch (role.extent(collective)) {
            case NONE -> 0;
            case VECTOR -> vectorBlocks;
            case EACH -> ranks;
            case OWN -> 1;
            case EDGES ->
                (role == Role.SEND ? neighbours.of(rank).destinations() : neighbours.of(rank).sources()).length;
        };
    }

    /** The order of rings and chains. */
    public Order order() {
        return wires.order(ranks);
    }

    /** Rank relative to the root: the root is 0. */
    public int relative(int rank) {
        return Math.floorMod(rank - root, ranks);
    }

    /** The rank at a position relative to the root. */
    public int absolute(int relative) {
        return Math.floorMod(relative + root, ranks);
    }
}
