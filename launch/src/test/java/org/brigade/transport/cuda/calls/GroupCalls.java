package org.brigade.transport.cuda.calls;

import java.util.Arrays;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.brigade.transport.cuda.calls.CallAudit.Buffer;
import org.brigade.transport.cuda.calls.CallAudit.TwoBuffers;

/** Messages and collectives between two groups: even ranks and odd ones. */
final class GroupCalls {
    private static final int TAG = 3;

    private GroupCalls() {
    }

    static void add(CallAudit audit, Intracomm world) {
        int rank = world.getRank();
        Intracomm half = world.split(rank % 2, rank);
        Intercomm c = world.createIntercomm(half, 0, 1 - rank % 2, TAG);
        c.setErrhandler(MPI.ERRORS_RETURN);
        boolean first = rank % 2 == 0;
        int there = c.getRemoteSize();
        int root = !first ? 0 : half.getRank() == 0 ? MPI.ROOT : MPI.PROC_NULL;
        audit.add("messages between groups", t -> {
            int peer = half.getRank();
            if (peer < there) {
                Request receive = c.iRecv(t.out(t.n), t.n, t.type, peer, TAG);
                c.send(t.in(t.n), t.n, t.type, peer, TAG);
                receive.waitFor();
            }
        });
        Buffer one = t -> t.in(t.n);
        Buffer into = t -> t.out(t.n);
        Buffer all = t -> t.in(t.n * there);
        Buffer intoAll = t -> t.out(t.n * there);
        Buffer none = t -> null;
        boolean atRoot = root == MPI.ROOT;
        three(audit, "bcast", t -> atRoot ? t.in(t.n) : first ? null : t.out(t.n), none, (t, b, x) -> {
            c.bcast(b, t.n, t.type, root);
            return null;
        }, (t, b, x) -> c.iBcast(b, t.n, t.type, root), (t, b, x) -> c.bcastInit(b, t.n, t.type, root, MPI.INFO_NULL));
        three(audit, "gather", first ? none : one, atRoot ? intoAll : none, (t, s, r) -> {
            c.gather(s, t.n, t.type, r, t.n, t.type, root);
            return null;
        }, (t, s, r) -> c.iGather(s, t.n, t.type, r, t.n, t.type, root),
            (t, s, r) -> c.gatherInit(s, t.n, t.type, r, t.n, t.type, root, MPI.INFO_NULL));
        three(audit, "scatter", atRoot ? all : none, first ? none : into, (t, s, r) -> {
            c.scatter(s, t.n, t.type, r, t.n, t.type, root);
            return null;
        }, (t, s, r) -> c.iScatter(s, t.n, t.type, r, t.n, t.type, root),
            (t, s, r) -> c.scatterInit(s, t.n, t.type, r, t.n, t.type, root, MPI.INFO_NULL));
        three(audit, "allGather", one, intoAll, (t, s, r) -> {
            c.allGather(s, t.n, t.type, r, t.n, t.type);
            return null;
        }, (t, s, r) -> c.iAllGather(s, t.n, t.type, r, t.n, t.type),
            (t, s, r) -> c.allGatherInit(s, t.n, t.type, r, t.n, t.type, MPI.INFO_NULL));
        three(audit, "allToAll", all, intoAll, (t, s, r) -> {
            c.allToAll(s, t.n, t.type, r, t.n, t.type);
            return null;
        }, (t, s, r) -> c.iAllToAll(s, t.n, t.type, r, t.n, t.type),
            (t, s, r) -> c.allToAllInit(s, t.n, t.type, r, t.n, t.type, MPI.INFO_NULL));
        three(audit, "reduce", first ? none : one, atRoot ? into : none, (t, s, r) -> {
            c.reduce(s, r, t.n, t.type, MPI.SUM, root);
            return null;
        }, (t, s, r) -> c.iReduce(s, r, t.n, t.type, MPI.SUM, root),
            (t, s, r) -> c.reduceInit(s, r, t.n, t.type, MPI.SUM, root, MPI.INFO_NULL));
        three(audit, "allReduce", one, into, (t, s, r) -> {
            c.allReduce(s, r, t.n, t.type, MPI.SUM);
            return null;
        }, (t, s, r) -> c.iAllReduce(s, r, t.n, t.type, MPI.SUM),
            (t, s, r) -> c.allReduceInit(s, r, t.n, t.type, MPI.SUM, MPI.INFO_NULL));
        blocksOfLengths(audit, c, there, root, first);
    }

    private static int[] counts(Trial t, int there) {
        int[] counts = new int[there];
        Arrays.fill(counts, t.n - 1);
        return counts;
    }

    private static int[] places(Trial t, int there) {
        int[] places = new int[there];
        Arrays.setAll(places, i -> (there - 1 - i) * t.n);
        return places;
    }

    private static void blocksOfLengths(CallAudit audit, Intercomm c, int there, int root, boolean first) {
        boolean atRoot = root == MPI.ROOT;
        Buffer none = t -> null;
        Buffer one = t -> t.in(t.n);
        Buffer all = t -> t.in(t.n * there);
        Buffer intoAll = t -> t.out(t.n * there);
        three(audit, "gatherv", first ? none : one, atRoot ? intoAll : none, (t, s, r) -> {
            c.gatherv(s, t.n - 1, t.type, r, counts(t, there), places(t, there), t.type, root);
            return null;
        }, (t, s, r) -> c.iGatherv(s, t.n - 1, t.type, r, counts(t, there), places(t, there), t.type, root),
            (t, s, r) -> c.gathervInit(s, t.n - 1, t.type, r, counts(t, there), places(t, there), t.type, root,
                MPI.INFO_NULL));
        three(audit, "scatterv", atRoot ? all : none, first ? none : t -> t.out(t.n), (t, s, r) -> {
            c.scatterv(s, counts(t, there), places(t, there), t.type, r, t.n - 1, t.type, root);
            return null;
        }, (t, s, r) -> c.iScatterv(s, counts(t, there), places(t, there), t.type, r, t.n - 1, t.type, root),
            (t, s, r) -> c.scattervInit(s, counts(t, there), places(t, there), t.type, r, t.n - 1, t.type, root,
                MPI.INFO_NULL));
        three(audit, "allGatherv", one, intoAll, (t, s, r) -> {
            c.allGatherv(s, t.n - 1, t.type, r, counts(t, there), places(t, there), t.type);
            return null;
        }, (t, s, r) -> c.iAllGatherv(s, t.n - 1, t.type, r, counts(t, there), places(t, there), t.type),
            (t, s, r) -> c.allGathervInit(s, t.n - 1, t.type, r, counts(t, there), places(t, there), t.type,
                MPI.INFO_NULL));
        three(audit, "allToAllv", all, intoAll, (t, s, r) -> {
            c.allToAllv(s, counts(t, there), places(t, there), t.type, r, counts(t, there), places(t, there), t.type);
            return null;
        }, (t, s, r) -> c.iAllToAllv(s, counts(t, there), places(t, there), t.type, r, counts(t, there),
            places(t, there), t.type),
            (t, s, r) -> c.allToAllvInit(s, counts(t, there), places(t, there), t.type, r, counts(t, there),
                places(t, there), t.type, MPI.INFO_NULL));
        three(audit, "allToAllw", all, intoAll, (t, s, r) -> {
            c.allToAllw(s, counts(t, there), t.bytes(places(t, there)), t.types(there), r, counts(t, there),
                t.bytes(places(t, there)), t.types(there));
            return null;
        }, (t, s, r) -> c.iAllToAllw(s, counts(t, there), t.bytes(places(t, there)), t.types(there), r,
            counts(t, there), t.bytes(places(t, there)), t.types(there)),
            (t, s, r) -> c.allToAllwInit(s, counts(t, there), t.bytes(places(t, there)), t.types(there), r,
                counts(t, there), t.bytes(places(t, there)), t.types(there), MPI.INFO_NULL));
        Buffer vector = t -> t.in(t.n * there * c.getSize());
        Buffer block = t -> t.out(t.n * there);
        three(audit, "reduceScatterBlock", vector, block, (t, s, r) -> {
            c.reduceScatterBlock(s, r, t.n * there, t.type, MPI.SUM);
            return null;
        }, (t, s, r) -> c.iReduceScatterBlock(s, r, t.n * there, t.type, MPI.SUM),
            (t, s, r) -> c.reduceScatterBlockInit(s, r, t.n * there, t.type, MPI.SUM, MPI.INFO_NULL));
    }

    private static void three(CallAudit audit, String name, Buffer first, Buffer second, TwoBuffers blocking,
        TwoBuffers started, TwoBuffers persistent) {
        audit.add(name + " between groups", first, second, blocking);
        audit.add(name + " between groups, nonblocking", first, second, started);
        audit.add(name + " between groups, persistent", first, second, persistent);
    }
}
