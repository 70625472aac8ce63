package org.brigade.communicator.device;

import mpi.MPIException;
import org.brigade.algorithm.Placement;
import org.brigade.communicator.call.CallCheck;
import org.brigade.communicator.call.CallSequence;
import org.brigade.device.CallLine;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.engine.Idle;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * How the members of one communicator find out that all of them make the same call on device memory, and where its
 * buffers are: by their {@link CallLine}s. Under the progress lock.
 */
final class DeviceAgreement {
    /** Looks at a member's line before everything else gets a turn: what comes next is usually a cache line away. */
    private static final int LOOKS = 512;

    private final Progress progress;
    private final CallSequence calls;
    private final CallLine line;
    private final Membership party;
    private final int rank;
    private final int[] members;
    private final Turns turns = new Turns();
    private Placement placement;

    /**
     * @param calls the communicator's, which the host's count
     */
    DeviceAgreement(Progress progress, CallSequence calls, CallLine line, Membership party) {
        this.progress = progress;
        this.calls = calls;
        this.line = line;
        this.party = party;
        this.rank = party.rank;
        this.members = party.members;
    }

    /** Whether every member can be asked at all. */
    boolean isPossible() {
        return line.reachesAll();
    }

    /** Announces the next call; see {@link CallLine#announce}. */
    void announce(long what, long bytes, Placement mine, long sendExport, long sendBegin, long recvExport,
        long recvBegin) {
        line.announce(calls.number(), what, bytes, mine, sendExport, sendBegin, recvExport, recvBegin);
    }

    /**
     * Waits until every member has begun the call that this rank has announced; whether all of them announced it too.
     */
    boolean allAnnounce(String what) {
        long number = calls.number();
        boolean all = true;
        beginWait(what);
        try {
            for (int member = 0; member < members.length; member++) {
                // Everyone is looked at whatever the result: the lines' two announcements are enough because of that.
                all &= member == rank || awaitBegun(member, number, what) == CallLine.DEVICE;
            }
        } catch (RuntimeException lost) {
            calls.count(); // it has been announced
            throw lost;
        } finally {
            endWait();
        }
        return all;
    }

    /** What a member does in the call, once it has begun it. */
    private int awaitBegun(int member, long number, String what) {
        int seen = line.look(member, number);
        for (int looks = 1; seen == CallLine.ABSENT; looks++) {
            if (looks % LOOKS == 0) {
                boolean leaving = progress.endpoint.isLeaving(members[member]);
                if (leaving && line.look(member, number) == CallLine.ABSENT) {
                    throw progress.neverComes(what, party, members[member]);
                }
                turns.turn();
            }
            seen = line.look(member, number);
        }
        return seen;
    }

    /**
     * Takes where the members' buffers are, and how they all lie, from what they have announced; a member whose call
     * does not match this one, -1 if there is none.
     */
    int compare(long what, long bytes, DeviceCall call) {
        long number = calls.number();
        int different = -1;
        placement = Placement.ALIGNED;
        for (int member = 0; member < members.length; member++) {
            line.look(member, number);
            if (different < 0 && (what(member) != what || bytes(member) != bytes)) {
                different = member;
            }
            placement = placement.and(line.placement(member));
            call.sendExport[member] = line.word(member, CallLine.SEND_EXPORT);
            call.sendBegin[member] = line.word(member, CallLine.SEND_BEGIN);
            call.recvExport[member] = line.word(member, CallLine.RECV_EXPORT);
            call.recvBegin[member] = line.word(member, CallLine.RECV_BEGIN);
        }
        return different;
    }

    /** How all members' buffers lie, as seen by {@link #compare}. */
    Placement placement() {
        return placement;
    }

    /** What a member announced last, as {@link CallCheck#what} writes it. */
    long what(int member) {
        return line.word(member, CallLine.WHAT);
    }

    long bytes(int member) {
        return line.word(member, CallLine.BYTES);
    }

    // ---- waiting, of the thread that makes the call ----

    /** Begins a wait of the call that is counted next or was counted last. */
    DeviceGroup.Waiting beginWait(String what) {
        turns.what = what;
        turns.key = calls.key();
        return turns;
    }

    void endWait() {
        progress.release(turns.idle);
        turns.idle = null;
    }

    private final class Turns implements DeviceGroup.Waiting {
        private Idle idle;
        private String what;
        private long key;

        @Override
        public void turn() {
            idle = progress.turn(idle, what, key, party);
        }

        @Override
        public MPIException lost(String why) {
            return progress.lost(what, party, why);
        }
    }
}
