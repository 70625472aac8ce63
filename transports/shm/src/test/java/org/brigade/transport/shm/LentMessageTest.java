package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import mpi.MPIException;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.ProcessMemory;
import org.brigade.op.Combiner;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lent messages, a call at a time: every end that one can have. */
class LentMessageTest {
    private static final int SHORTEST = (int) PeerProcesses.SHORTEST;
    private static final int MANY = 3_000_000;
    private static final int NOBODY = 0x3fff_fff0;

    private SharedEndpoint sending;
    private SharedEndpoint receiving;
    private Link out;
    private Link in;
    private ByteBuffer content;
    private Region source;
    private long sent;

    @BeforeEach
    void open() {
        SegmentDescriptor layout = SegmentDescriptor.forRanks(2);
        NativeMemory memory = NativeMemory.allocate((int) layout.bytes());
        sending = SharedEndpoint.ofThread(layout, memory, 0).lends(CopyWays.Use.ALWAYS);
        receiving = SharedEndpoint.ofThread(layout, memory, 1).lends(CopyWays.Use.ALWAYS);
        out = sending.link(1, Endpoint.COLLECTIVE);
        in = receiving.link(0, Endpoint.COLLECTIVE);
    }

    private void message(int bytes) {
        content = ByteBuffer.allocateDirect(bytes);
        SplittableRandom random = new SplittableRandom(bytes);
        for (int i = 0; i < bytes; i++) {
            content.put(i, (byte) random.nextInt());
        }
        source = new Region().wrap(content, 0);
        sent = 0;
    }

    private void push() {
        if (sent < content.capacity()) {
            sent += Math.max(0, out.trySend(3, 4, source, 0, content.capacity(), sent));
        }
    }

    private void requireEnded() {
        push();
        assertEquals(content.capacity(), sent, "the sender knows that all is taken");
        assertFalse(in.poll());
        long before = content.capacity();
        message(SHORTEST);
        ByteBuffer target = ByteBuffer.allocateDirect(SHORTEST);
        receive(new Region().wrap(target, 0), 0);
        assertEquals(content, target, "the next message after one of " + before + " bytes");
    }

    private void receive(Region target, long taken) {
        long all = taken;
        for (int calls = 0; all < content.capacity(); calls++) {
            assertTrue(calls < 100_000, "stuck at " + all);
            push();
            if (in.poll()) {
                all += in.tryRecv(target, all);
            }
        }
        push();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void bothSidesCopyIntoDirectMemory(int pushesFirst) {
        for (int bytes : new int[] {SHORTEST, 65_535, 65_536, 65_537, 300_001, MANY}) {
            message(bytes);
            push();
            ByteBuffer target = ByteBuffer.allocateDirect(bytes);
            Region into = new Region().wrap(target, 0);
            assertTrue(in.poll());
            assertEquals(bytes, in.bytes());
            assertEquals(0, in.tryRecv(into, 0));
            assertTrue(in.isTaken(), "nobody else may take it now");
            for (int i = 0; i < pushesFirst; i++) {
                push();
            }
            receive(into, 0);
            assertEquals(content, target);
            requireEnded();
        }
    }

    @Test
    void whoDoesNotAnswerLeavesAllTheCopyingToTheOther() {
        message(MANY);
        push();
        ByteBuffer target = ByteBuffer.allocateDirect(MANY);
        Region into = new Region().wrap(target, 0);
        assertTrue(in.poll());
        long taken = 0;
        for (int i = 0; i < 1000 && taken < MANY; i++) {
            taken += in.tryRecv(into, taken);
        }
        assertEquals(MANY, taken, "the receiver alone");
        assertEquals(content, target);
        requireEnded();
    }

    @Test
    void ofMessagesBothWaysEachIsReadByItsReceiverWithoutAnAnswer() {
        message(100_003);
        push();
        ByteBuffer answer = ByteBuffer.allocateDirect(70_001).put(70_000, (byte) 7);
        Region back = new Region().wrap(answer, 0);
        long gone = in.trySend(3, 5, back, 0, 70_001, 0);

        ByteBuffer target = ByteBuffer.allocateDirect(100_003);
        assertTrue(in.poll());
        assertEquals(100_003, in.tryRecv(new Region().wrap(target, 0), 0), "all at one look");
        assertEquals(content, target);
        ByteBuffer answered = ByteBuffer.allocateDirect(70_001);
        assertTrue(out.poll());
        assertEquals(70_001, out.tryRecv(new Region().wrap(answered, 0), 0), "all at one look");
        assertEquals(answer, answered);

        assertEquals(70_001, gone + in.trySend(3, 5, back, 0, 70_001, gone));
        assertFalse(out.poll());
        requireEnded();
    }

    @Test
    void bytesForTheHeapAreReadByTheReceiver() {
        for (int bytes : new int[] {SHORTEST, 200_003, MANY}) {
            message(bytes);
            byte[] target = new byte[bytes + 3];
            receive(new Region().wrap(target, 3), 0);
            for (int i = 0; i < bytes; i++) {
                assertEquals(content.get(i), target[i + 3], "byte " + i);
            }
            requireEnded();
        }
    }

    /** Adds bytes, the incoming ones times 3, so that a swapped operand shows. */
    private static final Combiner TRIPLE_AND_ADD = new Combiner() {
        @Override
        public int itemBytes() {
            return 1;
        }

        @Override
        public void combine(NativeMemory incoming, int incomingAt, int bytes, Region operand, long operandAt,
            Region target, long targetAt) {
            NativeMemory its = NativeMemory.allocate(bytes);
            operand.read(operandAt, its, 0, bytes);
            for (int i = 0; i < bytes; i++) {
                its.bytes.put(i, (byte) (its.bytes.get(i) + 3 * incoming.bytes.get(incomingAt + i)));
            }
            target.write(targetAt, its, 0, bytes);
        }
    };

    @Test
    void incomingBytesAreReducedPieceByPiece() {
        message(300_007);
        byte[] operand = new byte[300_007];
        byte[] target = new byte[300_007];
        new SplittableRandom(9).nextBytes(operand);
        Region with = new Region().wrap(operand, 0);
        Region into = new Region().wrap(target, 0);
        long taken = 0;
        while (taken < target.length) {
            push();
            if (in.poll()) {
                taken += in.tryRecvReduce(TRIPLE_AND_ADD, with, taken, into, taken);
            }
        }
        for (int i = 0; i < target.length; i++) {
            assertEquals((byte) (operand[i] + 3 * content.get(i)), target[i], "byte " + i);
        }
        requireEnded();
    }

    @Test
    void aMessageMayBeDiscardedBeforeAndAfterAnyPartOfIt() {
        for (int pieces = 0; pieces < 12; pieces++) {
            message(MANY);
            push();
            assertTrue(in.poll());
            byte[] heap = new byte[MANY];
            long taken = 0;
            for (int i = 0; i < pieces; i++) {
                taken += in.tryRecv(new Region().wrap(heap, 0), taken);
            }
            assertEquals(MANY - taken, in.tryDiscard(Long.MAX_VALUE));
            requireEnded();
        }
    }

    @Test
    void theRestAfterADiscardedBeginningArrives() {
        message(200_000);
        push();
        assertTrue(in.poll());
        assertEquals(16_000, in.tryDiscard(16_007));
        ByteBuffer target = ByteBuffer.allocateDirect(200_000);
        receive(new Region().wrap(target, 0), 16_000);
        assertEquals(content.slice(16_000, 184_000), target.slice(16_000, 184_000));
        assertEquals(0, target.getLong(0));
        requireEnded();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 20})
    void nobodyWritesIntoAnAbandonedReceiversMemory(int pushes) {
        message(MANY);
        push();
        ByteBuffer target = ByteBuffer.allocateDirect(MANY);
        assertTrue(in.poll());
        in.tryRecv(new Region().wrap(target, 0), 0);
        for (int i = 0; i < pushes; i++) {
            push();
        }
        in.abandon();
        ByteBuffer before = ByteBuffer.allocateDirect(MANY).put(0, target, 0, MANY);
        for (int i = 0; i < 100; i++) {
            push();
        }
        assertEquals(before, target);
        assertTrue(in.isTaken());
        assertEquals(MANY, in.tryDiscard(Long.MAX_VALUE));
        requireEnded();
    }

    /** Processes that this one cannot find, or finds dead. */
    private static PeerProcesses broken(ProcessMemory found) {
        return new PeerProcesses(null, 0, 2, CopyWays.Use.ALWAYS) {
            @Override
            boolean tell() {
                return true;
            }

            @Override
            ProcessMemory find(int peer) {
                return found;
            }
        };
    }

    @Test
    void aReceiverThatCannotReadGetsTheMessageThroughTheRing() {
        receiving.use(broken(null));
        for (int round = 0; round < 3; round++) {
            message(MANY);
            ByteBuffer target = ByteBuffer.allocateDirect(MANY);
            receive(new Region().wrap(target, 0), 0);
            assertEquals(content, target);
        }
        requireEnded();
    }

    /** The slot of the loan holds the bytes of a packet before it. */
    @Test
    void whoWaitsForTheRingReadsNothingOfAnOldPacket() {
        for (int packet = 0; packet < 1000; packet++) {
            message(Link.PACKET_BYTES);
            receive(new Region().wrap(ByteBuffer.allocateDirect(Link.PACKET_BYTES), 0), 0);
        }
        receiving.use(broken(null));
        message(MANY);
        push();
        ByteBuffer target = ByteBuffer.allocateDirect(MANY);
        Region into = new Region().wrap(target, 0);
        for (int looks = 0; looks < 3; looks++) {
            assertTrue(in.poll());
            assertEquals(0, in.tryRecv(into, 0));
        }
        receive(into, 0);
        assertEquals(content, target);
        requireEnded();
    }

    @Test
    void whatASenderCannotWriteTheReceiverReads() {
        for (ProcessMemory found : new ProcessMemory[] {null, new ProcessMemory(NOBODY)}) {
            open();
            sending.use(broken(found));
            for (int round = 0; round < 2; round++) {
                message(MANY);
                ByteBuffer target = ByteBuffer.allocateDirect(MANY);
                receive(new Region().wrap(target, 0), 0);
                assertEquals(content, target);
            }
            requireEnded();
        }
    }

    @Test
    void nothingComesFromADeadProcess() {
        receiving.use(broken(new ProcessMemory(NOBODY)));
        for (Object target : new Object[] {new byte[MANY], ByteBuffer.allocateDirect(MANY)}) {
            open();
            receiving.use(broken(new ProcessMemory(NOBODY)));
            message(MANY);
            push();
            assertTrue(in.poll());
            for (int i = 0; i < 200; i++) {
                assertEquals(0, in.tryRecv(new Region().wrap(target, 0), 0));
            }
            assertTrue(in.poll(), "the message stays until the peer is known to be lost");
        }
    }

    /** This process, of which some reads fail or are disturbed. */
    private abstract static class Disturbed extends ProcessMemory {
        private int reads;

        Disturbed() {
            super((int) ProcessHandle.current().pid());
        }

        /** What happens before read 0, 1, ...: 0, or the system's error. */
        abstract int before(int read);

        @Override
        public int read(long from, long to, long bytes) {
            int failed = before(reads++);
            return failed != 0 ? failed : super.read(from, to, bytes);
        }
    }

    private static Disturbed failing(int read) {
        return new Disturbed() {
            @Override
            int before(int number) {
                return number == read ? 14 : 0; // EFAULT
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void directMemoryThatTheKernelRefusesToReadComesThroughTheRing(int read) {
        receiving.use(broken(failing(read)));
        message(MANY);
        ByteBuffer target = ByteBuffer.allocateDirect(MANY);
        receive(new Region().wrap(target, 0), 0);
        assertEquals(content, target);
        requireEnded();
        message(MANY);
        push();
        assertTrue(in.poll() && in.tryRecv(new Region().wrap(target, 0), 0) == 0 && in.isTaken(),
            "the next message is lent again");
    }

    @Test
    void aReceiveIntoTheHeapFailsOnlyIfItHasBegun() {
        receiving.use(broken(failing(0)));
        message(MANY);
        byte[] target = new byte[MANY];
        receive(new Region().wrap(target, 0), 0);
        assertEquals(content, ByteBuffer.wrap(target));
        open();
        receiving.use(broken(failing(1)));
        message(MANY);
        push();
        assertTrue(in.poll());
        long first = in.tryRecv(new Region().wrap(target, 0), 0);
        assertTrue(first > 0);
        MPIException error =
            assertThrows(MPIException.class, () -> in.tryRecv(new Region().wrap(target, 0), first));
        assertTrue(error.getMessage().contains("rank 0") && error.getMessage().contains("14"), error.getMessage());
        assertEquals(MANY - first, in.tryDiscard(Long.MAX_VALUE));
        requireEnded();
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "0, false", "5, false"})
    void aSenderThatFailsLendsACopyBeforeItsMemoryIsReused(int read, boolean direct) {
        message(MANY);
        byte[] copy = new byte[MANY];
        content.get(0, copy);
        receiving.use(broken(new Disturbed() {
            @Override
            int before(int number) {
                if (number == read) {
                    source = new Region().wrap(copy, 0);
                    push();
                    content.put(0, new byte[MANY]);
                }
                return 0;
            }
        }));
        Object target = direct ? ByteBuffer.allocateDirect(MANY) : new byte[MANY];
        receive(new Region().wrap(target, 0), 0);
        assertEquals(ByteBuffer.wrap(copy), direct ? target : ByteBuffer.wrap((byte[]) target));
        requireEnded();
    }
}
