package org.brigade.transport.cuda.calls;

import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.UserFunction;
import mpi.User_function;
import org.brigade.transport.cuda.calls.CallAudit.Buffer;
import org.brigade.transport.cuda.calls.CallAudit.TwoBuffers;

/** Reductions with a predefined operation and with a function of the user's, in all forms, and in place. */
final class ReductionCalls {
    private static final int ROOT = 1;

    private ReductionCalls() {
    }

    /** Adds the left operand to three times the right one: neither order nor grouping is free. */
    private static void fold(Object in, int inAt, Object inOut, int inOutAt, int count, Datatype type) {
        int extent = type.getExtent();
        int elements = (count - 1) * extent + type.getTrueExtent();
        for (int i = 0; i < elements; i++) {
            if (in instanceof int[] left) {
                ((int[]) inOut)[inOutAt + i] = left[inAt + i] + 3 * ((int[]) inOut)[inOutAt + i];
            } else {
                ((byte[]) inOut)[inOutAt + i] =
                    (byte) (((byte[]) in)[inAt + i] + 3 * ((byte[]) inOut)[inOutAt + i]);
            }
        }
    }

    private static final class Camel extends UserFunction {
        @Override
        public void call(Object in, Object inOut, int count, Datatype type) {
            fold(in, 0, inOut, 0, count, type);
        }
    }

    private static final class Capital extends User_function {
        @Override
        public void Call(Object in, int inAt, Object inOut, int inOutAt, int count, Datatype type) {
            fold(in, inAt, inOut, inOutAt, count, type);
        }
    }

    static void add(CallAudit audit) {
        Intracomm w = MPI.COMM_WORLD;
        camel(audit, w, "sum", MPI.SUM);
        camel(audit, w, "own function", new Op(new Camel(), false));
        capital(audit, w, "sum", MPI.SUM);
        capital(audit, w, "own function", new Op(new Capital(), false));
    }

    private static void three(CallAudit audit, String name, Buffer first, Buffer second, TwoBuffers blocking,
        TwoBuffers started, TwoBuffers persistent) {
        audit.add(name, first, second, blocking);
        audit.add(name + ", nonblocking", first, second, started);
        audit.add(name + ", persistent", first, second, persistent);
    }

    private static void camel(CallAudit audit, Intracomm w, String with, Op op) {
        Buffer one = t -> t.in(t.n);
        Buffer into = t -> t.out(t.n);
        Buffer none = t -> null;
        three(audit, "reduce, " + with, one, t -> t.rank == ROOT ? t.out(t.n) : null, (t, s, r) -> {
            w.reduce(s, r, t.n, t.type, op, ROOT);
            return null;
        }, (t, s, r) -> w.iReduce(s, r, t.n, t.type, op, ROOT),
            (t, s, r) -> w.reduceInit(s, r, t.n, t.type, op, ROOT, MPI.INFO_NULL));
        three(audit, "allReduce, " + with, one, into, (t, s, r) -> {
            w.allReduce(s, r, t.n, t.type, op);
            return null;
        }, (t, s, r) -> w.iAllReduce(s, r, t.n, t.type, op),
            (t, s, r) -> w.allReduceInit(s, r, t.n, t.type, op, MPI.INFO_NULL));
        three(audit, "scan, " + with, one, into, (t, s, r) -> {
            w.scan(s, r, t.n, t.type, op);
            return null;
        }, (t, s, r) -> w.iScan(s, r, t.n, t.type, op),
            (t, s, r) -> w.scanInit(s, r, t.n, t.type, op, MPI.INFO_NULL));
        three(audit, "exScan, " + with, one, into, (t, s, r) -> {
            w.exScan(s, r, t.n, t.type, op);
            return null;
        }, (t, s, r) -> w.iExScan(s, r, t.n, t.type, op),
            (t, s, r) -> w.exScanInit(s, r, t.n, t.type, op, MPI.INFO_NULL));
        Buffer all = t -> t.in(t.n * t.size);
        three(audit, "reduceScatter, " + with, all, into, (t, s, r) -> {
            w.reduceScatter(s, r, t.counts(), t.type, op);
            return null;
        }, (t, s, r) -> w.iReduceScatter(s, r, t.counts(), t.type, op),
            (t, s, r) -> w.reduceScatterInit(s, r, t.counts(), t.type, op, MPI.INFO_NULL));
        three(audit, "reduceScatterBlock, " + with, all, into, (t, s, r) -> {
            w.reduceScatterBlock(s, r, t.n, t.type, op);
            return null;
        }, (t, s, r) -> w.iReduceScatterBlock(s, r, t.n, t.type, op),
            (t, s, r) -> w.reduceScatterBlockInit(s, r, t.n, t.type, op, MPI.INFO_NULL));
        three(audit, "reduce in place, " + with, one, none, (t, b, x) -> {
            w.reduce(b, t.n, t.type, op, ROOT);
            return null;
        }, (t, b, x) -> w.iReduce(b, t.n, t.type, op, ROOT),
            (t, b, x) -> w.reduceInit(b, t.n, t.type, op, ROOT, MPI.INFO_NULL));
        three(audit, "allReduce in place, " + with, one, none, (t, b, x) -> {
            w.allReduce(b, t.n, t.type, op);
            return null;
        }, (t, b, x) -> w.iAllReduce(b, t.n, t.type, op),
            (t, b, x) -> w.allReduceInit(b, t.n, t.type, op, MPI.INFO_NULL));
        three(audit, "scan in place, " + with, one, none, (t, b, x) -> {
            w.scan(b, t.n, t.type, op);
            return null;
        }, (t, b, x) -> w.iScan(b, t.n, t.type, op), (t, b, x) -> w.scanInit(b, t.n, t.type, op, MPI.INFO_NULL));
        three(audit, "exScan in place, " + with, one, none, (t, b, x) -> {
            w.exScan(b, t.n, t.type, op);
            return null;
        }, (t, b, x) -> w.iExScan(b, t.n, t.type, op), (t, b, x) -> w.exScanInit(b, t.n, t.type, op, MPI.INFO_NULL));
        three(audit, "reduceScatter in place, " + with, all, none, (t, b, x) -> {
            w.reduceScatter(b, t.counts(), t.type, op);
            return null;
        }, (t, b, x) -> w.iReduceScatter(b, t.counts(), t.type, op),
            (t, b, x) -> w.reduceScatterInit(b, t.counts(), t.type, op, MPI.INFO_NULL));
        three(audit, "reduceScatterBlock in place, " + with, all, none, (t, b, x) -> {
            w.reduceScatterBlock(b, t.n, t.type, op);
            return null;
        }, (t, b, x) -> w.iReduceScatterBlock(b, t.n, t.type, op),
            (t, b, x) -> w.reduceScatterBlockInit(b, t.n, t.type, op, MPI.INFO_NULL));
    }

    private static void capital(CallAudit audit, Intracomm w, String with, Op op) {
        int at = Trial.OFFSET;
        Buffer one = t -> t.inArray(t.n);
        Buffer into = t -> t.outArray(t.n);
        two(audit, "Reduce, " + with, one, t -> t.rank == ROOT ? t.outArray(t.n) : null, (t, s, r) -> {
            w.Reduce(s, at, r, at, t.n, t.type, op, ROOT);
            return null;
        }, (t, s, r) -> w.Reduce_init(s, at, r, at, t.n, t.type, op, ROOT, MPI.INFO_NULL));
        two(audit, "Allreduce, " + with, one, into, (t, s, r) -> {
            w.Allreduce(s, at, r, at, t.n, t.type, op);
            return null;
        }, (t, s, r) -> w.Allreduce_init(s, at, r, at, t.n, t.type, op, MPI.INFO_NULL));
        two(audit, "Scan, " + with, one, into, (t, s, r) -> {
            w.Scan(s, at, r, at, t.n, t.type, op);
            return null;
        }, (t, s, r) -> w.Scan_init(s, at, r, at, t.n, t.type, op, MPI.INFO_NULL));
        two(audit, "Reduce_scatter, " + with, t -> t.inArray(t.n * t.size), into, (t, s, r) -> {
            w.Reduce_scatter(s, at, r, at, t.counts(), t.type, op);
            return null;
        }, (t, s, r) -> w.Reduce_scatter_init(s, at, r, at, t.counts(), t.type, op, MPI.INFO_NULL));
    }

    private static void two(CallAudit audit, String name, Buffer first, Buffer second, TwoBuffers blocking,
        TwoBuffers persistent) {
        audit.add(name, first, second, blocking);
        audit.add(name + ", persistent", first, second, persistent);
    }
}
