package mpi.front.job;

import java.util.Arrays;

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
}
