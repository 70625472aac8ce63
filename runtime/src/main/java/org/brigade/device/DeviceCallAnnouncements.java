package org.brigade.device;

import org.brigade.algorithm.Placement;
import org.brigade.memory.NativeMemory;

/**
 * What the members of one communicator tell each other about their collective calls, so that all of them decide alike
 * for every call whether it runs on devices.
 *
 * <p>
 * A rank that calls with host memory, or does not block, counts the call and goes on. A rank that blocks with its data
 * in reachable device memory announces the call and then watches every member until it has begun the call too. The call
 * runs on devices if all have announced it. A line, one a member:
 *
 * <pre>
 *    0  name: first call and context, + 1; 0: never used       written last when a line is claimed, by release
 *    8  calls: how many this rank has begun                   by release, after the announcement if there is one;
 *       {@link #RETIRED}, {@link #FORGOTTEN}: freed                        never goes back
 *   16  announcement: call's number + 1; 0: none
 *   24      what is called, 2 words (the members must agree on them)
 *   40      send buffer: the allocation's export, where the buffer begins in it | {@link Placement} &lt;&lt; 56
 *   56      receive buffer, likewise; both with bits of a {@link #report} above where they begin
 *   72  announcement: the other, likewise                     the two are used in turn
 * </pre>
 *
 * <p>
 * Why two announcements suffice without acknowledgements: a rank that has announced call c goes on once it has seen
 * every member begin c, perhaps before a slow member has looked. It may announce a later call d, but does not go on
 * from there until the slow member has begun d and thus has seen all of c. So neither of the last two announcements is
 * overwritten unread. This needs every rank to watch every member, even when one of them has already decided the
 * result.
 *
 * <p>
 * <b>Calls for later.</b> A rank that does not block announces, too, and goes on; it looks at the members when it makes
 * progress. Any number of its calls may be undecided then, so such announcements have places of their own
 * ({@link AnnouncementBoard}), and a place is used again only when all members have decided its call, or have begun it
 * without announcing it and so never look. Each line says up to which call it has decided all: it decides in the calls'
 * order. If the place of a call is not free, the call goes through the host. The announcement begins with the context
 * and the number of its call, for it may be another line's:
 *
 * <pre>
 *    0  context &lt;&lt; 32 | number of the call, + 1          by release, after the rest
 *    8  as above
 * </pre>
 *
 * <p>
 * A member that finds {@code calls} beyond its call and no announcement of it concludes that the peer's call went
 * through the host. Announcements are written before {@code calls}, and {@code calls} never goes back, so all members
 * conclude the same.
 *
 * <p>
 * Under the progress lock of its process.
 */
public final class DeviceCallAnnouncements {
    /** The results of {@link #look}: not begun yet, begun with host memory, announced with device memory. */
    public static final int ABSENT = 0;
    public static final int HOST = 1;
    public static final int DEVICE = 2;

    /** The words of an announcement. */
    public static final int WHAT = 0;
    public static final int BYTES = 1;
    public static final int SEND_EXPORT = 2;
    public static final int SEND_BEGIN = 3;
    public static final int RECV_EXPORT = 4;
    public static final int RECV_BEGIN = 5;
    public static final int WORDS = 6;

    private static final int PLACEMENT_SHIFT = 56;
    /** Beside the placement. */
    private static final int SHARES = 4;
    /** Beside these, the upper bits of {@link #report}; the lower ones are where the receive buffer begins. */
    private static final int REPORT_SHIFT = 3;
    private static final int REPORT_LOWER = 8;

    static final int NAME = 0;
    static final int CALLS = 8;
    static final int ANNOUNCEMENTS = 16;
    static final int ANNOUNCEMENT_BYTES = 8 + 8 * WORDS;

    /** Calls of a rank that has freed the communicator, and of a rank that has seen all others free it. */
    static final long RETIRED = Long.MAX_VALUE - 1;
    static final long FORGOTTEN = Long.MAX_VALUE;

    /** Positions of lines that are missing. */
    static final int UNKNOWN = -1;
    static final int NEVER = -2;

    private final AnnouncementBoard board;
    private final NativeMemory own;
    private final int at;
    private final long name;
    private final int rank;
    private final int[] members;
    /** By member: where its line begins in its board, once found. */
    private final int[] places;
    /** By member: where the announcement that {@link #look} found last begins. */
    private final int[] found;
    private int turn;
    private int report;

    DeviceCallAnnouncements(AnnouncementBoard board, NativeMemory own, int at, long context, int rank, int[] members) {
        this.board = board;
        this.own = own;
        this.at = at;
        this.name = context + 1;
        this.rank = rank;
        this.members = members;
        places = new int[members.length];
        found = new int[members.length];
        for (int i = 0; i < places.length; i++) {
            places[i] = i == rank ? at : UNKNOWN;
        }
        own.putLong(at + CALLS, 0);
        own.putLong(at + ANNOUNCEMENTS, 0);
        own.putLong(at + ANNOUNCEMENTS + ANNOUNCEMENT_BYTES, 0);
        own.putLong(board.decided(at), 0);
        own.putLongRelease(at + NAME, name);
    }

    int at() {
        return at;
    }

    /** Whether this rank sees the lines of all members, or will see them. */
    public boolean reachesAll() {
        for (int member = 0; member < members.length; member++) {
            if (board.board(members[member]) == null || place(member) == NEVER) {
                return false;
            }
        }
        return true;
    }

    // ---- this rank's calls ----

    /** This rank has begun this many calls. */
    public void passed(long calls) {
        own.putLongRelease(at + CALLS, calls);
    }

    /** The address of the word of {@link #passed}. Stored by release. */
    public long callsAt() {
        return own.address() + at + CALLS;
    }

    /** This rank begins a call on device memory. It must look at every member before it begins another call. */
    public void announce(long call, long what, long bytes, Placement placement, long sendExport, long sendBegin,
        long recvExport, long recvBegin) {
        int slot = at + ANNOUNCEMENTS + turn * ANNOUNCEMENT_BYTES;
        turn ^= 1;
        // No member reads this slot now.
        write(slot, call + 1, call, what, bytes, placement, sendExport, sendBegin, recvExport, recvBegin, report);
        report = 0;
    }

    /** The next {@link #announce announcement} also says these 13 bits; else it says 0. */
    public void report(int bits) {
        report = bits;
    }

    /**
     * This rank begins a call on device memory for which it does not wait.
     *
     * @return false, with nothing done, if the call must go through the host: there is no place for the announcement,
     * or another call is under way that may need all of the device
     */
    public boolean announceLater(long call, long what, long bytes, Placement placement, long sendExport,
        long sendBegin, long recvExport, long recvBegin) {
        if (!board.share() || !board.takeLater(this, call)) {
            return false;
        }
        write(board.later(at, call), later(call), call, what, bytes, placement, sendExport, sendBegin, recvExport,
            recvBegin, 0);
        return true;
    }

    /**
     * From now on this rank's announcements say that other calls may be under way. False if a call is under way that
     * may need all of the device: then nothing else may be launched.
     */
    public boolean share() {
        return board.share();
    }

    private void write(int slot, long number, long call, long what, long bytes, Placement placement, long sendExport,
        long sendBegin, long recvExport, long recvBegin, int told) {
        long lies =
            placement.ordinal() | (board.isShared() ? SHARES : 0) | told >>> REPORT_LOWER << REPORT_SHIFT;
        own.putLong(slot + 8 + 8 * WHAT, what);
        own.putLong(slot + 8 + 8 * BYTES, bytes);
        own.putLong(slot + 8 + 8 * SEND_EXPORT, sendExport);
        own.putLong(slot + 8 + 8 * SEND_BEGIN, sendBegin | lies << PLACEMENT_SHIFT);
        own.putLong(slot + 8 + 8 * RECV_EXPORT, recvExport);
        own.putLong(slot + 8 + 8 * RECV_BEGIN, recvBegin | (long) told << PLACEMENT_SHIFT);
        // Written last: whoever finds it finds the rest.
        own.putLongRelease(slot, number);
        passed(call + 1);
    }

    private long later(long call) {
        return (name - 1 << Integer.SIZE | call & 0xffffffffL) + 1;
    }

    /** This rank has decided this call, which it had announced for later, and all such calls before it. */
    public void decided(long call) {
        own.putLongRelease(board.decided(at), call + 1);
    }

    /** Whether no member will look at the announcement of this call again. */
    boolean isDecidedByAll(long call) {
        for (int member = 0; member < members.length; member++) {
            int place = place(member);
            if (place == UNKNOWN || place >= 0 && isThere(member) && !hasDecided(member, place, call)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasDecided(int member, int place, long call) {
        NativeMemory theirs = board.board(members[member]);
        long calls = theirs.getLongAcquire(place + CALLS);
        return calls >= RETIRED || theirs.getLongAcquire(board.decided(place)) > call
            || calls > call && theirs.getLongAcquire(board.later(place, call)) != later(call);
    }

    /** This rank begins to wait in a blocking call that it is about to announce, and has ended. */
    public void begin() {
        board.begin();
    }

    public void end() {
        board.end();
    }

    // ---- the members' calls ----

    /** What a member does in a call that this rank has announced. The answer is final unless it is {@link #ABSENT}. */
    public int look(int member, long call) {
        int place = place(member);
        if (place < 0) {
            return place == NEVER ? HOST : ABSENT;
        }
        NativeMemory theirs = board.board(members[member]);
        if (theirs.getLongAcquire(place + CALLS) <= call) {
            return ABSENT;
        }
        for (int slot = place + ANNOUNCEMENTS; slot < place + AnnouncementBoard.LINE_BYTES; slot +=
            ANNOUNCEMENT_BYTES) {
            if (theirs.getLongAcquire(slot) == call + 1) {
                found[member] = slot;
                return DEVICE;
            }
        }
        return HOST;
    }

    /** As {@link #look}, for a call that this rank has announced for later. */
    public int lookLater(int member, long call) {
        int place = place(member);
        if (place < 0) {
            return place == NEVER ? HOST : ABSENT;
        }
        NativeMemory theirs = board.board(members[member]);
        if (theirs.getLongAcquire(place + CALLS) <= call) {
            return ABSENT;
        }
        found[member] = board.later(place, call);
        return theirs.getLongAcquire(found[member]) == later(call) ? DEVICE : HOST;
    }

    /** A word of the announcement that {@link #look} has just found. */
    public long word(int member, int word) {
        long value = board.board(members[member]).getLong(found[member] + 8 + 8 * word);
        return word == SEND_BEGIN || word == RECV_BEGIN ? value & (1L << PLACEMENT_SHIFT) - 1 : value;
    }

    /** How the member's buffers lie, from the same announcement. */
    public Placement placement(int member) {
        return Placement.numbered(lies(member) & SHARES - 1);
    }

    /** Whether other calls may be under way on the member's device, which then does not have all of it for this. */
    public boolean shares(int member) {
        return (lies(member) & SHARES) != 0;
    }

    /** The member's {@link #report}, from the same announcement. */
    public int reported(int member) {
        long lower = board.board(members[member]).getLong(found[member] + 8 + 8 * RECV_BEGIN) >>> PLACEMENT_SHIFT;
        return lies(member) >>> REPORT_SHIFT << REPORT_LOWER | (int) lower;
    }

    private int lies(int member) {
        return (int) (board.board(members[member]).getLong(found[member] + 8 + 8 * SEND_BEGIN) >>> PLACEMENT_SHIFT);
    }

    private int place(int member) {
        if (places[member] == UNKNOWN) {
            places[member] = board.find(members[member], name);
        }
        return places[member];
    }

    // ---- the end ----

    /**
     * This rank has freed the communicator and will begin no further call. Its line stays until every member has
     * published that it has seen all others retire: a member that still has the communicator may look here, and a
     * member that has freed it may still have to see that this rank did too.
     */
    public void retire() {
        passed(RETIRED);
        board.retired(this);
    }

    /** Continues the end of a retired line; true when the line may be reused. */
    boolean isForgotten() {
        long calls = own.getLong(at + CALLS);
        if (calls == RETIRED) {
            for (int member = 0; member < members.length; member++) {
                if (place(member) == UNKNOWN || places[member] >= 0 && calls(member) < RETIRED) {
                    return false;
                }
            }
            passed(FORGOTTEN);
        }
        for (int member = 0; member < members.length; member++) {
            // A missing line was forgotten: its rank has seen ours retired.
            if (member != rank && places[member] >= 0 && isThere(member) && calls(member) != FORGOTTEN) {
                return false;
            }
        }
        return true;
    }

    private long calls(int member) {
        return board.board(members[member]).getLongAcquire(places[member] + CALLS);
    }

    private boolean isThere(int member) {
        return board.board(members[member]).getLongAcquire(places[member] + NAME) == name;
    }
}
