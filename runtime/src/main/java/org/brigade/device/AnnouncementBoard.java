package org.brigade.device;

import java.util.ArrayList;
import java.util.List;
import org.brigade.bootstrap.Nodes;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.PeerTable;

/**
 * This rank's board ({@link Endpoint#board}). Here the rank publishes, for each of its communicators, how many
 * collective calls it has begun and for which of them its data lie in device memory. Only this rank writes; the other
 * members read.
 *
 * <pre>
 *     0  1: this rank once had more communicators than lines; it claims no line from then on
 *     8  15 words for the layer that moves data between devices
 *   128  line of a communicator                              {@link DeviceCallAnnouncements}
 *   256  line of another, ...
 *  32 Ki  for each line: of its calls before this number, none that it has announced for later is undecided
 *  34 Ki  announcements for later, of all lines                                    {@link DeviceCallAnnouncements}
 *  36 Ki  persistent calls                                  {@link StartBoard}
 *  40 Ki  area that the devices share
 * </pre>
 *
 * <p>
 * A communicator claims its line when it is made. A rank without a line moves all its collectives through the host; its
 * peers notice when they see word 0 and then no line. So word 0 is never cleared: peers would miss a line claimed after
 * it.
 *
 * <p>
 * A line is reused when no peer can still read it: see {@link DeviceCallAnnouncements#retire}. Under the progress lock.
 */
public final class AnnouncementBoard {
    /** Most members of a communicator whose collectives may run on devices: the kernels' limit. */
    public static final int MOST_MEMBERS = 8;

    /** Bytes at the start of {@link Endpoint#board} for this class; the rest is the devices'. */
    public static final int BYTES = 36 << 10;

    static final int OVERFLOWED = 0;
    static final int LINE_BYTES = 128;
    /** Announcements for later that a rank can have out at once, and the bytes of each. */
    static final int LATER = 32;
    static final int LATER_BYTES = 64;
    private static final int LINES = 255;

    private final Endpoint endpoint;
    private final int lines;
    private final NativeMemory own;
    /** The peers' boards, by rank of the job; made on first use. */
    private final PeerTable<NativeMemory> boards;
    private final boolean[] taken;
    /** By announcement for later: whose it is, and the number of the call; null if nobody can still read it. */
    private final DeviceCallAnnouncements[] announcers = new DeviceCallAnnouncements[LATER];
    private final long[] announced = new long[LATER];
    /**
     * Whether calls of this rank may be under way on devices while others begin; see
     * {@link DeviceCallAnnouncements#shares}.
     */
    private boolean shared;
    /** The blocking calls that this rank has announced without saying so, and that have not ended. */
    private int alone;
    private final List<DeviceCallAnnouncements> retired = new ArrayList<>();

    private AnnouncementBoard(Endpoint endpoint, NativeMemory own, int lines) {
        this.endpoint = endpoint;
        this.own = own;
        this.lines = lines;
        this.boards = new PeerTable<>(endpoint.size());
        this.taken = new boolean[lines];
    }

    /** The board of this rank; null if it has none, so that all collectives go through the host. */
    public static AnnouncementBoard of(Endpoint endpoint) {
        return of(endpoint, LINES);
    }

    /** Bytes of a board with so many lines, without the devices' area. */
    static int bytes(int lines) {
        return laterAt(lines) + LATER * LATER_BYTES;
    }

    private static int laterAt(int lines) {
        return decidedAt(lines) + (8 * (lines + 1) + 63) / 64 * 64;
    }

    private static int decidedAt(int lines) {
        return (lines + 1) * LINE_BYTES;
    }

    /** With this many lines, the same on all ranks. */
    static AnnouncementBoard of(Endpoint endpoint, int lines) {
        NativeMemory own = endpoint.board(endpoint.rank());
        return own == null ? null : new AnnouncementBoard(endpoint, own, lines);
    }

    /**
     * A line for a new communicator.
     *
     * @param members ranks of the job
     * @return null if the collectives of this communicator never run on devices: too few or too many members, members
     * on several nodes, or no free line
     */
    public DeviceCallAnnouncements claim(long context, int rank, int[] members) {
        if (members.length < 2 || members.length > MOST_MEMBERS || own.getLong(OVERFLOWED) != 0 || !areHere(members)) {
            return null;
        }
        sweep();
        int line = 0;
        while (line < lines && taken[line]) {
            line++;
        }
        if (line == lines) {
            own.putLongRelease(OVERFLOWED, 1);
            return null;
        }
        taken[line] = true;
        return new DeviceCallAnnouncements(this, own, (line + 1) * LINE_BYTES, context, rank, members);
    }

    /** Whether all members are on one node. If not, each member sees that by itself. */
    private boolean areHere(int[] members) {
        Nodes nodes = endpoint.nodes();
        for (int i = 0; nodes != null && i < members.length; i++) {
            if (!nodes.isHere(members[i])) {
                return false;
            }
        }
        return true;
    }

    /** The board of a rank of the job; null if this rank cannot see it. */
    NativeMemory board(int world) {
        NativeMemory board = boards.get(world);
        if (board == null) {
            board = world == endpoint.rank() ? own : endpoint.board(world);
            boards.put(world, board);
        }
        return board;
    }

    /**
     * Where a rank's line for a communicator begins; {@link DeviceCallAnnouncements#UNKNOWN} if there is none yet,
     * {@link DeviceCallAnnouncements#NEVER} if there will be none.
     */
    int find(int world, long name) {
        NativeMemory board = board(world);
        if (board == null) {
            return DeviceCallAnnouncements.NEVER;
        }
        boolean last = board.getLongAcquire(OVERFLOWED) != 0; // read first: a line that is not there now never will be
        for (int line = 1; line <= lines; line++) {
            if (board.getLongAcquire(line * LINE_BYTES + DeviceCallAnnouncements.NAME) == name) {
                return line * LINE_BYTES;
            }
        }
        return last ? DeviceCallAnnouncements.NEVER : DeviceCallAnnouncements.UNKNOWN;
    }

    /** Where the word of a line is: the number before which all that it announced for later is decided. */
    int decided(int line) {
        return decidedAt(lines) + 8 * (line / LINE_BYTES);
    }

    /** Where a line announces a call for later. */
    int later(int line, long call) {
        return laterAt(lines) + LATER_BYTES * laterNumber(line, call);
    }

    /** Calls of one line that follow each other never meet; those of several lines are spread. */
    private static int laterNumber(int line, long call) {
        return (int) (line / LINE_BYTES * 5L + call & LATER - 1);
    }

    /** Takes the place of an announcement for later; false if some member may still read what is there. */
    boolean takeLater(DeviceCallAnnouncements line, long call) {
        int number = laterNumber(line.at(), call);
        if (announcers[number] != null && !announcers[number].isDecidedByAll(announced[number])) {
            return false;
        }
        announcers[number] = line;
        announced[number] = call;
        return true;
    }

    /** From now on announcements say that other calls may be under way; false while one that does not is in a call. */
    boolean share() {
        shared |= alone == 0;
        return shared;
    }

    boolean isShared() {
        return shared;
    }

    void begin() {
        alone += shared ? 0 : 1;
    }

    void end() {
        alone = Math.max(0, alone - 1);
    }

    void retired(DeviceCallAnnouncements line) {
        retired.add(line);
        sweep();
    }

    /** Frees the lines that no peer can still read. */
    private void sweep() {
        for (int i = retired.size() - 1; i >= 0; i--) {
            DeviceCallAnnouncements line = retired.get(i);
            if (line.isForgotten()) {
                taken[line.at() / LINE_BYTES - 1] = false;
                retired.remove(i);
            }
        }
    }
}
