package mpi;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.spi.Reduction;

/**
 * A user's function on one datatype, for the layers below. They may pass arrays or buffers; what the function's dialect
 * does not take is copied.
 */
final class UserReduction implements Reduction.Function {
    private final UserFunction camel;
    private final User_function capital;
    private final Datatype type;

    /** One of the two functions is null. */
    UserReduction(UserFunction camel, User_function capital, Datatype type) {
        this.camel = camel;
        this.capital = capital;
        this.type = type;
    }

    @Override
    public void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count) {
        boolean buffers = in instanceof ByteBuffer;
        if (camel != null && buffers) {
            camel.call((ByteBuffer) in, (ByteBuffer) inout, count, type);
        } else if (camel != null) {
            callWithBuffers(in, inOffset, inout, inoutOffset, count);
        } else if (buffers) {
            callWithArrays(in, inout, count);
        } else {
            capital.Call(in, inOffset, inout, inoutOffset, count, type);
        }
    }

    private void callWithBuffers(Object in, int inOffset, Object inout, int inoutOffset, int count) {
        int bytes = count * type.extent;
        ByteBuffer left = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        ByteBuffer right = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        Bytes.copy(in, (long) inOffset << type.shift, left, 0, bytes);
        Bytes.copy(inout, (long) inoutOffset << type.shift, right, 0, bytes);
        camel.call(left, right, count, type);
        Bytes.copy(right, 0, inout, (long) inoutOffset << type.shift, bytes);
    }

    private void callWithArrays(Object in, Object inout, int count) {
        int bytes = count * type.extent;
        Object left = Array.newInstance(type.arrayClass.getComponentType(), bytes >> type.shift);
        Object right = Array.newInstance(type.arrayClass.getComponentType(), bytes >> type.shift);
        Bytes.copy(in, 0, left, 0, bytes);
        Bytes.copy(inout, 0, right, 0, bytes);
        capital.Call(left, 0, right, 0, count, type);
        Bytes.copy(right, 0, inout, 0, bytes);
    }
}
