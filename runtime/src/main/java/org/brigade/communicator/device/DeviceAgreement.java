package org.brigade.communicator.device;

import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Counts;
import org.brigade.algorithm.Placement;
import org.brigade.communicator.call.CallCheck;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.WordComparison;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceCallAnnouncements;
import org.brigade.device.DeviceGroup;
import org.brigade.engine.Backoff;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/**
 * Lets the members of one communicator find out whether all of them make the same call on device memory, and where its
 * buffers are. They use their {@link DeviceCallAnnouncements}s. Under the progress lock.
 */
final class DeviceAgreement {
    /**
     * How often to look at a member's line before the rest of the process gets a turn: the announcement usually arrives
     * at once.
     */
    private static final int LOOKS = 512;

    private final Progress progress;
    private final CallSequence calls;
    private final DeviceCallAnnouncements line;
    private final Membership membership;
    private final int rank;
    private final int[] members;
    private final Turns turns = new Turns();
    private Placement placement;

    /** @param calls counts the communicator's calls, those on the host as well */
    DeviceAgreement(Progress progress, CallSequence calls, DeviceCallAnnouncements line, Membership membership) {
        this.progress = progress;
        this.calls = calls;
        this.line = line;
        this.membership = membership;
        this.rank = membership.rank;
        this.members = membership.members;
    }

    /** Whether this rank can read every member's line. */
    boolean isPossible() {
        return line.reachesAll();
    }

    /** Announces the next call; see {@link DeviceCallAnnouncements#announce}. */
    void announce(long what, long bytes, Placement mine, BufferPlaces places) {
        line.announce(calls.number(), what, bytes, mine, places.sendExport, places.sendBegin, places.recvExport,
            places.recvBegin);
    }

    /**
     * Waits until every member has begun the call that this rank has announced. Returns whether all of them announced
     * it.
     */
    boolean allAnnounce(String what) {
        long number = calls.number();
        boolean all = true;
        beginWait(what);
        try {
            for (int member = 0; member < members.length; member++) {
                // Look at every member even if one has not announced: a line holds two announcements, and that is
                // enough only if nobody is skipped.
                all &= member == rank || awaitBegun(member, number, what) == DeviceCallAnnouncements.DEVICE;
            }
        } catch (RuntimeException lost) {
            calls.count(); // the call was announced, so it counts
            throw lost;
        } finally {
            endWait();
        }
        return all;
    }

    /** Waits until a member has begun the call; returns what its line says of it. */
    private int awaitBegun(int member, long number, String what) {
        int seen = line.look(member, number);
        for (int looks = 1; seen == DeviceCallAnnouncements.ABSENT; looks++) {
            if (looks % LOOKS == 0) {
                boolean leaving = progress.endpoint.isLeaving(members[member]);
                if (leaving && line.look(member, number) == DeviceCallAnnouncements.ABSENT) {
                    throw progress.losses.neverComes(what, membership, members[member]);
                }
                turns.turn();
            }
            seen = line.look(member, number);
        }
        return seen;
    }

    /**
     * Reads from the members' announcements how their buffers are aligned, and whether the members' counts match.
     * Returns a member whose call does not match this one, or -1.
     */
    int compare(long what, long bytes, DeviceCall call) {
        long number = calls.number();
        int different = -1;
        placement = Placement.ALIGNED;
        call.shares = false;
        boolean local = call.collective.counts == Counts.LOCAL;
        long sum = 0;
        for (int member = 0; member < members.length; member++) {
            line.look(member, number);
            if (different < 0 && (what(member) != what || !local && bytes(member) != bytes)) {
                different = member;
            }
            sum += bytes(member);
            placement = placement.and(line.placement(member));
            call.shares |= line.shares(member);
        }
        call.balanced = !local || sum == 0;
        return different;
    }

    /** Reads from the announcements that have been compared where the members' buffers are. */
    void findPlaces(DeviceCall call) {
        for (int member = 0; member < members.length; member++) {
            call.sendExport[member] = line.word(member, DeviceCallAnnouncements.SEND_EXPORT);
            call.sendBegin[member] = line.word(member, DeviceCallAnnouncements.SEND_BEGIN);
            call.recvExport[member] = line.word(member, DeviceCallAnnouncements.RECV_EXPORT);
            call.recvBegin[member] = line.word(member, DeviceCallAnnouncements.RECV_BEGIN);
        }
    }

    /** All members know that some counts do not fit, but not whose: they tell each other, and all throw. */
    void findTheDifference(Call call) {
        long key = calls.key();
        calls.count();
        CallCheck check = new CallCheck(new WordComparison(progress, membership), rank, members.length);
        check.compareBlocks(key, calls.name(), call);
        check.await(key);
    }

    /** How all members' buffers are placed; set by {@link #compare}. */
    Placement placement() {
        return placement;
    }

    /** Word 0 of the call that a member announced last; see {@link CallCheck#what}. */
    long what(int member) {
        return line.word(member, DeviceCallAnnouncements.WHAT);
    }

    /** What a member {@linkplain DeviceCallAnnouncements#report reports} with that call. */
    int reported(int member) {
        return line.reported(member);
    }

    long bytes(int member) {
        return line.word(member, DeviceCallAnnouncements.BYTES);
    }

    // ---- waiting, of the thread that makes the call ----

    /** Begins a wait for the call that is counted next or was counted last. */
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
        private Backoff idle;
        private String what;
        private long key;

        @Override
        public void turn() {
            idle = progress.turn(idle, what, key, membership);
        }

        @Override
        public MPIException lost(String why) {
            return progress.losses.lost(what, membership, why);
        }
    }
}
