package mpi.front.arguments;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import mpi.spi.ElementKind;

/**
 * Buffers of a call that is made again: arrays of the type's class, and direct NIO buffers with numbers in native
 * order. Made of what an interpreter does in a few steps: a class or a length by reflection takes longer than all of
 * this.
 */
public final class PlainBuffers {
    // The ordinals of ElementKind: constants, as a switch over an enum reads a table of another class.
    private static final int BYTES = 0;
    private static final int INTS = 4;
    private static final int LONGS = 5;
    private static final int FLOATS = 6;
    private static final int DOUBLES = 7;

    private PlainBuffers() {
    }

    /** The number of a kind, for the other methods; -1 if this class knows no buffers of that kind. */
    public static int number(ElementKind kind) {
        return switch (kind) {
            case BYTE -> BYTES;
            case INT -> INTS;
            case LONG -> LONGS;
            case FLOAT -> FLOATS;
            case DOUBLE -> DOUBLES;
            default -> -1;
        };
    }

    /** The elements of an array of the kind; -1 if it is something else. */
    public static int inArray(Object buffer, int kind) {
        switch (kind) {
            case DOUBLES :
                return buffer instanceof double[] doubles ? doubles.length : -1;
            case INTS :
                return buffer instanceof int[] ints ? ints.length : -1;
            case LONGS :
                return buffer instanceof long[] longs ? longs.length : -1;
            case FLOATS :
                return buffer instanceof float[] floats ? floats.length : -1;
            case BYTES :
                return buffer instanceof byte[] bytes ? bytes.length : -1;
            default :
                return -1;
        }
    }

    /**
     * The elements of a direct NIO buffer of the kind, or of a direct ByteBuffer; -1 if it is something else, or not in
     * native order, or must be written and is read-only.
     */
    public static int inDirect(Object buffer, int kind, boolean written) {
        if (!(buffer instanceof Buffer nio) || !nio.isDirect() || written && nio.isReadOnly()) {
            return -1;
        }
        if (nio instanceof ByteBuffer) {
            return kind == BYTES ? nio.capacity()
                : nio.capacity() / (kind == INTS || kind == FLOATS ? Integer.BYTES : Long.BYTES);
        }
        ByteOrder order;
        switch (kind) {
            case DOUBLES :
                order = nio instanceof DoubleBuffer doubles ? doubles.order() : null;
                break;
            case INTS :
                order = nio instanceof IntBuffer ints ? ints.order() : null;
                break;
            case LONGS :
                order = nio instanceof LongBuffer longs ? longs.order() : null;
                break;
            case FLOATS :
                order = nio instanceof FloatBuffer floats ? floats.order() : null;
                break;
            default :
                order = null;
        }
        return order == ByteOrder.nativeOrder() ? nio.capacity() : -1;
    }
}
