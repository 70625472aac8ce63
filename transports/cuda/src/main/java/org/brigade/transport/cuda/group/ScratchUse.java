package org.brigade.transport.cuda.group;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.ipc.ExportEntry;

/**
 * Whether the members of a group may still write into each other's scratch memory. A rank writes the numbers of its
 * groups to its {@link Endpoint#board}, after the {@linkplain ExportEntry exports}, from before it maps the others'
 * memory until its kernels have ended and the mappings are gone. So a rank that has closed a group sees which members
 * have not.
 *
 * <pre>
 * 0  the number of a group, 0 for none    the rank whose board it is
 * 8  another, ... {@value #WORDS} in all
 * </pre>
 *
 * Under the progress lock, or that of {@link GroupEnd}.
 */
public final class ScratchUse {
    public static final int TABLE = ExportEntry.TABLE + ExportEntry.LINES * ExportEntry.BYTES;
    /** More than the number of communicators that can have lines of their own. */
    public static final int WORDS = 256;

    private final NativeMemory[] boards;
    private final int rank;
    private long group;
    /** Its offset on this rank's board; -1: none. */
    private int at = -1;

    /** @param members ranks of the job, this one at {@code rank} */
    ScratchUse(Endpoint endpoint, int[] members, int rank) {
        this.rank = rank;
        boards = new NativeMemory[members.length];
        for (int member = 0; member < members.length; member++) {
            boards[member] = endpoint.board(members[member]);
        }
    }

    /**
     * This rank is about to map the others' memory. All do so before any of them writes.
     *
     * @param number the group's, as for {@link GroupFailureNotice}. It is derived from memory that is freed last, so it
     * is not reused before all members have ended this group
     * @return false if too many groups are open here
     */
    boolean begin(long number) {
        group = number;
        at = find(boards[rank], 0);
        if (at < 0) {
            return false;
        }
        boards[rank].putLongRelease(at, number);
        return true;
    }

    /** This rank no longer has the others' memory mapped. */
    void end() {
        if (at >= 0) {
            boards[rank].putLongRelease(at, 0);
            at = -1;
        }
    }

    /**
     * Whether another member may have this rank's memory mapped. Once false it stays false. For a dead member it stays
     * true, as its GPU may still run.
     */
    boolean isByOthers() {
        for (int member = 0; member < boards.length && group != 0; member++) {
            if (member != rank && find(boards[member], group) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static int find(NativeMemory board, long number) {
        for (int word = TABLE; word < TABLE + 8 * WORDS; word += 8) {
            if (board.getLongAcquire(word) == number) {
                return word;
            }
        }
        return -1;
    }
}
