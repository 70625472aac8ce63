package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.MulticastDescriptor.*;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.OutboundLink;
import org.brigade.transport.sisci.adapter.Adapter;
import org.brigade.transport.sisci.adapter.MulticastDescriptor;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.Teardown;

/**
 * A member's sending end to all others. It writes words into an image of its ring and copies them from there to the
 * group, again if they get lost. The holder of the progress lock sends. The tender stores words again that are not
 * consumed.
 */
final class MulticastSender implements OutboundLink {
    /**
     * Words that some member has not consumed are stored again after this time, then after twice that time, and so on.
     * The member may have the words and be busy.
     */
    private static final long FIRST_PATIENCE = 20_000_000;
    private static final long MOST_PATIENCE = 1_000_000_000;

    private final int id;
    private final int slot;
    private final Connection[] others;
    private final long device;
    private final long remote;
    private final long map;
    private final NativeMemory image;
    private final NativeMemory scratch = NativeMemory.allocate(CHUNK_WORDS * DATA_BYTES + 8);
    private final NativeMemory pair = NativeMemory.allocate(2 * Long.BYTES);
    private final Region pairRegion = Region.of(pair);
    private final int words;
    private final long[] consumed;

    private long written;
    private long consumedByAll;
    /** Length of the message under way, and how many of its bytes are accepted; both 0 between messages. */
    private long open;
    private long accepted;
    private long patience = FIRST_PATIENCE;
    private long lastConsumed;
    private long since;
    private boolean closed;

    private MulticastSender(int id, int slot, Connection[] others, int words, long device, long remote, long map) {
        this.id = id;
        this.slot = slot;
        this.others = others;
        this.words = words;
        this.device = device;
        this.remote = remote;
        this.map = map;
        image = NativeMemory.allocate(words * 8);
        consumed = new long[others.length];
    }

    /**
     * Connects to a group.
     *
     * @param others the members that receive
     * @param ring which of the segment's rings is this member's
     * @throws SisciException if there is no such group
     */
    static MulticastSender connect(Adapter adapter, int id, int slot, Connection[] others, int ring, int words) {
        int broadcast = Sisci.flag("SCI_FLAG_BROADCAST");
        long device = Sisci.open();
        long remote = 0;
        try {
            remote = Sisci.connectSegment(device, Sisci.flag("DIS_BROADCAST_NODEID_GROUP_ALL"), id, adapter.number,
                broadcast);
            long map = Sisci.mapRemote(remote, (long) ring * words * 8, words * 8L, broadcast);
            return new MulticastSender(id, slot, others, words, device, remote, map);
        } catch (SisciException e) {
            long made = remote;
            if (made != 0) {
                Teardown.run(() -> Sisci.disconnectSegment(made));
            }
            Teardown.run(() -> Sisci.close(device));
            throw e;
        }
    }

    @Override
    public synchronized long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        if (sent != accepted || sent > 0 && bytes != open) {
            if (sent == 0 || open == 0) {
                return REFUSED; // another message is under way
            }
            throw new IllegalStateException("cannot send byte " + sent + " of a message of " + bytes + " bytes: byte "
                + accepted + " of " + open + " is next");
        }
        int head = sent == 0 ? HEAD_WORDS : 0;
        int payload = (int) Math.min(CHUNK_WORDS, payloadWords(bytes - sent));
        int room = room(head + payload) - head;
        if (closed || room < Math.min(GRAIN_WORDS, payload)) {
            return REFUSED;
        }
        long start = written;
        if (head > 0) {
            put(head(kind, bytes));
            put(MulticastDescriptor.key(key));
        }
        int now = (int) Math.min(bytes - sent,
            payload <= room ? (long) payload * DATA_BYTES : room / GRAIN_WORDS * GRAIN_BYTES);
        if (now > 0) {
            source.read(at + sent, scratch, 0, now);
            putScratch((int) payloadWords(now));
        }
        copy(start, written);
        boolean ended = sent + now == bytes;
        open = ended ? 0 : bytes;
        accepted = ended ? 0 : sent + now;
        return now;
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        pair.putLong(0, first);
        pair.putLong(Long.BYTES, second);
        return trySend(kind, key, pairRegion, 0, 2 * Long.BYTES, 0) != REFUSED;
    }

    private void put(long data) {
        image.putLong(((int) written & words - 1) << 3, MulticastDescriptor.word(data, written, words));
        written++;
    }

    private void putScratch(int count) {
        for (int done = 0; done < count;) {
            int place = (int) written & words - 1;
            int run = Math.min(count - done, words - place);
            pack(scratch.bytes, done * DATA_BYTES, image.bytes, place << 3, run, lapBits(written, words));
            written += run;
            done += run;
        }
    }

    private void copy(long from, long to) {
        for (long at = from; at < to;) {
            int place = (int) at & words - 1;
            int count = (int) Math.min(to - at, words - place);
            Sisci.copy(0, image.address() + place * 8L, map, place * 8L, count * 8L, 0);
            at += count;
        }
    }

    /**
     * Words that may be written now. Reads the members' counts only if fewer than {@code wanted} are known to be free.
     */
    private int room(int wanted) {
        if (written + wanted - consumedByAll > words) {
            look();
        }
        return (int) (words - (written - consumedByAll));
    }

    private void look() {
        long least = written;
        for (int i = 0; i < others.length; i++) {
            long now = consumed(id, others[i].acknowledgedBy(slot));
            if (now < consumed[i] || now > written) {
                others[i]
                    .refuse(
                        "has consumed " + consumed[i] + " of " + written + " words of a multicast, now says " + now);
                now = consumed[i];
            }
            consumed[i] = now;
            least = Math.min(least, now);
        }
        consumedByAll = least;
    }

    /**
     * Whether all members that are still there have consumed everything sent. The tender calls this; it stores words
     * again that have not been consumed for a while.
     */
    synchronized boolean settled() {
        if (closed) {
            return true;
        }
        look();
        if (consumedByAll == written) {
            since = 0;
            return true;
        }
        long now = System.nanoTime();
        if (since == 0 || consumedByAll != lastConsumed) {
            since = now;
            lastConsumed = consumedByAll;
            patience = FIRST_PATIENCE;
        } else if (now - since > patience) {
            since = now;
            patience = Math.min(2 * patience, MOST_PATIENCE);
            copy(consumedByAll, written);
            return !doubt();
        }
        return false;
    }

    /** Makes the tender check the members that have not consumed everything; returns whether there are any. */
    private boolean doubt() {
        boolean some = false;
        for (int i = 0; i < others.length; i++) {
            if (consumed[i] < written && others[i].lost() == null) {
                others[i].doubt();
                some = true;
            }
        }
        return some;
    }

    synchronized void close() {
        if (!closed) {
            closed = true;
            Teardown.run(() -> Sisci.unmap(map));
            Teardown.run(() -> Sisci.disconnectSegment(remote));
            Teardown.run(() -> Sisci.close(device));
        }
    }
}
