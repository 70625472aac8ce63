package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.InboxDescriptor.*;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.Outbox;

/**
 * The ring of one lane in the peer's inbox, as its sender knows it. Positions only grow. The tail is the end of what
 * has arrived. Under the connection's lock.
 */
final class RingWriter {
    private final LaneCredit credit;
    private final NativeMemory remote;
    private final int tailPlace;
    private final int ring;
    private final int bytes;
    private final int grain;
    private long tail;
    private long freed;

    /** @param grain positions of messages and transfers are multiples of this */
    RingWriter(int lane, LaneCredit credit, Outbox outbox, int grain) {
        this.credit = credit;
        this.grain = grain;
        remote = outbox.memory;
        bytes = outbox.ringBytes;
        ring = lane == FabricEnd.CONTROL ? 0 : InboxDescriptor.ring(lane, bytes);
        tailPlace = line(lane) + TAIL;
    }

    /** The offset of a position in the peer's segment. */
    int place(long position) {
        return ring + ((int) position & bytes - 1);
    }

    /** How many bytes from a position on lie in one piece. */
    int inOnePiece(long position) {
        return bytes - ((int) position & bytes - 1);
    }

    /** Whether the peer has not yet freed the ring up to an end. */
    boolean isShortOf(long end) {
        if (end - freed <= bytes) {
            return false;
        }
        freed = credit.read(BYTES_FREED, freed, tail, "bytes");
        return end - freed > bytes;
    }

    /** Where the next message may begin. */
    long next() {
        return tail + grain - 1 & -grain;
    }

    /** Tells the peer that everything up to an end has arrived. */
    void publish(long end) {
        tail = end;
        storeAgain();
    }

    /** Stores the tail again, in case the peer did not get it. */
    void storeAgain() {
        remote.putLong(tailPlace, tail);
    }
}
