package org.brigade.transport.cuda;

/** The algorithms that a group can run, by their names in {@link org.brigade.algorithm.DeviceCatalogue}. */
final class Launches {
    private final FusedLaunch packets;
    private final FusedLaunch push;
    private final FusedLaunch pull;
    private final FusedLaunch twoShot;
    private final FusedLaunch pushTwoPhase;
    private final FusedLaunch ring;
    private final FusedLaunch scatterAllgather;
    private final FusedLaunch chain;

    Launches(Kernels kernels, GridLimits limits) {
        packets = new PacketsLaunch(kernels, limits);
        push = new PushLaunch(kernels, limits);
        pull = new PullLaunch(kernels, limits);
        twoShot = new TwoShotLaunch(kernels, limits);
        pushTwoPhase = new PushTwoPhaseLaunch(kernels, limits);
        ring = new RingLaunch(kernels, limits);
        scatterAllgather = new ScatterAllgatherLaunch(kernels, limits);
        chain = new ChainLaunch(kernels, limits);
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
            default -> null;
        };
    }
}
