package org.brigade.aggregation.aggregator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.brigade.aggregation.AggregationException;
import org.brigade.aggregation.AggregationStatus;
import org.brigade.aggregation.process.AggregatorHandshake;
import org.brigade.aggregation.process.FrameChannel;
import org.brigade.aggregation.process.JoinRequest;
import org.brigade.aggregation.process.MemberGroup;
import org.brigade.bootstrap.secret.Handshake;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What attackers would try against an aggregator that listens: it keeps serving its members, keeps its bounds, and its
 * log stays short. The tests' aggregators have room for 40 connections, 16 of them of strangers, and 4 groups.
 */
@Timeout(300)
@Tag("slow")
@Tag("once")
class AggregatorAttackTest {
    private static final int FLOOD = 400;

    /** Whether the other end has closed, or does in time; a busy machine is no failure. */
    private static boolean ends(Socket socket) throws IOException {
        socket.setSoTimeout(100_000);
        try {
            while (socket.getInputStream().read() >= 0) {
                // what an aggregator says before
            }
            return true;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        return new Socket(address.getAddress(), address.getPort());
    }

    /** Connections that are opened and left, far more than there is room for, while members come and go. */
    @Test
    void membersFindRoomWhileStrangersOpenConnectionsAndSayNothing() throws Exception {
        try (Tree tree = new Tree()) {
            long began = System.nanoTime();
            InetSocketAddress address = tree.address();
            MemberGroup[] early = Members.join(address, 1, 3);
            List<Socket> silent = new ArrayList<>();
            Thread flood = new Thread(() -> {
                try {
                    for (int i = 0; i < FLOOD; i++) {
                        silent.add(connect(address));
                        Thread.sleep(2);
                    }
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            flood.start();
            for (int group = 2; flood.isAlive(); group++) {
                MemberGroup[] members = Members.join(address, group, 4);
                Members.sum(members, group);
                Members.sum(early, group);
                for (MemberGroup each : members) {
                    each.close();
                }
                while (tree.root().running() > 1) {
                    Thread.sleep(1);
                }
            }
            flood.join();
            int open = 0;
            for (Socket each : silent.subList(0, FLOOD - 16)) {
                open += ends(each) ? 0 : 1;
            }
            assertEquals(0, open, "strangers beyond the 16 that may try");
            for (Socket each : silent) {
                each.close();
            }
            long tens = (System.nanoTime() - began) / 10_000_000_000L;
            long said = tree.log.stream().filter(line -> line.contains("refused")).count();
            assertTrue(said <= 3 + 2 * tens, "a flood may not fill the log: " + tree.log);
        }
    }

    /** A byte a while keeps a connection busy, but not for longer than 5 s. */
    @Test
    void aHandshakeThatIsSlowIsEndedAlthoughItGoesOn() throws Exception {
        try (Tree tree = new Tree(); Socket socket = connect(tree.address())) {
            byte[] hello = AggregatorHandshake.ofClient(Tree.SECRET).first();
            int sent = 0;
            try {
                for (; sent < hello.length; sent++) {
                    socket.getOutputStream().write(hello[sent]);
                    Thread.sleep(400);
                }
            } catch (SocketException closed) {
                // as it should be
            }
            assertTrue(sent < hello.length, "let it send " + sent + " of " + hello.length + " bytes");
            assertTrue(tree.log.stream().anyMatch(line -> line.contains("no handshake within 5 s")),
                tree.log.toString());
        }
    }

    /** What was recorded of a member's handshake and first frames is worth nothing on another connection. */
    @Test
    void whatAMemberSaidCannotBeSaidAgainByAnother() throws Exception {
        try (Tree tree = new Tree()) {
            ByteBuffer recorded = ByteBuffer.allocate(4096);
            Handshake member = AggregatorHandshake.ofClient(Tree.SECRET);
            try (Socket socket = connect(tree.address())) {
                recorded.put(member.first());
                socket.getOutputStream().write(recorded.array(), 0, recorded.position());
                while (member.awaits() > 0) {
                    byte[] answer = member.answer(socket.getInputStream().readNBytes(member.awaits()));
                    recorded.put(answer);
                    socket.getOutputStream().write(answer);
                }
                byte[] join = Members.frame(FrameChannel.JOIN, new JoinRequest(66, 0, 1, 2, 2).encoded());
                recorded.put(join);
                socket.getOutputStream().write(join);
                while (tree.root().running() == 0) {
                    Thread.sleep(1);
                }
            }
            while (tree.root().running() > 0) {
                Thread.sleep(1);
            }
            try (Socket socket = connect(tree.address())) {
                socket.getOutputStream().write(recorded.array(), 0, recorded.position());
                assertTrue(ends(socket), "the recording was listened to");
            }
            assertEquals(0, tree.root().running());
        }
    }

    /** Members with the secret that name others' groups, and places that cannot be. */
    @Test
    void whoNamesAGroupThatIsNotItsIsRefusedAndTheGroupGoesOn() throws Exception {
        try (Tree tree = new Tree()) {
            MemberGroup[] group = Members.join(tree.address(), 5, 3);
            AggregationException late = assertThrows(AggregationException.class,
                () -> Members.member(tree.address(), new JoinRequest(5, 1, 1, 3, 3)));
            assertEquals(AggregationStatus.EGROUP_JOIN, late.status(), late.getMessage());
            Members.sum(group, 1);
            int most = Integer.MAX_VALUE;
            for (JoinRequest each : new JoinRequest[] {new JoinRequest(6, 0, most - 1, most, 0),
                new JoinRequest(6, 1, most - 1, most, 0), new JoinRequest(6, 0, 1, most, 0),
                new JoinRequest(7, most, 1, 2, 2), new JoinRequest(7, most, 1, 2, 2), new JoinRequest(7, 0, 1, 3, 2)}) {
                Members.trusted(tree.address()).getOutputStream()
                    .write(Members.frame(FrameChannel.JOIN, each.encoded()));
                Members.sum(group, 2);
            }
            while (tree.root().running() < 3) {
                Thread.sleep(1);
            }
            Members.sum(group, 3);
        }
    }

    /**
     * A member that asks for what it never takes: what waits for it is bounded, and its group's end does nothing to
     * others.
     */
    @Test
    void whoAsksAndNeverListensHasNoMoreKeptForItThanAFewAnswers() throws Exception {
        try (Tree tree = new Tree()) {
            MemberGroup[] group = Members.join(tree.address(), 5, 2);
            Socket deaf = Members.trusted(tree.address());
            deaf.getOutputStream().write(Members.frame(FrameChannel.JOIN, new JoinRequest(9, 0, 1, 1, 1).encoded()));
            byte[] data = new byte[16 << 10];
            ByteBuffer frame = ByteBuffer.allocate(16 + data.length).order(ByteOrder.nativeOrder()).putInt(data.length)
                .put(FrameChannel.CONTRIBUTE).put((byte) 1).put((byte) 2).put((byte) 0);
            Thread flood = new Thread(() -> {
                try {
                    for (int turn = 0; turn < 4000; turn++) {
                        frame.putInt(8, turn % 2); // again and again what has been summed: each time it is answered
                        deaf.getOutputStream().write(frame.array());
                    }
                } catch (IOException e) {
                    // closed, or the test has ended
                }
            });
            flood.setDaemon(true);
            flood.start();
            for (int turn = 0; turn < 200; turn++) {
                Members.sum(group, turn);
            }
            deaf.close();
            Members.sum(group, 1);
        }
    }

    @Test
    void otherReleasesAreToldWhichIsWhich() throws Exception {
        try (Tree tree = new Tree(); Socket socket = connect(tree.address())) {
            byte[] hello = AggregatorHandshake.ofClient(Tree.SECRET).first();
            ByteBuffer.wrap(hello).putInt(8, FrameChannel.VERSION + 5);
            socket.getOutputStream().write(hello);
            byte[] answer = socket.getInputStream().readNBytes(hello.length);
            assertEquals(FrameChannel.VERSION, ByteBuffer.wrap(answer).getInt(8), "what the member hears");
            socket.getOutputStream().write(new byte[32]);
            assertTrue(ends(socket));
            while (tree.log.isEmpty()) {
                Thread.onSpinWait(); // the aggregator says so after it has hung up
            }
            assertTrue(
                tree.log.stream().anyMatch(line -> line.contains("it speaks version " + (FrameChannel.VERSION + 5))
                    && line.contains("the same brigade.jar")),
                tree.log.toString());
        }
        Handshake member = AggregatorHandshake.ofClient(Tree.SECRET);
        byte[] theirs = AggregatorHandshake.ofClient(Tree.SECRET).first();
        ByteBuffer.wrap(theirs).putInt(8, 1);
        assertTrue(assertThrows(Handshake.Refused.class, () -> member.answer(theirs)).getMessage()
            .contains("it speaks version 1"), "what the member says");
    }
}
