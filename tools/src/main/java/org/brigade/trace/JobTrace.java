package org.brigade.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ranks of one traced job on one clock. */
public final class JobTrace {
    private final String job;
    private final List<RankTrace> ranks;
    private final Map<Integer, RankTrace> byRank = new LinkedHashMap<>();
    private List<Flow> flows;
    private List<PeerWait> waits;

    JobTrace(String job, List<RankTrace> ranks) {
        this.job = job;
        this.ranks = ranks;
        ranks.forEach(rank -> byRank.put(rank.rank(), rank));
    }

    String job() {
        return job;
    }

    /** Those whose recordings there are, in their order. */
    List<RankTrace> ranks() {
        return ranks;
    }

    /** Null if its recording is missing. */
    RankTrace rank(int rank) {
        return byRank.get(rank);
    }

    /** The number of ranks that the job had. */
    public int size() {
        return ranks.get(0).size();
    }

    /** Nanoseconds from the first rank's beginning to the last one's end. */
    long nanos() {
        return ranks.stream().mapToLong(RankTrace::end).max().orElse(0);
    }

    /** The same with the first rank's beginning as time 0. */
    JobTrace fromZero() {
        long zero = ranks.stream().mapToLong(RankTrace::start).min().orElse(0);
        List<RankTrace> moved = new ArrayList<>();
        for (RankTrace rank : ranks) {
            List<TracedSpan> spans = new ArrayList<>();
            for (TracedSpan each : rank.spans()) {
                spans.add(new TracedSpan(each.kind(), each.name(), each.mode(), each.start() - zero, each.end() - zero,
                    each.communicator(), each.context(), each.number(), each.peer(), each.tag(), each.bytes(),
                    each.waited(), each.lane(), each.ranks(), each.root(), each.algorithm(), each.detail()));
            }
            moved.add(new RankTrace(rank.rank(), rank.size(), rank.node(), rank.host(), rank.start() - zero,
                rank.end() - zero, rank.clockError(), spans));
        }
        return new JobTrace(job, moved);
    }

    // ---- messages ----

    private record Channel(int sender, int receiver, int context, int tag) {
    }

    /**
     * The messages whose two ends were recorded. Messages between two ranks with one tag and communicator are received
     * in the order in which they were sent; where a program has completed receives otherwise (by a test), so that the
     * ends do not count alike, the messages of that channel are left out.
     */
    List<Flow> flows() {
        if (flows != null) {
            return flows;
        }
        Map<Channel, List<TracedSpan>> sent = new LinkedHashMap<>();
        Map<Channel, List<TracedSpan>> received = new LinkedHashMap<>();
        for (RankTrace rank : ranks) {
            for (TracedSpan span : rank.spans()) {
                if (span.sends()) {
                    sent.computeIfAbsent(new Channel(rank.rank(), span.peer(), span.context(), span.tag()),
                        key -> new ArrayList<>()).add(span);
                } else if (span.receives()) {
                    received.computeIfAbsent(new Channel(span.peer(), rank.rank(), span.context(), span.tag()),
                        key -> new ArrayList<>()).add(span);
                }
            }
        }
        flows = new ArrayList<>();
        sent.forEach((channel, sends) -> {
            List<TracedSpan> receives = received.getOrDefault(channel, List.of());
            for (int i = 0; i < sends.size() && sends.size() == receives.size(); i++) {
                flows.add(new Flow(channel.sender(), sends.get(i), channel.receiver(), receives.get(i)));
            }
        });
        return flows;
    }

    // ---- waits ----

    /**
     * Who was stopped by whom, in the order of the waits' ends. In a collective: a stage until its first byte moves. Of
     * a message: its receiver until the sender has begun to send; if the sender's call is not known, the whole call. A
     * blocking send that has ended after its receiver came has waited for it until then.
     */
    List<PeerWait> waits() {
        if (waits != null) {
            return waits;
        }
        List<PeerWait> found = new ArrayList<>();
        for (RankTrace rank : ranks) {
            for (TracedSpan span : rank.spans()) {
                if (span.kind() == TracedSpan.Kind.STAGE && span.peer() >= 0 && span.waited() > 0) {
                    found.add(new PeerWait(rank.rank(), span.peer(), span.start(),
                        Math.min(span.end(), span.start() + span.waited()), span.detail()));
                }
            }
        }
        Map<TracedSpan, Flow> known = new java.util.IdentityHashMap<>();
        for (Flow flow : flows()) {
            known.put(flow.receive(), flow);
            long until = Math.min(flow.receive().end(), flow.send().start());
            if (until > flow.receive().start()) {
                found.add(new PeerWait(flow.receiver(), flow.sender(), flow.receive().start(), until,
                    flow.receive().name()));
            }
            long taken = Math.min(flow.send().end(), flow.receive().start());
            if (flow.send().name().equals("send") && taken > flow.send().start()
                && flow.send().end() >= flow.receive().start()) {
                found.add(new PeerWait(flow.sender(), flow.receiver(), flow.send().start(), taken, "send"));
            }
        }
        for (RankTrace rank : ranks) {
            for (TracedSpan span : rank.spans()) {
                if (span.receives() && span.peer() >= 0 && span.peer() != rank.rank() && !known.containsKey(span)) {
                    found.add(new PeerWait(rank.rank(), span.peer(), span.start(), span.end(), span.name()));
                }
            }
        }
        found.sort(Comparator.comparingLong(PeerWait::end));
        waits = found;
        return waits;
    }

    /** Nanoseconds that each rank (first index) has waited for each other one, by ranks of the job. */
    long[][] waitedFor() {
        long[][] sums = new long[size()][size()];
        for (PeerWait wait : waits()) {
            if (wait.peer() < size()) {
                sums[wait.rank()][wait.peer()] += wait.nanos();
            }
        }
        return sums;
    }

    /** Bytes (index 0) and messages (1) that each rank (first index) has sent to each other one (second index). */
    long[][][] traffic() {
        long[][][] sums = new long[size()][size()][2];
        for (RankTrace rank : ranks) {
            for (TracedSpan span : rank.spans()) {
                boolean arrives = span.kind() == TracedSpan.Kind.STAGE && span.name().startsWith("RECV");
                if (span.peer() >= 0 && span.peer() < size() && (arrives || span.sends())) {
                    long[] sum = arrives ? sums[span.peer()][rank.rank()] : sums[rank.rank()][span.peer()];
                    sum[0] += span.bytes();
                    sum[1]++;
                }
            }
        }
        return sums;
    }
}
