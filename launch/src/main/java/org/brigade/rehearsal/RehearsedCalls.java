package org.brigade.rehearsal;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.UserFunction;

/** The calls of both dialects that programs use most, each with small and large messages, between two ranks. */
final class RehearsedCalls {
    /** Elements of 8 bytes: messages that run fused, eager ones, long ones, and long enough to be lent. */
    private static final int[] COUNTS = {1, 128, 2_000, 50_000, 140_000};
    private static final int TAG = 7;

    private final Intracomm comm;
    private final int rank;
    private final int peer;

    private RehearsedCalls(Intracomm comm) throws MPIException {
        this.comm = comm;
        rank = comm.getRank();
        peer = 1 - rank;
    }

    static void all(Intracomm comm) throws MPIException {
        RehearsedCalls calls = new RehearsedCalls(comm);
        for (int count : COUNTS) {
            calls.collectives(new double[count], new double[2 * count], count);
            calls.collectives(MPI.newDoubleBuffer(count), MPI.newDoubleBuffer(2 * count), count);
            calls.nonblocking(new double[count], new double[2 * count], count);
            calls.nonblocking(MPI.newDoubleBuffer(count), MPI.newDoubleBuffer(2 * count), count);
            calls.messages(new double[count], new double[count], count);
            calls.messages(MPI.newDoubleBuffer(count), MPI.newDoubleBuffer(count), count);
            calls.ofMpjExpress(new double[count], new double[2 * count], count);
        }
        calls.types();
        calls.persistent();
        calls.derived();
        calls.objects();
        calls.communicators();
    }

    /** @param recv room for both ranks' elements */
    private void collectives(Object send, Object recv, int count) throws MPIException {
        int[] counts = {count / 2, count - count / 2};
        int[] whole = {count, count};
        int[] starts = {0, count};
        comm.barrier();
        comm.bcast(send, count, MPI.DOUBLE, 0);
        comm.reduce(send, recv, count, MPI.DOUBLE, MPI.SUM, 0);
        comm.allReduce(send, recv, count, MPI.DOUBLE, MPI.SUM);
        comm.allReduce(recv, count, MPI.DOUBLE, MPI.MAX);
        comm.gather(send, count, MPI.DOUBLE, recv, count, MPI.DOUBLE, 0);
        comm.gatherv(send, count, MPI.DOUBLE, recv, whole, starts, MPI.DOUBLE, 0);
        comm.scatter(recv, count, MPI.DOUBLE, send, count, MPI.DOUBLE, 0);
        comm.scatterv(recv, whole, starts, MPI.DOUBLE, send, count, MPI.DOUBLE, 0);
        comm.allGather(send, count, MPI.DOUBLE, recv, count, MPI.DOUBLE);
        comm.allGatherv(send, count, MPI.DOUBLE, recv, whole, starts, MPI.DOUBLE);
        if (count > 1) {
            comm.allToAll(send, count / 2, MPI.DOUBLE, recv, count / 2, MPI.DOUBLE);
            comm.allToAllv(send, new int[] {count / 2, count / 2}, new int[] {0, count / 2}, MPI.DOUBLE, recv,
                new int[] {count / 2, count / 2}, new int[] {0, count / 2}, MPI.DOUBLE);
        }
        comm.reduceScatter(send, recv, counts, MPI.DOUBLE, MPI.SUM);
        comm.reduceScatterBlock(send, recv, count / 2, MPI.DOUBLE, MPI.SUM);
        comm.scan(send, recv, count, MPI.DOUBLE, MPI.SUM);
        comm.exScan(send, recv, count, MPI.DOUBLE, MPI.SUM);
    }

    private void nonblocking(Object send, Object recv, int count) throws MPIException {
        comm.iBarrier().waitFor();
        comm.iBcast(send, count, MPI.DOUBLE, 0).waitFor();
        comm.iReduce(send, recv, count, MPI.DOUBLE, MPI.SUM, 0).waitFor();
        Request sum = comm.iAllReduce(send, recv, count, MPI.DOUBLE, MPI.SUM);
        while (!sum.test()) {
            Thread.onSpinWait();
        }
        comm.iGather(send, count, MPI.DOUBLE, recv, count, MPI.DOUBLE, 0).waitFor();
        comm.iScatter(recv, count, MPI.DOUBLE, send, count, MPI.DOUBLE, 0).waitFor();
        comm.iAllGather(send, count, MPI.DOUBLE, recv, count, MPI.DOUBLE).waitFor();
        comm.iAllToAll(send, count / 2, MPI.DOUBLE, recv, count / 2, MPI.DOUBLE).waitFor();
    }

    private void messages(Object send, Object recv, int count) throws MPIException {
        if (rank == 0) {
            comm.send(send, count, MPI.DOUBLE, peer, TAG);
            comm.sSend(send, count, MPI.DOUBLE, peer, TAG);
        } else {
            Status status = comm.recv(recv, count, MPI.DOUBLE, MPI.ANY_SOURCE, MPI.ANY_TAG);
            status.getCount(MPI.DOUBLE);
            comm.probe(peer, TAG);
            comm.recv(recv, count, MPI.DOUBLE, status.getSource(), status.getTag());
        }
        comm.sendRecv(send, count, MPI.DOUBLE, peer, TAG, recv, count, MPI.DOUBLE, peer, TAG);
        comm.iProbe(peer, TAG);
        Request[] both = {iRecv(recv, count), iSend(send, count)};
        Request.waitAll(both);
        both = new Request[] {iRecv(recv, count), iSend(send, count)};
        Request.waitAny(both);
        Request.waitAllStatus(both);
    }

    private Request iSend(Object send, int count) throws MPIException {
        return send instanceof DoubleBuffer buffer ? comm.iSend(buffer, count, MPI.DOUBLE, peer, TAG)
            : comm.iSend(send, count, MPI.DOUBLE, peer, TAG);
    }

    private Request iRecv(Object recv, int count) throws MPIException {
        return recv instanceof DoubleBuffer buffer ? comm.iRecv(buffer, count, MPI.DOUBLE, peer, TAG)
            : comm.iRecv(recv, count, MPI.DOUBLE, peer, TAG);
    }

    /** The dialect of mpiJava and MPJ Express: capitals, and an offset for each buffer. */
    private void ofMpjExpress(Object send, Object recv, int count) throws MPIException {
        comm.Barrier();
        comm.Bcast(send, 0, count, MPI.DOUBLE, 0);
        comm.Reduce(send, 0, recv, 0, count, MPI.DOUBLE, MPI.SUM, 0);
        comm.Allreduce(send, 0, recv, 0, count, MPI.DOUBLE, MPI.SUM);
        comm.Gather(send, 0, count, MPI.DOUBLE, recv, 0, count, MPI.DOUBLE, 0);
        comm.Scatter(recv, 0, count, MPI.DOUBLE, send, 0, count, MPI.DOUBLE, 0);
        comm.Allgather(send, 0, count, MPI.DOUBLE, recv, 0, count, MPI.DOUBLE);
        comm.Alltoall(send, 0, count / 2, MPI.DOUBLE, recv, 0, count / 2, MPI.DOUBLE);
        comm.Scan(send, 0, recv, 0, count, MPI.DOUBLE, MPI.SUM);
        if (rank == 0) {
            comm.Send(send, 0, count, MPI.DOUBLE, peer, TAG);
        } else {
            comm.Recv(recv, 0, count, MPI.DOUBLE, MPI.ANY_SOURCE, TAG);
        }
        comm.Sendrecv(send, 0, count, MPI.DOUBLE, peer, TAG, recv, 0, count, MPI.DOUBLE, peer, TAG);
        Request receiving = comm.Irecv(recv, 0, count, MPI.DOUBLE, peer, TAG);
        comm.Isend(send, 0, count, MPI.DOUBLE, peer, TAG).Wait();
        receiving.Wait();
    }

    private void types() throws MPIException {
        int count = 2_000;
        Object[] arrays = {new byte[count], new char[count], new short[count], new int[count], new long[count],
            new float[count], new double[count], new boolean[count]};
        Datatype[] types = {MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE, MPI.BOOLEAN};
        for (int i = 0; i < types.length; i++) {
            comm.bcast(arrays[i], count, types[i], 0);
        }
        for (int i = 2; i < types.length - 1; i++) {
            for (Op op : new Op[] {MPI.SUM, MPI.MAX, MPI.MIN, MPI.PROD}) {
                comm.allReduce(arrays[i], count, types[i], op);
            }
        }
        comm.allReduce(arrays[7], count, MPI.BOOLEAN, MPI.LAND);
        comm.allReduce(arrays[3], count, MPI.INT, MPI.BOR);
        comm.allReduce(arrays[6], count / 2, MPI.DOUBLE2, MPI.MAXLOC);
        comm.allReduce(arrays[6], 100, MPI.DOUBLE, new Op(new KeepSecond(), true));
    }

    /** A user's operation. */
    private static final class KeepSecond extends UserFunction {
        @Override
        public void call(Object in, Object inOut, int count, Datatype type) {
            // what is there stays there
        }
    }

    private void persistent() throws MPIException {
        DoubleBuffer send = MPI.newDoubleBuffer(128);
        DoubleBuffer recv = MPI.newDoubleBuffer(128);
        Prequest[] both = {comm.recvInit(recv, 128, MPI.DOUBLE, peer, TAG),
            comm.sendInit(send, 128, MPI.DOUBLE, peer, TAG)};
        for (int i = 0; i < 2; i++) {
            Prequest.startAll(both);
            Request.waitAll(both);
        }
        both[0].free();
        both[1].free();
    }

    private void derived() throws MPIException {
        Datatype column = Datatype.createVector(64, 1, 64, MPI.DOUBLE);
        column.commit();
        Datatype some = Datatype.createIndexed(new int[] {2, 3}, new int[] {0, 10}, MPI.DOUBLE);
        some.commit();
        double[] matrix = new double[64 * 64];
        for (Datatype type : new Datatype[] {column, some}) {
            comm.sendRecv(matrix, 1, type, peer, TAG, new double[64 * 64], 1, type, peer, TAG);
            comm.bcast(matrix, 1, type, 0);
            type.free();
        }
        ByteBuffer packed = MPI.newByteBuffer(80);
        comm.bcast(packed, 80, MPI.BYTE, 0);
        byte[] bytes = new byte[80];
        comm.unpack(bytes, 0, new double[10], comm.pack(matrix, 10, MPI.DOUBLE, bytes, 0) / 8, MPI.DOUBLE);
    }

    private void objects() throws MPIException {
        Object[] objects = {"text", new int[3]};
        comm.Bcast(objects, 0, 2, MPI.OBJECT, 0);
        if (rank == 0) {
            comm.Send(objects, 0, 2, MPI.OBJECT, peer, TAG);
        } else {
            comm.Recv(objects, 0, 2, MPI.OBJECT, peer, TAG);
        }
    }

    private void communicators() throws MPIException {
        Intracomm half = comm.split(rank, 0);
        Intracomm copy = comm.dup();
        Intracomm grid = comm.createCart(new int[] {2}, new boolean[] {true}, false);
        half.barrier();
        copy.barrier();
        grid.barrier();
        grid.free();
        copy.free();
        half.free();
    }
}
