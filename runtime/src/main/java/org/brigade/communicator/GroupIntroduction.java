package org.brigade.communicator;

import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.InterCommunicator;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import org.brigade.bootstrap.GroupLetter;
import org.brigade.bootstrap.Processors;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.communicator.job.Processes;
import org.brigade.matching.CommunicatorMessages;

/**
 * Makes an inter-communicator. The ranks of a group agree that their arguments are fine, the two leaders exchange their
 * groups, and each tells its own. A group whose arguments are wrong says so to the other one, if its leader knows
 * where. Groups whose ranks are joined by different links ({@link LinkedJob#links}) open a union, as groups do that
 * meet at a port ({@link Joining}).
 */
final class GroupIntroduction {
    private static final int FINE = 0, REFUSED = 1, OVERLAP = 2, UNHEARD = 3, UNION = 4, LOST = 5;
    /**
     * Words of a rank: its verdict, its leader, a context if it is rank 0, its machine. Of a leader: its verdict, a
     * context, the size of its group, the links that join its group.
     */
    private static final int WORDS = 4;

    private final LinkedJob job;
    private final IntraCommunicator local;
    private final String call;
    private final int leader;
    /** Why this rank refuses, or cannot go on; null if it can. */
    private MPIException wrong;
    /**
     * What all ranks of this group are told: verdict, context, size of the other group. For a union: verdict, whether
     * this group comes first, bytes of the other group's letter.
     */
    private final long[] result = new long[WORDS];
    private long[] others = {};
    private long[] machines;

    GroupIntroduction(LinkedJob job, IntraCommunicator local, String call, int leader, MPIException wrong) {
        this.job = job;
        this.local = local;
        this.call = call;
        this.leader = leader;
        this.wrong = wrong;
    }

    /** @param peer a communicator of both leaders; null on other ranks */
    InterCommunicator connect(Communicator peer, int remoteLeader, int tag) {
        long offer = local.rank() == 0 ? job.newContext() : 0;
        long[] all;
        try {
            all = local.allgather(wrong == null ? FINE : REFUSED, leader, offer, Processors.machine());
        } catch (MPIException lost) {
            tellOfLoss(peer, remoteLeader, tag);
            throw lost;
        }
        machines = new long[local.size()];
        for (int rank = 0; rank < machines.length; rank++) {
            machines[rank] = all[WORDS * rank + 3];
        }
        MPIException refused = refusal(all);
        boolean leads = leads(all);
        if (leads && peer != null) {
            try {
                exchange(peer, remoteLeader, tag, refused == null ? FINE : REFUSED, all[2]);
            } catch (MPIException e) {
                wrong = e;
                result[0] = e.getErrorClass() == ErrorClass.PROC_FAILED.code ? LOST : UNHEARD;
            }
        }
        if (refused == null) {
            local.bcast(result, leader, true);
            refused = wrong != null ? wrong : verdict();
        }
        if (refused == null) {
            int words = (int) (result[0] == UNION ? result[2] + Long.BYTES - 1 >> 3 : result[2]);
            others = leads ? others : new long[words];
            local.bcast(others, leader, true);
            if (result[0] == UNION) {
                return new Joining(job, local, call, leader, all[2], machines)
                    .make(GroupLetter.of(Joining.unpacked(others, (int) result[2])), result[1] != 0);
            }
        }
        boolean first = refused == null && local.ranks()[0] < others[0];
        if (local.rank() == 0 && !first) {
            job.contexts().giveBack(offer);
        }
        if (refused != null) {
            throw refused;
        }
        int[] remote = new int[others.length];
        for (int i = 0; i < remote.length; i++) {
            remote[i] = (int) others[i];
        }
        return new InterGroupCommunicator(job, result[1], (IntraCommunicator) local.duplicate(), remote, first,
            local.name() + " (inter)", local.returnsErrors());
    }

    /** The leader of the other group waits for this one's, which may be the only one to know what has happened. */
    private void tellOfLoss(Communicator peer, int remoteLeader, int tag) {
        if (local.rank() != leader || peer == null || wrong != null) {
            return;
        }
        try {
            swap(messages(peer), remoteLeader, tag, new long[] {LOST, 0, 0, job.links()}, new long[WORDS]);
        } catch (MPIException othersAreLostToo) {
            // This rank has an error already.
        }
    }

    /** Whether this rank speaks for the group: of several that think so, the first. */
    private boolean leads(long[] all) {
        for (int rank = 0; rank < local.rank(); rank++) {
            if (all[WORDS * rank + 1] == rank) {
                return false;
            }
        }
        return local.rank() == leader;
    }

    /** What this rank throws if a rank of its group refuses its arguments, or ranks name different leaders. */
    private MPIException refusal(long[] all) {
        if (wrong != null) {
            return wrong;
        }
        for (int rank = 0; rank < local.size(); rank++) {
            if (all[WORDS * rank] == REFUSED) {
                return error(ErrorClass.ARG, "rank " + rank
                    + " of this group refuses its arguments; its own error says why");
            }
            if (all[WORDS * rank + 1] != leader) {
                return error(ErrorClass.ARG, "rank " + rank + " names rank " + all[WORDS * rank + 1]
                    + " as leader of this group, and this rank names rank " + leader + "; pass the same on all ranks");
            }
        }
        return null;
    }

    private MPIException verdict() {
        return switch ((int) result[0]) {
            case FINE, UNION -> null;
            case OVERLAP -> error(ErrorClass.GROUP,
                "a process is in both groups; make an inter-communicator of groups that have none in common");
            case UNHEARD -> error(ErrorClass.OTHER,
                "the leader of this group, rank " + leader
                    + ", has not heard of the other one; its own error says why");
            case LOST -> error(ErrorClass.PROC_FAILED,
                "the other group cannot join: a rank of it is lost, or its communicator is revoked; call again when"
                    + " that group has a communicator of the ranks that are left (shrink)");
            default -> error(ErrorClass.ARG, "the other group refuses its arguments; its own errors say why");
        };
    }

    /** Of the leaders: tells each other verdict, context and group; both come to the same result. */
    private void exchange(Communicator peer, int remoteLeader, int tag, int verdict, long context) {
        CommunicatorMessages aside = messages(peer);
        int[] members = local.ranks();
        long[] mine = new long[members.length];
        for (int i = 0; i < mine.length; i++) {
            mine[i] = members[i];
        }
        long[] theirs = new long[WORDS];
        swap(aside, remoteLeader, tag, new long[] {verdict, context, mine.length, job.links()}, theirs);
        if (theirs[0] == LOST) {
            result[0] = LOST;
            return;
        }
        if (theirs[3] != job.links()) {
            exchangeLetters(aside, remoteLeader, tag, verdict != FINE || theirs[0] != FINE, context);
            return;
        }
        others = new long[(int) theirs[2]];
        swap(aside, remoteLeader, tag, mine, others);
        result[0] = verdict != FINE || theirs[0] != FINE ? REFUSED : overlap(members) ? OVERLAP : FINE;
        result[1] = members[0] < others[0] ? context : theirs[1];
        result[2] = others.length;
    }

    /** Of leaders whose groups are joined by different links. The group with the lower key comes first. */
    private void exchangeLetters(CommunicatorMessages aside, int remoteLeader, int tag, boolean refused,
        long context) {
        String key = job.home().newUnion();
        long[] mine = Joining.packed(
            new Joining(job, local, call, leader, context, machines).introduction(key).bytes());
        long[] lengths = new long[1];
        swap(aside, remoteLeader, tag, new long[] {mine.length}, lengths);
        long[] theirs = new long[(int) lengths[0]];
        swap(aside, remoteLeader, tag, mine, theirs);
        GroupLetter letter = GroupLetter.of(Joining.unpacked(theirs, theirs.length * Long.BYTES));
        boolean first = letter != null && key.compareTo(letter.key()) < 0;
        byte[] told = letter == null ? new byte[0] : (first ? letter.withKey(key) : letter).bytes();
        others = Joining.packed(told);
        result[0] = refused ? REFUSED : UNION;
        result[1] = first ? 1 : 0;
        result[2] = told.length;
    }

    private static CommunicatorMessages messages(Communicator peer) {
        Communicator own = peer.core();
        return own instanceof IntraCommunicator intra ? intra.aside() : ((InterGroupCommunicator) own).aside();
    }

    private void swap(CommunicatorMessages aside, int remoteLeader, int tag, long[] mine, long[] theirs) {
        Operation send =
            aside.isend(mine, 0, (long) mine.length * Long.BYTES, remoteLeader, tag, SendMode.STANDARD);
        aside.recv(theirs, 0, (long) theirs.length * Long.BYTES, remoteLeader, tag, new Envelope(), call);
        send.await();
    }

    private boolean overlap(int[] members) {
        for (long other : others) {
            if (Processes.indexOf(members, (int) other) >= 0) {
                return true;
            }
        }
        return false;
    }

    private MPIException error(ErrorClass errorClass, String what) {
        return errorClass.in(call, local.rank(), local.size(), local.name(), what);
    }
}
