package org.brigade.transport.shm;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.brigade.nativ.Libc;
import org.brigade.nativ.ProcessMemory;
import org.brigade.setting.Setting;

/**
 * The processes of this node whose memory this one can copy to and from. Each rank keeps a random number in its memory
 * and tells its address. Who reads that number there has found the right process, even from another container, and may
 * read it.
 */
class PeerProcesses {
    /**
     * Shorter messages go through the ring. Their senders must not wait for the receivers: eager messages by their
     * name, and the fused algorithms' because all ranks send before they receive.
     */
    static final long SHORTEST = 1 + Math.max(32 << 10, Setting.number("eager"));

    private static final int NUMBER_BYTES = 16;

    private final RankTable table;
    private final int place;
    private final ProcessMemory[] found;
    private final boolean[] unreachable;
    private final boolean[] refusing;
    /** Stays as long as the endpoint: the others read it at any time. Null until told. */
    private ByteBuffer number;
    private CopyWays.Use loans;

    PeerProcesses(RankTable table, int place, int places, CopyWays.Use loans) {
        this.table = table;
        this.place = place;
        found = new ProcessMemory[places];
        unreachable = new boolean[places];
        refusing = new boolean[places];
        this.loans = loans;
    }

    /** Makes this process's memory known to the others. False if there can be no loans. May load JNA. */
    boolean tell() {
        if (number == null && loans != CopyWays.Use.NEVER) {
            try {
                SplittableRandom random = new SplittableRandom(System.nanoTime() ^ ProcessHandle.current().pid() << 32);
                ByteBuffer mine = ByteBuffer.allocateDirect(NUMBER_BYTES);
                mine.putLong(0, random.nextLong()).putLong(8, random.nextLong());
                ProcessMemory.permitSiblings();
                table.tellNumber(place, Libc.address(mine), mine.getLong(0), mine.getLong(8));
                new ProcessMemory((int) ProcessHandle.current().pid()); // loads what find() needs
                number = mine;
            } catch (LinkageError noNativeCode) {
                loans = CopyWays.Use.NEVER;
            }
        }
        return loans != CopyWays.Use.NEVER;
    }

    /** Which long messages are lent. */
    CopyWays.Use loans() {
        return loans;
    }

    /** Whether a peer may be lent memory of this process: it has not refused. */
    boolean mayLend(int peer) {
        return !refusing[peer] && tell();
    }

    /** A peer has refused a loan: it cannot read this process's memory. */
    void refuse(int peer) {
        refusing[peer] = true;
    }

    /** A peer's process; null if this process cannot copy to and from it, or the peer has not told yet. */
    ProcessMemory find(int peer) {
        ProcessMemory known = found[peer];
        if (known != null || unreachable[peer] || loans == CopyWays.Use.NEVER) {
            return known;
        }
        long address = table.numberAddress(peer);
        if (address == 0) {
            return null;
        }
        ProcessMemory process = new ProcessMemory(pid(peer));
        ByteBuffer read = ByteBuffer.allocateDirect(NUMBER_BYTES);
        boolean right = process.read(address, Libc.address(read), NUMBER_BYTES) == 0
            && read.getLong(0) == table.number(peer, 0) && read.getLong(8) == table.number(peer, 1);
        if (right) {
            found[peer] = process;
        } else {
            unreachable[peer] = true;
        }
        return found[peer];
    }

    private int pid(int peer) {
        long pid = table.identity(peer).pid();
        return (int) (pid == 0 ? ProcessHandle.current().pid() : pid); // 0: a thread of this process
    }
}
