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
 *   128  line of a communicator                              {@link CallLine}
 *   256  line of another, ...
 *  32 Ki  area that the devices share
 * </pre>
 *
 * <p>
 * A communicator claims its line when it is made. A rank without a line moves all its collectives through the host; its
 * peers notice when they see word 0 and then no line. So word 0 is never cleared: peers would miss a line claimed after
 * it.
 *
 * <p>
 * A line is reused when no peer can still read it: see {@link CallLine#retire}. Under the progress lock.
 */
public final class CallBoard {
    /** Most members of a communicator whose collectives may run on devices: the kernels' limit. */
    public static final int MOST_MEMBERS = 8;

    /** Bytes at the start of {@link Endpoint#board} for this class; the rest is the devices'. */
    public static final int BYTES = 32 << 10;

    static final int OVERFLOWED = 0;
    static final int LINE_BYTES = 128;

    private final Endpoint endpoint;
    private final int lines;
    private final NativeMemory own;
    /** The peers' boards, by rank of the job; made on first use. */
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

    /** With this many lines, the same on all ranks. */
    static CallBoard of(Endpoint endpoint, int lines) {
        NativeMemory own = endpoint.board(endpoint.rank());
        return own == null ? null : new CallBoard(endpoint, own, lines);
    }

    /**
     * A line for a new communicator.
     *
     * @param members ranks of the job
     * @return null if the collectives of this communicator never run on devices: too few or too many members, members
     * on several nodes, or no free line
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

    /** Frees the lines that no peer can still read. */
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
