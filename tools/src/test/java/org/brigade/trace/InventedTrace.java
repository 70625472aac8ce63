package org.brigade.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * Three ranks of 10 ms: rank 2 works for 6 ms and then sends to rank 1, which has waited for it since 1 ms, and then
 * sends to rank 0, which has waited since 2 ms. Then an allreduce, to which rank 2 comes last.
 */
final class InventedTrace {
    static final long MS = 1_000_000;

    private InventedTrace() {
    }

    private static TracedSpan message(String call, long start, long end, int peer) {
        return new TracedSpan(TracedSpan.Kind.MESSAGE, call, "", start, end, "MPI_COMM_WORLD", 1, -1, peer, 7, 1000, 0,
            0, 0, -1, "", "");
    }

    private static TracedSpan allreduce(long start, long end) {
        return new TracedSpan(TracedSpan.Kind.COLLECTIVE, "allreduce", "blocking", start, end, "MPI_COMM_WORLD", 1, 0,
            -1, 0, 1 << 20, 0, 0, 3, -1, "ring", "ring: line 1 of a table");
    }

    private static TracedSpan stage(long start, long end, long waited, int peer) {
        return new TracedSpan(TracedSpan.Kind.STAGE, "RECV_REDUCE", "", start, end, "MPI_COMM_WORLD", 1, 0, peer, 0,
            1 << 19, waited, 0, 0, -1, "ring", "allreduce");
    }

    static JobTrace make() {
        List<RankTrace> ranks = new ArrayList<>();
        ranks.add(new RankTrace(0, 3, 0, "a", 0, 10 * MS, 0,
            List.of(message("recv", 2 * MS, 7 * MS, 1), allreduce(7 * MS, 10 * MS),
                stage(7 * MS, 10 * MS, 2 * MS, 2))));
        ranks.add(new RankTrace(1, 3, 0, "a", 0, 10 * MS, 0,
            List.of(message("recv", 1 * MS, 6 * MS + 50_000, 2), message("send", 6 * MS + 100_000, 7 * MS - 100_000, 0),
                allreduce(7 * MS, 10 * MS), stage(7 * MS, 10 * MS, 2 * MS + 500_000, 2))));
        ranks.add(new RankTrace(2, 3, 1, "b", 0, 10 * MS, 3000,
            List.of(message("send", 6 * MS, 6 * MS + 100_000, 1), allreduce(9 * MS, 10 * MS))));
        return new JobTrace("invented", ranks);
    }
}
