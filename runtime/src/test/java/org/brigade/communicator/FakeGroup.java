package org.brigade.communicator;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.spi.Collective;
import org.brigade.algorithm.EdgeList;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;

/**
 * Fused collectives in plain code: everyone reads its peers' memory where they announced it to be, waits until all have
 * read, and writes.
 */
final class FakeGroup implements DeviceGroup {
    /** One call's members. */
    static final class Meeting {
        final DeviceCall[] calls;
        final AtomicInteger here = new AtomicInteger();
        final AtomicInteger read = new AtomicInteger();

        Meeting(int ranks) {
            calls = new DeviceCall[ranks];
        }
    }

    private final FakeDevices devices;
    private final FakeDevices.Node node;
    private final String name;
    private final int rank;
    private final int ranks;
    private int calls;

    FakeGroup(FakeDevices devices, FakeDevices.Node node, String name, int rank, int ranks) {
        this.devices = devices;
        this.node = node;
        this.name = name;
        this.rank = rank;
        this.ranks = ranks;
    }

    @Override
    public String refuses(DeviceCall call) {
        return devices.refusal;
    }

    @Override
    public void close() {
        devices.closed++;
    }

    @Override
    public void run(DeviceCall call, Waiting waiting) {
        devices.runs++;
        devices.lastRun = call.choice.algorithm().name();
        Meeting meeting = node.meetings.computeIfAbsent(name + " call " + calls++, key -> new Meeting(ranks));
        meeting.calls[rank] = FakeDevices.copy(call, ranks);
        meeting.here.incrementAndGet();
        while (meeting.here.get() < ranks) {
            waiting.turn();
        }
        boolean edges = call.collective.amongNeighbours();
        byte[][] results = new byte[edges ? call.in.count() : ranks][];
        if (edges) {
            readEdges(call, meeting.calls, results);
        } else {
            read(call, meeting.calls, results);
        }
        meeting.read.incrementAndGet();
        while (meeting.read.get() < ranks) {
            waiting.turn();
        }
        if (edges) {
            for (int edge = 0; edge < results.length; edge++) {
                call.recv.write(call.recvOffset + call.in.at(edge),
                    ByteBuffer.allocateDirect(results[edge].length).put(0, results[edge]), 0, results[edge].length);
            }
        } else {
            write(call, results);
        }
    }

    // ---- what comes from whom ----

    private void read(DeviceCall call, DeviceCall[] theirs, byte[][] results) {
        switch (call.collective) {
            case BCAST -> results[0] = rank == call.root ? null : recv(call, call.root, 0, call.bytes);
            case ALLREDUCE -> results[0] = folded(call, theirs, 0, ranks, 0, call.bytes);
            case REDUCE -> results[0] = rank == call.root ? folded(call, theirs, 0, ranks, 0, call.bytes) : null;
            case SCAN -> results[0] = folded(call, theirs, 0, rank + 1, 0, call.bytes);
            case EXSCAN -> results[0] = rank == 0 ? null : folded(call, theirs, 0, rank, 0, call.bytes);
            case REDUCE_SCATTER -> results[0] = folded(call, theirs, 0, ranks, call.sendAt[rank], call.sendBytes[rank]);
            default -> {
                for (int peer = 0; peer < ranks; peer++) {
                    if (call.recvBytes[peer] > 0) {
                        results[peer] = block(call, theirs[peer], peer);
                        if (results[peer].length != call.recvBytes[peer]) {
                            throw new IllegalStateException("rank " + peer + " sends " + results[peer].length
                                + " bytes, and " + call.recvBytes[peer] + " are expected");
                        }
                    }
                }
            }
        }
    }

    /** Of each edge its block: the peer's edge to this rank of the same number. */
    private void readEdges(DeviceCall call, DeviceCall[] theirs, byte[][] results) {
        for (int edge = 0; edge < results.length; edge++) {
            int peer = call.in.peer(edge);
            EdgeList out = theirs[peer].out;
            for (int other = 0; other < out.count(); other++) {
                if (out.peer(other) == rank && out.number(other) == call.in.number(edge)) {
                    results[edge] = send(call, peer, out.at(other), out.bytes(other));
                }
            }
            if (results[edge] == null || results[edge].length != call.in.bytes(edge)) {
                throw new IllegalStateException("rank " + peer + " sends another block than the "
                    + call.in.bytes(edge) + " bytes that are expected");
            }
        }
    }

    private byte[] block(DeviceCall call, DeviceCall theirs, int peer) {
        long at = theirs.sendAt[rank];
        long bytes = theirs.sendBytes[rank];
        if (!theirs.inPlace || call.collective == Collective.SCATTER || call.collective == Collective.SCATTERV) {
            return send(call, peer, at, bytes);
        }
        boolean alltoall = call.collective == Collective.ALLTOALL || call.collective == Collective.ALLTOALLV;
        return recv(call, peer, alltoall ? at : theirs.recvAt[peer], bytes);
    }

    private byte[] folded(DeviceCall call, DeviceCall[] theirs, int from, int to, long at, long bytes) {
        byte[] sum = input(call, theirs[from], from, at, bytes);
        Combiner combiner = Combiners.of(call.type, call.op, false);
        Region region = new Region().wrap(sum, 0);
        NativeMemory incoming = NativeMemory.allocate(sum.length);
        for (int peer = from + 1; peer < to; peer++) {
            incoming.bytes.put(0, input(call, theirs[peer], peer, at, bytes));
            combiner.combine(incoming, 0, sum.length, region, 0, region, 0);
        }
        return sum;
    }

    private byte[] input(DeviceCall call, DeviceCall theirs, int peer, long at, long bytes) {
        return theirs.inPlace ? recv(call, peer, at, bytes) : send(call, peer, at, bytes);
    }

    private byte[] send(DeviceCall call, int peer, long at, long bytes) {
        return bytes(call.sendExport[peer], call.sendBegin[peer] + at, bytes);
    }

    private byte[] recv(DeviceCall call, int peer, long at, long bytes) {
        return bytes(call.recvExport[peer], call.recvBegin[peer] + at, bytes);
    }

    private byte[] bytes(long export, long at, long length) {
        byte[] copy = new byte[(int) length];
        node.exports.get(export).allocation.duplicate().clear().position((int) at).get(copy);
        return copy;
    }

    // ---- where it goes ----

    private void write(DeviceCall call, byte[][] results) {
        for (int peer = 0; peer < ranks; peer++) {
            if (results[peer] != null && results[peer].length > 0 && call.recv != null) {
                boolean one = call.op != null || call.collective == Collective.BCAST
                    || call.collective == Collective.SCATTER || call.collective == Collective.SCATTERV;
                ByteBuffer result = ByteBuffer.allocateDirect(results[peer].length).put(0, results[peer]);
                call.recv.write(call.recvOffset + (one ? 0 : call.recvAt[peer]), result, 0, results[peer].length);
            }
        }
    }
}
