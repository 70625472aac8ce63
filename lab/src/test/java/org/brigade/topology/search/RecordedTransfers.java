package org.brigade.topology.search;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.brigade.topology.TopologyException;
import org.brigade.topology.profile.Transfer;

/**
 * Earlier measurements, from here or elsewhere; moves nothing. Searches find exactly what they found when it was
 * recorded.
 */
public final class RecordedTransfers implements TransferMeter {
    private final String source;
    private final Map<TransferSet, Double> measured;

    public RecordedTransfers(String source, Map<TransferSet, Double> measured) {
        this.source = source;
        this.measured = Map.copyOf(measured);
    }

    /** @throws TopologyException as {@link Recording#read} */
    public static RecordedTransfers read(Path file) {
        return new RecordedTransfers(file.toString(), Recording.read(file));
    }

    /** @throws TopologyException if the set was not recorded */
    @Override
    public double bandwidth(TransferSet transfers) {
        Double bandwidth = measured.get(transfers);
        if (bandwidth == null) {
            throw new TopologyException(source + ": does not contain " + transfers
                + "; record the same search with brigade profile, on all the GPUs in question");
        }
        return bandwidth;
    }

    /** Between nodes, only recorded transfers: an impossible one was not recorded. */
    @Override
    public boolean possible(Transfer transfer) {
        boolean recorded = !transfer.type().inter();
        for (TransferSet set : recorded ? List.<TransferSet>of() : measured.keySet()) {
            recorded |= set.transfers().contains(transfer);
        }
        return recorded;
    }

    /** Puts all measurements into a cache, so that isomorphic sets are known, too. */
    public void into(IsomorphismCache cache) {
        measured.forEach(cache::put);
    }
}
