package mpi;

/**
 * A vector in equal shards, one for each rank, as sharded optimizers keep parameters, gradients and their own state
 * (ZeRO, FSDP). The vector is padded at its end to as many elements as all shards have. So reduceScatterBlock and
 * allGather take the vector as it is, and each block begins where kernels are fastest. Not in MPI's standard.
 *
 * <pre>{@code
 * Shards shards = new Shards(parameters, comm.getSize(), 4);          // of floats: shards begin at multiples of 16 bytes
 * // gradients and weights have room for shards.padded() elements, own for shards.count()
 * comm.reduceScatterBlock(gradients, own, shards.count(), MPI.FLOAT, MPI.AVG);
 * ...                                                                 // update the own shard of the weights: ownWeights
 * comm.allGather(ownWeights, shards.count(), MPI.FLOAT, weights, shards.count(), MPI.FLOAT);
 * }</pre>
 *
 * <p>
 * What is in the padding takes part in sums and is in the result: zeros stay zeros.
 */
public final class Shards {
    private final int elements;
    private final int ranks;
    private final int count;

    /**
     * @param elements of the vector, 0 or more
     * @param ranks that share it, 1 or more
     * @param multiple the number of elements that each shard's length is a multiple of, 1 or more; 16 bytes or more are
     * best
     * @throws MPIException ERR_ARG if an argument is out of its range; ERR_COUNT if the padded vector would have more
     * than 2^31 - 1 elements
     */
    public Shards(int elements, int ranks, int multiple) throws MPIException {
        if (elements < 0 || ranks < 1 || multiple < 1) {
            throw ErrorClass.ARG.in("new Shards", elements + " elements, " + ranks + " ranks, multiples of " + multiple
                + "; pass elements >= 0, ranks >= 1 and multiple >= 1");
        }
        long even = ((long) elements + ranks - 1) / ranks;
        long rounded = (even + multiple - 1) / multiple * multiple;
        if (rounded * ranks > Integer.MAX_VALUE) {
            throw ErrorClass.COUNT.in("new Shards", elements + " elements in " + ranks + " shards of " + rounded
                + " are more than 2^31 - 1 with padding; share several vectors instead");
        }
        this.elements = elements;
        this.ranks = ranks;
        count = (int) rounded;
    }

    /** Elements of every shard, padding included. */
    public int count() {
        return count;
    }

    /** Elements of all shards: what a buffer of the whole vector needs room for. */
    public int padded() {
        return count * ranks;
    }

    /** The first element of a rank's shard, in the whole vector. */
    public int begin(int rank) {
        return count * rank;
    }

    /** Elements of a rank's shard that are not padding; the last shards may have none. */
    public int length(int rank) {
        return Math.max(0, Math.min(count, elements - count * rank));
    }
}
