package org.brigade.simulate.paper;

import java.util.List;
import java.util.function.Supplier;

/** The reproduced results of papers. */
public final class Papers {
    private Papers() {
    }

    /** The experiments; making one takes seconds. */
    public static List<Supplier<Experiment>> experiments() {
        return List.of(TopologyAwareChain::new, ChainsByPlacement::new, BcastThresholds::new, MultiPathCopyFigures::new,
            HierarchicalOnAc922::new, PathSearchGain::new, SisciBesideSockets::new, SisciCollectives::new,
            InNetworkOnFatTree::new);
    }
}
