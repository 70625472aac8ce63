package org.brigade.transport.cuda.group;

import java.util.Arrays;
import mpi.spi.Collective;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.kernel.PullKernel;
import org.brigade.select.Choice;
import org.brigade.transport.cuda.kernel.GridLimits;
import org.brigade.transport.cuda.kernel.Kernels;
import org.brigade.transport.cuda.kernel.KernelOrders;

/** A group's launches: one object for each {@link DeviceKernel kernel} that it has run. */
public final class Launches {
    private final Kernels kernels;
    private final GridLimits limits;
    private final KernelOrders orders;
    /** Null where launches must do without, on all members. */
    private final HostStripe stripe;
    private final Arrivals arrivals;
    private final PairStreams pairs;
    // There are few; looked through by identity.
    private DeviceKernel[] known = new DeviceKernel[4];
    private FusedLaunch[] launches = new FusedLaunch[4];
    private int count;

    /**
     * @param numberings of the members, for kernels that follow wires
     * @param shared the group's memory that all members share; null if launches must not use it
     */
    Launches(Kernels kernels, GridLimits limits, KernelOrders orders, CudaGroup.Resources shared) {
        this.kernels = kernels;
        this.limits = limits;
        this.orders = orders;
        stripe = shared == null ? null : shared.stripe;
        arrivals = shared == null ? null : shared.arrivals;
        pairs = shared == null ? null : shared.pairs;
    }

    /**
     * A copy for streams, which run in other threads: each copy remembers its own launches. Without the path through
     * host memory, which counts calls on the host, so graphs could not replay it.
     */
    public Launches another() {
        return new Launches(kernels, limits, orders, null);
    }

    /** Thread blocks that a queue has room for; 0 if there are no queues. */
    int queueBlocks() {
        return limits.queue;
    }

    /** For algorithms that are not staged. */
    public FusedLaunch of(Choice choice) {
        DeviceKernel kernel = ((DeviceAlgorithm) choice.algorithm()).kernel();
        for (int i = 0; i < count; i++) {
            if (known[i] == kernel) {
                return launches[i];
            }
        }
        if (count == known.length) {
            known = Arrays.copyOf(known, 2 * count);
            launches = Arrays.copyOf(launches, 2 * count);
        }
        known[count] = kernel;
        launches[count] = make(kernel);
        return launches[count++];
    }

    private FusedLaunch make(DeviceKernel kernel) {
        KernelLaunch launch = new KernelLaunch(kernel, kernels, limits, orders, arrivals);
        if (pairs != null && kernel.paired()) {
            return new PairedLaunch(pairs, new KernelLaunch(new PullKernel(), kernels, limits, orders, null), limits,
                launch);
        }
        if (stripe != null && kernel.copies()) {
            return new CopyEngineLaunch(stripe, arrivals, launch);
        }
        return stripe != null && kernel.striped(Collective.BCAST) ? new StripedLaunch(launch, stripe) : launch;
    }
}
