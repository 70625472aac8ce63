package org.brigade.simulate.paper;

import java.util.List;
import java.util.function.Supplier;

/** The papers' results that are computed again. */
public final class Papers {
    private Papers() {
    }

    /** Makes the experiments one after another: each takes seconds. */
    public static List<Supplier<Experiment>> experiments() {
        return List.of(TopologyAwareChain::new, BcastThresholds::new, MultiPathCopyFigures::new,
            HierarchicalOnAc922::new, PathSearchGain::new, SisciBesideSockets::new, InNetworkOnFatTree::new);
    }
}
