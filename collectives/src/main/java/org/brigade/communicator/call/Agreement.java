package org.brigade.communicator.call;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.Leaders;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.allreduce.HierarchicalAllreduce;
import org.brigade.algorithm.allreduce.RecursiveDoublingAllreduce;
import org.brigade.engine.Cursor;
import org.brigade.engine.Membership;
import org.brigade.engine.Plan;
import org.brigade.pattern.Wires;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.select.Choice;

/**
 * Words that the ranks of one communicator tell each other before a call of theirs can go on. In an allreduce that
 * neither a table nor the user chooses, so that it is there whatever they say: through the nodes' leaders where the
 * ranks are on several nodes, else by recursive doubling. A rank speaks to as many others as the logarithm of their
 * number. In blocking calls only; under the progress lock.
 */
public final class Agreement {
    private static final TypeLayout WORD = TypeLayout.of("MPI.LONG", ElementKind.LONG, 1);
    private static final Reduction GREATEST = Reduction.predefined(Reduction.Operator.MAX);
    private static final Reduction COMMON = Reduction.predefined(Reduction.Operator.BAND);
    private static final int RADIX = 2;

    private final CursorPool cursors;
    private final CombinerCache combiners;
    private final int rank;
    private final int ranks;
    private final Wires wires;
    /** Null until the first is made. */
    private Plan plan;

    /** @param wires of which nothing but the levels counts */
    public Agreement(Membership party, CursorPool cursors, CombinerCache combiners, Wires wires) {
        this.cursors = cursors;
        this.combiners = combiners;
        this.rank = party.rank;
        this.ranks = party.members.length;
        this.wires = wires;
    }

    /**
     * Word by word the greatest that any rank has said.
     *
     * @param key of the messages
     * @param words this rank's, then what all have come to; as many on all ranks
     */
    public void greatest(long key, long[] words) {
        reduce(key, words, GREATEST);
    }

    /** Word by word the bits that all ranks have said; as {@link #greatest}. */
    public void common(long key, long[] words) {
        reduce(key, words, COMMON);
    }

    /**
     * What each rank has said, by rank; as many words of all. For what cannot be said in fewer words than there are
     * ranks.
     */
    public long[] all(long key, long... own) {
        long[] words = new long[ranks * own.length];
        Arrays.fill(words, Long.MIN_VALUE);
        System.arraycopy(own, 0, words, rank * own.length, own.length);
        greatest(key, words);
        return words;
    }

    /** What each rank has said, by rank: blocks of one length. */
    public byte[][] all(long key, byte[] own) {
        long[] words = new long[own.length / Long.BYTES + 1];
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES).put(own).clear();
        bytes.asLongBuffer().get(words);
        long[] theirs = all(key, words);
        byte[][] all = new byte[ranks][own.length];
        for (int member = 0; member < ranks; member++) {
            bytes.clear().asLongBuffer().put(theirs, member * words.length, words.length);
            bytes.get(all[member]);
        }
        return all;
    }

    private void reduce(long key, long[] words, Reduction op) {
        if (plan == null) {
            plan = plan();
        }
        Cursor cursor = cursors.take();
        Call call = new Call(rank, ranks).begin(Collective.ALLREDUCE, true).reduction(WORD, op);
        call.recv.vector(words, 0, words.length, WORD.extent);
        call.inPlace();
        CombinerCache.Pair pair = combiners.of(WORD, op);
        cursor.begin(plan, key, call, pair.incomingLast(), pair.incomingFirst());
        try {
            cursor.run("an agreement of the ranks");
        } finally {
            cursors.release(cursor);
        }
    }

    private Plan plan() {
        ScheduledAlgorithm algorithm = wires.levels().divide() ? new HierarchicalAllreduce(Leaders.ONE_OF_TREES)
            : new RecursiveDoublingAllreduce();
        Geometry geometry = new Geometry(Collective.ALLREDUCE, ranks, rank, 0, true, RADIX, wires);
        ScheduleBuilder builder = new ScheduleBuilder(algorithm.name(), geometry);
        algorithm.build(geometry, builder);
        return new Plan(builder.finish(), new Choice(algorithm, 0, RADIX, 0, 0, "for the library's own words"));
    }
}
