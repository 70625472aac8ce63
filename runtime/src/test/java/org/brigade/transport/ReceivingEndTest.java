package org.brigade.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import mpi.spi.DeviceBuffer;
import mpi.spi.ElementKind;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.op.Combiners;

/**
 * Messages are received, reduced and discarded in any mixture, while their bytes come in stretches of any length. A
 * plain array says what the target must hold.
 */
class ReceivingEndTest {
    private static final int MOST = 3000;
    private static final Combiner SUM =
        Combiners.of(TypeLayout.of("MPI.BYTE", ElementKind.BYTE, 1), Reduction.predefined(Reduction.Operator.SUM),
            false);

    /** Messages of random bytes, of which random stretches have come. */
    private static final class Stretches extends ReceivingEnd {
        private final SplittableRandom random;
        private final NativeMemory memory = NativeMemory.allocate(64 + MOST);
        private byte[] message;
        private int there;
        private int ended;

        Stretches(SplittableRandom random) {
            this.random = random;
        }

        void next(int length) {
            message = new byte[length];
            random.nextBytes(message);
            memory.bytes.put(64, message);
            there = Math.min(length, PACKET_BYTES);
            kind = random.nextInt(254);
            key = random.nextLong();
            bytes = length;
            taken = 0;
            present = true;
        }

        @Override
        public boolean poll() {
            return present;
        }

        @Override
        protected int stretch() {
            return (int) (there - taken);
        }

        @Override
        protected int deviceStretch() {
            return there < bytes && there - taken < 1024 ? 0 : stretch();
        }

        @Override
        protected NativeMemory memory() {
            return memory;
        }

        @Override
        protected int position() {
            return 64 + (int) taken;
        }

        @Override
        protected long take(int stretch) {
            taken += stretch;
            if (taken == bytes) {
                assertTrue(present, "a message ends once");
                present = false;
                ended++;
            }
            return stretch;
        }

        void grow() {
            there = (int) Math.min(bytes, there + GRAIN * random.nextInt(40));
        }
    }

    private static final class Device extends DeviceBuffer {
        final byte[] content;

        Device(byte[] content) {
            super(1 << 20, content.length);
            this.content = content;
        }

        @Override
        public void read(long at, ByteBuffer target, int targetAt, int length) {
            target.put(targetAt, content, (int) at, length);
        }

        @Override
        public void write(long at, ByteBuffer source, int sourceAt, int length) {
            source.get(sourceAt, content, (int) at, length);
        }

        @Override
        public void copy(long at, DeviceBuffer target, long targetAt, long length) {
            throw new AssertionError("everything passes through the host");
        }

        @Override
        public String toString() {
            return "device memory";
        }
    }

    private static Region region(byte[] content, boolean onDevice) {
        return new Region().wrap(onDevice ? new Device(content) : content, 0);
    }

    @Property(tries = 500)
    void whatIsTakenIsWhatCame(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int messages,
        @ForAll boolean operandOnDevice, @ForAll boolean targetOnDevice, @ForAll boolean inPlace) {
        SplittableRandom random = new SplittableRandom(seed);
        Stretches in = new Stretches(random);
        for (int message = 0; message < messages; message++) {
            int length = random.nextInt(random.nextBoolean() ? MOST : InboundLink.PACKET_BYTES + 1);
            in.next(length);
            byte[] target = new byte[length];
            byte[] operand = inPlace ? target : new byte[length];
            random.nextBytes(operand);
            byte[] expected = target.clone();
            byte[] summand = operand.clone();
            Region to = region(target, targetOnDevice);
            Region with = inPlace ? to : region(operand, operandOnDevice);
            ByteBuffer words = ByteBuffer.wrap(in.message).order(ByteOrder.nativeOrder());
            for (int i = 0; length <= InboundLink.PACKET_BYTES && i < length / 8; i++) {
                assertEquals(words.getLong(8 * i), in.word(i));
            }
            int done = 0;
            while (in.poll()) {
                assertEquals(length, in.bytes());
                assertEquals(length - done, in.remaining());
                assertEquals(done > 0, in.isTaken());
                int way = random.nextInt(3);
                long limit = random.nextInt(4) == 0 ? Long.MAX_VALUE : random.nextInt(200);
                int there = in.there;
                int now = (int) (way == 0 ? in.tryRecv(to, done)
                    : way == 1 ? in.tryRecvReduce(SUM, with, done, to, done) : in.tryDiscard(limit));
                assertTrue(now >= 0 && done + now <= there, now + " bytes at " + done + ", where " + there + " are");
                assertTrue(now % 16 == 0 || done + now == length, now + " bytes cut an element");
                assertTrue(way != 2 || now <= limit, "more was discarded than allowed");
                for (int i = done; i < done + now && way < 2; i++) {
                    expected[i] = (byte) (in.message[i] + (way == 1 ? summand[i] : 0));
                }
                done += now;
                in.grow();
            }
            assertEquals(length, done);
            assertEquals(message + 1, in.ended);
            assertFalse(in.remaining() > 0);
            assertArrayEquals(expected, target);
        }
    }

    @Property(tries = 200)
    void allOfAMessageIsDiscardedAtOnce(@ForAll long seed, @ForAll @IntRange(max = MOST) int length) {
        Stretches in = new Stretches(new SplittableRandom(seed));
        in.next(length);
        in.there = length;
        assertEquals(length, in.tryDiscard(length));
        assertFalse(in.poll());
        assertEquals(0, in.tryDiscard(Long.MAX_VALUE), "there is nothing at the head");
    }
}
