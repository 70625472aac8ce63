package org.brigade.transport.staging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import mpi.spi.DeviceBuffer;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.device.CopyQueue;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.shm.SlowDevices.Memory;

/**
 * Stretches out of a caller's memory, over a wire that stalls, into another's; every byte must end where a plain array
 * says. Copies move their bytes when they end, and host memory is scribbled over as soon as it is given up: so whoever
 * goes on too early, or gives up too early, moves rubbish.
 */
class PipelineTest {
    private static final int STEPS = 200_000;
    private static final byte RUBBISH = 0x55;

    /** What a device does that is late at will, and fails now and then. */
    private static final class ModelQueue implements CopyQueue {
        private final SplittableRandom random;
        private final int oneInFails;
        private final ArrayDeque<Runnable> copies = new ArrayDeque<>();

        /** @param oneInFails 0: none does */
        ModelQueue(SplittableRandom random, int oneInFails) {
            this.random = random;
            this.oneInFails = oneInFails;
        }

        private void mayFail() {
            if (oneInFails > 0 && random.nextInt(oneInFails) == 0) {
                copies.clear();
                throw new IllegalStateException("the device fell off the bus");
            }
        }

        @Override
        public void pull(long mapped, DeviceBuffer target, long at, long bytes) {
            throw new AssertionError();
        }

        @Override
        public void read(DeviceBuffer source, long at, NativeMemory target, int targetAt, int bytes) {
            mayFail();
            copies.add(() -> source.read(at, target.bytes, targetAt, bytes));
        }

        @Override
        public void write(NativeMemory source, int sourceAt, DeviceBuffer target, long at, int bytes) {
            mayFail();
            copies.add(() -> target.write(at, source.bytes, sourceAt, bytes));
        }

        @Override
        public int running() {
            mayFail();
            for (int ending = random.nextInt(copies.size() + 1); ending > 0; ending--) {
                copies.remove().run();
            }
            return copies.size();
        }

        @Override
        public void close() {
            assertEquals(0, copies.size(), "copies that nobody waited for");
        }
    }

    /** A ring of host memory: bytes from {@code free} to {@code full} of the stretch are in it. */
    private static final class Ring implements BounceBuffer {
        final NativeMemory memory;
        private final SplittableRandom random;
        private final boolean fills;
        private final int chunk;
        long bytes;
        long free;
        long full;

        /** @param fills whether the pipeline fills it; if not, it empties it */
        Ring(SplittableRandom random, int capacity, int chunk, boolean fills) {
            memory = NativeMemory.allocate(capacity);
            this.random = random;
            this.chunk = chunk;
            this.fills = fills;
        }

        void begin(long stretch, long moved) {
            bytes = stretch;
            free = moved;
            full = moved;
        }

        @Override
        public int stretch(long from) {
            if (random.nextInt(3) == 0) {
                return 0;
            }
            long there = fills ? Math.min(bytes, free + memory.capacity()) - from : full - from;
            return onePiece(from, (int) Math.min(there, chunk));
        }

        int onePiece(long from, int wish) {
            int piece = Math.min(wish, memory.capacity() - position(from));
            return from + piece == bytes ? piece : piece & -16;
        }

        @Override
        public NativeMemory memory(long from) {
            return memory;
        }

        @Override
        public int position(long from) {
            return (int) (from % memory.capacity());
        }

        @Override
        public void copied(long end) {
            if (fills) {
                full = end;
            } else {
                freeUpTo(end);
            }
        }

        void freeUpTo(long end) {
            assertTrue(free <= end && end <= full, () -> end + " is given up of " + free + " to " + full);
            for (; free < end; free++) {
                memory.bytes.put(position(free), RUBBISH);
            }
        }
    }

    /** Carries what has come out of one ring into the other, as far as there is room. */
    private static void carry(SplittableRandom random, Ring from, Ring to) {
        int wish = (int) Math.min(from.full - from.free, to.free + to.memory.capacity() - to.full);
        int piece = to.onePiece(to.full, from.onePiece(from.free, wish > 0 ? random.nextInt(wish + 1) : 0));
        for (int i = 0; i < piece; i++) {
            to.memory.bytes.put(to.position(to.full + i), from.memory.bytes.get(from.position(from.free + i)));
        }
        to.full += piece;
        from.freeUpTo(from.free + piece);
    }

    private static final Combiner XOR = new Combiner() {
        @Override
        public int itemBytes() {
            return 1;
        }

        @Override
        public void combine(NativeMemory incoming, int at, int bytes, Region operand, long operandAt, Region target,
            long targetAt) {
            NativeMemory result = NativeMemory.allocate(bytes);
            operand.read(operandAt, result, 0, bytes);
            for (int i = 0; i < bytes; i++) {
                result.bytes.put(i, (byte) (result.bytes.get(i) ^ incoming.bytes.get(at + i)));
            }
            target.write(targetAt, result, 0, bytes);
        }
    };

    private static byte[] content(SplittableRandom random, int bytes) {
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        return content;
    }

    private static Object memory(byte[] content, boolean device) {
        if (!device) {
            return content.clone();
        }
        Memory memory = Memory.allocate(content.length);
        memory.content.put(0, content);
        return memory;
    }

    private static byte[] bytes(Object memory) {
        if (memory instanceof Memory device) {
            byte[] all = new byte[(int) device.bytes];
            device.content.get(0, all);
            device.free();
            return all;
        }
        return (byte[]) memory;
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void everyByteEndsWhereAPlainArraySays(@ForAll @IntRange(min = 1, max = 6) int depth,
        @ForAll @IntRange(min = 1, max = 20) int chunk, @ForAll @IntRange(min = 1, max = 40) int room,
        @ForAll @IntRange(max = 100) int least, @ForAll boolean fails, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Ring leaving = new Ring(random, 16 * room, 16 * chunk, true);
        Ring coming = new Ring(random, 16 * (1 + random.nextInt(40)), 16 * (1 + random.nextInt(20)), false);
        ModelQueue out = new ModelQueue(random, fails ? 50 : 0);
        ModelQueue in = new ModelQueue(random, fails ? 50 : 0);
        Pipeline sender = new Pipeline(leaving, depth, least).use(out);
        Pipeline receiver = new Pipeline(coming, depth, least).use(in);
        for (int message = 0; message < 4; message++) {
            move(random, 1 + random.nextInt(5000), leaving, coming, sender, receiver);
        }
        sender.close();
        receiver.close();
    }

    private static void move(SplittableRandom random, int bytes, Ring leaving, Ring coming, Pipeline sender,
        Pipeline receiver) {
        int at = random.nextInt(50);
        int moved = random.nextInt(4) == 0 ? random.nextInt(bytes) & -16 : 0;
        byte[] content = content(random, at + bytes);
        byte[] expected = content(random, at + bytes + 7);
        Object from = memory(content, random.nextBoolean());
        Object to = memory(expected, random.nextBoolean());
        Region source = new Region().wrap(from, 0);
        Region target = new Region().wrap(to, 0);
        leaving.begin(bytes, moved);
        coming.begin(bytes, moved);
        sender.begin(bytes, moved);
        receiver.begin(bytes, moved);
        for (int step = 0; !receiver.isOver() || !sender.isOver(); step++) {
            assertTrue(step < STEPS, () -> "stuck at " + sender.ended() + " and " + receiver.ended() + " of " + bytes);
            long before = sender.ended();
            try {
                assertEquals(sender.read(source, at), sender.ended() - before);
            } catch (IllegalStateException failed) {
                assertFalse(sender.isRunning());
                if (random.nextBoolean()) {
                    source.wrap(content, 0); // as after a call that failed
                }
            }
            carry(random, leaving, coming);
            before = receiver.ended();
            int way = random.nextInt(8);
            boolean written = way > 1 || receiver.isRunning();
            long limit = random.nextInt(1000);
            try {
                long now = way == 0 ? receiver.discard(limit)
                    : way == 1 ? receiver.reduce(XOR, target, at, target, at) : receiver.write(target, at);
                assertEquals(now, receiver.ended() - before);
            } catch (IllegalStateException failed) {
                assertFalse(receiver.isRunning());
            }
            for (long i = before; i < receiver.ended(); i++) {
                int k = at + (int) i;
                expected[k] = written ? content[k] : way == 1 ? (byte) (expected[k] ^ content[k]) : expected[k];
            }
            if (way == 0 && !written) {
                assertTrue(receiver.ended() - before <= limit);
            }
        }
        assertArrayEquals(expected, bytes(to));
        if (from instanceof Memory device) {
            device.free();
        }
    }
}
