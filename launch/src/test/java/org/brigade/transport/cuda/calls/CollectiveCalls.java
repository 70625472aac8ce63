package org.brigade.transport.cuda.calls;

import mpi.Intracomm;
import mpi.MPI;
import org.brigade.transport.cuda.calls.CallAudit.Buffer;
import org.brigade.transport.cuda.calls.CallAudit.TwoBuffers;

/** Collectives that move data, blocking, nonblocking and persistent, in both dialects, and in place. */
final class CollectiveCalls {
    private static final int ROOT = 1;
    private static final Buffer ONE = t -> t.in(t.n);
    private static final Buffer INTO_ONE = t -> t.out(t.n);
    private static final Buffer ALL = t -> t.in(t.n * t.size);
    private static final Buffer INTO_ALL = t -> t.out(t.n * t.size);

    private CollectiveCalls() {
    }

    private static void three(CallAudit audit, String name, Buffer first, Buffer second, TwoBuffers blocking,
        TwoBuffers started, TwoBuffers persistent) {
        audit.add(name, first, second, blocking);
        audit.add(name + ", nonblocking", first, second, started);
        audit.add(name + ", persistent", first, second, persistent);
    }

    private static Buffer atRoot(Buffer buffer) {
        return t -> t.rank == ROOT ? buffer.make(t) : null;
    }

    static void add(CallAudit audit, Intracomm w) {
        moves(audit, w);
        blocksOfLengths(audit, w);
        inPlace(audit, w);
        capital(audit, w);
    }

    private static void moves(CallAudit audit, Intracomm w) {
        three(audit, "bcast", t -> t.rank == ROOT ? t.in(t.n) : t.out(t.n), t -> null, (t, b, none) -> {
            w.bcast(b, t.n, t.type, ROOT);
            return null;
        }, (t, b, none) -> w.iBcast(b, t.n, t.type, ROOT),
            (t, b, none) -> w.bcastInit(b, t.n, t.type, ROOT, MPI.INFO_NULL));
        three(audit, "gather", ONE, atRoot(INTO_ALL), (t, s, r) -> {
            w.gather(s, t.n, t.type, r, t.n, t.type, ROOT);
            return null;
        }, (t, s, r) -> w.iGather(s, t.n, t.type, r, t.n, t.type, ROOT),
            (t, s, r) -> w.gatherInit(s, t.n, t.type, r, t.n, t.type, ROOT, MPI.INFO_NULL));
        three(audit, "scatter", atRoot(ALL), INTO_ONE, (t, s, r) -> {
            w.scatter(s, t.n, t.type, r, t.n, t.type, ROOT);
            return null;
        }, (t, s, r) -> w.iScatter(s, t.n, t.type, r, t.n, t.type, ROOT),
            (t, s, r) -> w.scatterInit(s, t.n, t.type, r, t.n, t.type, ROOT, MPI.INFO_NULL));
        three(audit, "allGather", ONE, INTO_ALL, (t, s, r) -> {
            w.allGather(s, t.n, t.type, r, t.n, t.type);
            return null;
        }, (t, s, r) -> w.iAllGather(s, t.n, t.type, r, t.n, t.type),
            (t, s, r) -> w.allGatherInit(s, t.n, t.type, r, t.n, t.type, MPI.INFO_NULL));
        three(audit, "allGather of unpacked elements", ONE, t -> t.outElements(t.n * t.size * t.shape.size),
            (t, s, r) -> {
                w.allGather(s, t.n, t.type, r, t.n * t.shape.size, t.shape.element);
                return null;
            }, (t, s, r) -> w.iAllGather(s, t.n, t.type, r, t.n * t.shape.size, t.shape.element),
            (t, s, r) -> w.allGatherInit(s, t.n, t.type, r, t.n * t.shape.size, t.shape.element, MPI.INFO_NULL));
        three(audit, "allToAll", ALL, INTO_ALL, (t, s, r) -> {
            w.allToAll(s, t.n, t.type, r, t.n, t.type);
            return null;
        }, (t, s, r) -> w.iAllToAll(s, t.n, t.type, r, t.n, t.type),
            (t, s, r) -> w.allToAllInit(s, t.n, t.type, r, t.n, t.type, MPI.INFO_NULL));
    }

    private static void blocksOfLengths(CallAudit audit, Intracomm w) {
        three(audit, "gatherv", ONE, atRoot(INTO_ALL), (t, s, r) -> {
            w.gatherv(s, t.counts()[t.rank], t.type, r, t.counts(), t.places(), t.type, ROOT);
            return null;
        }, (t, s, r) -> w.iGatherv(s, t.counts()[t.rank], t.type, r, t.counts(), t.places(), t.type, ROOT),
            (t, s, r) -> w.gathervInit(s, t.counts()[t.rank], t.type, r, t.counts(), t.places(), t.type, ROOT,
                MPI.INFO_NULL));
        three(audit, "scatterv", atRoot(ALL), INTO_ONE, (t, s, r) -> {
            w.scatterv(s, t.counts(), t.places(), t.type, r, t.counts()[t.rank], t.type, ROOT);
            return null;
        }, (t, s, r) -> w.iScatterv(s, t.counts(), t.places(), t.type, r, t.counts()[t.rank], t.type, ROOT),
            (t, s, r) -> w.scattervInit(s, t.counts(), t.places(), t.type, r, t.counts()[t.rank], t.type, ROOT,
                MPI.INFO_NULL));
        three(audit, "allGatherv", ONE, INTO_ALL, (t, s, r) -> {
            w.allGatherv(s, t.counts()[t.rank], t.type, r, t.counts(), t.places(), t.type);
            return null;
        }, (t, s, r) -> w.iAllGatherv(s, t.counts()[t.rank], t.type, r, t.counts(), t.places(), t.type),
            (t, s, r) -> w.allGathervInit(s, t.counts()[t.rank], t.type, r, t.counts(), t.places(), t.type,
                MPI.INFO_NULL));
        three(audit, "allToAllv", ALL, INTO_ALL, (t, s, r) -> {
            w.allToAllv(s, t.counts(), t.places(), t.type, r, t.all(t.counts()[t.rank]), t.places(), t.type);
            return null;
        }, (t, s, r) -> w.iAllToAllv(s, t.counts(), t.places(), t.type, r, t.all(t.counts()[t.rank]), t.places(),
            t.type),
            (t, s, r) -> w.allToAllvInit(s, t.counts(), t.places(), t.type, r, t.all(t.counts()[t.rank]), t.places(),
                t.type, MPI.INFO_NULL));
        three(audit, "allToAllw", ALL, INTO_ALL, (t, s, r) -> {
            w.allToAllw(s, t.counts(), t.bytes(t.places()), t.types(t.size), r, t.all(t.counts()[t.rank]),
                t.bytes(t.places()), t.types(t.size));
            return null;
        }, (t, s, r) -> w.iAllToAllw(s, t.counts(), t.bytes(t.places()), t.types(t.size), r,
            t.all(t.counts()[t.rank]), t.bytes(t.places()), t.types(t.size)),
            (t, s, r) -> w.allToAllwInit(s, t.counts(), t.bytes(t.places()), t.types(t.size), r,
                t.all(t.counts()[t.rank]), t.bytes(t.places()), t.types(t.size), MPI.INFO_NULL));
    }

    /** The one buffer has a place for every rank's block. */
    private static void inPlace(CallAudit audit, Intracomm w) {
        Buffer none = t -> null;
        three(audit, "gather in place", t -> t.rank == ROOT ? t.in(t.n * t.size) : t.in(t.n), none, (t, b, x) -> {
            w.gather(b, t.n, t.type, ROOT);
            return null;
        }, (t, b, x) -> w.iGather(b, t.n, t.type, ROOT), (t, b, x) -> w.gatherInit(b, t.n, t.type, ROOT,
            MPI.INFO_NULL));
        three(audit, "scatter in place", t -> t.rank == ROOT ? t.in(t.n * t.size) : t.in(t.n), none, (t, b, x) -> {
            w.scatter(b, t.n, t.type, ROOT);
            return null;
        }, (t, b, x) -> w.iScatter(b, t.n, t.type, ROOT), (t, b, x) -> w.scatterInit(b, t.n, t.type, ROOT,
            MPI.INFO_NULL));
        three(audit, "allGather in place", ALL, none, (t, b, x) -> {
            w.allGather(b, t.n, t.type);
            return null;
        }, (t, b, x) -> w.iAllGather(b, t.n, t.type), (t, b, x) -> w.allGatherInit(b, t.n, t.type, MPI.INFO_NULL));
        three(audit, "allGatherv in place", ALL, none, (t, b, x) -> {
            w.allGatherv(b, t.counts(), t.places(), t.type);
            return null;
        }, (t, b, x) -> w.iAllGatherv(b, t.counts(), t.places(), t.type),
            (t, b, x) -> w.allGathervInit(b, t.counts(), t.places(), t.type, MPI.INFO_NULL));
    }

    private static void capital(CallAudit audit, Intracomm w) {
        int at = Trial.OFFSET;
        Buffer one = t -> t.inArray(t.n);
        Buffer intoOne = t -> t.outArray(t.n);
        Buffer all = t -> t.inArray(t.n * t.size);
        Buffer intoAll = t -> t.outArray(t.n * t.size);
        two(audit, "Bcast", t -> t.rank == ROOT ? t.inArray(t.n) : t.outArray(t.n), t -> null, (t, b, none) -> {
            w.Bcast(b, at, t.n, t.type, ROOT);
            return null;
        }, (t, b, none) -> w.Bcast_init(b, at, t.n, t.type, ROOT, MPI.INFO_NULL));
        two(audit, "Gather", one, atRoot(intoAll), (t, s, r) -> {
            w.Gather(s, at, t.n, t.type, r, at, t.n, t.type, ROOT);
            return null;
        }, (t, s, r) -> w.Gather_init(s, at, t.n, t.type, r, at, t.n, t.type, ROOT, MPI.INFO_NULL));
        two(audit, "Scatter", atRoot(all), intoOne, (t, s, r) -> {
            w.Scatter(s, at, t.n, t.type, r, at, t.n, t.type, ROOT);
            return null;
        }, (t, s, r) -> w.Scatter_init(s, at, t.n, t.type, r, at, t.n, t.type, ROOT, MPI.INFO_NULL));
        two(audit, "Allgather", one, intoAll, (t, s, r) -> {
            w.Allgather(s, at, t.n, t.type, r, at, t.n, t.type);
            return null;
        }, (t, s, r) -> w.Allgather_init(s, at, t.n, t.type, r, at, t.n, t.type, MPI.INFO_NULL));
        two(audit, "Alltoall", all, intoAll, (t, s, r) -> {
            w.Alltoall(s, at, t.n, t.type, r, at, t.n, t.type);
            return null;
        }, (t, s, r) -> w.Alltoall_init(s, at, t.n, t.type, r, at, t.n, t.type, MPI.INFO_NULL));
        two(audit, "Gatherv", one, atRoot(intoAll), (t, s, r) -> {
            w.Gatherv(s, at, t.counts()[t.rank], t.type, r, at, t.counts(), t.places(), t.type, ROOT);
            return null;
        }, (t, s, r) -> w.Gatherv_init(s, at, t.counts()[t.rank], t.type, r, at, t.counts(), t.places(), t.type, ROOT,
            MPI.INFO_NULL));
        two(audit, "Scatterv", atRoot(all), intoOne, (t, s, r) -> {
            w.Scatterv(s, at, t.counts(), t.places(), t.type, r, at, t.counts()[t.rank], t.type, ROOT);
            return null;
        }, (t, s, r) -> w.Scatterv_init(s, at, t.counts(), t.places(), t.type, r, at, t.counts()[t.rank], t.type, ROOT,
            MPI.INFO_NULL));
        two(audit, "Allgatherv", one, intoAll, (t, s, r) -> {
            w.Allgatherv(s, at, t.counts()[t.rank], t.type, r, at, t.counts(), t.places(), t.type);
            return null;
        }, (t, s, r) -> w.Allgatherv_init(s, at, t.counts()[t.rank], t.type, r, at, t.counts(), t.places(), t.type,
            MPI.INFO_NULL));
        two(audit, "Alltoallv", all, intoAll, (t, s, r) -> {
            w.Alltoallv(s, at, t.counts(), t.places(), t.type, r, at, t.all(t.counts()[t.rank]), t.places(), t.type);
            return null;
        }, (t, s, r) -> w.Alltoallv_init(s, at, t.counts(), t.places(), t.type, r, at, t.all(t.counts()[t.rank]),
            t.places(), t.type, MPI.INFO_NULL));
    }

    private static void two(CallAudit audit, String name, Buffer first, Buffer second, TwoBuffers blocking,
        TwoBuffers persistent) {
        audit.add(name, first, second, blocking);
        audit.add(name + ", persistent", first, second, persistent);
    }
}
