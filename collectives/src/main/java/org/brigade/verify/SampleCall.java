package org.brigade.verify;

import mpi.spi.Collective;
import mpi.spi.Extent;
import org.brigade.pattern.Neighbourhoods;

/**
 * A call whose results are checked: how many items each rank's blocks have, where blocks lie, and what each rank must
 * receive. The blocks of the v-forms and of reduce-scatter differ, and some are empty. Collectives among neighbours are
 * called on a ring.
 *
 * @param count items of the vector or of a block; about so many of blocks that differ
 * @param gap items behind each block of a v-form
 * @param even whether all blocks have {@code count} items
 */
public record SampleCall(Collective collective, int ranks, int root, int count, int gap, boolean inPlace,
    boolean even) {
    private static final int ROUND_COUNTS = 100;
    private static final int ROUND = 16;

    /** Takes what a rank must receive, item by item. */
    public interface Result {
        /**
         * Items {@code at} and behind are those from {@code first} on of what rank {@code source} contributes. If the
         * collective reduces, they are combined with the same items of the {@code terms - 1} ranks behind.
         */
        void put(int at, int source, int terms, int first, int count);
    }

    /** Whether the call says where each block lies. */
    public boolean listed() {
        return !collective.contiguous();
    }

    /** Items of each block that a rank contributes, of which those of some calls matter at the root only. */
    public int[] sent(int rank) {
        return counts(collective == Collective.BCAST ? Extent.VECTOR : collective.send, rank, true);
    }

    /** Items of each block of a rank's result. */
    public int[] received(int rank) {
        return counts(collective.recv, rank, false);
    }

    private int[] counts(Extent extent, int rank, boolean sends) {
        if (extent == Extent.VECTOR) {
            return new int[] {count};
        }
        if (extent == Extent.OWN) {
            return new int[] {block(rank)};
        }
        if (extent == Extent.EDGES) {
            return edges(rank, sends);
        }
        int[] counts = new int[ranks];
        for (int peer = 0; peer < ranks; peer++) {
            counts[peer] = collective != Collective.ALLTOALLV ? block(peer)
                : sends ? between(rank, peer) : between(peer, rank);
        }
        return counts;
    }

    private int[] edges(int rank, boolean sends) {
        Neighbourhoods ring = new Neighbourhoods.Ring(ranks);
        int[] counts = new int[ring.of(rank).sources().length];
        for (int block = 0; block < counts.length; block++) {
            Edge edge = sends ? new Edge(rank, block) : Edge.into(rank, block, ring);
            counts[block] = collective.send == Extent.OWN ? block(edge.rank()) : between(edge.rank(), edge.block());
        }
        return counts;
    }

    /** Of round counts, all are round: some algorithms want blocks at multiples of 16 bytes. */
    private int block(int rank) {
        if (even || count == 0 || !listed() && collective != Collective.REDUCE_SCATTER) {
            return count;
        }
        int items = (count + 2 * rank) % (count + 3);
        return count >= ROUND_COUNTS && count % 4 == 0 ? items / ROUND * ROUND : items;
    }

    /** In place, both ways have as many. */
    private int between(int from, int to) {
        return even || count == 0 || inPlace ? count : (count + 3 * from + to) % (count + 2);
    }

    /** Where blocks of these counts begin, and behind the last where they end. */
    public int[] places(int[] counts) {
        int[] places = new int[counts.length + 1];
        for (int i = 0; i < counts.length; i++) {
            places[i + 1] = places[i] + counts[i] + (listed() ? gap : 0);
        }
        return places;
    }

    /** Items from the first block to the end of the last. */
    public int items(int[] counts) {
        return places(counts)[counts.length];
    }

    /** Whether a rank's contribution lies in its receive buffer. */
    public boolean inReceiveBuffer(int rank) {
        return collective == Collective.BCAST ? rank == root
            : inPlace && !collective.scatters() && (!collective.rooted || rank == root);
    }

    /** The item of the receive buffer at which such a contribution begins. */
    public int ownPlace(int rank) {
        return collective.send == Extent.OWN ? places(received(rank))[rank] : 0;
    }

    /** What this rank must receive; other items of the receive buffer stay as they are. */
    public void result(int rank, Result result) {
        Definition definition = Definition.of(collective, rank, ranks, root, inPlace);
        int[] counts = received(rank);
        int[] places = places(counts);
        for (int block = 0; block < definition.blocks(); block++) {
            int source = definition.source(block);
            result.put(places[block], source, definition.terms(), places(sent(source))[definition.block(block)],
                counts[block]);
        }
    }
}
