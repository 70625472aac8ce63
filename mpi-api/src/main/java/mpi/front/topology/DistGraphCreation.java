package mpi.front.topology;

import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.front.calls.CollectiveCalls;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.types.ItemType;
import mpi.spi.Collective;
import mpi.spi.Communicator;

/**
 * One call that makes a distributed graph. The ranks first tell each other whether their arguments are right: if one
 * rank's are wrong, all throw and none waits for the others.
 */
public final class DistGraphCreation {
    /** Words that each rank says first: what is special about it, and a sum over the ends of its edges. */
    private static final int WORDS = 2;
    private static final long REFUSED = 1;
    private static final long WEIGHTED = 2;

    private final Handle handle;
    private final CollectiveCalls calls;
    private final String call;
    private final boolean weighted;

    public DistGraphCreation(Handle handle, CollectiveCalls calls, String call, boolean weighted) {
        this.handle = handle;
        this.calls = calls;
        this.call = call;
        this.weighted = weighted;
        handle.lower(call);
    }

    /** A graph of which each rank says its own neighbours. */
    public DistGraph adjacent(int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights,
        boolean reorder) {
        MPIException wrong = null;
        long ends = 0;
        try {
            neighbours("sources", sources, "sourceWeights", sourceWeights);
            neighbours("destinations", destinations, "destWeights", destWeights);
            ends = ends(sources, false) + ends(destinations, true);
        } catch (MPIException e) {
            wrong = e;
        }
        if (agreed(wrong, ends) != 0) {
            throw handle.error(ErrorClass.TOPOLOGY, call,
                "the ranks describe different edges; an edge from rank a to rank b must be in destinations on a and in"
                    + " sources on b, equally often");
        }
        return made(side(sources, sourceWeights), side(destinations, destWeights), reorder);
    }

    private Neighbours side(int[] ranks, int[] weights) {
        return new Neighbours(ranks.clone(), weighted ? Arrays.copyOf(weights, ranks.length) : new int[ranks.length]);
    }

    /** A graph of which each rank says some edges, its own or others'. */
    public DistGraph listed(int[] sources, int[] degrees, int[] destinations, int[] weights, boolean reorder) {
        MPIException wrong = null;
        int[] from = null;
        try {
            from = expanded(sources, degrees, destinations, weights);
        } catch (MPIException e) {
            wrong = e;
        }
        agreed(wrong, 0);
        int[] to = Arrays.copyOf(destinations, from.length);
        return made(delivered(to, from, weights), delivered(from, to, weights), reorder);
    }

    // ---- arguments ----

    private void neighbours(String role, int[] ranks, String weightsRole, int[] weights) {
        TopologyArguments.present(handle, call, role, ranks);
        for (int i = 0; i < ranks.length; i++) {
            rank(role, i, ranks[i]);
        }
        weights(weightsRole, weights, ranks.length);
    }

    private void rank(String role, int i, int rank) {
        if (rank != Constants.PROC_NULL && (rank < 0 || rank >= handle.size)) {
            throw handle.error(ErrorClass.RANK, call, role + "[" + i + "] is " + rank
                + ", which is not in this communicator; pass 0 <= rank < " + handle.size);
        }
    }

    private void weights(String role, int[] weights, int edges) {
        if (!weighted) {
            return;
        }
        TopologyArguments.length(handle, call, role, weights, weights == null ? 0 : weights.length, edges, "edge");
        for (int i = 0; i < edges; i++) {
            if (weights[i] < 0) {
                throw handle.error(ErrorClass.ARG, call,
                    role + "[" + i + "] is " + weights[i] + "; pass weights of 0 or more");
            }
        }
    }

    /** The source of each edge. */
    private int[] expanded(int[] sources, int[] degrees, int[] destinations, int[] weights) {
        TopologyArguments.present(handle, call, "sources", sources);
        TopologyArguments.length(handle, call, "degrees", degrees, degrees == null ? 0 : degrees.length,
            sources.length, "source");
        long edges = 0;
        for (int i = 0; i < sources.length; i++) {
            rank("sources", i, sources[i]);
            if (degrees[i] < 0) {
                throw handle.error(ErrorClass.ARG, call,
                    "degrees[" + i + "] is " + degrees[i] + "; pass 0 or more destinations of each source");
            }
            edges += degrees[i];
        }
        if (destinations == null || edges > destinations.length) {
            throw handle.error(ErrorClass.ARG, call, "destinations is " + TopologyArguments.described(destinations)
                + ", and degrees count " + edges + "; pass one for each");
        }
        for (int i = 0; i < edges; i++) {
            rank("destinations", i, destinations[i]);
        }
        weights("weights", weights, (int) edges);
        int[] from = new int[(int) edges];
        int next = 0;
        for (int i = 0; i < sources.length; i++) {
            Arrays.fill(from, next, next + degrees[i], sources[i]);
            next += degrees[i];
        }
        return from;
    }

    /** Sums that cancel each other if each edge is described at both ends; a chance of 2^-64 hides a mistake. */
    private long ends(int[] others, boolean outwards) {
        long sum = 0;
        for (int other : others) {
            if (other != Constants.PROC_NULL) {
                sum += outwards ? mixed(handle.rank, other) : -mixed(other, handle.rank);
            }
        }
        return sum;
    }

    /** A number that looks like chance, from the two ends of an edge (the finalizer of SplitMix64). */
    private static long mixed(int source, int destination) {
        long bits = ((long) source << Integer.SIZE | destination) + 0x9e37_79b9_7f4a_7c15L;
        bits = (bits ^ bits >>> 30) * 0xbf58_476d_1ce4_e5b9L;
        bits = (bits ^ bits >>> 27) * 0x94d0_49bb_1331_11ebL;
        return bits ^ bits >>> 31;
    }

    // ---- exchanges ----

    /**
     * Tells the others whether this rank's arguments are right, and hears theirs.
     *
     * @param wrong null if they are right
     * @return the sum of all ranks' {@code ends}
     */
    private long agreed(MPIException wrong, long ends) {
        long[] said = {(wrong != null ? REFUSED : 0) | (weighted ? WEIGHTED : 0), ends};
        long[] heard = new long[WORDS * handle.size];
        calls.blocking(call, Collective.ALLGATHER).send(said, 0, WORDS, ItemType.LONG)
            .recv(heard, 0, WORDS, ItemType.LONG).run();
        if (wrong != null) {
            throw wrong;
        }
        long sum = 0;
        for (int rank = 0; rank < handle.size; rank++) {
            if ((heard[WORDS * rank] & REFUSED) != 0) {
                throw handle.error(ErrorClass.ARG, call,
                    "rank " + rank + " has passed wrong arguments; mend those that the error there names");
            }
            if (heard[WORDS * rank] != said[0]) {
                throw handle.error(ErrorClass.ARG, call, (weighted ? "this rank passes weights, and rank " + rank
                    : "rank " + rank + " passes weights, and this rank") + " does not; pass them on all ranks or none");
            }
            sum += heard[WORDS * rank + 1];
        }
        return sum;
    }

    /** Sends the other end of each edge, and its weight, to its owner; what comes is in the order of the ranks. */
    private Neighbours delivered(int[] owners, int[] others, int[] weights) {
        int[] sends = new int[handle.size];
        for (int owner : owners) {
            if (owner != Constants.PROC_NULL) {
                sends[owner] += 2;
            }
        }
        int[] receives = new int[handle.size];
        calls.blocking(call, Collective.ALLTOALL).send(sends, 0, 1, ItemType.INT).recv(receives, 0, 1, ItemType.INT)
            .run();
        int[] next = begins(sends);
        int[] out = new int[sum(sends)];
        for (int i = 0; i < owners.length; i++) {
            if (owners[i] != Constants.PROC_NULL) {
                out[next[owners[i]]++] = others[i];
                out[next[owners[i]]++] = weighted ? weights[i] : 0;
            }
        }
        int[] in = new int[sum(receives)];
        calls.blocking(call, Collective.ALLTOALLV).send(out, 0, sends, begins(sends), ItemType.INT)
            .recv(in, 0, receives, begins(receives), ItemType.INT).run();
        return neighbours(in, 0, in.length / 2);
    }

    private static Neighbours neighbours(int[] pairs, int begin, int count) {
        int[] ranks = new int[count];
        int[] weights = new int[count];
        for (int i = 0; i < count; i++) {
            ranks[i] = pairs[begin + 2 * i];
            weights[i] = pairs[begin + 2 * i + 1];
        }
        return new Neighbours(ranks, weights);
    }

    private static int[] begins(int[] counts) {
        int[] begins = new int[counts.length];
        for (int i = 1; i < counts.length; i++) {
            begins[i] = begins[i - 1] + counts[i - 1];
        }
        return begins;
    }

    private int sum(int[] counts) {
        long sum = 0;
        for (int count : counts) {
            sum += count;
        }
        if (sum > Integer.MAX_VALUE) {
            throw handle.error(ErrorClass.NO_MEM, call,
                "the graph has more edges than one rank can hold; do not reorder"
                    + " it, or divide it");
        }
        return (int) sum;
    }

    // ---- the communicator ----

    private DistGraph made(Neighbours in, Neighbours out, boolean reorder) {
        Communicator lower = handle.lower(call);
        Placing.agreeOnReorder(handle, calls, call, reorder);
        int[][] levels = reorder ? lower.levels(true) : new int[0][];
        if (levels.length == 0) {
            return opened(lower.create(RankPlacement.identity(handle.size)), in, out);
        }
        // Whoever takes a rank's place needs the neighbours of that rank.
        int[] mine = packed(in, out);
        int[] counts = new int[handle.size];
        calls.blocking(call, Collective.ALLGATHER).send(new int[] {mine.length}, 0, 1, ItemType.INT)
            .recv(counts, 0, 1, ItemType.INT).run();
        int[] begins = begins(counts);
        int[] all = new int[sum(counts)];
        calls.blocking(call, Collective.ALLGATHERV).send(mine, 0, mine.length, ItemType.INT)
            .recv(all, 0, counts, begins, ItemType.INT).run();
        CommunicationGraph graph = new CommunicationGraph(handle.size, all.length / 2);
        for (int rank = 0; rank < handle.size; rank++) {
            for (int i = begins[rank] + 1 + 2 * all[begins[rank]]; i < begins[rank] + counts[rank]; i += 2) {
                graph.edge(rank, all[i], weighted ? all[i + 1] : 1);
            }
        }
        Communicator placed = lower.create(new RankPlacement(graph, levels).best());
        int begin = begins[placed.rank()];
        int inDegree = all[begin];
        int outDegree = (counts[placed.rank()] - 1) / 2 - inDegree;
        return opened(placed, neighbours(all, begin + 1, inDegree),
            neighbours(all, begin + 1 + 2 * inDegree, outDegree));
    }

    /** The number of edges into this rank, then rank and weight of each, then those of the edges out of it. */
    private static int[] packed(Neighbours in, Neighbours out) {
        int[] packed = new int[1 + 2 * (in.ranks().length + out.ranks().length)];
        packed[0] = in.ranks().length;
        int next = 1;
        for (Neighbours side : new Neighbours[] {in, out}) {
            for (int i = 0; i < side.ranks().length; i++) {
                packed[next++] = side.ranks()[i];
                packed[next++] = side.weights()[i];
            }
        }
        return packed;
    }

    private DistGraph opened(Communicator placed, Neighbours in, Neighbours out) {
        placed.rename(handle.lower(call).name() + " (distributed graph)");
        return new DistGraph(placed, in, out, weighted);
    }
}
