package mpi.front.types;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Bytes of buffers as they lie in memory. */
class BytesTest {
    @Property
    void whatIsPackedUnpacksEqualIntoAnyKindOfBuffer(@ForAll @Size(min = 1, max = 40) byte[] bytes,
        @ForAll @IntRange(max = 23) int offset,
        @ForAll boolean bigEndian, @ForAll @IntRange(max = 6) int kind) {
        ByteBuffer memory = ByteBuffer.allocateDirect(72);
        byte[] before = new byte[72];
        new Random(offset).nextBytes(before);
        memory.duplicate().put(before);
        Buffer view = view(memory.order(bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN), kind);
        Bytes.put(view, offset, bytes, 0, bytes.length);
        byte[] after = new byte[72];
        memory.duplicate().get(after);
        System.arraycopy(bytes, 0, before, offset, bytes.length);
        assertArrayEquals(before, after,
            "memory around the bytes put at " + offset + " through a " + view.getClass().getSimpleName());
        byte[] got = new byte[bytes.length];
        Bytes.get(view, offset, got, 0, got.length);
        assertArrayEquals(bytes, got);
    }

    private static Buffer view(ByteBuffer memory, int kind) {
        switch (kind) {
            case 0 :
                return memory;
            case 1 :
                return memory.asCharBuffer();
            case 2 :
                return memory.asShortBuffer();
            case 3 :
                return memory.asIntBuffer();
            case 4 :
                return memory.asLongBuffer();
            case 5 :
                return memory.asFloatBuffer();
            default :
                return memory.asDoubleBuffer();
        }
    }
}
