package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * Allreduce, reduce or reduce-scatter on one node that moves as few bytes as it can: a slice of the vector is copied
 * once into memory that all ranks share, where one rank after another adds its part from where that lies.
 *
 * <p>
 * Source: Peng, Fang, Liu, Tang, Wang, "Optimizing MPI collectives on shared memory multi-cores" (YHCCL), 2023, section
 * 3: movement-avoiding reduction. {@code T = ts + W (n ts + M/(W B))} for W windows and M/B more to copy the sums out,
 * where a ring whose ranks send sums copies every byte twice more. Rounds: n a window. Bytes: M/n a rank copied in, ((n
 * - 1)/n) M read and added, M copied out. Restrictions: commutative (slice s is summed from rank s on; of a
 * reduce-scatter from the rank behind its owner on, in rank order); one node.
 */
public final class MovementAvoidingAlgorithm extends SharedBufferAlgorithm {
    /** @param meaning runs where ranks share no memory, and in nonblocking calls */
    public MovementAvoidingAlgorithm(ScheduledAlgorithm meaning) {
        super("movement-avoiding", meaning, true, Long.MAX_VALUE);
    }

    @Override
    public <R> R open(Runners<R> runners) {
        return runners.movementAvoiding();
    }

    @Override
    public double cost(CostModel model, PredictedCall call) {
        boolean out = collective() != Collective.REDUCE_SCATTER;
        double windows = CostModel.windows(call.bytes(), windowBytes(call.ranks()));
        return (1 + windows * call.ranks()) * model.start() + model.transfer((out ? 2.0 : 1.0) * call.bytes());
    }
}
