package org.brigade.aggregation.aggregator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationType;
import org.brigade.aggregation.RegisteredMemory;
import org.brigade.aggregation.process.AggregatorHandshake;
import org.brigade.aggregation.process.FrameChannel;
import org.brigade.aggregation.process.JoinRequest;
import org.brigade.aggregation.process.MemberGroup;
import org.brigade.aggregation.process.SocketCarrier;
import org.brigade.bootstrap.secret.Handshake;
import org.brigade.memory.NativeMemory;

/** Members of groups, made by tests without a job; and what they could say wrong. */
final class Members {
    private static final long PATIENCE = 10_000_000_000L;

    private Members() {
    }

    static MemberGroup member(InetSocketAddress address, JoinRequest request) throws AggregationException {
        try {
            FrameChannel channel =
                new FrameChannel(SocketCarrier.to(address), AggregatorHandshake.ofClient(Tree.SECRET));
            return new MemberGroup(address.toString(), channel, request, PATIENCE, Thread::onSpinWait);
        } catch (IOException e) {
            throw MemberGroup.unreachable(address.toString(), e);
        }
    }

    static MemberGroup[] join(InetSocketAddress address, long group, int members) throws Exception {
        MemberGroup[] joined = new MemberGroup[members];
        List<Thread> threads = new ArrayList<>();
        for (int member = 0; member < members; member++) {
            int number = member;
            Thread thread = new Thread(() -> {
                try {
                    joined[number] = member(address, new JoinRequest(group, number, 1, members, members));
                } catch (AggregationException e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return joined;
    }

    /** One sum by all members of a group, each of them polled in turn. */
    static void sum(MemberGroup[] group, int value) throws AggregationException {
        int[] requests = new int[group.length];
        RegisteredMemory[] memories = new RegisteredMemory[group.length];
        int expected = 0;
        for (int member = 0; member < group.length; member++) {
            memories[member] = group[member].register(NativeMemory.allocate(128));
            memories[member].memory().ints.put(0, value + member);
            expected += value + member;
            requests[member] =
                group[member].iallreduce(memories[member], 0, 64, 4, AggregationType.INT32, Operator.SUM);
        }
        boolean[] done = new boolean[group.length];
        for (int left = group.length; left > 0;) {
            for (int member = 0; member < group.length; member++) {
                if (!done[member] && group[member].test(requests[member])) {
                    done[member] = true;
                    left--;
                    assertEquals(expected, memories[member].memory().ints.get(16),
                        "the sum that member " + member + " gets");
                }
            }
        }
    }

    /** Proves that it has the secret, as a member would, then says what it likes. */
    static Socket trusted(InetSocketAddress address) throws Exception {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        Handshake handshake = AggregatorHandshake.ofClient(Tree.SECRET);
        socket.getOutputStream().write(handshake.first());
        while (handshake.awaits() > 0) {
            socket.getOutputStream().write(handshake.answer(socket.getInputStream().readNBytes(handshake.awaits())));
        }
        return socket;
    }

    static byte[] frame(byte kind, byte[] payload) {
        return ByteBuffer.allocate(16 + payload.length).order(ByteOrder.nativeOrder()).putInt(payload.length).put(kind)
            .position(16).put(payload).array();
    }
}
