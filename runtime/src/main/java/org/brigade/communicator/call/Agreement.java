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
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.Membership;
import org.brigade.engine.Plan;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.select.Choice;

/**
 * Exchanges a few words between the ranks of one communicator before a call can go on. It uses an allreduce of its own,
 * which tuning tables and user settings do not affect: through the nodes' leaders if the ranks are on several nodes,
 * else by recursive doubling. Of n ranks, each exchanges messages with about log2(n) others. Few ranks of one node tell
 * all others at once, by {@link FlatCollectives}, which a fresh JVM does in a tenth of the time. In blocking calls
 * only; under the progress lock.
 */
public final class Agreement {
    private static final TypeLayout WORD = TypeLayout.of("MPI.LONG", ElementKind.LONG, 1);
    private static final Reduction GREATEST = Reduction.predefined(Reduction.Operator.MAX);
    private static final Reduction COMMON = Reduction.predefined(Reduction.Operator.BAND);
    private static final int RADIX = 2;
    private static final int FEW_RANKS = 4;
    /** A link holds messages of so many words of two calls. */
    private static final int FEW_WORDS = 64;

    private final FlatCollectives flat;
    private final CursorPool cursors;
    private final CombinerCache combiners;
    private final int rank;
    private final int ranks;
    private final CommunicatorTopology wires;
    /** What this rank does meanwhile, for those who read of a wait. */
    private String within = "an agreement of the ranks";
    /** Null until first used. */
    private Plan plan;

    /**
     * @param flat messages of the same members
     * @param wires only the levels are used
     */
    public Agreement(Membership membership, FlatCollectives flat, CursorPool cursors, CombinerCache combiners,
        CommunicatorTopology wires) {
        this.flat = flat;
        this.cursors = cursors;
        this.combiners = combiners;
        this.rank = membership.rank;
        this.ranks = membership.members.length;
        this.wires = wires;
    }

    /** What follows is a part of a call of this collective. */
    public void within(Collective collective) {
        within = collective.key();
    }

    /**
     * Replaces each word with the greatest of all ranks' values.
     *
     * @param key of the messages
     * @param words in: this rank's words; out: the result. Equally many on all ranks
     */
    public void greatest(long key, long[] words) {
        reduce(key, words, GREATEST);
    }

    /** Replaces each word with the bitwise AND of all ranks' values; otherwise like {@link #greatest}. */
    public void common(long key, long[] words) {
        reduce(key, words, COMMON);
    }

    /**
     * Gathers all ranks' words, in rank order; every rank gives equally many. The result grows with the number of
     * ranks, so use it only where {@link #greatest} and {@link #common} cannot do.
     */
    public long[] all(long key, long... own) {
        long[] words = new long[ranks * own.length];
        Arrays.fill(words, Long.MIN_VALUE);
        System.arraycopy(own, 0, words, rank * own.length, own.length);
        greatest(key, words);
        return words;
    }

    /** Gathers all ranks' blocks, in rank order; all blocks have the same length. */
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
        Call call = new Call(rank, ranks).begin(Collective.ALLREDUCE, true).reduction(WORD, op);
        call.recv.vector(words, 0, words.length, WORD.extent);
        call.inPlace();
        CombinerCache.Pair pair = combiners.of(WORD, op);
        if (ranks <= FEW_RANKS && words.length <= FEW_WORDS && !wires.levels().divide()) {
            flat.allreducePost(key, call, within);
            flat.allreduceFold(key, call, pair.incomingLast(), pair.incomingFirst(), within);
            return;
        }
        if (plan == null) {
            plan = plan();
        }
        Cursor cursor = cursors.take();
        cursor.begin(plan, key, call, pair.incomingLast(), pair.incomingFirst());
        try {
            cursor.runWithin(within);
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
