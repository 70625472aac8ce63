package mpi.front.job;

import java.util.Arrays;
import mpi.ErrorClass;

/** Lists of processes, as groups and communicators have them: by rank, the process's number in the job. */
public final class MemberLists {
    private MemberLists() {
    }

    /** The rank of a process; UNDEFINED if it is not in the list. */
    public static int indexOf(int[] members, int process) {
        for (int i = 0; i < members.length; i++) {
            if (members[i] == process) {
                return i;
            }
        }
        return Constants.UNDEFINED;
    }

    /** By member of a group: its rank in a communicator's list; UNDEFINED if it is not in the list. */
    public static int[] ranksAmong(int[] group, int[] communicator) {
        int[] ranks = new int[group.length];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = indexOf(communicator, group[i]);
        }
        return ranks;
    }

    /** IDENT, SIMILAR for the same members in another order, or UNEQUAL. */
    public static int compare(int[] first, int[] second) {
        if (Arrays.equals(first, second)) {
            return Constants.IDENT;
        }
        int[] a = first.clone();
        int[] b = second.clone();
        Arrays.sort(a);
        Arrays.sort(b);
        return Arrays.equals(a, b) ? Constants.SIMILAR : Constants.UNEQUAL;
    }

    /** Those members that are, or are not, among others. */
    public static int[] filter(int[] members, int[] others, boolean among) {
        int[] kept = new int[members.length];
        int n = 0;
        for (int member : members) {
            if (indexOf(others, member) != Constants.UNDEFINED == among) {
                kept[n++] = member;
            }
        }
        return Arrays.copyOf(kept, n);
    }

    /** The members of the first list, then those of the second that are not in the first. */
    public static int[] union(int[] first, int[] second) {
        int[] rest = filter(second, first, false);
        int[] all = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, all, first.length, rest.length);
        return all;
    }

    /** The members with these ranks, each once. */
    public static int[] select(String call, int[] own, int[] ranks) {
        if (ranks == null) {
            throw ErrorClass.ARG.in(call, "the ranks are null; pass an array, which may be empty");
        }
        int[] selected = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            checkRank(call, ranks[i], own.length);
            for (int before = 0; before < i; before++) {
                if (ranks[before] == ranks[i]) {
                    throw ErrorClass.RANK.in(call, "rank " + ranks[i] + " is named twice; name each once");
                }
            }
            selected[i] = own[ranks[i]];
        }
        return selected;
    }

    /** The ranks of ranges: each at most once and in the group, so no range is longer than the group. */
    public static int[] expand(String call, int[][] ranges, int size) {
        if (ranges == null) {
            throw ErrorClass.ARG.in(call, "the ranges are null; pass an array, which may be empty");
        }
        int[] ranks = new int[size];
        int n = 0;
        for (int[] range : ranges) {
            if (range == null || range.length < 3 || range[2] == 0) {
                throw ErrorClass.ARG.in(call,
                    "a range is {first, last, stride} with a stride other than 0; this one is "
                        + Arrays.toString(range));
            }
            // A last rank on the wrong side of the first makes an empty range.
            for (long rank = range[0]; range[2] > 0 ? rank <= range[1] : rank >= range[1]; rank += range[2]) {
                if (rank < 0 || rank >= size) {
                    throw ErrorClass.RANK.in(call, "range " + Arrays.toString(range) + " names rank " + rank
                        + ", which is not in the group; keep 0 <= rank < " + size);
                }
                if (n == size) {
                    throw ErrorClass.RANK.in(call,
                        "the ranges name more ranks than the group has, " + size + "; name each rank once");
                }
                ranks[n++] = (int) rank;
            }
        }
        return Arrays.copyOf(ranks, n);
    }

    /** Ranks of one list as ranks of the same processes in another; PROC_NULL stays. */
    public static int[] translate(String call, int[] from, int[] ranks, int[] to) {
        if (ranks == null) {
            throw ErrorClass.ARG.in(call, "the ranks are null; pass an array, which may be empty");
        }
        int[] translated = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == Constants.PROC_NULL) {
                translated[i] = Constants.PROC_NULL;
            } else {
                checkRank(call, ranks[i], from.length);
                translated[i] = indexOf(to, from[ranks[i]]);
            }
        }
        return translated;
    }

    private static void checkRank(String call, int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw ErrorClass.RANK.in(call, "rank " + rank + " is not in the group; pass 0 <= rank < " + size);
        }
    }
}
