package org.brigade.algorithm.neighbours;

import java.util.Arrays;
import mpi.spi.Collective;
import mpi.spi.Extent;
import mpi.spi.Neighbourhood;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Pairwise exchange along the edges of a topology: every block goes straight to its neighbour (Hoefler and Träff 2009,
 * "Sparse collective operations for MPI").
 *
 * <p>
 * All ranks take their edges by the distance that they lead, {@code (destination - source) mod n}: those of distance 1
 * first, as in the pairwise alltoall. This is one order of all edges, which both ends know without the rest of the
 * graph. So the first edge that is not done waits for nothing, and no graph makes ranks wait for each other in a
 * circle, even if links hold nothing.
 *
 * <p>
 * {@code T = d(ts + m/B)} for d edges out of a rank and blocks of m bytes; the prediction is that of a ring. Rounds: d.
 * Bytes: d m a rank, the least possible. Restrictions: none. Serves plain and v-forms.
 */
public final class PairwiseNeighbours extends CollectiveAlgorithm {
    private static final int RING_EDGES = 2;

    public PairwiseNeighbours(Collective collective) {
        super(collective, "pairwise", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return RING_EDGES * model.message(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int rank = geometry.rank();
        int ranks = geometry.ranks();
        Neighbourhood edges = geometry.neighbours().of(rank);
        int[] to = edges.destinations();
        int[] from = edges.sources();
        boolean same = geometry.collective().send == Extent.OWN;
        long[] out = new long[to.length];
        for (int block = 0; block < to.length; block++) {
            out[block] = keyed(to[block], to[block] - rank, ranks, block);
        }
        long[] in = new long[from.length];
        for (int i = 0; i < from.length; i++) {
            int block = edges.arrival()[i];
            in[i] = keyed(from[block], rank - from[block], ranks, i);
        }
        Arrays.sort(out);
        Arrays.sort(in);
        for (int i = 0; i < in.length && distance(in[i]) < ranks; i++) {
            int block = edges.arrival()[(int) in[i]];
            if (from[block] == rank) {
                schedule.copy(recv(schedule, block), send(schedule, same ? 0 : (int) out[i]));
            } else {
                schedule.receive(from[block], recv(schedule, block));
            }
        }
        for (int i = 0; i < out.length && distance(out[i]) < ranks; i++) {
            int block = (int) out[i];
            if (to[block] != rank) {
                schedule.send(to[block], send(schedule, same ? 0 : block));
            }
        }
    }

    /** Sorts edges by distance, those of one distance by their position, and those to nobody last. */
    private static long keyed(int peer, int distance, int ranks, int position) {
        return (long) (peer < 0 ? ranks : Math.floorMod(distance, ranks)) << Integer.SIZE | position;
    }

    private static int distance(long keyed) {
        return (int) (keyed >>> Integer.SIZE);
    }
}
