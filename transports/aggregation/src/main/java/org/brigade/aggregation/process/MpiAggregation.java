package org.brigade.aggregation.process;

import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationGroup;
import org.brigade.aggregation.AggregationProvider;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.OutOfBand;
import org.brigade.select.Settings;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.hostmpi.SetAside;

/**
 * Aggregator processes that the MPI's launcher has started beside the job's ranks, reached through that MPI. The
 * address is their number, 1 by default. If there are several, the last is the parent of the others, and each of those
 * serves a contiguous part of the nodes.
 */
public final class MpiAggregation implements AggregationProvider {
    /** Connections to all of them; made by the first communicator that joins. */
    private static LinkStreams streams;

    @Override
    public String name() {
        return "mpi";
    }

    @Override
    public AggregationGroup join(String address, long group, OutOfBand members) throws AggregationException {
        Settings settings = Settings.ofThisProcess();
        long patience = settings.number(TcpAggregation.TIMEOUT, 1, 3600, "" + TcpAggregation.TIMEOUT_SECONDS,
            TcpAggregation.TIMEOUT_SECONDS) * 1_000_000_000L;
        SetAside aside = SetAside.ofThisRank();
        if (aside == null) {
            throw new AggregationException(AggregationStatus.ENOT_SUPP,
                settings.origin("aggregation")
                    + ": no MPI connects the ranks of this job, so it has no aggregators beside them; start it"
                    + " with mpirun, which starts them too, or use tcp:HOST:PORT");
        }
        int leaves = Math.max(1, aside.count() - 1);
        int leaf = TcpAggregation.leaf(members.rank(), members.size(), leaves);
        int rank = aside.processes() - aside.count() + leaf;
        FrameChannel channel = new FrameChannel(streams(aside).open(rank), null);
        return new MemberGroup("number " + leaf + " beside the ranks", channel,
            TcpAggregation.request(group, members, leaves), patience, members::pause);
    }

    private static synchronized LinkStreams streams(SetAside aside) {
        if (streams == null) {
            FabricEnd end = aside.end();
            streams = new LinkStreams(end, aside.rank(), aside.processes());
        }
        return streams;
    }
}
