package org.brigade.device;

import java.util.ArrayList;
import java.util.List;
import org.brigade.bootstrap.Nodes;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.PeerTable;

/**
 * This rank's board ({@link Endpoint#board}), where it says of each of its communicators how many collective calls it
 * has begun and in which of them its data lie in device memory. The other members read it; nobody else writes it.
 *
 * <pre>
 *     0  1: this rank has had more communicators at once than there are lines, and claims none from then on
 *     8  15 words of whoever moves the data between devices
 *   128  line of a communicator                              {@link CallLine}
 *   256  line of another, ...
 *  32 Ki  what the devices share
 * </pre>
 *
 * <p>
 * A line is claimed when its communicator is made. A rank without one moves all its collectives through the host; its
 * peers find that out when they see word 0 and then no line. So word 0 has to last: a line claimed after it would be
 * one that a peer no longer looks for.
 *
 * <p>
 * A line is used again when nobody can want to read it: see {@link CallLine#retire}. Under the progress lock.
 */
public final class CallBoard {
    /** Most members of a communicator whose collectives may run on devices: the kernels' limit. */
    public static final int MOST_MEMBERS = 8;

    /** What this takes of the {@link Endpoint#board}, from its beginning on; the rest is the devices'. */
    public static final int BYTES = 32 << 10;

    static final int OVERFLOWED = 0;
    static final int LINE_BYTES = 128;

    private final Endpoint endpoint;
    private final int lines;
    private final NativeMemory own;
    /** The peers' boards, by rank of the job; made when first needed. */
    private final PeerTable<NativeMemory> boards;
    private final boolean[] taken;
    private final List<CallLine> retired = new ArrayList<>();

    private CallBoard(Endpoint endpoint, NativeMemory own, int lines) {
        this.endpoint = endpoint;
        this.own = own;
        this.lines = lines;
        this.boards = new PeerTable<>(endpoint.size());
        this.taken = new boolean[lines];
    }

    /** The board of this rank; null if it has none, so that all collectives go through the host. */
    public static CallBoard of(Endpoint endpoint) {
        return of(endpoint, BYTES / LINE_BYTES - 1);
    }

    /** With fewer lines than there is room for: all ranks alike. */
    static CallBoard of(Endpoint endpoint, int lines) {
        NativeMemory own = endpoint.board(endpoint.rank());
        return own == null ? null : new CallBoard(endpoint, own, lines);
    }

    /**
     * A line for a new communicator.
     *
     * @param members ranks of the job
     * @return null if the collectives of this communicator never run on devices: too few or too many members, members
     * on several nodes, or no line is free
     */
    public CallLine claim(long context, int rank, int[] members) {
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
        return new CallLine(this, own, (line + 1) * LINE_BYTES, context, rank, members);
    }

    /** Whether all members are on one node. If not, each of them sees that by itself. */
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
     * Where a rank's line for a communicator begins; {@link CallLine#UNKNOWN} if there is none yet,
     * {@link CallLine#NEVER} if there will be none.
     */
    int find(int world, long name) {
        NativeMemory board = board(world);
        if (board == null) {
            return CallLine.NEVER;
        }
        boolean last = board.getLongAcquire(OVERFLOWED) != 0; // read first: a line that is not there now never will be
        for (int line = 1; line <= lines; line++) {
            if (board.getLongAcquire(line * LINE_BYTES + CallLine.NAME) == name) {
                return line * LINE_BYTES;
            }
        }
        return last ? CallLine.NEVER : CallLine.UNKNOWN;
    }

    void retired(CallLine line) {
        retired.add(line);
        sweep();
    }

    /** Takes back the lines that nobody can want to read any more. */
    private void sweep() {
        for (int i = retired.size() - 1; i >= 0; i--) {
            CallLine line = retired.get(i);
            if (line.isForgotten()) {
                taken[line.at() / LINE_BYTES - 1] = false;
                retired.remove(i);
            }
        }
    }
}
