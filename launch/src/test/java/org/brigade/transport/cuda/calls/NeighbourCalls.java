package org.brigade.transport.cuda.calls;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import org.brigade.transport.cuda.calls.CallAudit.Buffer;
import org.brigade.transport.cuda.calls.CallAudit.TwoBuffers;

/** Collectives among the neighbours of a grid, a graph and a distributed graph. */
final class NeighbourCalls {
    private NeighbourCalls() {
    }

    static void add(CallAudit audit, Intracomm world) {
        int size = world.getSize();
        int rank = world.getRank();
        add(audit, "cart", world.createCart(new int[] {size}, new boolean[] {true}, false), 2, 2);
        int[] index = new int[size];
        int[] edges = new int[2 * size];
        for (int i = 0; i < size; i++) {
            index[i] = 2 * (i + 1);
            edges[2 * i] = (i + 1) % size;
            edges[2 * i + 1] = (i + size - 1) % size;
        }
        add(audit, "graph", world.createGraph(index, edges, false), 2, 2);
        // Everybody sends to rank 0 and to the next.
        int[] sources = new int[rank == 0 ? size + 1 : 1];
        Arrays.setAll(sources, i -> rank > 0 ? rank - 1 : i < size ? i : size - 1);
        int[] destinations = {0, (rank + 1) % size};
        add(audit, "distributed graph",
            world.createDistGraphAdjacent(sources, destinations, MPI.INFO_NULL, false), sources.length, 2);
    }

    private static int[] counts(Trial t, int neighbours) {
        int[] counts = new int[neighbours];
        Arrays.fill(counts, t.n - 1);
        return counts;
    }

    private static int[] places(Trial t, int neighbours) {
        int[] places = new int[neighbours];
        Arrays.setAll(places, i -> (neighbours - 1 - i) * t.n);
        return places;
    }

    private static void three(CallAudit audit, String name, Buffer first, Buffer second, TwoBuffers blocking,
        TwoBuffers started, TwoBuffers persistent) {
        audit.add(name, first, second, blocking);
        audit.add(name + ", nonblocking", first, second, started);
        audit.add(name + ", persistent", first, second, persistent);
    }

    private static void add(CallAudit audit, String kind, Intracomm c, int from, int to) {
        Buffer one = t -> t.in(t.n);
        Buffer out = t -> t.in(t.n * to);
        Buffer in = t -> t.out(t.n * from);
        three(audit, "neighborAllGather, " + kind, one, in, (t, s, r) -> {
            c.neighborAllGather(s, t.n, t.type, r, t.n, t.type);
            return null;
        }, (t, s, r) -> c.iNeighborAllGather(s, t.n, t.type, r, t.n, t.type),
            (t, s, r) -> c.neighborAllGatherInit(s, t.n, t.type, r, t.n, t.type, MPI.INFO_NULL));
        three(audit, "neighborAllGatherv, " + kind, one, in, (t, s, r) -> {
            c.neighborAllGatherv(s, t.n - 1, t.type, r, counts(t, from), places(t, from), t.type);
            return null;
        }, (t, s, r) -> c.iNeighborAllGatherv(s, t.n - 1, t.type, r, counts(t, from), places(t, from), t.type),
            (t, s, r) -> c.neighborAllGathervInit(s, t.n - 1, t.type, r, counts(t, from), places(t, from), t.type,
                MPI.INFO_NULL));
        three(audit, "neighborAllToAll, " + kind, out, in, (t, s, r) -> {
            c.neighborAllToAll(s, t.n, t.type, r, t.n, t.type);
            return null;
        }, (t, s, r) -> c.iNeighborAllToAll(s, t.n, t.type, r, t.n, t.type),
            (t, s, r) -> c.neighborAllToAllInit(s, t.n, t.type, r, t.n, t.type, MPI.INFO_NULL));
        three(audit, "neighborAllToAllv, " + kind, out, in, (t, s, r) -> {
            c.neighborAllToAllv(s, counts(t, to), places(t, to), t.type, r, counts(t, from), places(t, from), t.type);
            return null;
        }, (t, s, r) -> c.iNeighborAllToAllv(s, counts(t, to), places(t, to), t.type, r, counts(t, from),
            places(t, from), t.type),
            (t, s, r) -> c.neighborAllToAllvInit(s, counts(t, to), places(t, to), t.type, r, counts(t, from),
                places(t, from), t.type, MPI.INFO_NULL));
    }
}
