package org.brigade.device;

import mpi.spi.Collective;
import mpi.spi.Reduction.Operator;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.select.Choice;

/**
 * Replaces {@code ring}, {@code paired} and the chains ({@link org.brigade.algorithm.DeviceKernel#stepwise}) for
 * averages and for 8-bit numbers. These put partial results into the type at each step. An average of averages is none,
 * and an 8-bit number holds few partial sums. {@code push-two-phase} has the same requirements, and combines all
 * contributions at one place, in a wider type; so does {@code pull}, which a reduce gets.
 */
public final class UnroundedKernel {
    private static final Choice ALLREDUCE = at(Collective.ALLREDUCE, "push-two-phase");
    private static final Choice REDUCE_SCATTER = at(Collective.REDUCE_SCATTER, "push-two-phase");
    private static final Choice REDUCE = at(Collective.REDUCE, "pull");

    private UnroundedKernel() {
    }

    private static Choice at(Collective collective, String algorithm) {
        return new Choice(DeviceCatalogue.find(collective, algorithm), 0, 2, 0, 0,
            "as rings and chains would round partial results");
    }

    /** The choice for a call that a table made without looking at its type and operation. */
    public static Choice of(DeviceCall call, Choice table) {
        if (call.op == null || call.op.operator != Operator.AVG && !call.type.numbers.isFloat8() || !table.served()
            || !(table.algorithm() instanceof DeviceAlgorithm device) || device.staged()
            || !device.kernel().stepwise()) {
            return table;
        }
        return switch (call.collective) {
            case ALLREDUCE -> ALLREDUCE;
            case REDUCE -> REDUCE;
            default -> REDUCE_SCATTER;
        };
    }
}
