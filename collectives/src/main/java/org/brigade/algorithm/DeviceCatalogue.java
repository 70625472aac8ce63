package org.brigade.algorithm;

import java.util.List;
import org.brigade.schedule.Collective;

/** The algorithms for device memory, by collective and name. */
public final class DeviceCatalogue {
    /** Not run on the device: the host's schedules, which move device memory through the host. Serves every call. */
    public static final String STAGED = "staged";
    /** Low-latency packets through scratch memory. */
    public static final String PACKETS = "packets";

    /** Most ranks of the kernels. */
    private static final int MOST_RANKS = 8;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final List<Algorithm>[] LISTS = new List[Collective.values().length];

    private DeviceCatalogue() {
    }

    /** The algorithms of a collective. Immutable. */
    public static synchronized List<Algorithm> of(Collective collective) {
        List<Algorithm> list = LISTS[collective.ordinal()];
        if (list == null) {
            ScheduledAlgorithm meaning = meaning(collective);
            FusedAlgorithm staged = new FusedAlgorithm(STAGED, meaning, Restrictions.NONE);
            list = collective == Collective.BARRIER ? List.of(staged)
                : List.of(new FusedAlgorithm(PACKETS, meaning, new Restrictions(false, false, MOST_RANKS, Long.MAX_VALUE)), staged);
            LISTS[collective.ordinal()] = list;
        }
        return list;
    }

    private static ScheduledAlgorithm meaning(Collective collective) {
        for (Algorithm algorithm : Catalogue.of(collective)) {
            if (algorithm instanceof ScheduledAlgorithm scheduled) {
                return scheduled;
            }
        }
        throw new IllegalArgumentException("no schedule for " + collective.key());
    }
}
