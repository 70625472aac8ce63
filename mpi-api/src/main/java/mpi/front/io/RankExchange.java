package mpi.front.io;

import java.nio.ByteBuffer;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;

/** What the ranks of a file tell each other. All ranks make the same calls. */
public final class RankExchange {
    public final int rank;
    public final int ranks;
    private final Communicator lower;

    public RankExchange(Communicator lower) {
        this.lower = lower;
        rank = lower.rank();
        ranks = lower.size();
    }

    /** The numbers of all ranks, by rank; each passes as many. */
    public long[] allgather(long... mine) {
        if (ranks == 1) {
            return mine;
        }
        long[] all = new long[mine.length * ranks];
        Call call = begin(Collective.ALLGATHER);
        call.send.own(mine, 0, (long) mine.length * Long.BYTES);
        call.recv.each(all, 0, (long) mine.length * Long.BYTES, ranks);
        lower.start(call);
        return all;
    }

    /** A number for each rank, and one from each. */
    int[] alltoall(int[] mine) {
        int[] theirs = new int[ranks];
        Call call = begin(Collective.ALLTOALL);
        call.send.each(mine, 0, Integer.BYTES, ranks);
        call.recv.each(theirs, 0, Integer.BYTES, ranks);
        lower.start(call);
        return theirs;
    }

    /** A message for each rank, and one from each, one behind the other. */
    byte[] alltoallv(byte[] out, int[] outBytes, int[] inBytes) {
        byte[] in = new byte[places(inBytes)[ranks]];
        Call call = begin(Collective.ALLTOALLV);
        call.send.listed(out, 0, outBytes, null, 1, ranks);
        call.recv.listed(in, 0, inBytes, null, 1, ranks);
        lower.start(call);
        return in;
    }

    /** The same, from any places of a buffer; lengths in bytes. The messages that come lie one behind the other. */
    void alltoallv(Object out, long[] places, long[] outBytes, ByteBuffer in, long[] inBytes) {
        long[] begins = new long[ranks];
        for (int i = 1; i < ranks; i++) {
            begins[i] = begins[i - 1] + inBytes[i - 1];
        }
        Call call = begin(Collective.ALLTOALLV);
        call.send.placed(out, places, outBytes);
        call.recv.placed(in, begins, inBytes);
        lower.start(call);
    }

    /** Where the messages of these lengths begin, and where the last one ends. */
    static int[] places(int[] lengths) {
        int[] places = new int[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            places[i + 1] = Math.addExact(places[i], lengths[i]);
        }
        return places;
    }

    private Call begin(Collective collective) {
        return new Call(rank, ranks).begin(collective, true);
    }
}
