package org.brigade.verify;

import java.util.Arrays;
import mpi.spi.Collective;
import mpi.spi.Extent;
import org.brigade.schedule.Aliasing;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Role;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.Slice;

/**
 * One rank's memory in a symbolic run: a term for every element of SEND, RECV and the areas of SCRATCH, one after
 * another.
 */
final class Image {
    private final Geometry geometry;
    private final Sizes sizes;
    private final int vectorBlocks;
    /**
     * Where each block of a space begins, and where the space ends; space 0 is SEND, 1 RECV, from 2 on the areas of
     * SCRATCH.
     */
    final int[][] starts;
    final int[] terms;
    /** The step that last wrote an element, or -1. */
    final int[] writers;

    Image(Schedule schedule, Sizes sizes) {
        this.geometry = schedule.geometry();
        this.sizes = sizes;
        this.vectorBlocks = schedule.blocks();
        starts = new int[2 + schedule.areas()][];
        int at = 0;
        for (int space = 0; space < starts.length; space++) {
            Role role = space == 0 ? Role.SEND : space == 1 ? Role.RECV : Role.SCRATCH;
            int blocks = geometry.blocks(role, vectorBlocks);
            starts[space] = new int[blocks + 1];
            for (int block = 0; block < blocks; block++) {
                starts[space][block] = at;
                at += length(role, block);
            }
            starts[space][blocks] = at;
        }
        terms = new int[at];
        writers = new int[at];
        Arrays.fill(writers, -1);
    }

    private int length(Role role, int block) {
        int rank = geometry.rank();
        int ranks = geometry.ranks();
        if (geometry.collective() == Collective.ALLTOALLV) {
            return role == Role.RECV ? sizes.pair(block, rank, ranks) : sizes.pair(rank, block, ranks);
        }
        if (geometry.collective().amongNeighbours()) {
            Edge edge = role == Role.SEND ? new Edge(rank, block) : Edge.into(rank, block, geometry.neighbours());
            if (edge.rank() < 0) {
                return 1;
            }
            return geometry.collective().send == Extent.OWN ? sizes.block(edge.rank(), ranks)
                : sizes.pair(edge.rank(), edge.block(), ranks);
        }
        return switch (role.extent(geometry.collective())) {
            case VECTOR -> sizes.block(block, vectorBlocks);
            case EACH -> sizes.block(block, ranks);
            case OWN -> sizes.block(rank, ranks);
            case NONE, EDGES -> 0;
        };
    }

    /**
     * First element of a whole slice in a round; throws IndexOutOfBoundsException for a slice outside its role's
     * blocks.
     */
    int start(Slice slice, int round) {
        Slice resolved = Aliasing.resolve(geometry, slice);
        return starts[space(resolved)][resolved.first().at(round)];
    }

    /** Elements of a whole slice in a round. */
    int length(Slice slice, int round) {
        Slice resolved = Aliasing.resolve(geometry, slice);
        int[] space = starts[space(resolved)];
        int first = resolved.first().at(round);
        return space[first + resolved.blocks()] - space[first];
    }

    int window() {
        return sizes.window();
    }

    private static int space(Slice slice) {
        return switch (slice.role()) {
            case SEND -> 0;
            case RECV -> 1;
            case SCRATCH -> 2 + slice.area();
        };
    }

    /** An element's position in words: {@code RECV block 3}. */
    String place(int element) {
        for (int space = starts.length - 1; space >= 0; space--) {
            int[] blocks = starts[space];
            for (int block = blocks.length - 2; block >= 0; block--) {
                if (element >= blocks[block] && element < blocks[block + 1]) {
                    return (space == 0 ? "SEND" : space == 1 ? "RECV" : "SCRATCH" + (space - 2)) + " block " + block;
                }
            }
        }
        return "element " + element;
    }
}
