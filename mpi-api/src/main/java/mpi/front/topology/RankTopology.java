package mpi.front.topology;

/** A topology that every rank knows as a whole. Immutable; {@code toString} describes it in messages. */
public interface RankTopology {
    /** Number of ranks in it. */
    int size();

    /** Who sends to whom. */
    CommunicationGraph graph();

    /** The placement of the topology's ranks on processes that are joined like this; see {@link RankPlacement}. */
    default RankPlacement placement(int[][] levels) {
        return new RankPlacement(graph(), levels);
    }
}
