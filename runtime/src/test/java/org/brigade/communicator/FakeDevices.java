package org.brigade.communicator;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import mpi.spi.DeviceBuffer;
import org.brigade.device.DeviceCall;
import org.brigade.device.DeviceGroup;
import org.brigade.device.DeviceMapping;
import org.brigade.device.Devices;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.transport.Endpoint;

/** The devices of one rank of a job in this JVM, whose ranks reach each other's memory by its exports. */
public final class FakeDevices implements Devices {
    /** What the ranks of a job have in common: what they exported, and where their groups meet. */
    static final class Node {
        final Map<Long, FakeMemory> exports = new ConcurrentHashMap<>();
        final Map<String, FakeGroup.Meeting> meetings = new ConcurrentHashMap<>();
        final AtomicLong numbers = new AtomicLong();
        final AtomicLong mappings = new AtomicLong();
    }

    private final Node node;
    /** Calls that have run on devices. */
    int runs;
    /** What the last of them ran by. */
    String lastRun;
    int opened;
    int closed;
    /** Groups cannot be opened here. */
    boolean closedForGroups;
    /** Peers cannot reach what is allocated from now on. */
    public boolean unreachable;
    /** What {@link DeviceGroup#refuses} answers from now on. */
    String refusal;
    private int allocations;

    private FakeDevices(Node node) {
        this.node = node;
    }

    public static FakeDevices[] ofJob(int ranks) {
        Node node = new Node();
        FakeDevices[] all = new FakeDevices[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            all[rank] = new FakeDevices(node);
        }
        return all;
    }

    /** Memory at any multiple of 4 bytes in its allocation. */
    FakeMemory allocate(int bytes) {
        return allocate(4 * (allocations++ % 3), bytes);
    }

    /** Memory so many bytes into its allocation. */
    public FakeMemory allocate(int before, int bytes) {
        FakeMemory memory = FakeMemory.allocate(before, bytes,
            unreachable ? UNREACHABLE : node.numbers.incrementAndGet());
        if (!unreachable) {
            node.exports.put(memory.export, memory);
        }
        return memory;
    }

    void adopt(FakeMemory memory) {
        node.exports.put(memory.export, memory);
    }

    @Override
    public Object underlying(Object buffer) {
        return buffer instanceof FakeMemory ? buffer : null;
    }

    @Override
    public long export(Endpoint endpoint, DeviceBuffer buffer) {
        return ((FakeMemory) buffer).export;
    }

    @Override
    public long offset(DeviceBuffer buffer) {
        return buffer.address - ((FakeMemory) buffer).base;
    }

    @Override
    public long[] card(DeviceBuffer buffer) {
        long[] card = new long[CARD_WORDS];
        card[0] = 1;
        card[1] = ((FakeMemory) buffer).export;
        card[2] = buffer.address;
        return card;
    }

    @Override
    public DeviceMapping map(long[] card, DeviceBuffer beside) {
        FakeMemory there = card[1] == UNREACHABLE ? null : node.exports.get(card[1]);
        if (there == null) {
            return null;
        }
        node.mappings.incrementAndGet();
        return new Mapping(there.plus((int) (card[2] - there.address)), node);
    }

    private record Mapping(DeviceBuffer buffer, Node node) implements DeviceMapping {
        @Override
        public void close() {
            node.mappings.decrementAndGet();
        }
    }

    /** Mappings of the job that have not been closed. */
    public long mappings() {
        return node.mappings.get();
    }

    @Override
    public DeviceGroup open(Endpoint endpoint, int[] members, int rank, DeviceBuffer buffer, CommunicatorTopology wires,
        Exchange exchange) {
        byte[][] answers = exchange.allgather(new byte[] {(byte) (closedForGroups ? 0 : 1), (byte) rank});
        for (int member = 0; member < answers.length; member++) {
            if (answers[member][1] != member) {
                throw new IllegalStateException("block " + member + " is rank " + answers[member][1] + "'s");
            }
        }
        for (byte[] answer : answers) {
            if (answer[0] == 0) {
                return null;
            }
        }
        byte[][] names = exchange.allgather(ByteBuffer.allocate(8).putLong(node.numbers.incrementAndGet()).array());
        opened++;
        return new FakeGroup(this, node, "group " + ByteBuffer.wrap(names[0]).getLong(), rank, members.length);
    }

    /** A call as a member sees it, for the others to look at. */
    static DeviceCall copy(DeviceCall call, int ranks) {
        DeviceCall copy = new DeviceCall(ranks);
        copy.collective = call.collective;
        copy.root = call.root;
        copy.bytes = call.bytes;
        copy.inPlace = call.inPlace;
        copy.type = call.type;
        copy.op = call.op;
        System.arraycopy(call.sendAt, 0, copy.sendAt, 0, ranks);
        System.arraycopy(call.sendBytes, 0, copy.sendBytes, 0, ranks);
        System.arraycopy(call.recvAt, 0, copy.recvAt, 0, ranks);
        System.arraycopy(call.recvBytes, 0, copy.recvBytes, 0, ranks);
        for (int edge = 0; edge < call.out.count(); edge++) {
            copy.out.add(call.out.peer(edge), call.out.at(edge), call.out.bytes(edge));
        }
        return copy;
    }
}
