package org.brigade.launch.messages;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** What the ranks of {@link PersistentJobsTest} run: persistent requests and matched probes, in both dialects. */
final class PersistentProgram {
    private static final int STARTS = 20;

    private final Intracomm comm = MPI.COMM_WORLD;
    private final int rank = comm.getRank();
    private final int ranks = comm.getSize();
    private final int next = (rank + 1) % ranks;
    private final int before = (rank + ranks - 1) % ranks;

    private PersistentProgram() {
    }

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        PersistentProgram program = new PersistentProgram();
        program.ring(10);
        program.ring(50_000);
        program.collectives(3);
        program.collectives(20_000);
        program.matched();
        program.derived();
        program.objects();
        program.collected();
        program.misuse();
        System.out.println("rank " + program.rank + " passed");
        MPI.Finalize();
    }

    private static void same(Object expected, Object found, String what) {
        if (!expected.equals(found)) {
            throw new AssertionError(what + ": " + found + " instead of " + expected);
        }
    }

    private static void same(int[] expected, int[] found, String what) {
        same(Arrays.toString(expected), Arrays.toString(found), what);
    }

    /** A ring of both dialects: arrays and direct buffers, all send modes that need no attached buffer. */
    private void ring(int count) {
        int[] out = new int[count];
        int[] in = new int[count + 2];
        IntBuffer directOut = MPI.newIntBuffer(count);
        IntBuffer directIn = MPI.newIntBuffer(count);
        Prequest[] all = {comm.Recv_init(in, 2, count, MPI.INT, before, 1),
            comm.recvInit(directIn, count, MPI.INT, MPI.ANY_SOURCE, 2), comm.Send_init(out, 0, count, MPI.INT, next, 1),
            comm.sSendInit(directOut, count, MPI.INT, next, 2),
            comm.Recv_init(null, 0, 0, MPI.INT, MPI.PROC_NULL, 3)};
        for (int start = 0; start < STARTS; start++) {
            Arrays.fill(out, rank + start);
            directOut.put(count - 1, rank - start);
            if (start % 2 == 0) {
                Prequest.startAll(all);
            } else {
                Prequest.Startall(all);
            }
            Status[] ended = Request.waitAllStatus(all);
            same(before + start, in[count + 1], "ring of arrays");
            same(before - start, directIn.get(count - 1), "ring of buffers");
            same(before, ended[1].getSource(), "source");
            same(count, ended[0].getCount(MPI.INT), "count");
            same(MPI.PROC_NULL, ended[4].getSource(), "source of nothing");
            same(MPI.UNDEFINED, Request.waitAny(all), "any of inactive ones");
            comm.barrier();
        }
        for (Prequest each : all) {
            each.free();
        }
    }

    /** Every start of a persistent collective gives what the blocking call gives. */
    private void collectives(int count) {
        int all = count * ranks;
        int[] in = new int[all];
        int[] sum = new int[count];
        int[] gathered = new int[all];
        int[] exchanged = new int[all];
        int[] cast = new int[count];
        int[] scanned = new int[count];
        int[] piece = new int[count];
        int[] expected = new int[all];
        int[] expectedPart = new int[count];
        Prequest[] requests = {comm.allReduceInit(in, sum, count, MPI.INT, MPI.SUM, MPI.INFO_NULL),
            comm.Allgather_init(in, 0, count, MPI.INT, gathered, 0, count, MPI.INT, null),
            comm.allToAllInit(in, count, MPI.INT, exchanged, count, MPI.INT, null),
            comm.Bcast_init(cast, 0, count, MPI.INT, ranks - 1, null),
            comm.scanInit(in, scanned, count, MPI.INT, MPI.SUM, null),
            comm.Scatter_init(in, 0, count, MPI.INT, piece, 0, count, MPI.INT, 0, null), comm.barrierInit(null)};
        for (int start = 0; start < STARTS; start++) {
            for (int i = 0; i < all; i++) {
                in[i] = start * 1000 + rank * 31 + i;
            }
            Arrays.fill(cast, rank == ranks - 1 ? start : -1);
            for (int i = 0; i < requests.length; i++) {
                // Every rank starts them in an order of its own.
                requests[(i + rank) % requests.length].start();
            }
            comm.allReduce(in, expectedPart, count, MPI.INT, MPI.SUM);
            Request.waitAll(requests);
            same(expectedPart, sum, "allReduce");
            comm.allGather(in, count, MPI.INT, expected, count, MPI.INT);
            same(expected, gathered, "allGather");
            comm.allToAll(in, count, MPI.INT, expected, count, MPI.INT);
            same(expected, exchanged, "allToAll");
            same(start, cast[count - 1], "bcast");
            comm.scan(in, expectedPart, count, MPI.INT, MPI.SUM);
            same(expectedPart, scanned, "scan");
            comm.scatter(in, count, MPI.INT, expectedPart, count, MPI.INT, 0);
            same(expectedPart, piece, "scatter");
        }
        for (Prequest each : requests) {
            each.free();
            same(true, each.isNull(), "freed");
        }
    }

    private void matched() {
        for (int count : new int[] {4, 50_000}) {
            Request sent = comm.iSend(MPI.newIntBuffer(count).put(0, rank), count, MPI.INT, next, 7);
            Request second = comm.Isend(new int[] {rank + 100}, 0, 1, MPI.INT, next, 7);
            Message message = new Message();
            same(count, message.mProbe(MPI.ANY_SOURCE, 7, comm).getCount(MPI.INT), "probed count");
            int[] in = new int[count];
            comm.recv(in, 1, MPI.INT, before, 7);
            same(before + 100, in[0], "the message after the probed one");
            same(null == new Message().imProbe(MPI.ANY_SOURCE, 7, comm), true, "no third message");
            Status status = count == 4 ? message.mRecv(in, count, MPI.INT)
                : message.imRecv(in, count, MPI.INT).waitStatus();
            same(before, status.getSource(), "source of the probed message");
            same(before, in[0], "the probed message");
            same(true, message.isNull(), "received");
            Request.waitAll(new Request[] {sent, second});
            comm.barrier();
        }
    }

    /** Every second int of an array, by persistent requests and a matched probe. */
    private void derived() {
        Datatype second = Datatype.createVector(1000, 1, 2, MPI.INT);
        second.commit();
        int[] out = new int[2000];
        int[] in = new int[2000];
        int[] probed = new int[2000];
        int[] cast = new int[2000];
        Prequest[] all = {comm.recvInit(in, 1, second, before, 1), comm.Send_init(out, 0, 1, second, next, 1),
            comm.bcastInit(cast, 1, second, 0, null)};
        for (int start = 0; start < 3; start++) {
            Arrays.fill(out, start + rank);
            Arrays.fill(cast, rank == 0 ? start : -1);
            Arrays.fill(in, -5);
            Prequest.startAll(all);
            Request sent = comm.iSend(out, 1, second, next, 2);
            Message message = new Message();
            message.mProbe(before, 2, comm);
            message.mRecv(probed, 1, second);
            Request.waitAll(all);
            sent.waitFor();
            same(before + start, in[1998], "item that came");
            same(-5, in[1997], "gap");
            same(before + start, probed[1998], "item of the probed message");
            same(start, cast[1998], "item of the broadcast");
            same(rank == 0 ? start : -1, cast[1999], "gap of the broadcast");
        }
        for (Prequest each : all) {
            each.free();
        }
    }

    /** Objects, by persistent requests and a matched probe. */
    private void objects() {
        Object[] out = new Object[2];
        Object[] in = new Object[3];
        Prequest[] all = {comm.Recv_init(in, 1, 2, MPI.OBJECT, before, 1),
            comm.Send_init(out, 0, 2, MPI.OBJECT, next, 1)};
        for (int start = 0; start < 3; start++) {
            out[0] = "rank " + rank;
            out[1] = new int[] {start};
            Prequest.Startall(all);
            Request sent = comm.Isend(out, 0, 1, MPI.OBJECT, next, 2);
            Object[] probed = new Object[1];
            Message message = new Message();
            message.mProbe(before, 2, comm);
            message.mRecv(probed, 1, MPI.OBJECT);
            Request.Waitall(all);
            sent.Wait();
            same("rank " + before, in[1], "string");
            same(start, ((int[]) in[2])[0], "array");
            same("rank " + before, probed[0], "probed string");
        }
        for (Prequest each : all) {
            each.free();
        }
    }

    /** Buffers that only pending requests know stay where they are while the collector runs. */
    private void collected() {
        int bytes = 200_000;
        Request[] receives = new Request[8];
        byte[][] in = new byte[receives.length][bytes];
        for (int i = 0; i < receives.length; i++) {
            receives[i] = comm.iRecv(in[i], bytes, MPI.BYTE, before, i);
        }
        Request[] sends = new Request[receives.length];
        for (int i = 0; i < sends.length; i++) {
            ByteBuffer data = MPI.newByteBuffer(bytes);
            for (int at = 0; at < bytes; at++) {
                data.put(at, (byte) (at * 7 + i + rank));
            }
            sends[i] = comm.iSend(data, bytes, MPI.BYTE, next, i);
            System.gc();
            MPI.newByteBuffer(bytes).put(new byte[bytes]);
        }
        Request.waitAll(receives);
        Request.waitAll(sends);
        for (int i = 0; i < in.length; i++) {
            for (int at = 0; at < bytes; at++) {
                same((byte) (at * 7 + i + before), in[i][at], "byte " + at + " of message " + i);
            }
        }
    }

    private void misuse() {
        Prequest receive = comm.recvInit(new int[1], 1, MPI.INT, before, 9);
        receive.start();
        try {
            receive.start();
            throw new AssertionError("an active request has been started");
        } catch (MPIException e) {
            same(MPI.ERR_REQUEST, e.getErrorClass(), "class of the error");
        }
        receive.cancel();
        same(true, receive.waitStatus().isCancelled(), "cancelled");
        same(false, receive.isNull(), "null");
        receive.free();
    }
}
