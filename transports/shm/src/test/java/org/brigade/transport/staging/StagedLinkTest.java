package org.brigade.transport.staging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.shm.SlowDevices;
import org.brigade.transport.shm.SlowDevices.Memory;
import org.brigade.transport.shm.SlowDevices.Reach;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Device memory over links that know host memory only. */
class StagedLinkTest {
    private static final int[] SIZES = {0, 1, 7, 48, 49, 1000, 65_535, 65_536, 65_537, 200_003, 512 << 10,
        (512 << 10) + 1, (1 << 20) + 5, (3 << 20) + 16, (5 << 20) + 1};
    private static final int DEAD = 2_000_000;
    private static final int GUARD = 32;

    private SlowDevices sending;
    private SlowDevices receiving;
    private StagedLink out;
    private StagedLink in;

    @BeforeEach
    void open() {
        Endpoint[] ends = LoopbackJob.endpoints(2);
        sending = new SlowDevices(Reach.NOT_MAPPED, 0);
        receiving = new SlowDevices(Reach.NOT_MAPPED, 0);
        out = new StagedLink(ends[0].link(1, Endpoint.POINT_TO_POINT), new ChunkPool(sending));
        in = new StagedLink(ends[1].link(0, Endpoint.POINT_TO_POINT), new ChunkPool(receiving));
    }

    @AfterEach
    void close() {
        out.close();
        in.close();
    }

    private static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        new SplittableRandom(bytes).nextBytes(content);
        return content;
    }

    /** A buffer with this content from byte {@code at} on, on a device or an array. */
    private static Object buffer(byte[] content, int at, boolean device) {
        byte[] all = new byte[at + content.length + GUARD];
        System.arraycopy(content, 0, all, at, content.length);
        if (!device) {
            return all;
        }
        Memory memory = Memory.allocate(all.length);
        memory.content.put(0, all);
        return memory;
    }

    private static byte[] bytes(Object buffer) {
        if (buffer instanceof Memory memory) {
            byte[] all = new byte[(int) memory.bytes];
            memory.content.get(0, all);
            return all;
        }
        return (byte[]) buffer;
    }

    private interface Taking {
        long step(long taken);
    }

    /** Sends a message and takes it; both at once. */
    private void move(Region source, int at, int bytes, Taking taking) {
        long sent = 0;
        boolean gone = false;
        long taken = 0;
        boolean come = false;
        for (int idle = 0; !gone || !come; idle++) {
            assertTrue(idle < DEAD, "stuck at " + sent + " sent and " + taken + " taken of " + bytes);
            if (!gone) {
                long now = out.trySend(9, 42, source, at, bytes, sent);
                sent += Math.max(0, now);
                gone = now >= 0 && sent == bytes;
                idle = now > 0 ? 0 : idle;
            }
            if (!come && in.poll()) {
                assertEquals(9, in.kind());
                assertEquals(42, in.key());
                assertEquals(bytes, in.bytes());
                assertEquals(bytes - taken, in.remaining());
                long now = taking.step(taken);
                taken += now;
                come = taken == bytes;
                idle = now > 0 ? 0 : idle;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void everySizeArrivesWholeBetweenAnyTwoMemories(boolean fromDevice, boolean toDevice) {
        for (int bytes : SIZES) {
            int at = bytes % 5 * 3;
            byte[] content = content(bytes);
            Object to = buffer(new byte[bytes], at, toDevice);
            Region target = new Region().wrap(to, 0);
            move(new Region().wrap(buffer(content, at, fromDevice), 0), at, bytes,
                taken -> in.tryRecv(target, at + taken));
            byte[] all = bytes(to);
            for (int i = 0; i < all.length; i++) {
                byte expected = i >= at && i < at + bytes ? content[i - at] : 0;
                int where = i - at;
                assertEquals(expected, all[i], () -> "byte " + where + " of " + bytes);
            }
        }
        assertEquals(fromDevice, sending.reads.get() > 0, "copies out of device memory beside the processor");
        assertEquals(fromDevice && toDevice, receiving.writes.get() > 0,
            "copies into device memory beside the processor");
    }

    @Test
    void whatIsReducedOrForgottenIsOutOfTheWay() {
        int bytes = (2 << 20) + 20;
        byte[] content = content(bytes);
        Region source = new Region().wrap(buffer(content, 0, true), 0);
        byte[] sums = new byte[bytes];
        Region target = new Region().wrap(sums, 0);
        Combiner xor = new Combiner() {
            @Override
            public int itemBytes() {
                return 1;
            }

            @Override
            public void combine(NativeMemory incoming, int at, int length, Region operand, long operandAt, Region into,
                long intoAt) {
                for (int i = 0; i < length; i++) {
                    sums[(int) intoAt + i] ^= incoming.bytes.get(at + i);
                }
            }
        };
        move(source, 0, bytes, taken -> in.tryRecvReduce(xor, target, taken, target, taken));
        assertArrayEquals(content, sums);
        move(source, 0, bytes, taken -> in.tryDiscard(100_000));
        Region device = new Region().wrap(Memory.allocate(bytes), 0);
        move(source, 0, bytes, taken -> taken < 1 << 20 ? in.tryRecv(device, taken) : in.tryDiscard(Long.MAX_VALUE));
        Region words = new Region().wrap(ByteBuffer.allocateDirect(16), 0);
        move(words, 0, 16, taken -> in.tryRecv(target, taken));
    }

    /** The message that has begun goes on from a copy in host memory, as after a collective that failed. */
    @Test
    void aMessageGoesOnFromHostMemoryWhenTheDeviceIsGone() {
        int bytes = (4 << 20) + 3;
        byte[] content = content(bytes);
        Region device = new Region().wrap(buffer(content, 0, true), 0);
        long sent = out.trySend(9, 42, device, 0, bytes, 0);
        sending.failAfter = 2;
        long[] begun = {sent};
        assertThrows(IllegalStateException.class, () -> {
            for (int i = 0; i < DEAD; i++) {
                begun[0] += Math.max(0, out.trySend(9, 42, device, 0, bytes, begun[0]));
            }
        });
        sent = begun[0];
        Region host = new Region().wrap(content, 0);
        byte[] to = new byte[bytes];
        Region target = new Region().wrap(to, 0);
        long taken = 0;
        for (int i = 0; taken < bytes; i++) {
            assertTrue(i < DEAD, "stuck at " + taken);
            if (sent < bytes) {
                sent += Math.max(0, out.trySend(9, 42, host, 0, bytes, sent));
            }
            if (in.poll()) {
                taken += in.tryRecv(target, taken);
            }
        }
        assertArrayEquals(content, to);
    }

    @Test
    void messagesKeepTheirOrderAndNothingOvertakesOneThatHasBegun() {
        Region device = new Region().wrap(buffer(content(1 << 20), 0, true), 0);
        assertEquals(16, out.trySend(1, 1, device, 0, 1 << 20, 0));
        assertEquals(Link.REFUSED, out.trySend(1, 2, new Region().wrap(new byte[8], 0), 0, 8, 0));
        assertFalse(out.trySendWords(1, 3, 4, 5));
    }
}
