package org.brigade.waiting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Says of the ranks of a job who waits for whom: a line for each rank, then cycles, mismatches and who is awaited. */
public final class WaitReport {
    /** Shorter waits may end at any moment: no conclusions are drawn from them. */
    private static final long SETTLED_NANOS = 1_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final int MOST_NAMED = 8;

    private final TreeMap<Integer, RankState> ranks = new TreeMap<>();
    private final long now;
    private final Map<Long, String> others;

    /** @param now System.nanoTime when the states were read */
    public WaitReport(List<RankState> states, long now) {
        this(states, now, Map.of());
    }

    /** @param others by process id: what to call processes of other jobs */
    public WaitReport(List<RankState> states, long now, Map<Long, String> others) {
        this.now = now;
        this.others = others;
        for (RankState state : states) {
            ranks.put(state.rank(), state);
        }
    }

    /**
     * Whether all ranks that have not finalized have been in one wait each for so long, and for each other: who waits
     * for processes of another job may wait for what these compute.
     */
    public boolean isStalled(long nanos) {
        boolean any = false;
        for (RankState state : ranks.values()) {
            if (state.there() && (!state.waits(now, nanos) || state.last().awaitsStrangers())) {
                return false;
            }
            any |= state.there();
        }
        return any;
    }

    /** Whether a rank has been in one wait for so long. */
    public boolean waits(int rank, long nanos) {
        RankState state = ranks.get(rank);
        return state != null && state.waits(now, nanos);
    }

    /** For how many nanoseconds a rank has been in one wait; 0 if it does not wait. */
    public long waited(int rank) {
        RankState state = ranks.get(rank);
        return state == null || !state.waits(now) ? 0 : Math.max(1, now - state.last().since);
    }

    /** As {@link #words(RankState)}; empty if nothing is known of the rank. */
    public String words(int rank) {
        RankState state = ranks.get(rank);
        return state == null ? "" : words(state);
    }

    /** How many ranks wait in a call. */
    public int waiting() {
        int count = 0;
        for (RankState state : ranks.values()) {
            count += state.waits(now) ? 1 : 0;
        }
        return count;
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (RankState state : ranks.values()) {
            lines.add("rank " + state.rank() + " (pid " + state.pid() + ") " + words(state));
        }
        lines.addAll(conclusions());
        return lines;
    }

    /** Cycles, mismatches and who is awaited, a line each. */
    public List<String> conclusions() {
        List<String> lines = new ArrayList<>();
        mismatches(lines);
        cycles(lines);
        awaited(lines);
        return lines;
    }

    /** What a rank does: {@code has waited for 6 s in recv with tag 5 of MPI_COMM_WORLD for rank 1}. */
    public String words(RankState state) {
        Wait wait = state.last();
        if (!state.there()) {
            return "has finalized or ended";
        }
        if (!state.waits(now)) {
            return "does not wait in a call"
                + (wait == null ? "" : "; its last long wait was in " + wait.words() + ", " + age(wait.seen) + " ago");
        }
        return "has waited for " + age(wait.since) + " in " + wait.words()
            + (wait.peerCount == 0 ? "" : " for " + names(wait));
    }

    private String age(long since) {
        return (now - since) / SECOND + " s";
    }

    private String names(Wait wait) {
        TreeSet<Integer> peers = new TreeSet<>();
        TreeSet<Integer> strangers = new TreeSet<>();
        for (int i = 0; i < wait.peerCount; i++) {
            (wait.peers[i] < 0 ? strangers : peers).add(wait.peers[i]);
        }
        StringBuilder text = new StringBuilder(peers.isEmpty() ? "" : names(peers));
        for (int stranger : strangers) {
            String known = others.get((long) -stranger);
            text.append(text.length() == 0 ? "" : " and ").append(known != null ? known
                : stranger == Wait.STRANGER ? "a process of another job"
                    : "process " + -stranger + " of another job");
        }
        return text.toString();
    }

    /** {@code rank 3}, {@code ranks 1, 2 and 5}. */
    private static String names(TreeSet<Integer> peers) {
        StringBuilder text = new StringBuilder(peers.size() == 1 ? "rank " : "ranks ");
        int named = 0;
        for (int peer : peers) {
            if (named == MOST_NAMED) {
                return text + " and " + (peers.size() - named) + " more";
            }
            text.append(named == 0 ? "" : named + 1 == peers.size() ? " and " : ", ").append(peer);
            named++;
        }
        return text.toString();
    }

    /** Ranks of one communicator in different calls, against the rank whose call has the lowest number. */
    private void mismatches(List<String> lines) {
        TreeMap<Integer, RankState> first = new TreeMap<>();
        for (RankState state : ranks.values()) {
            RankState other = state.waits(now, SETTLED_NANOS) && state.last().kind == Wait.COLLECTIVE
                ? first.get(state.last().context) : state;
            if (other == null || other != state && state.last().number < other.last().number) {
                first.put(state.last().context, state);
            }
        }
        TreeMap<String, TreeSet<Integer>> said = new TreeMap<>();
        for (RankState state : ranks.values()) {
            if (state.waits(now, SETTLED_NANOS) && state.last().kind == Wait.COLLECTIVE) {
                Wait low = first.get(state.last().context).last();
                if (low.number != state.last().number || !low.call.equals(state.last().call)) {
                    String end = " in " + state.last().words() + ", rank " + first.get(state.last().context).rank()
                        + (low.number < state.last().number ? " still in " : " in ") + low.words();
                    said.computeIfAbsent(end, none -> new TreeSet<>()).add(state.rank());
                }
            }
        }
        said.forEach((end, who) -> lines.add("mismatch: " + names(who) + (who.size() == 1 ? " is" : " are") + end));
    }

    /** Each rank is in at most one of the cycles that are named. */
    private void cycles(List<String> lines) {
        TreeSet<Integer> done = new TreeSet<>();
        for (int start : ranks.keySet()) {
            List<Integer> way = new ArrayList<>();
            List<Integer> cycle = done.contains(start) ? null : cycle(start, way, done);
            if (cycle != null) {
                StringBuilder text = new StringBuilder("cycle: rank " + cycle.get(0));
                for (int i = 1; i < cycle.size(); i++) {
                    text.append(" waits for rank ").append(cycle.get(i)).append(i + 1 < cycle.size() ? ", which" : "");
                }
                lines.add(text.toString());
            }
            done.addAll(way);
        }
    }

    /** A way from a rank along those that it waits for, back to a rank on that way; null if there is none. */
    private List<Integer> cycle(int rank, List<Integer> way, TreeSet<Integer> done) {
        int at = way.indexOf(rank);
        if (at >= 0) {
            List<Integer> cycle = new ArrayList<>(way.subList(at, way.size()));
            cycle.add(rank);
            return cycle;
        }
        RankState state = ranks.get(rank);
        if (done.contains(rank) || state == null || !state.waits(now, SETTLED_NANOS)) {
            return null;
        }
        way.add(rank);
        for (int i = 0; i < state.last().peerCount; i++) {
            List<Integer> cycle = cycle(state.last().peers[i], way, done);
            if (cycle != null) {
                return cycle;
            }
        }
        way.remove(way.size() - 1);
        done.add(rank);
        return null;
    }

    /** Ranks that others wait for and that wait for nobody themselves. */
    private void awaited(List<String> lines) {
        for (RankState state : ranks.values()) {
            if (state.waits(now)) {
                continue;
            }
            TreeSet<Integer> waiting = new TreeSet<>();
            for (RankState other : ranks.values()) {
                if (other.waits(now, SETTLED_NANOS) && other.last().awaits(state.rank())) {
                    waiting.add(other.rank());
                }
            }
            if (!waiting.isEmpty()) {
                lines.add("rank " + state.rank() + ", for which " + names(waiting) + (waiting.size() == 1 ? " waits, "
                    : " wait, ") + (state.there() ? "does not wait in a call" : "has finalized or ended"));
            }
        }
    }
}
