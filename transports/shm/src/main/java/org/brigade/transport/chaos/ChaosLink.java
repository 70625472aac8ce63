package org.brigade.transport.chaos;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.Link;
import org.brigade.transport.ReceivingEnd;

/**
 * A link that refuses, delays and stalls, and delivers messages in pieces of any size that the contract allows: it
 * keeps what the calm link delivers and passes it on piece by piece.
 */
final class ChaosLink extends ReceivingEnd implements Link {
    private final Link calm;
    private final Hiccups out;
    private final Hiccups in;

    // Of the message at the head: the calm link may be past it while some of it is still aside.
    private NativeMemory aside = NativeMemory.allocate(1 << 10);
    private Region asideRegion = Region.of(aside);
    private int asideAt;
    private int asideEnd;
    private boolean whole;

    ChaosLink(Link calm, long seed) {
        this.calm = calm;
        this.out = new Hiccups(seed);
        this.in = new Hiccups(~seed);
    }

    @Override
    public int peer() {
        return calm.peer();
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        return out.now() ? REFUSED : calm.trySend(kind, key, source, at, bytes, sent);
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        return !out.now() && calm.trySendWords(kind, key, first, second);
    }

    @Override
    public boolean poll() {
        if (present) {
            return true;
        }
        if (in.now() || !calm.poll()) {
            return false;
        }
        present = true;
        kind = calm.kind();
        key = calm.key();
        bytes = calm.bytes();
        taken = 0;
        asideAt = 0;
        asideEnd = 0;
        whole = false;
        if (bytes <= PACKET_BYTES) {
            fetch();
            whole = asideEnd == bytes; // as links promise, but for some from device memory
        }
        return true;
    }

    private void fetch() {
        if (aside.capacity() < calm.remaining()) {
            aside = NativeMemory.allocate(Math.toIntExact(calm.remaining()));
            asideRegion = Region.of(aside);
        }
        asideAt = 0;
        asideEnd = (int) calm.tryRecv(asideRegion, 0);
    }

    @Override
    protected int stretch() {
        if (whole) {
            return asideEnd - asideAt;
        }
        if (in.now()) {
            return 0;
        }
        if (asideAt == asideEnd && taken < bytes) {
            fetch();
        }
        return in.piece(asideEnd - asideAt, GRAIN);
    }

    @Override
    protected NativeMemory memory() {
        return aside;
    }

    @Override
    protected int position() {
        return asideAt;
    }

    @Override
    protected long take(int piece) {
        asideAt += piece;
        taken += piece;
        present = taken < bytes;
        return piece;
    }
}
