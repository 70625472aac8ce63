package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.brigade.topology.profile.CrossedPath;
import org.brigade.topology.profile.Crossing;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.Transfer;

/**
 * Finds the paths of a profile, set of GPUs by set, the largest sets first: an interrupted search has found the most
 * used paths.
 */
public final class ProfileSearch {
    private final NodeLayout layout;
    private final PathSearch search;
    private final PathProfile.Builder found;

    /** @param origin of the profile; null if it is of no real machine */
    public ProfileSearch(NodeLayout layout, PathSearch search, PathProfile.Origin origin) {
        this.layout = layout;
        this.search = search;
        found = new PathProfile.Builder(origin, layout);
    }

    /** All sets with at least this many GPUs, the largest first. */
    public static List<Integer> sets(int gpus, int least) {
        List<Integer> sets = new ArrayList<>();
        for (int mask = 1; mask < 1 << gpus; mask++) {
            if (Integer.bitCount(mask) >= least) {
                sets.add(mask);
            }
        }
        sets.sort(Comparator.comparingInt((Integer mask) -> -Integer.bitCount(mask))
            .thenComparing(Comparator.naturalOrder()));
        return sets;
    }

    /** Finds the ring over a set of two or more GPUs, and the chains from each of them. */
    public void within(int mask) {
        found.ring(mask, search.ring(mask));
        for (int start = 0; start < layout.gpus(); start++) {
            MeasuredPath chain = search.chain(mask, start);
            if (chain != null) {
                found.chain(mask, chain);
            }
        }
    }

    /**
     * Finds the paths through one of several nodes for a set of one or more GPUs, between any crossings, and the paths
     * that begin at each GPU or end in the node.
     */
    public void across(int mask) {
        List<Crossing> crossings = Crossing.all(layout);
        for (Crossing crossing : crossings) {
            for (int start = 0; start < layout.gpus(); start++) {
                if ((mask >> start & 1) != 0) {
                    add(mask, null, crossing, start);
                }
            }
            for (Crossing tail : crossings) {
                add(mask, crossing, tail, -1);
            }
            add(mask, crossing, null, -1);
        }
    }

    private void add(int mask, Crossing head, Crossing tail, int start) {
        MeasuredPath path = search.through(mask, head, tail, start);
        if (path != null) {
            found.crossed(mask, new CrossedPath(head, tail, path));
        }
    }

    /** The paths found so far. */
    public PathProfile profile() {
        return found.build();
    }

    /**
     * The number of measurements that {@link #within} will need for these sets of GPUs if memories and GPUs share their
     * bandwidth equally among transfers. An estimate, since the measurements decide how far the search goes.
     */
    public static int expected(NodeLayout layout, List<Mover> movers, double tolerance, List<Integer> masks) {
        IsomorphismCache cache = new IsomorphismCache(layout, ProfileSearch::equalShares);
        PathSearch search = new PathSearch(layout, cache, movers, tolerance, warning -> {});
        ProfileSearch guess = new ProfileSearch(layout, search, null);
        for (int mask : masks) {
            guess.within(mask);
        }
        return cache.measurements();
    }

    private static double equalShares(TransferSet set) {
        int most = 1;
        List<Transfer> transfers = set.transfers();
        for (Transfer one : transfers) {
            int from = 0;
            int to = 0;
            for (Transfer other : transfers) {
                boolean sameSource = other.type().fromGpu() == one.type().fromGpu() && other.from() == one.from();
                boolean sameTarget = other.type().toGpu() == one.type().toGpu() && other.to() == one.to();
                from += sameSource ? 1 : 0;
                to += sameTarget ? 1 : 0;
            }
            most = Math.max(most, Math.max(from, to));
        }
        return 1e10 / most;
    }
}
