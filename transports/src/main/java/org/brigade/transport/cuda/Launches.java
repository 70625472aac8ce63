package org.brigade.transport.cuda;

/** The algorithms that a group can run, by their names in {@link org.brigade.algorithm.catalogue.DeviceCatalogue}. */
final class Launches {
    private final Kernels kernels;
    private final GridLimits limits;
    private final Numberings numberings;
    private final FusedLaunch packets;
    private final FusedLaunch push;
    private final FusedLaunch pull;
    private final FusedLaunch twoShot;
    private final FusedLaunch pushTwoPhase;
    private final FusedLaunch ring;
    private final FusedLaunch scatterAllgather;
    private final FusedLaunch chain;
    private final FusedLaunch copyEngine;

    /**
     * @param numberings of the members, for the kernels that follow wires
     * @param shared what the group has of memory that all members share; null where launches must do without
     */
    Launches(Kernels kernels, GridLimits limits, Numberings numberings, CudaGroup.Resources shared) {
        HostStripe stripe = shared == null ? null : shared.stripe;
        Arrivals arrivals = shared == null ? null : shared.arrivals;
        this.kernels = kernels;
        this.limits = limits;
        this.numberings = numberings;
        packets = new PacketsLaunch(kernels, limits);
        push = new PushLaunch(kernels, limits, arrivals);
        pull = new PullLaunch(kernels, limits, arrivals);
        twoShot = new TwoShotLaunch(kernels, limits, arrivals);
        pushTwoPhase = new PushTwoPhaseLaunch(kernels, limits);
        ring = new RingLaunch(kernels, limits, numberings);
        scatterAllgather = new ScatterAllgatherLaunch(kernels, limits);
        chain = new ChainLaunch(kernels, limits, numberings, stripe);
        copyEngine = new CopyEngineLaunch(stripe, arrivals, push);
    }

    /** The same for streams, and another thread: each remembers what it has launched. The way over the host counts calls on the host, so graphs could not replay it. */
    Launches another() {
        return new Launches(kernels, limits, numberings, null);
    }

    /** Null if there is none of that name. */
    FusedLaunch named(String algorithm) {
        return switch (algorithm) {
            case "packets" -> packets;
            case "push" -> push;
            case "pull" -> pull;
            case "two-shot" -> twoShot;
            case "push-two-phase" -> pushTwoPhase;
            case "ring" -> ring;
            case "scatter-allgather" -> scatterAllgather;
            case "chain" -> chain;
            case "copy-engine" -> copyEngine;
            default -> null;
        };
    }
}
