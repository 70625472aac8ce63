package mpi;

import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.front.job.MemberLists;

/**
 * The calls of a group in mpiJava's dialect, which MPJ Express has too; {@link Group} inherits them and has those of
 * Open MPI's dialect.
 */
public abstract class MpjGroup {
    /** Ranks in MPI.COMM_WORLD, by rank in this group; null once freed. */
    int[] members;

    MpjGroup(int[] members) {
        this.members = members;
    }

    static int[] members(String call, MpjGroup group) {
        if (group == null || group.members == null) {
            throw ErrorClass.GROUP.in(call, "the group is null or has been freed; take one from getGroup()");
        }
        return group.members;
    }

    /** As {@link Group#getSize} (MPI_Group_size). */
    public int Size() throws MPIException {
        return members("Group.Size", this).length;
    }

    /** As {@link Group#getRank} (MPI_Group_rank). */
    public int Rank() throws MPIException {
        int[] own = members("Group.Rank", this);
        JobState.provider("Group.Rank");
        return MemberLists.indexOf(own, Handle.WORLD.rank);
    }

    /** As {@link Group#compare} (MPI_Group_compare). */
    public static int Compare(Group group1, Group group2) throws MPIException {
        return MemberLists.compare(members("Group.Compare", group1), members("Group.Compare", group2));
    }

    /** As {@link Group#translateRanks} (MPI_Group_translate_ranks). */
    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2) throws MPIException {
        return MemberLists.translate("Group.Translate_ranks", members("Group.Translate_ranks", group1), ranks1,
            members("Group.Translate_ranks", group2));
    }

    /** As {@link Group#union} (MPI_Group_union). */
    public static Group Union(Group group1, Group group2) throws MPIException {
        return new Group(MemberLists.union(members("Group.Union", group1), members("Group.Union", group2)));
    }

    /** As {@link Group#intersection} (MPI_Group_intersection). */
    public static Group Intersection(Group group1, Group group2) throws MPIException {
        return new Group(
            MemberLists.filter(members("Group.Intersection", group1), members("Group.Intersection", group2), true));
    }

    /** As {@link Group#difference} (MPI_Group_difference). */
    public static Group Difference(Group group1, Group group2) throws MPIException {
        return new Group(
            MemberLists.filter(members("Group.Difference", group1), members("Group.Difference", group2), false));
    }

    /** As {@link Group#incl} (MPI_Group_incl). */
    public Group Incl(int[] ranks) throws MPIException {
        return new Group(MemberLists.select("Group.Incl", members("Group.Incl", this), ranks));
    }

    /** As {@link Group#excl} (MPI_Group_excl). */
    public Group Excl(int[] ranks) throws MPIException {
        int[] own = members("Group.Excl", this);
        return new Group(MemberLists.filter(own, MemberLists.select("Group.Excl", own, ranks), false));
    }

    /** As {@link Group#rangeIncl} (MPI_Group_range_incl). */
    public Group Range_incl(int[][] ranges) throws MPIException {
        int[] own = members("Group.Range_incl", this);
        return new Group(
            MemberLists.select("Group.Range_incl", own, MemberLists.expand("Group.Range_incl", ranges, own.length)));
    }

    /** As {@link Group#rangeExcl} (MPI_Group_range_excl). */
    public Group Range_excl(int[][] ranges) throws MPIException {
        int[] own = members("Group.Range_excl", this);
        int[] ranks = MemberLists.expand("Group.Range_excl", ranges, own.length);
        return new Group(MemberLists.filter(own, MemberLists.select("Group.Range_excl", own, ranks), false));
    }
}
