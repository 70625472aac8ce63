package org.brigade.examples.tensors;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import mpi.Datatype;
import mpi.MPI;

/**
 * A tensor in host memory.
 *
 * @param values a FloatBuffer or DoubleBuffer: all of it, wherever its position and limit are
 */
public record HostTensor(String name, Buffer values) implements NamedTensor {
    public HostTensor {
        if (!(values instanceof FloatBuffer) && !(values instanceof DoubleBuffer)) {
            throw new IllegalArgumentException("tensor " + name + " is " + values
                + "; give a FloatBuffer, a DoubleBuffer, or an array of float or double");
        }
        values = values.duplicate().clear();
    }

    public static HostTensor of(String name, float[] values) {
        return new HostTensor(name, FloatBuffer.wrap(values));
    }

    public static HostTensor of(String name, double[] values) {
        return new HostTensor(name, DoubleBuffer.wrap(values));
    }

    @Override
    public String type() {
        return values instanceof FloatBuffer ? "float" : "double";
    }

    @Override
    public int length() {
        return values.capacity();
    }

    Datatype datatype() {
        return values instanceof FloatBuffer ? MPI.FLOAT : MPI.DOUBLE;
    }

    long bytes() {
        return (long) length() * (values instanceof FloatBuffer ? Float.BYTES : Double.BYTES);
    }
}
