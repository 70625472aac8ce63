package mpi;

import java.util.Arrays;
import mpi.front.job.Constants;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.job.MemberLists;

/**
 * An ordered set of processes, from which communicators are made. Groups are local and cheap.
 *
 * <p>
 * Every call but {@link #isNull} throws an {@link MPIException} of class ERR_GROUP if a group is null or has been
 * freed, and of class ERR_RANK if a rank is not in the group or named twice.
 */
public class Group implements Freeable {
    /** MPJ Express's number for the empty group, which is {@link MPI#GROUP_EMPTY}. No call takes it. */
    public static final int EMPTY = 3;

    /** {@link MPI#GROUP_EMPTY}. */
    static final Group NO_MEMBERS = new Group(new int[0]);

    /** Ranks in MPI.COMM_WORLD, by rank in this group; null once freed. */
    private int[] members;

    Group(int[] members) {
        this.members = members;
    }

    private static int[] members(String call, Group group) {
        if (group == null || group.members == null) {
            throw ErrorClass.GROUP.in(call, "the group is null or has been freed; take one from getGroup()");
        }
        return group.members;
    }

    /** The members; null for null and for a freed group. */
    static int[] members(Group group) {
        return group == null ? null : group.members;
    }

    /** Number of members (MPI_Group_size). */
    public int getSize() throws MPIException {
        return members("Group.getSize", this).length;
    }

    /** This process's rank; {@link MPI#UNDEFINED} outside the group (MPI_Group_rank). */
    public int getRank() throws MPIException {
        int[] own = members("Group.getRank", this);
        JobState.provider("Group.getRank");
        return MemberLists.indexOf(own, Handle.WORLD.rank);
    }

    /**
     * Compares two groups (MPI_Group_compare).
     *
     * @return {@link MPI#IDENT}, {@link MPI#SIMILAR} for the same members in another order, or {@link MPI#UNEQUAL}
     */
    public static int compare(Group group1, Group group2) throws MPIException {
        return MemberLists.compare(members("Group.compare", group1), members("Group.compare", group2));
    }

    /**
     * Ranks of the same processes in another group (MPI_Group_translate_ranks).
     *
     * @param ranks1 ranks in {@code group1}, or {@link MPI#PROC_NULL}
     * @return the ranks in {@code group2}; {@link MPI#UNDEFINED} for processes outside
     * @throws MPIException ERR_ARG if {@code ranks1} is null
     */
    public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
        int[] from = members("Group.translateRanks", group1);
        int[] to = members("Group.translateRanks", group2);
        if (ranks1 == null) {
            throw ErrorClass.ARG.in("Group.translateRanks", "the ranks are null; pass an array, which may be empty");
        }
        int[] ranks2 = new int[ranks1.length];
        for (int i = 0; i < ranks1.length; i++) {
            if (ranks1[i] == Constants.PROC_NULL) {
                ranks2[i] = Constants.PROC_NULL;
            } else {
                checkRank("Group.translateRanks", ranks1[i], from.length);
                ranks2[i] = MemberLists.indexOf(to, from[ranks1[i]]);
            }
        }
        return ranks2;
    }

    /** The members of the first group, then those of the second that are not in the first (MPI_Group_union). */
    public static Group union(Group group1, Group group2) throws MPIException {
        int[] first = members("Group.union", group1);
        int[] rest = filter(members("Group.union", group2), first, false);
        int[] all = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, all, first.length, rest.length);
        return new Group(all);
    }

    /** The members of the first group that are in the second, in the order of the first (MPI_Group_intersection). */
    public static Group intersection(Group group1, Group group2) throws MPIException {
        return new Group(filter(members("Group.intersection", group1), members("Group.intersection", group2), true));
    }

    /** The members of the first group that are not in the second, in the order of the first (MPI_Group_difference). */
    public static Group difference(Group group1, Group group2) throws MPIException {
        return new Group(filter(members("Group.difference", group1), members("Group.difference", group2), false));
    }

    /** Those members that are, or are not, among others. */
    private static int[] filter(int[] members, int[] others, boolean among) {
        int[] kept = new int[members.length];
        int n = 0;
        for (int member : members) {
            if (MemberLists.indexOf(others, member) != Constants.UNDEFINED == among) {
                kept[n++] = member;
            }
        }
        return Arrays.copyOf(kept, n);
    }

    /**
     * The members with these ranks, in this order (MPI_Group_incl).
     *
     * @param ranks each in the group, each once
     * @throws MPIException ERR_ARG if {@code ranks} is null
     */
    public Group incl(int[] ranks) throws MPIException {
        return new Group(select("Group.incl", ranks));
    }

    /**
     * The members without those with these ranks (MPI_Group_excl).
     *
     * @param ranks each in the group, each once
     * @throws MPIException ERR_ARG if {@code ranks} is null
     */
    public Group excl(int[] ranks) throws MPIException {
        return new Group(filter(members("Group.excl", this), select("Group.excl", ranks), false));
    }

    /**
     * The members with the ranks of these ranges, in this order (MPI_Group_range_incl).
     *
     * @param ranges each {@code {first, last, stride}}, both ends included; no rank twice
     * @throws MPIException ERR_ARG if {@code ranges} is null or a range is malformed
     */
    public Group rangeIncl(int[][] ranges) throws MPIException {
        return new Group(select("Group.rangeIncl", expand("Group.rangeIncl", ranges, this)));
    }

    /**
     * The members without those of these ranges (MPI_Group_range_excl).
     *
     * @param ranges each {@code {first, last, stride}}, both ends included; no rank twice
     * @throws MPIException ERR_ARG if {@code ranges} is null or a range is malformed
     */
    public Group rangeExcl(int[][] ranges) throws MPIException {
        return new Group(filter(members("Group.rangeExcl", this),
            select("Group.rangeExcl", expand("Group.rangeExcl", ranges, this)), false));
    }

    private int[] select(String call, int[] ranks) {
        int[] own = members(call, this);
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

    private static void checkRank(String call, int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw ErrorClass.RANK.in(call, "rank " + rank + " is not in the group; pass 0 <= rank < " + size);
        }
    }

    /** The ranks of ranges: each at most once and in the group, so no range is longer than the group. */
    private static int[] expand(String call, int[][] ranges, Group group) {
        int size = members(call, group).length;
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

    /** Frees this group (MPI_Group_free). */
    @Override
    public void free() {
        if (this != NO_MEMBERS) {
            members = null;
        }
    }

    /** Whether this group has been freed. Never throws. */
    public boolean isNull() {
        return members == null;
    }

    // ---- the same in the capital dialect ----

    /** As {@link #getSize} (MPI_Group_size). */
    public int Size() throws MPIException {
        return getSize();
    }

    /** As {@link #getRank} (MPI_Group_rank). */
    public int Rank() throws MPIException {
        return getRank();
    }

    /** As {@link #compare} (MPI_Group_compare). */
    public static int Compare(Group group1, Group group2) throws MPIException {
        return compare(group1, group2);
    }

    /** As {@link #translateRanks} (MPI_Group_translate_ranks). */
    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) throws MPIException {
        return translateRanks(group1, ranks1, group2);
    }

    /** As {@link #union} (MPI_Group_union). */
    public static Group Union(Group group1, Group group2) throws MPIException {
        return union(group1, group2);
    }

    /** As {@link #intersection} (MPI_Group_intersection). */
    public static Group Intersection(Group group1, Group group2) throws MPIException {
        return intersection(group1, group2);
    }

    /** As {@link #difference} (MPI_Group_difference). */
    public static Group Difference(Group group1, Group group2) throws MPIException {
        return difference(group1, group2);
    }

    /** As {@link #incl} (MPI_Group_incl). */
    public Group Incl(int[] ranks) throws MPIException {
        return incl(ranks);
    }

    /** As {@link #excl} (MPI_Group_excl). */
    public Group Excl(int[] ranks) throws MPIException {
        return excl(ranks);
    }

    /** As {@link #rangeIncl} (MPI_Group_range_incl). */
    public Group Range_incl(int[][] ranges) throws MPIException {
        return rangeIncl(ranges);
    }

    /** As {@link #rangeExcl} (MPI_Group_range_excl). */
    public Group Range_excl(int[][] ranges) throws MPIException {
        return rangeExcl(ranges);
    }
}
