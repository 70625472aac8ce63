package mpi.front.types;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.spi.Reduction;
import mpi.spi.TypedBuffer;

/**
 * A user's function on one datatype, for the layers below. They may pass arrays or buffers; what the function's dialect
 * does not take is copied.
 */
public final class UserReduction implements Reduction.Function {
    /** A function of the camel dialect; {@code type} is the program's object for the type. */
    public interface OnBuffers {
        void call(ByteBuffer in, ByteBuffer inOut, int count, Object type);
    }

    /** A function of the capital dialect; {@code type} is the program's object for the type. */
    public interface OnArrays {
        void call(Object in, int inOffset, Object inOut, int inOutOffset, int count, Object type);
    }

    private final OnBuffers camel;
    private final OnArrays capital;
    private final ItemType type;

    /** One of the two functions is null. */
    UserReduction(OnBuffers camel, OnArrays capital, ItemType type) {
        this.camel = camel;
        this.capital = capital;
        this.type = type;
    }

    @Override
    public void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count) {
        boolean buffers = in instanceof ByteBuffer;
        if (type.gapped == null && camel != null && buffers) {
            camel.call((ByteBuffer) in, (ByteBuffer) inout, count, type.owner());
        } else if (type.gapped == null && camel == null && !buffers) {
            capital.call(in, inOffset, inout, inoutOffset, count, type.owner());
        } else {
            callWithCopies(in, (long) inOffset << type.shift, inout, (long) inoutOffset << type.shift, count);
        }
    }

    /** Positions are in bytes. The layers below pass items in packed form; the function gets them with their gaps. */
    private void callWithCopies(Object in, long inAt, Object inout, long inoutAt, int count) {
        long lowest = type.lowest(count);
        int span = Math.toIntExact(type.highest(count) - lowest);
        int bytes = count * type.size;
        Object left = room(span);
        Object right = room(span);
        Bytes.copy(in, inAt, items(left, -lowest), 0, bytes);
        Bytes.copy(inout, inoutAt, items(right, -lowest), 0, bytes);
        if (camel != null) {
            camel.call((ByteBuffer) left, (ByteBuffer) right, count, type.owner());
        } else {
            int first = (int) (-lowest >> type.shift);
            capital.call(left, first, right, first, count, type.owner());
        }
        Bytes.copy(items(right, -lowest), 0, inout, inoutAt, bytes);
    }

    private Object room(int bytes) {
        return camel != null ? ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder())
            : Array.newInstance(type.arrayClass.getComponentType(), bytes >> type.shift);
    }

    private Object items(Object room, long place) {
        return type.gapped == null ? room : new TypedBuffer(room, place, type.gapped);
    }
}
