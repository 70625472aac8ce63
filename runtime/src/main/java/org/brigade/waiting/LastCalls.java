package org.brigade.waiting;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says of the ranks of a job which calls they have made last: a few lines for each rank. Ranks that did the same share
 * them.
 */
public final class LastCalls {
    private static final int MOST_GROUPS = 16;
    private static final int MOST_NAMED = 8;
    private static final long TENTH = 100_000_000L;

    /** What one rank has made. */
    public record Of(RankState rank, List<RecordedCall> calls) {
    }

    private LastCalls() {
    }

    /**
     * @param most lines of a rank; calls in a row that are like each other share one
     * @param now System.nanoTime when they were read
     * @return nothing if no rank has made a call
     */
    public static List<String> lines(List<Of> ranks, int most, long now) {
        Map<List<String>, List<Of>> groups = new LinkedHashMap<>();
        boolean any = false;
        for (Of each : ranks) {
            any |= !each.calls.isEmpty();
            groups.computeIfAbsent(words(each, most), none -> new ArrayList<>()).add(each);
        }
        List<String> lines = new ArrayList<>();
        int shown = 0;
        for (Map.Entry<List<String>, List<Of>> group : groups.entrySet()) {
            if (shown++ == MOST_GROUPS) {
                lines.add("and so on: " + groups.size() + " groups of ranks differ");
                break;
            }
            List<String> words = group.getKey();
            lines.add(names(group.getValue()) + " " + words.get(0) + age(group.getValue(), now));
            for (String earlier : words.subList(1, words.size())) {
                lines.add("    before: " + earlier);
            }
        }
        return any ? lines : List.of();
    }

    private static List<String> words(Of each, int most) {
        List<String> words = new ArrayList<>();
        String gone = each.rank.there() ? "" : "(gone) ";
        if (each.calls.isEmpty()) {
            return List.of(gone + "has made no call");
        }
        RecordedCall newest = each.calls.get(0);
        words.add(gone + (newest.returned() ? "after " : "in ") + newest.words());
        for (int i = 1; i < each.calls.size() && words.size() < most;) {
            int next = i + 1;
            while (next < each.calls.size() && each.calls.get(next).repeats(each.calls.get(i))) {
                next++;
            }
            words.add(each.calls.get(i).words() + (next == i + 1 ? "" : ", and " + before(next - i - 1, next))
                + (each.calls.get(i).returned() ? "" : " (not returned)"));
            i = next;
        }
        return words;
    }

    private static String before(int more, int end) {
        return more + (end == FlightRecorder.CALLS ? " or more" : "") + " like it before";
    }

    /** The longest of the group. */
    private static String age(List<Of> group, long now) {
        long oldest = -1;
        boolean returned = false;
        for (Of each : group) {
            if (!each.calls.isEmpty()) {
                oldest = Math.max(oldest, Math.max(0, now - each.calls.get(0).nanos()));
                returned = each.calls.get(0).returned();
            }
        }
        if (oldest < 0) {
            return "";
        }
        String time = oldest / TENTH / 10 + "." + oldest / TENTH % 10 + " s";
        return returned ? ", " + time + " ago" : ", for " + time;
    }

    /** {@code rank 3:}, {@code ranks 0, 2, 3:}. */
    private static String names(List<Of> group) {
        StringBuilder text = new StringBuilder(group.size() == 1 ? "rank " : "ranks ");
        for (int i = 0; i < group.size(); i++) {
            if (i == MOST_NAMED) {
                return text.append(" and ").append(group.size() - i).append(" more:").toString();
            }
            text.append(i == 0 ? "" : ", ").append(group.get(i).rank.rank());
        }
        return text.append(':').toString();
    }
}
