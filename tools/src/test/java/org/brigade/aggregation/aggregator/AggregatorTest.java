package org.brigade.aggregation.aggregator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import mpi.spi.Reduction.Operator;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.AggregationType;
import org.brigade.aggregation.RegisteredMemory;
import org.brigade.aggregation.process.AggregatorHandshake;
import org.brigade.aggregation.process.FrameChannel;
import org.brigade.aggregation.process.GroupTerms;
import org.brigade.aggregation.process.JoinRequest;
import org.brigade.aggregation.process.MemberGroup;
import org.brigade.aggregation.process.TcpAggregation;
import org.brigade.bootstrap.secret.Handshake;
import org.brigade.memory.NativeMemory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a peer does to an aggregator, it serves the others; and a member hears what went wrong. */
@Timeout(300)
@Tag("once")
class AggregatorTest {
    private static void assertEnds(Socket socket) throws IOException {
        socket.setSoTimeout(100_000);
        InputStream in = socket.getInputStream();
        try {
            while (in.read() >= 0) {
                // what the handshake says
            }
        } catch (java.net.SocketException reset) {
            // closed with bytes unread
        }
    }

    @Test
    void garbageEndsItsConnectionAndNothingElse() throws Exception {
        try (Tree tree = new Tree()) {
            InetSocketAddress address = tree.address();
            MemberGroup[] good = Members.join(address, 7, 3);
            Members.sum(good, 1);
            Random random = new Random(3);
            for (int i = 0; i < 20; i++) {
                try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                    byte[] garbage = new byte[32 + random.nextInt(4000)];
                    random.nextBytes(garbage);
                    try {
                        socket.getOutputStream().write(garbage);
                        assertEnds(socket);
                    } catch (java.net.SocketException refused) {
                        // already thrown out
                    }
                }
                Members.sum(good, i);
            }
            assertEquals(1, tree.root().running());
        }
    }

    @Test
    void whoSaysNothingIsThrownOutAndConnectionsAreBounded() throws Exception {
        try (Tree tree = new Tree()) {
            InetSocketAddress address = tree.address();
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 45; i++) {
                silent.add(new Socket(address.getAddress(), address.getPort()));
            }
            for (Socket socket : silent) {
                assertEnds(socket);
                socket.close();
            }
            Members.sum(Members.join(address, 9, 2), 5);
        }
    }

    private static byte[] frame(int length, int kind, int type, int operator, int sequence, byte[] payload) {
        return ByteBuffer.allocate(16 + payload.length).order(ByteOrder.nativeOrder()).putInt(length).put((byte) kind)
            .put((byte) type).put((byte) operator).put((byte) 0).putInt(sequence).putInt(0)
            .put(payload).array();
    }

    @Test
    void aTrustedPeerThatDoesNotKeepToTheProtocolIsThrownOut() throws Exception {
        byte[][] wrong = {
            frame(Integer.MAX_VALUE, FrameChannel.CONTRIBUTE, 1, 2, 0, new byte[0]),
            frame(-1, FrameChannel.PING, 0, 0, 0, new byte[0]),
            frame(8, FrameChannel.CONTRIBUTE, 1, 2, 0, new byte[8]), frame(0, 77, 0, 0, 0, new byte[0]),
            frame(8, FrameChannel.JOIN, 0, 0, 0, new byte[8]),
            frame(32, FrameChannel.JOIN, 0, 0, 0,
                new JoinRequest(1, 0, 1, Integer.MAX_VALUE, Integer.MAX_VALUE).encoded()),
            frame(12, FrameChannel.READY, 0, 0, 0,
                new GroupTerms(2, 64, false).encoded().clone().length == 12 ? new byte[16] : new byte[0]),
            frame(8, FrameChannel.RESULT, 1, 2, 0, new byte[8]),
        };
        try (Tree tree = new Tree()) {
            InetSocketAddress address = tree.address();
            MemberGroup[] good = Members.join(address, 7, 2);
            for (byte[] each : wrong) {
                try (Socket socket = Members.trusted(address)) {
                    socket.getOutputStream().write(each);
                    assertEnds(socket);
                }
                Members.sum(good, 1);
            }
        }
    }

    @Test
    void aMemberThatContradictsTheOthersEndsTheGroupWhichSaysWhy() throws Exception {
        try (Tree tree = new Tree()) {
            MemberGroup[] group = Members.join(tree.address(), 5, 2);
            RegisteredMemory memory = group[0].register(NativeMemory.allocate(256));
            int request = group[0].iallreduce(memory, 0, 64, 8, AggregationType.INT32, Operator.SUM);
            group[1].iallreduce(memory, 0, 128, 16, AggregationType.INT32, Operator.SUM);
            AggregationException failure = assertThrows(AggregationException.class, () -> {
                while (!group[0].test(request)) {
                    Thread.onSpinWait();
                }
            });
            assertTrue(failure.getMessage().contains("different counts, types or operations"), failure.getMessage());
            assertEquals(AggregationStatus.ECONN_TREE, failure.status());
            Members.sum(Members.join(tree.address(), 5, 2), 3);
        }
    }

    @Test
    void aProofServesOnceAndOnlyForItsEnd() throws Exception {
        Handshake server = AggregatorHandshake.ofServer(Tree.SECRET);
        Handshake client = AggregatorHandshake.ofClient(Tree.SECRET);
        byte[] hello = client.first();
        byte[] challenge = server.answer(hello);
        byte[] proof = client.answer(challenge);
        byte[] its = server.answer(proof);
        assertEquals(0, server.awaits());
        assertEquals(0, client.answer(its).length);
        assertEquals(0, client.awaits());

        Handshake another = AggregatorHandshake.ofServer(Tree.SECRET);
        another.answer(hello);
        assertThrows(Handshake.Refused.class, () -> another.answer(proof), "a recorded proof");

        Handshake reflecting = AggregatorHandshake.ofClient(Tree.SECRET);
        byte[] own = reflecting.answer(reflecting.first());
        assertThrows(Handshake.Refused.class, () -> reflecting.answer(own),
            "a member's own words, sent back to it");

        Handshake stranger = AggregatorHandshake.ofServer("another secret, as long".getBytes());
        Handshake member = AggregatorHandshake.ofClient(Tree.SECRET);
        byte[] theirs = member.answer(stranger.answer(member.first()));
        assertThrows(Handshake.Refused.class, () -> stranger.answer(theirs),
            "a member without the aggregator's secret");
        assertThrows(Handshake.Refused.class, () -> member.answer(new byte[member.awaits()]),
            "an aggregator without the secret");
    }

    @Test
    void groupsAreBoundedAndTheirMemoryIsGivenBack() throws Exception {
        try (Tree tree = new Tree(0, new GroupTerms(2, 1024, false), 100_000, Faults.NONE)) {
            InetSocketAddress address = tree.address();
            for (int turn = 0; turn < 30; turn++) {
                MemberGroup[] group = Members.join(address, turn, 2);
                Members.sum(group, turn);
                for (MemberGroup each : group) {
                    each.close();
                }
                while (tree.root().running() > 0) {
                    Thread.sleep(1);
                }
            }
            for (int number = 0; number < 4; number++) {
                int group = 100 + number;
                Socket socket = Members.trusted(address);
                socket.getOutputStream()
                    .write(frame(32, FrameChannel.JOIN, 0, 0, 0, new JoinRequest(group, 0, 1, 2, 2).encoded()));
            }
            while (tree.root().running() < 4) {
                Thread.sleep(1);
            }
            AggregationException full = assertThrows(AggregationException.class,
                () -> Members.member(address, new JoinRequest(200, 0, 1, 2, 2)));
            assertEquals(AggregationStatus.EGROUP_ALLOC, full.status(), full.getMessage());
        }
    }

    @Test
    void nodesAreDealtToAggregatorsInStretches() {
        for (int size = 1; size < 40; size++) {
            for (int leaves = 1; leaves < 9; leaves++) {
                int[] count = new int[leaves];
                int last = 0;
                for (int member = 0; member < size; member++) {
                    int leaf = TcpAggregation.leaf(member, size, leaves);
                    assertTrue(leaf == last || leaf == last + 1, "stretches in order");
                    last = leaf;
                    count[leaf]++;
                }
                for (int leaf = 0; leaf < Math.min(leaves, size); leaf++) {
                    assertTrue(count[leaf] >= size / Math.min(leaves, size)
                        && count[leaf] <= size / Math.min(leaves, size) + 1, "differ by one");
                }
            }
        }
    }
}
