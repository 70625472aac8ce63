package mpi;

/** The partners of a shift along a dimension; from {@link CartComm#shift} or {@link Cartcomm#Shift}. */
public final class ShiftParms {
    /** The rank to receive from; {@link MPI#PROC_NULL} beyond the edge of a grid. */
    public int rank_source;
    /** The rank to send to; {@link MPI#PROC_NULL} beyond the edge of a grid. */
    public int rank_dest;

    ShiftParms(int source, int destination) {
        rank_source = source;
        rank_dest = destination;
    }

    /** The rank to receive from; {@link MPI#PROC_NULL} beyond the edge of a grid. */
    public int getRankSource() {
        return rank_source;
    }

    /** The rank to send to; {@link MPI#PROC_NULL} beyond the edge of a grid. */
    public int getRankDest() {
        return rank_dest;
    }
}
