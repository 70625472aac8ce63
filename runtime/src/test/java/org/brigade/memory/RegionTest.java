package org.brigade.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A region is the bytes of what it wraps, from any byte to any other: MPI.BYTE matches every storage. */
class RegionTest {
    private static final int BYTES = 12_000;
    private static final ByteOrder FOREIGN =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;

    private final NativeMemory outside = NativeMemory.allocate(BYTES + 16);

    static List<Object> buffers() {
        List<Object> all = new ArrayList<>(List.of(new byte[BYTES], new char[BYTES / 2], new short[BYTES / 2],
            new int[BYTES / 4], new float[BYTES / 4],
            new long[BYTES / 8], new double[BYTES / 8]));
        for (ByteOrder order : new ByteOrder[] {ByteOrder.nativeOrder(), FOREIGN}) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES).order(order);
            all.addAll(List.of(bytes, bytes.asCharBuffer(), bytes.asShortBuffer(), bytes.asIntBuffer(),
                bytes.asLongBuffer(), bytes.asFloatBuffer(), bytes.asDoubleBuffer()));
        }
        return all;
    }

    private static byte[] random(Random random, int bytes) {
        byte[] data = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            data[i] = (byte) random.nextInt(60); // no bytes that could make a NaN, which a copy of floats may change
        }
        return data;
    }

    private byte[] contents(Region region) {
        byte[] all = new byte[BYTES];
        region.read(0, outside, 0, BYTES);
        outside.bytes.get(0, all);
        return all;
    }

    @Test
    void nothingIsCopiedFromAndToAnywhere() {
        NativeMemory other = NativeMemory.allocate(8);
        for (Object buffer : new Object[] {new byte[0], new int[0], new float[0], new double[0], new char[0]}) {
            Region region = new Region();
            region.wrap(buffer, 8); // a displacement that goes with a count of 0
            region.read(0, other, 0, 0);
            region.write(0, other, 0, 0);
        }
    }

    @Test
    void anyStretchOfBytesIsReadAndWritten() {
        for (Object buffer : buffers()) {
            Random random = new Random(1);
            Region region = new Region().wrap(buffer, 0);
            byte[] expected = contents(region); // views share their memory
            for (int round = 0; round < 300; round++) {
                int from = random.nextInt(BYTES);
                int bytes = random.nextInt(new int[] {9, 80, BYTES}[round % 3]) % (BYTES - from + 1);
                int there = random.nextInt(16);
                byte[] data = random(random, bytes);
                outside.bytes.put(there, data);
                region.write(from, outside, there, bytes);
                System.arraycopy(data, 0, expected, from, bytes);
                assertArrayEquals(expected, contents(region),
                    buffer.getClass() + ", " + bytes + " bytes written at " + from);

                int at = random.nextInt(BYTES - bytes + 1);
                byte[] read = new byte[bytes];
                region.read(at, outside, there, bytes);
                outside.bytes.get(there, read);
                assertEquals(ByteBuffer.wrap(expected, at, bytes), ByteBuffer.wrap(read),
                    buffer.getClass() + ", " + bytes + " bytes read at " + at);
            }
        }
    }

    @Test
    void stretchesThatAreWrittenPastTheCachesAreThoseBytesAndNoOthers() {
        int bytes = 5 * Region.LARGE;
        NativeMemory source = NativeMemory.allocate(bytes);
        Random random = new Random(2);
        source.bytes.put(0, random(random, bytes));
        for (Object buffer : List.of(ByteBuffer.allocateDirect(bytes), new byte[bytes], new int[bytes / 4])) {
            Region region = new Region().wrap(buffer, 0);
            byte[] expected = new byte[bytes];
            for (int round = 0; round < 100; round++) {
                int at = random.nextInt(bytes);
                int length = random.nextInt(bytes - at + 1);
                int from = random.nextInt(bytes - length + 1);
                region.writePast(at, source, from, length);
                source.bytes.get(from, expected, at, length);
            }
            NativeMemory all = NativeMemory.allocate(bytes);
            region.read(0, all, 0, bytes);
            assertEquals(ByteBuffer.wrap(expected), all.bytes.duplicate().clear(), buffer.getClass().toString());
        }
    }

    @Test
    void whatOneCopyCannotMoveIsLeftToTheCaller() {
        for (Object buffer : buffers()) {
            boolean bytes = buffer instanceof byte[] || buffer instanceof ByteBuffer;
            Region from = new Region().wrap(buffer, 0);
            Region to = new Region().wrap(buffer, 0);
            assertEquals(bytes, RegionCopy.copy(to, 3, from, 1001, 5), "5 bytes within " + buffer.getClass());
        }
    }
}
