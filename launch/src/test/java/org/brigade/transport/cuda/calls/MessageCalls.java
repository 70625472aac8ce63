package org.brigade.transport.cuda.calls;

import java.util.Arrays;
import java.util.List;
import mpi.Comm;
import mpi.Datatype;
import mpi.MPI;
import mpi.Message;
import mpi.PartitionedRequest;
import mpi.Request;

/** Point-to-point messages around a ring, and packing into arrays. */
final class MessageCalls {
    private static final int TAG = 7;
    private static final int PARTS = 2;

    interface Send {
        Request start(Comm comm, Object buffer, int count, Datatype type, int dest, int tag);
    }

    private record Sender(String name, Send send, boolean array) {
    }

    private static Sender blocking(String name, boolean array, Blocking send) {
        return new Sender(name, (comm, buffer, count, type, dest, tag) -> {
            send.send(comm, buffer, count, type, dest, tag);
            return null;
        }, array);
    }

    interface Blocking {
        void send(Comm comm, Object buffer, int count, Datatype type, int dest, int tag);
    }

    private MessageCalls() {
    }

    private static List<Sender> senders() {
        int at = Trial.OFFSET;
        return Arrays.asList(blocking("send", false, Comm::send), blocking("sSend", false, Comm::sSend),
            blocking("bSend", false, Comm::bSend), blocking("rSend", false, Comm::rSend),
            blocking("Send", true, (c, b, n, t, d, g) -> c.Send(b, at, n, t, d, g)),
            blocking("Ssend", true, (c, b, n, t, d, g) -> c.Ssend(b, at, n, t, d, g)),
            blocking("Bsend", true, (c, b, n, t, d, g) -> c.Bsend(b, at, n, t, d, g)),
            blocking("Rsend", true, (c, b, n, t, d, g) -> c.Rsend(b, at, n, t, d, g)),
            new Sender("iSend", (c, b, n, t, d, g) -> c.iSend(b, n, t, d, g), false),
            new Sender("isSend", (c, b, n, t, d, g) -> c.isSend(b, n, t, d, g), false),
            new Sender("ibSend", (c, b, n, t, d, g) -> c.ibSend(b, n, t, d, g), false),
            new Sender("irSend", (c, b, n, t, d, g) -> c.irSend(b, n, t, d, g), false),
            new Sender("Isend", (c, b, n, t, d, g) -> c.Isend(b, at, n, t, d, g), true),
            new Sender("Issend", (c, b, n, t, d, g) -> c.Issend(b, at, n, t, d, g), true),
            new Sender("Ibsend", (c, b, n, t, d, g) -> c.Ibsend(b, at, n, t, d, g), true),
            new Sender("Irsend", (c, b, n, t, d, g) -> c.Irsend(b, at, n, t, d, g), true),
            new Sender("sendInit", (c, b, n, t, d, g) -> c.sendInit(b, n, t, d, g), false),
            new Sender("sSendInit", (c, b, n, t, d, g) -> c.sSendInit(b, n, t, d, g), false),
            new Sender("bSendInit", (c, b, n, t, d, g) -> c.bSendInit(b, n, t, d, g), false),
            new Sender("rSendInit", (c, b, n, t, d, g) -> c.rSendInit(b, n, t, d, g), false),
            new Sender("Send_init", (c, b, n, t, d, g) -> c.Send_init(b, at, n, t, d, g), true),
            new Sender("Ssend_init", (c, b, n, t, d, g) -> c.Ssend_init(b, at, n, t, d, g), true),
            new Sender("Bsend_init", (c, b, n, t, d, g) -> c.Bsend_init(b, at, n, t, d, g), true),
            new Sender("Rsend_init", (c, b, n, t, d, g) -> c.Rsend_init(b, at, n, t, d, g), true));
    }

    static void add(CallAudit audit) {
        for (Sender sender : senders()) {
            audit.add(sender.name, t -> sent(t, sender));
        }
        receives(audit);
        bothWays(audit);
        partitions(audit);
        packing(audit);
    }

    /** Two receives are posted first, as a persistent send runs twice; another rank's memory may be of another kind. */
    private static void sent(Trial t, Sender sender) {
        Object data = sender.array ? t.inArray(t.n) : t.in(t.n);
        Request[] receives = new Request[PARTS];
        for (int i = 0; i < PARTS; i++) {
            receives[i] = sender.array ? t.world.Irecv(t.outArray(t.n), Trial.OFFSET, t.n, t.type, t.left(), TAG)
                : t.world.iRecv(t.out(t.n), t.n, t.type, t.left(), TAG);
        }
        t.world.barrier();
        Request request = sender.send.start(t.world, data, t.n, t.type, t.right(), TAG);
        Trial.complete(request);
        if (!(request instanceof mpi.Prequest)) {
            Trial.complete(sender.send.start(t.world, data, t.n, t.type, t.right(), TAG));
        }
        Request.waitAll(receives);
    }

    private static void receives(CallAudit audit) {
        audit.add("recv", t -> {
            Request send = t.world.iSend(t.in(t.n), t.n, t.type, t.right(), TAG);
            t.world.recv(t.out(t.n), t.n, t.type, t.left(), TAG);
            send.waitFor();
        });
        audit.add("recv of unpacked elements", t -> {
            Request send = t.world.iSend(t.in(t.n), t.n, t.type, t.right(), TAG);
            t.world.recv(t.outElements(t.n * t.shape.size), t.n * t.shape.size, t.shape.element, t.left(), TAG);
            send.waitFor();
        });
        audit.add("recv of packed elements", t -> {
            Request send = t.world.iSend(t.inElements(t.n * t.shape.size), t.n * t.shape.size, t.shape.element,
                t.right(), TAG);
            t.world.recv(t.out(t.n + 1), t.n + 1, t.type, t.left(), TAG);
            send.waitFor();
        });
        audit.add("Recv", t -> {
            Request send = t.world.Isend(t.inArray(t.n), Trial.OFFSET, t.n, t.type, t.right(), TAG);
            t.world.Recv(t.outArray(t.n), Trial.OFFSET, t.n, t.type, t.left(), TAG);
            send.waitFor();
        });
        audit.add("mRecv", t -> {
            Request send = t.world.iSend(t.in(t.n), t.n, t.type, t.right(), TAG);
            Message message = new Message();
            message.mProbe(t.left(), TAG, t.world);
            message.mRecv(t.out(t.n), t.n, t.type);
            send.waitFor();
        });
        audit.add("imRecv", t -> {
            Request send = t.world.iSend(t.in(t.n), t.n, t.type, t.right(), TAG);
            Message message = new Message();
            message.mProbe(t.left(), TAG, t.world);
            message.imRecv(t.out(t.n), t.n, t.type).waitFor();
            send.waitFor();
        });
        audit.add("recvInit", t -> {
            mpi.Prequest receive = t.world.recvInit(t.out(t.n), t.n, t.type, t.left(), TAG);
            receive.start();
            t.world.send(t.in(t.n), t.n, t.type, t.right(), TAG);
            receive.waitFor();
            receive.free();
        });
        audit.add("Recv_init", t -> {
            mpi.Prequest receive = t.world.Recv_init(t.outArray(t.n), Trial.OFFSET, t.n, t.type, t.left(), TAG);
            receive.Start();
            t.world.Send(t.inArray(t.n), Trial.OFFSET, t.n, t.type, t.right(), TAG);
            receive.Wait();
            receive.free();
        });
        audit.add("to itself", t -> {
            Request receive = t.world.iRecv(t.out(t.n), t.n, t.type, t.rank, TAG);
            t.world.send(t.in(t.n), t.n, t.type, t.rank, TAG);
            receive.waitFor();
        });
    }

    private static void bothWays(CallAudit audit) {
        audit.add("sendRecv", t -> t.world.sendRecv(t.in(t.n), t.n, t.type, t.right(), TAG, t.out(t.n), t.n, t.type,
            t.left(), TAG));
        audit.add("Sendrecv", t -> t.world.Sendrecv(t.inArray(t.n), Trial.OFFSET, t.n, t.type, t.right(), TAG,
            t.outArray(t.n), Trial.OFFSET, t.n, t.type, t.left(), TAG));
        audit.add("sendRecvReplace", t -> t.world.sendRecvReplace(t.in(t.n), t.n, t.type, t.right(), TAG, t.left(),
            TAG));
        audit.add("Sendrecv_replace", t -> t.world.Sendrecv_replace(t.inArray(t.n), Trial.OFFSET, t.n, t.type,
            t.right(), TAG, t.left(), TAG));
    }

    private static void partitions(CallAudit audit) {
        audit.add("pSendInit", t -> {
            int part = t.n / PARTS;
            PartitionedRequest receive =
                t.world.pRecvInit(t.out(part * PARTS), PARTS, part, t.type, t.left(), TAG, MPI.INFO_NULL);
            PartitionedRequest send =
                t.world.pSendInit(t.in(part * PARTS), PARTS, part, t.type, t.right(), TAG, MPI.INFO_NULL);
            partitioned(send, receive);
        });
        audit.add("Psend_init", t -> {
            int part = t.n / PARTS;
            PartitionedRequest receive = t.world.Precv_init(t.outArray(part * PARTS), Trial.OFFSET, PARTS, part, t.type,
                t.left(), TAG, MPI.INFO_NULL);
            PartitionedRequest send = t.world.Psend_init(t.inArray(part * PARTS), Trial.OFFSET, PARTS, part, t.type,
                t.right(), TAG, MPI.INFO_NULL);
            partitioned(send, receive);
        });
    }

    private static void partitioned(PartitionedRequest send, PartitionedRequest receive) {
        receive.start();
        send.start();
        for (int part = PARTS - 1; part >= 0; part--) {
            send.pReady(part);
        }
        send.waitFor();
        receive.waitFor();
        send.free();
        receive.free();
    }

    private static void packing(CallAudit audit) {
        audit.add("pack, unpack", t -> {
            byte[] packed = new byte[t.world.packSize(t.n, t.type)];
            int end = t.world.pack(t.in(t.n), t.n, t.type, packed, 0);
            t.world.unpack(packed, 0, t.out(t.n), t.n, t.type);
            t.world.unpack(Arrays.copyOf(packed, end), 0, t.outElements(t.n * t.shape.size), t.n * t.shape.size,
                t.shape.element);
        });
        audit.add("Pack, Unpack", t -> {
            byte[] packed = new byte[t.world.Pack_size(t.n, t.type)];
            t.world.Pack(t.inArray(t.n), Trial.OFFSET, t.n, t.type, packed, 0);
            t.world.Unpack(packed, 0, t.outArray(t.n), Trial.OFFSET, t.n, t.type);
        });
    }
}
