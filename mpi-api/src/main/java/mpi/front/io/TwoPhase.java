package mpi.front.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Collective buffering in two phases: pieces of all ranks that lie between each other go to aggregators, each of which
 * has windows of the file and moves long stretches of it.
 *
 * <pre>
 * file          |window 0|window 1|window 2|window 3|window 4| ...      of equal length
 * aggregator     0        1        0        1        0
 * round          0        0        1        1        2
 * </pre>
 *
 * <p>
 * Windows begin at multiples of their length. A range of the file that is shorter than all aggregators' windows is
 * divided into one for each.
 *
 * <p>
 * A message to an aggregator describes pieces as blocks of one length at one distance, then has their bytes. Where
 * ranks write to the same bytes, those of the highest rank stay. Bytes that nobody writes are not touched.
 *
 * <p>
 * Source: Thakur, Gropp, Lusk, "Data sieving and collective I/O in ROMIO" (1999).
 */
public final class TwoPhase {
    /** Windows that are shortened end at multiples of this, so that no two ranks write to one page. */
    private static final int ALIGNED = 1 << 16;
    /** Place in the window, distance, length and number: ints. */
    private static final int BLOCK_BYTES = 4 * Integer.BYTES;

    private final RankExchange exchange;
    private final StoredFile file;
    private final int aggregators;
    private final int window;
    private final long base;
    private final long rounds;
    /** The data of this rank: a stretch of its view. */
    private final ViewMap view;
    private final long from;
    private final long to;
    /** This rank's number among the aggregators, -1 if it is none. */
    private final int number;
    private final CollectingMemory memory;
    /** In the current round, by aggregator: where in the data its window begins; then the end of the last one. */
    private final long[] cuts;
    private IOException failure;

    /**
     * @param memory of this rank's windows and messages; the file keeps it from call to call
     * @param most bytes of a window. It has fewer if the aggregators then have a window each
     * @param low the first byte of the file that some rank reads or writes; all ranks pass the same
     * @param high the byte behind the last one
     */
    public TwoPhase(RankExchange exchange, StoredFile file, CollectingMemory memory, int aggregators, int most,
        long low, long high, ViewMap view, long from, long n) {
        this.exchange = exchange;
        this.file = file;
        this.memory = memory;
        this.aggregators = aggregators;
        this.view = view;
        this.from = from;
        to = from + n;
        long aligned = low / ALIGNED * ALIGNED;
        long share = ((high - aligned + aggregators - 1) / aggregators + ALIGNED - 1) / ALIGNED * ALIGNED;
        window = (int) Math.min(most, share);
        base = window < most ? aligned : low / window * window;
        long round = (long) aggregators * window;
        rounds = (high - base + round - 1) / round;
        int own = -1;
        for (int i = 0; i < aggregators; i++) {
            own = rankOf(i) == exchange.rank ? i : own;
        }
        number = own;
        cuts = new long[aggregators + 1];
    }

    /** Aggregators are spread evenly, so they lie on different nodes. */
    private int rankOf(int aggregator) {
        return (int) ((long) aggregator * exchange.ranks / aggregators);
    }

    private long windowOf(long round, int aggregator) {
        return base + (round * aggregators + aggregator) * window;
    }

    private long position(long offset) {
        return Math.max(from, Math.min(to, view.position(offset)));
    }

    private void cut(long round) {
        for (int i = 0; i <= aggregators; i++) {
            cuts[i] = position(windowOf(round, i));
        }
    }

    /** Writes the data; all ranks call it. Throws the failure of this rank as an aggregator, after the last round. */
    public void write(UserData data) throws IOException {
        for (long round = 0; round < rounds; round++) {
            cut(round);
            int[] lengths = new int[exchange.ranks];
            byte[] out = describe(round, lengths);
            int[] described = exchange.alltoall(lengths);
            byte[] pieces = exchange.alltoallv(out, lengths, described);
            long[] coming = dataBytes(pieces, described);
            ByteBuffer in = send(data, coming);
            if (number >= 0 && failure == null) {
                store(pieces, described, in, windowOf(round, number));
            }
        }
        finish();
    }

    /** Sends this round's data from where they lie to the aggregators; returns what has come, by rank. */
    private ByteBuffer send(UserData data, long[] coming) {
        long[] places = new long[exchange.ranks];
        long[] lengths = new long[exchange.ranks];
        for (int i = 0; i < aggregators; i++) {
            places[rankOf(i)] = cuts[i] - from;
            lengths[rankOf(i)] = cuts[i + 1] - cuts[i];
        }
        long first = cuts[0] - from;
        Object source = data.memory();
        if (source == null) {
            int bytes = Math.toIntExact(cuts[aggregators] - cuts[0]);
            byte[] copy = new byte[bytes];
            data.get(first, copy, 0, bytes);
            for (int i = 0; i < aggregators; i++) {
                places[rankOf(i)] -= first;
            }
            source = copy;
        }
        ByteBuffer in = memory.messages(Math.toIntExact(Arrays.stream(coming).sum()));
        exchange.alltoallv(source, places, lengths, in, coming);
        return in;
    }

    /** Reads the data; all ranks call it. Returns how many bytes were there before the file's end. */
    public long read(UserData data) throws IOException {
        long end = to;
        for (long round = 0; round < rounds; round++) {
            cut(round);
            int[] lengths = new int[exchange.ranks];
            byte[] wanted = describe(round, lengths);
            int[] coming = exchange.alltoall(lengths);
            byte[] requests = exchange.alltoallv(wanted, lengths, coming);
            int[] replyLengths = new int[exchange.ranks];
            byte[] replies = load(requests, coming, windowOf(round, Math.max(0, number)), replyLengths);
            int[] back = new int[exchange.ranks];
            for (int i = 0; i < aggregators; i++) {
                back[rankOf(i)] = cuts[i] < cuts[i + 1] ? Long.BYTES + (int) (cuts[i + 1] - cuts[i]) : 0;
            }
            end = Math.min(end, place(exchange.alltoallv(replies, replyLengths, back), back, data));
        }
        finish();
        return end - from;
    }

    private void finish() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    // ---- of each rank ----

    /** One message for each aggregator: its blocks. */
    private byte[] describe(long round, int[] lengths) {
        ByteBuffer[] out = {ByteBuffer.allocate(1 << 12)};
        for (int i = 0; i < aggregators; i++) {
            if (cuts[i] == cuts[i + 1]) {
                continue;
            }
            int begin = out[0].position();
            long place = windowOf(round, i);
            view.visit(cuts[i], cuts[i + 1], (at, stride, length, count) -> reserve(out, BLOCK_BYTES)
                .putInt((int) (at - place)).putInt(count > 1 ? (int) stride : 0).putInt((int) length)
                .putInt((int) count));
            lengths[rankOf(i)] = out[0].position() - begin;
        }
        return out[0].array();
    }

    private static ByteBuffer reserve(ByteBuffer[] out, int bytes) {
        if (out[0].remaining() < bytes) {
            int needed = Math.addExact(out[0].position(), bytes);
            int room = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * out[0].capacity()));
            out[0] = ByteBuffer.wrap(Arrays.copyOf(out[0].array(), room)).position(out[0].position());
        }
        return out[0];
    }

    /** Hands the replies of a round to the user; returns where in the data the file ended, or the data's end. */
    private long place(byte[] replies, int[] lengths, UserData data) {
        ByteBuffer in = ByteBuffer.wrap(replies);
        int[] places = RankExchange.places(lengths);
        long end = to;
        for (int i = 0; i < aggregators; i++) {
            if (cuts[i] < cuts[i + 1]) {
                int at = places[rankOf(i)];
                long there = Math.max(cuts[i], Math.min(cuts[i + 1], view.position(in.getLong(at))));
                data.put(cuts[i] - from, replies, at + Long.BYTES, (int) (there - cuts[i]));
                end = there < cuts[i + 1] ? Math.min(end, there) : end;
            }
        }
        return end;
    }

    // ---- of the aggregators ----

    /** The bytes that each rank sends. */
    private static long[] dataBytes(byte[] pieces, int[] lengths) {
        ByteBuffer in = ByteBuffer.wrap(pieces);
        long[] bytes = new long[lengths.length];
        int at = 0;
        for (int rank = 0; rank < lengths.length; rank++) {
            for (int end = at + lengths[rank]; at < end; at += BLOCK_BYTES) {
                bytes[rank] += (long) in.getInt(at + 8) * in.getInt(at + 12);
            }
        }
        return bytes;
    }

    private void store(byte[] pieces, int[] lengths, ByteBuffer data, long place) {
        ByteBuffer in = ByteBuffer.wrap(pieces).limit(RankExchange.places(lengths)[exchange.ranks]);
        ByteBuffer bytes = memory.window(window);
        BitSet written = memory.written;
        written.clear();
        int from = 0;
        while (in.hasRemaining()) {
            int at = in.getInt();
            int stride = in.getInt();
            int length = in.getInt();
            for (int count = in.getInt(); count > 0; count--) {
                bytes.put(at, data, from, length);
                written.set(at, at + length);
                from += length;
                at += stride;
            }
        }
        try {
            for (int at = written.nextSetBit(0); at >= 0;) {
                int end = written.nextClearBit(at);
                file.write(bytes, at, end - at, place + at);
                at = written.nextSetBit(end);
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Reads what ranks want of a window; replies with where the file ends, if it is known, and the bytes. */
    private byte[] load(byte[] requests, int[] lengths, long place, int[] replyLengths) {
        ByteBuffer in = ByteBuffer.wrap(requests);
        int[] places = RankExchange.places(lengths);
        int low = Integer.MAX_VALUE;
        int high = 0;
        for (int rank = 0; rank < exchange.ranks; rank++) {
            for (int at = places[rank]; at < places[rank + 1]; at += BLOCK_BYTES) {
                int begin = in.getInt(at);
                int bytes = in.getInt(at + 8);
                int count = in.getInt(at + 12);
                low = Math.min(low, begin);
                high = Math.max(high, begin + (count - 1) * in.getInt(at + 4) + bytes);
                replyLengths[rank] += bytes * count;
            }
            replyLengths[rank] += lengths[rank] > 0 ? Long.BYTES : 0;
        }
        if (high == 0) {
            return new byte[0];
        }
        long end = fetch(low, high, place);
        ByteBuffer found = memory.window(window);
        ByteBuffer out = ByteBuffer.allocate(RankExchange.places(replyLengths)[exchange.ranks]);
        for (int rank = 0; rank < exchange.ranks; rank++) {
            if (lengths[rank] > 0) {
                out.putLong(end);
            }
            for (int at = places[rank]; at < places[rank + 1]; at += BLOCK_BYTES) {
                int stride = in.getInt(at + 4);
                for (int i = 0; i < in.getInt(at + 12); i++) {
                    int bytes = in.getInt(at + 8);
                    out.put(out.position(), found, in.getInt(at) + i * stride, bytes);
                    out.position(out.position() + bytes);
                }
            }
        }
        return out.array();
    }

    /** Fills the window; returns where the file ends if that is before, else the largest number; 0 if it failed. */
    private long fetch(int low, int high, long place) {
        try {
            int got = failure == null ? file.read(memory.window(window), low, high - low, place + low) : 0;
            return failure != null ? 0 : got < high - low ? place + low + got : Long.MAX_VALUE;
        } catch (IOException e) {
            failure = e;
            return 0;
        }
    }
}
