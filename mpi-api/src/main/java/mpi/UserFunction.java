package mpi;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import mpi.front.types.Bytes;
import mpi.front.types.ItemType;

/** A user-defined reduction, as in Open MPI's bindings: override one of the two methods. */
public abstract class UserFunction {
    /**
     * Combines {@code count} items in arrays: {@code inOut[i] = in[i] op inOut[i]}, from index 0.
     *
     * @param in array of the left operands
     * @param inOut array of the right operands, to be replaced by the results
     * @param count number of items
     * @param datatype their type
     */
    public void call(Object in, Object inOut, int count, Datatype datatype) throws MPIException {
        throw new UnsupportedOperationException(
            getClass().getName() + " overrides neither of the call methods of mpi.UserFunction; override one");
    }

    /**
     * As {@link #call(Object, Object, int, Datatype)}, with buffers of native byte order. This method copies them to
     * arrays and calls the other.
     */
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) throws MPIException {
        Class<?> element = datatype.items.camelUnit() == 1 && datatype.items.category != ItemType.LOGICAL ? byte.class
            : datatype.items.arrayClass.getComponentType();
        int bytes = datatype.items.gapped == null ? count * datatype.items.size : in.capacity();
        int length = bytes >> Bytes.shiftOf(element.arrayType());
        Object left = Array.newInstance(element, length);
        Object right = Array.newInstance(element, length);
        Bytes.copy(in, 0, left, 0, bytes);
        Bytes.copy(inOut, 0, right, 0, bytes);
        call(left, right, count, datatype);
        Bytes.copy(right, 0, inOut, 0, bytes);
    }
}
