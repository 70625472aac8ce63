package org.brigade.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Views of one caller's direct ByteBuffer as elements in native order, each made on first use. Only such a view allows
 * bulk copies between a ByteBuffer and an array of another kind.
 */
final class ByteBufferViews {
    /** The buffer that is viewed; compare by identity. */
    final ByteBuffer buffer;
    private final ByteBuffer bytes;
    private DoubleBuffer doubles;
    private FloatBuffer floats;
    private IntBuffer ints;
    private LongBuffer longs;
    private ShortBuffer shorts;
    private CharBuffer chars;

    ByteBufferViews(ByteBuffer buffer) {
        this.buffer = buffer;
        this.bytes = buffer.duplicate().clear().order(ByteOrder.nativeOrder());
    }

    DoubleBuffer doubles() {
        if (doubles == null) {
            doubles = bytes.asDoubleBuffer();
        }
        return doubles;
    }

    FloatBuffer floats() {
        if (floats == null) {
            floats = bytes.asFloatBuffer();
        }
        return floats;
    }

    IntBuffer ints() {
        if (ints == null) {
            ints = bytes.asIntBuffer();
        }
        return ints;
    }

    LongBuffer longs() {
        if (longs == null) {
            longs = bytes.asLongBuffer();
        }
        return longs;
    }

    ShortBuffer shorts() {
        if (shorts == null) {
            shorts = bytes.asShortBuffer();
        }
        return shorts;
    }

    CharBuffer chars() {
        if (chars == null) {
            chars = bytes.asCharBuffer();
        }
        return chars;
    }
}
