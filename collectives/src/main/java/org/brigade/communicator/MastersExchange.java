package org.brigade.communicator;

import java.nio.ByteBuffer;
import org.brigade.aggregation.OutOfBand;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.Idle;
import org.brigade.engine.Party;
import org.brigade.engine.Progress;

/** Between the masters of a communicator's nodes, over the ordinary links, 16 bytes at a time: there is little to say. Under the progress lock, which is let go while one waits. */
final class MastersExchange implements OutOfBand {
    private final Progress progress;
    private final Party party;
    private final Party masters;
    private final long key;
    private final FusedFlat between;
    private Idle idle;

    /**
     * @param party  all members of the communicator
     * @param number this master's among them
     * @param which  the masters, as members
     * @param key    of the messages
     */
    MastersExchange(Progress progress, Party party, String communicator, int number, int[] which, long key) {
        this.progress = progress;
        this.party = party;
        this.key = key;
        int[] members = new int[which.length];
        for (int i = 0; i < members.length; i++) {
            members[i] = party.members[which[i]];
        }
        masters = new Party(number, members, communicator, party.returnsErrors());
        between = new FusedFlat(progress, masters);
    }

    @Override
    public int rank() {
        return masters.rank;
    }

    @Override
    public int size() {
        return masters.members.length;
    }

    @Override
    public byte[][] allgather(byte[] own) {
        int size = size();
        byte[][] all = new byte[size][own.length];
        long[] firsts = new long[size];
        long[] seconds = new long[size];
        for (int at = 0; at < Math.max(1, own.length); at += 2 * Long.BYTES) {
            int length = Math.min(2 * Long.BYTES, own.length - at);
            ByteBuffer words = ByteBuffer.allocate(2 * Long.BYTES).put(own, at, length).clear();
            between.exchange(key, words.getLong(), words.getLong(), firsts, seconds);
            for (int member = 0; member < size; member++) {
                ByteBuffer.allocate(2 * Long.BYTES).putLong(firsts[member]).putLong(seconds[member]).clear().get(all[member], at, length);
            }
        }
        return all;
    }

    @Override
    public void pause() {
        idle = progress.turn(idle, "Allreduce", key, party);
    }

    /** No more is said. */
    void end() {
        progress.release(idle);
        idle = null;
    }
}
