package org.brigade.algorithm;

import java.util.ArrayList;
import java.util.List;
import org.brigade.algorithm.allreduce.*;
import org.brigade.algorithm.barrier.*;
import org.brigade.algorithm.bcast.*;
import org.brigade.algorithm.reduce.*;
import org.brigade.schedule.Collective;

/**
 * All algorithms there are, by collective and name. The list of a collective is made when it is first asked for, so that a program loads
 * the classes of those it uses only.
 */
public final class Catalogue {
    /** Most ranks of the flat packet algorithms: beyond, one packet for each other rank is more than a tree's rounds. */
    private static final int FLAT_RANKS = 8;
    /** Most bytes of the packet algorithms: what a cache line holds beside its header. */
    private static final long PACKET_BYTES = 48;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final List<Algorithm>[] LISTS = new List[Collective.values().length];

    private Catalogue() {
    }

    /** The algorithms of a collective; those that are best for short messages tend to come first. Immutable. */
    public static synchronized List<Algorithm> of(Collective collective) {
        List<Algorithm> list = LISTS[collective.ordinal()];
        if (list == null) {
            list = List.of(make(collective));
            LISTS[collective.ordinal()] = list;
        }
        return list;
    }

    /** The algorithm with this name, or null. */
    public static Algorithm find(Collective collective, String name) {
        List<Algorithm> list = of(collective);
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).name().equals(name)) {
                return list.get(i);
            }
        }
        return null;
    }

    /** The algorithms of all collectives. */
    public static List<Algorithm> all() {
        List<Algorithm> all = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            all.addAll(of(collective));
        }
        return all;
    }

    private static Algorithm[] make(Collective collective) {
        switch (collective) {
            case BARRIER: {
                ScheduledAlgorithm flat = new DirectExchangeBarrier();
                return new Algorithm[] {packet(flat), flat, new DisseminationBarrier(), new TreeBarrier()};
            }
            case BCAST: {
                ScheduledAlgorithm flat = new DirectBcast();
                return new Algorithm[] {packet(flat), flat, new BinomialBcast(), new KnomialBcast(), new ScatterAllgatherBcast(), new ChainBcast(),
                    new PipelinedChainBcast()};
            }
            case REDUCE:
                return new Algorithm[] {new BinomialReduce(), new KnomialReduce()};
            case ALLREDUCE: {
                ScheduledAlgorithm flat = new DirectExchangeAllreduce();
                return new Algorithm[] {packet(flat), flat, new RecursiveDoublingAllreduce(), new ReduceBcastAllreduce(),
                    new RabenseifnerAllreduce(), new RingAllreduce(), new SegmentedRingAllreduce()};
            }
            default:
                return new Algorithm[0];
        }
    }

    private static FusedAlgorithm packet(ScheduledAlgorithm meaning) {
        return new FusedAlgorithm("packet-flat", meaning, new Restrictions(false, false, FLAT_RANKS, PACKET_BYTES));
    }
}
