package mpi;

/** A topology that every rank knows as a whole. Immutable; {@code toString} describes it in messages. */
interface Topology {
    /** Number of ranks in it. */
    int size();

    /** Who sends to whom. */
    CommunicationGraph graph();

    /** The placement of the topology's ranks on processes that are joined like this; see {@link Placement}. */
    default Placement placement(int[][] levels) {
        return new Placement(graph(), levels);
    }
}
