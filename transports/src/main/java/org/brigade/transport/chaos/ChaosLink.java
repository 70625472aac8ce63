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
    private static final int WORDS = PACKET_BYTES / Long.BYTES;

    private final Link calm;
    private final Hiccups out;
    private final Hiccups in;

    // The message at the head: the calm link may be past it while part of it is still kept here.
    private final long[] words = new long[WORDS];
    private NativeMemory aside = NativeMemory.allocate(1 << 10);
    private Region asideRegion = Region.of(aside);
    private int asideAt;
    private int asideEnd;

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
        for (int i = 0; i < WORDS && bytes <= PACKET_BYTES; i++) {
            words[i] = calm.word(i);
        }
        return true;
    }

    @Override
    public long word(int index) {
        return words[index];
    }

    @Override
    protected int stretch() {
        boolean packet = bytes <= PACKET_BYTES; // delivered whole, as links promise
        if (!packet && in.now()) {
            return 0;
        }
        if (asideAt == asideEnd && taken < bytes || bytes == 0) {
            if (aside.capacity() < calm.remaining()) {
                aside = NativeMemory.allocate(Math.toIntExact(calm.remaining()));
                asideRegion = Region.of(aside);
            }
            asideAt = 0;
            asideEnd = (int) calm.tryRecv(asideRegion, 0);
        }
        return packet ? asideEnd - asideAt : in.piece(asideEnd - asideAt, GRAIN);
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
