package mpi;

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
public class Group extends MpjGroup implements Freeable {
    /** MPJ Express's number for the empty group, which is {@link MPI#GROUP_EMPTY}. No call takes it. */
    public static final int EMPTY = 3;

    /** {@link MPI#GROUP_EMPTY}. */
    static final Group NO_MEMBERS = new Group(new int[0]);

    Group(int[] members) {
        super(members);
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
        return MemberLists.translate("Group.translateRanks", members("Group.translateRanks", group1), ranks1,
            members("Group.translateRanks", group2));
    }

    /** The members of the first group, then those of the second that are not in the first (MPI_Group_union). */
    public static Group union(Group group1, Group group2) throws MPIException {
        return new Group(MemberLists.union(members("Group.union", group1), members("Group.union", group2)));
    }

    /** The members of the first group that are in the second, in the order of the first (MPI_Group_intersection). */
    public static Group intersection(Group group1, Group group2) throws MPIException {
        return new Group(
            MemberLists.filter(members("Group.intersection", group1), members("Group.intersection", group2), true));
    }

    /** The members of the first group that are not in the second, in the order of the first (MPI_Group_difference). */
    public static Group difference(Group group1, Group group2) throws MPIException {
        return new Group(
            MemberLists.filter(members("Group.difference", group1), members("Group.difference", group2), false));
    }

    /**
     * The members with these ranks, in this order (MPI_Group_incl).
     *
     * @param ranks each in the group, each once
     * @throws MPIException ERR_ARG if {@code ranks} is null
     */
    public Group incl(int[] ranks) throws MPIException {
        return new Group(MemberLists.select("Group.incl", members("Group.incl", this), ranks));
    }

    /**
     * The members without those with these ranks (MPI_Group_excl).
     *
     * @param ranks each in the group, each once
     * @throws MPIException ERR_ARG if {@code ranks} is null
     */
    public Group excl(int[] ranks) throws MPIException {
        int[] own = members("Group.excl", this);
        return new Group(MemberLists.filter(own, MemberLists.select("Group.excl", own, ranks), false));
    }

    /**
     * The members with the ranks of these ranges, in this order (MPI_Group_range_incl).
     *
     * @param ranges each {@code {first, last, stride}}, both ends included; no rank twice
     * @throws MPIException ERR_ARG if {@code ranges} is null or a range is malformed
     */
    public Group rangeIncl(int[][] ranges) throws MPIException {
        int[] own = members("Group.rangeIncl", this);
        return new Group(
            MemberLists.select("Group.rangeIncl", own, MemberLists.expand("Group.rangeIncl", ranges, own.length)));
    }

    /**
     * The members without those of these ranges (MPI_Group_range_excl).
     *
     * @param ranges each {@code {first, last, stride}}, both ends included; no rank twice
     * @throws MPIException ERR_ARG if {@code ranges} is null or a range is malformed
     */
    public Group rangeExcl(int[][] ranges) throws MPIException {
        int[] own = members("Group.rangeExcl", this);
        int[] ranks = MemberLists.expand("Group.rangeExcl", ranges, own.length);
        return new Group(MemberLists.filter(own, MemberLists.select("Group.rangeExcl", own, ranks), false));
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
}
