package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Point-to-point messages between ranks as threads. */
class PointToPointTest {
    /** Around the packet's 48 bytes, the eager limit of 32 KiB, and beyond the credit of 2 MiB. */
    private static final int[] SIZES =
        {0, 1, 47, 48, 49, 4096, (32 << 10) - 1, 32 << 10, (32 << 10) + 1, 100_000, 3 << 20};
    private static final int[] SHORTER_SIZES = java.util.Arrays.copyOf(SIZES, SIZES.length - 1);
    private static final int ANY = -1;

    /** Whether an envelope says cancelled; the field is for providers and package mpi only. */
    private static final class Cancellable extends Envelope {
        boolean isCancelled() {
            return cancelled;
        }
    }

    private static void send(Communicator comm, long seed, int bytes, int destination, int tag) {
        comm.send(Payloads.of(seed, bytes), 0, bytes, BYTE, destination, tag, SendMode.STANDARD);
    }

    private static void receive(Communicator comm, long seed, int bytes, int source, int tag) {
        byte[] buffer = new byte[bytes];
        Envelope envelope = new Envelope();
        comm.recv(buffer, 0, bytes, BYTE, source, tag, envelope);
        assertEquals(bytes, envelope.bytes(), "length of the message with tag " + tag);
        Payloads.check("message from " + source + " with tag " + tag, seed, bytes, buffer);
    }

    /** Some go at once, some wait for room, and none overtakes another. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void shortNonblockingSendsKeepTheirOrder(Jobs kind) throws Exception {
        int count = 5000;
        ThreadJob.run(kind.endpoints(2, 3), (provider, world) -> {
            int[] word = new int[1];
            if (world.rank() == 0) {
                List<Operation> sends = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    int[] own = {i};
                    Operation send = world.isend(own, 0, Integer.BYTES, BYTE, 1, 7, SendMode.STANDARD);
                    if (send.test()) {
                        own[0] = -1; // the buffer is the caller's again
                    }
                    send.cancel();
                    sends.add(send);
                }
                for (Operation send : sends) {
                    send.await();
                    Envelope envelope = new Envelope();
                    send.describe(envelope);
                    assertEquals(0, envelope.bytes());
                    assertEquals(ANY, envelope.source);
                }
                send(world, 1, 8, 1, 8);
            } else {
                for (int i = 0; i < count; i++) {
                    world.recv(word, 0, Integer.BYTES, BYTE, 0, 7, new Envelope());
                    assertEquals(i, word[0]);
                }
                receive(world, 1, 8, 0, 8);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void everyModeBringsEverySizeIntact(Jobs kind) throws Exception {
        ThreadJob.run(kind.endpoints(2, 3), (provider, world) -> {
            int other = 1 - world.rank();
            provider.attachBuffer(8 << 20);
            for (int bytes : kind == Jobs.WIDE ? SIZES : SHORTER_SIZES) {
                for (SendMode mode : SendMode.values()) {
                    for (int form = 0; form < 4; form++) {
                        int tag = bytes % 1000 + form;
                        byte[] in = new byte[bytes];
                        Operation receive =
                            mode == SendMode.READY || form == 0 ? world.irecv(in, 0, bytes, BYTE, other, tag) : null;
                        if (mode == SendMode.READY) {
                            calls(world).barrier(true);
                        }
                        Operation sent = world.isend(Payloads.of(tag, bytes), 0, bytes, BYTE, other, tag, mode);
                        if (receive == null) {
                            world.recv(in, 0, bytes, BYTE, form == 1 ? other : ANY, form == 2 ? ANY : tag,
                                new Envelope());
                        } else {
                            receive.await();
                            assertTrue(receive.hasSucceeded());
                        }
                        sent.await();
                        assertTrue(sent.hasSucceeded());
                        Payloads.check(mode + " message", tag, bytes, in);
                    }
                    if (world.rank() == 0) {
                        world.send(Payloads.of(9, bytes), 0, bytes, BYTE, 1, 9,
                            mode == SendMode.READY ? SendMode.STANDARD : mode);
                        receive(world, 10, bytes, 1, 10);
                    } else {
                        receive(world, 9, bytes, 0, 9);
                        world.send(Payloads.of(10, bytes), 0, bytes, BYTE, 0, 10,
                            mode == SendMode.READY ? SendMode.STANDARD : mode);
                    }
                }
            }
            provider.detachBuffer();
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void messagesOfOneSenderNeverOvertakeOneAnother(Jobs kind) throws Exception {
        int messages = kind == Jobs.WILD ? 100 : 400;
        ThreadJob.run(kind.endpoints(2, 4), (provider, world) -> {
            Random random = new Random(7);
            int[] bytes = new int[messages];
            for (int i = 0; i < messages; i++) {
                bytes[i] = 4 + random.nextInt(switch (random.nextInt(4)) {
                    case 0 -> 40;
                    case 1 -> 4000;
                    case 2 -> 40_000;
                    default -> 100_000;
                });
            }
            List<Operation> sends = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                if (world.rank() == 0) {
                    sends.add(world.isend(Payloads.of(i, bytes[i]), 0, bytes[i], BYTE, 1, 5,
                        i % 7 == 0 ? SendMode.SYNCHRONOUS : SendMode.STANDARD));
                } else {
                    byte[] in = new byte[100_004];
                    Envelope envelope = new Envelope();
                    if (i % 3 == 0) {
                        Operation operation = world.irecv(in, 0, in.length, BYTE, i % 2 == 0 ? 0 : ANY, 5);
                        operation.await();
                        operation.describe(envelope);
                    } else {
                        world.recv(in, 0, in.length, BYTE, i % 2 == 0 ? 0 : ANY, i % 5 == 0 ? ANY : 5, envelope);
                    }
                    assertEquals(bytes[i], envelope.bytes(), "length of message " + i);
                    Payloads.check("message " + i, i, bytes[i], in);
                }
            }
            sends.forEach(Operation::await);
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void unexpectedMessagesTakeNoMoreThanTheCredit(Jobs kind) throws Exception {
        int bytes = 16 << 10;
        int messages = 300;
        ThreadJob.run(kind.endpoints(2, 6), (provider, world) -> {
            if (world.rank() == 0) {
                List<Operation> sends = new ArrayList<>();
                for (int i = 0; i < messages; i++) {
                    sends.add(world.isend(Payloads.of(i, bytes), 0, bytes, BYTE, 1, 1, SendMode.STANDARD));
                }
                boolean[] gone = new boolean[messages];
                int count = 0;
                for (int turn = 0; turn < 20_000 || count < 64; turn++) { // 64 are well within the credit, and go once
                                                                          // the receiver looks at its links
                    int i = turn % messages;
                    if (!gone[i] && sends.get(i).test()) {
                        gone[i] = true;
                        count++;
                    }
                }
                assertTrue((long) count * bytes <= 2 << 20, count + " messages of " + bytes
                    + " bytes were taken from the sender before the receiver asked for any: more than the credit");
                send(world, 99, 10, 1, 2);
                sends.forEach(Operation::await);
            } else {
                receive(world, 99, 10, 0, 2); // arrives although 300 others are before it
                for (int i = 0; i < messages; i++) {
                    receive(world, i, bytes, 0, 1);
                }
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"4,0", "48,20", "1000,999", "32768,100", "100000,50000", "300000,1"})
    void aTruncatedMessageIsAnErrorAndTheNextOneArrives(int bytes, int room) throws Exception {
        for (Jobs kind : Jobs.values()) {
            ThreadJob.run(kind.endpoints(2, 8), (provider, world) -> {
                for (int form = 0; form < 3; form++) {
                    if (world.rank() == 0) {
                        calls(world).barrier(true);
                        send(world, 1, bytes, 1, 1);
                        send(world, 2, bytes, 1, 1);
                        calls(world).barrier(true);
                    } else {
                        byte[] small = new byte[room];
                        Operation early = form == 0 ? world.irecv(small, 0, room, BYTE, 0, 1) : null;
                        calls(world).barrier(true);
                        if (form == 1) {
                            world.probe(0, 1, new Envelope());
                        }
                        MPIException thrown = assertThrows(MPIException.class, () -> {
                            if (early != null) {
                                assertFalse(early.hasSucceeded(), "the message was too long");
                                early.await();
                            } else {
                                world.recv(small, 0, room, BYTE, 0, 1, new Envelope(), "sendRecv");
                            }
                        });
                        assertEquals(ErrorClass.TRUNCATE.code, thrown.getErrorClass());
                        assertFalse(early != null && early.hasSucceeded(), "the error was thrown");
                        assertTrue(thrown.getMessage().contains((early != null ? "iRecv" : "sendRecv") + " on rank"),
                            thrown.getMessage());
                        assertTrue(
                            thrown.getMessage()
                                .contains("has " + bytes + " bytes, and the receive buffer's count allows " + room),
                            thrown.getMessage());
                        receive(world, 2, bytes, 0, 1);
                        calls(world).barrier(true);
                    }
                }
            });
        }
    }

    @Test
    void aCancelledReceiveTakesNothingAndAMatchedOneIsNotCancelled() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 0), (provider, world) -> {
            if (world.rank() == 0) {
                calls(world).barrier(true);
                send(world, 1, 100, 1, 1);
                send(world, 2, 100, 1, 1);
                return;
            }
            byte[] never = new byte[100];
            Operation cancelled = world.irecv(never, 0, 100, BYTE, 0, 1);
            cancelled.cancel();
            cancelled.await();
            Cancellable envelope = new Cancellable();
            cancelled.describe(envelope);
            assertTrue(envelope.isCancelled());
            calls(world).barrier(true);
            byte[] in = new byte[100];
            Operation kept = world.irecv(in, 0, 100, BYTE, 0, 1);
            kept.await();
            kept.cancel();
            kept.describe(envelope);
            assertFalse(envelope.isCancelled(), "a receive that is complete was cancelled");
            Payloads.check("the first message", 1, 100, in);
            receive(world, 2, 100, 0, 1);
            assertEquals(0, never[0]);
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aProbeTellsOfTheMessageThatTheNextReceiveGets(Jobs kind) throws Exception {
        ThreadJob.run(kind.endpoints(3, 12), (provider, world) -> {
            if (world.rank() > 0) {
                for (int bytes : SIZES) {
                    send(world, world.rank(), bytes, 0, world.rank());
                }
                return;
            }
            assertFalse(world.iprobe(0, 77, new Envelope()));
            int[] next = new int[3];
            for (int i = 0; i < 2 * SIZES.length; i++) {
                Envelope seen = new Envelope();
                if (i % 2 == 0) {
                    world.probe(ANY, ANY, seen);
                } else {
                    while (!world.iprobe(ANY, ANY, seen)) {
                        Thread.onSpinWait();
                    }
                }
                assertEquals(seen.source, seen.tag);
                assertEquals(SIZES[next[seen.source]++], seen.bytes(),
                    "probed length of a message from rank " + seen.source);
                receive(world, seen.source, (int) seen.bytes(), seen.source, seen.tag);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aRankCanSendToItself(Jobs kind) throws Exception {
        ThreadJob.run(kind.endpoints(1, 14), (provider, world) -> {
            for (Communicator comm : new Communicator[] {world, provider.self()}) {
                for (int bytes : SIZES) {
                    for (SendMode mode : new SendMode[] {SendMode.STANDARD, SendMode.SYNCHRONOUS}) {
                        Operation early = comm.isend(Payloads.of(1, bytes), 0, bytes, BYTE, 0, 1, mode);
                        receive(comm, 1, bytes, 0, 1);
                        early.await();
                        byte[] in = new byte[bytes];
                        Operation receive = comm.irecv(in, 0, bytes, BYTE, ANY, ANY);
                        comm.send(Payloads.of(2, bytes), 0, bytes, BYTE, 0, 1, mode);
                        receive.await();
                        Payloads.check("message to oneself", 2, bytes, in);
                    }
                }
            }
        });
    }

    @Test
    void aBufferedSendNeedsABufferUnlessItIsShort() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(1, 0), (provider, world) -> {
            for (int bytes : new int[] {257, 100_000}) {
                MPIException none = assertThrows(MPIException.class,
                    () -> world.isend(new byte[bytes], 0, bytes, BYTE, 0, 3, SendMode.BUFFERED));
                assertEquals(ErrorClass.BUFFER.code, none.getErrorClass());
                assertTrue(none.getMessage().contains("needs a buffer, and none is attached"), none.getMessage());
            }
            provider.attachBuffer(3);
            assertThrows(MPIException.class, () -> world.send(new byte[257], 0, 257, BYTE, 0, 3, SendMode.BUFFERED));
            provider.detachBuffer();
        });
    }

    /** Also where none of them can go at once. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void shortBufferedSendsNeedNoBuffer(Jobs kind) throws Exception {
        int messages = 3000;
        ThreadJob.run(kind.endpoints(2, 0), (provider, world) -> {
            if (world.rank() == 0) {
                for (int i = 0; i < messages; i++) {
                    byte[] data = Payloads.of(i, i % 257);
                    world.isend(data, 0, data.length, BYTE, 1, 3, SendMode.BUFFERED).await();
                    java.util.Arrays.fill(data, (byte) -1);
                }
                calls(world).barrier(true);
                world.recv(new byte[0], 0, 0, BYTE, 1, 3, new Envelope());
            } else {
                calls(world).barrier(true);
                for (int i = 0; i < messages; i++) {
                    receive(world, i, i % 257, 0, 3);
                }
                world.send(new byte[0], 0, 0, BYTE, 0, 3, SendMode.STANDARD);
            }
        });
    }

    @Test
    void bytesTravelBetweenArraysOfAnyKind() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 0), (provider, world) -> {
            for (int bytes : new int[] {1, 7, 63, 5003, 70_001}) {
                int[] sent = new int[bytes / 4 + 1];
                java.util.Arrays.setAll(sent, i -> i * 0x01020305);
                long[] gathered = new long[2 * bytes / 8 + 1];
                calls(world).allgather(sent, 0, bytes, BYTE, gathered, 0, bytes, BYTE, true);
                for (int i = 0; i < 2 * bytes; i++) {
                    int from = i % bytes;
                    byte expected = byteOf(sent[from >> 2], 4, from & 3);
                    assertEquals(expected, byteOf(gathered[i >> 3], 8, i & 7),
                        "byte " + i + " of " + bytes + " of each rank");
                }
            }
        });
    }

    /** A byte of a number of so many as it lies in memory. */
    private static byte byteOf(long number, int bytes, int at) {
        return (byte) (number >> 8
            * (java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN ? at : bytes - 1 - at));
    }

    @Test
    void bufferedSendsTakeTheirRoomAndGiveItBack() throws Exception {
        int bytes = 100_000;
        ThreadJob.run(Jobs.NARROW.endpoints(2, 0), (provider, world) -> {
            if (world.rank() == 1) {
                calls(world).barrier(true);
                for (int i = 0; i < 9; i++) {
                    receive(world, i, bytes, 0, 3);
                }
                return;
            }
            provider.attachBuffer(3 * bytes);
            for (int i = 0; i < 3; i++) {
                world.send(Payloads.of(i, bytes), 0, bytes, BYTE, 1, 3, SendMode.BUFFERED);
            }
            MPIException full = assertThrows(MPIException.class,
                () -> world.send(new byte[bytes], 0, bytes, BYTE, 1, 3, SendMode.BUFFERED));
            assertEquals(ErrorClass.BUFFER.code, full.getErrorClass());
            assertTrue(full.getMessage().contains("needs 100000, and 0 bytes of the attached buffer are free"),
                full.getMessage());
            calls(world).barrier(true);
            provider.detachBuffer();
            for (int round = 1; round < 3; round++) {
                provider.attachBuffer(3 * bytes);
                for (int i = 0; i < 3; i++) {
                    world.send(Payloads.of(3 * round + i, bytes), 0, bytes, BYTE, 1, 3, SendMode.BUFFERED);
                }
                provider.detachBuffer();
            }
            assertThrows(MPIException.class, () -> world.send(new byte[bytes], 0, bytes, BYTE, 1, 3, SendMode.BUFFERED),
                "the buffer is gone");
        });
    }

    private record Message(int from, int to, int tag, int bytes, SendMode mode, boolean onDuplicate,
        boolean anySource) {
    }

    /**
     * Tags repeat, so that order counts; wildcard sources have tags of their own, so that only order among one sender's
     * messages decides.
     */
    private static List<Message> script(Random random, int ranks, int messages) {
        List<Message> all = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            int from = random.nextInt(ranks);
            boolean any = random.nextInt(3) == 0;
            all.add(new Message(from, random.nextInt(ranks), any ? 100 + from : random.nextInt(3),
                random.nextInt(switch (random.nextInt(5)) {
                    case 0 -> 49;
                    case 1 -> 1;
                    case 2 -> 5000;
                    case 3 -> 70_000;
                    default -> 150_000;
                } + 1), random.nextInt(4) == 0 ? SendMode.SYNCHRONOUS : SendMode.STANDARD, random.nextBoolean(), any));
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aStormOfMessagesArrivesWhole(Jobs kind) throws Exception {
        for (int seed = 1; seed <= 6; seed++) {
            int ranks = 1 + seed % 5;
            List<Message> script = script(new Random(seed), ranks, 80);
            long storm = seed;
            ThreadJob.run(kind.endpoints(ranks, seed), (provider, world) -> {
                Communicator duplicate = world.duplicate();
                Random random = new Random(storm * 100 + world.rank());
                List<Integer> sends = new ArrayList<>();
                List<Integer> receives = new ArrayList<>();
                for (int i = 0; i < script.size(); i++) {
                    if (script.get(i).from == world.rank()) {
                        sends.add(i);
                    }
                    if (script.get(i).to == world.rank()) {
                        receives.add(i);
                    }
                }
                List<Operation> pending = new ArrayList<>();
                byte[][] in = new byte[script.size()][];
                while (!sends.isEmpty() || !receives.isEmpty()) {
                    boolean sending = receives.isEmpty() || !sends.isEmpty() && random.nextBoolean();
                    int i = sending ? sends.remove(0) : receives.remove(0);
                    Message message = script.get(i);
                    Communicator comm = message.onDuplicate ? duplicate : world;
                    if (sending) {
                        pending.add(comm.isend(Payloads.of(i, message.bytes), 0, message.bytes, BYTE, message.to,
                            message.tag, message.mode));
                    } else {
                        in[i] = new byte[message.bytes];
                        pending.add(comm.irecv(in[i], 0, message.bytes, BYTE, message.anySource ? ANY : message.from,
                            message.tag));
                    }
                    if (random.nextInt(4) == 0) {
                        pending.get(random.nextInt(pending.size())).test();
                    }
                }
                Collections.shuffle(pending, random);
                Operation[] all = pending.toArray(new Operation[0]);
                for (int index = provider.awaitAny(all, all.length); index >= 0; index =
                    provider.awaitAny(all, all.length)) {
                    all[index] = null;
                }
                for (int i = 0; i < script.size(); i++) {
                    if (in[i] != null) {
                        Payloads.check("storm " + storm + ", message " + i + " " + script.get(i), i,
                            script.get(i).bytes, in[i]);
                    }
                }
            });
        }
    }
}
