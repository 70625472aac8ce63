package mpi;

/** The partners of a shift along a dimension; from {@link CartComm#shift} or {@link Cartcomm#Shift}. */
public final class ShiftParms {
    /** The rank to receive from; {@link MPI#PROC_NULL} beyond the edge of a grid. */
    public int rank_source;
    /** The rank to send to; {@link MPI#PROC_NULL} beyond the edge of a grid. */
    public int rank_dest;

    /** @param partners the source and the destination */
    ShiftParms(int[] partners) {
        rank_source = partners[0];
        rank_dest = partners[1];
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
