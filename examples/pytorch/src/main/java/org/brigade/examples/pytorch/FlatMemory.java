package org.brigade.examples.pytorch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * Floats that PyTorch and Brigade both work on in place: PyTorch sees a tensor of one dimension, Brigade a buffer of
 * its own kind. Nothing is copied between the two. It lives until the process ends.
 */
final class FlatMemory {
    /** Where new memory comes from. */
    interface Source {
        FlatMemory allocate(int floats);
    }

    /** A pointer that knows its address, which PyTorch wants. */
    private static final class DevicePointer extends CUdeviceptr {
        long address() {
            return getNativePointer();
        }
    }

    /** An address of no Java object. */
    private static final class Address extends Pointer {
        Address(long address) {
            this.address = address;
        }
    }

    /** What calls of mpi take. */
    final Object buffer;
    final int floats;
    final Tensor tensor;

    private FlatMemory(Object buffer, int floats, Tensor tensor) {
        this.buffer = buffer;
        this.floats = floats;
        this.tensor = tensor;
        tensor.zero_();
    }

    /** A direct buffer. */
    static FlatMemory host(int floats) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(floats * Float.BYTES).order(ByteOrder.nativeOrder());
        Tensor tensor =
            torch.from_blob(new BytePointer(bytes), new long[] {floats}, new TensorOptions(torch.ScalarType.Float));
        return new FlatMemory(bytes.asFloatBuffer(), floats, tensor);
    }

    /**
     * Memory of the GPU whose context is current.
     *
     * @param options floats on that GPU
     */
    static FlatMemory device(int floats, TensorOptions options) {
        DevicePointer at = new DevicePointer();
        JCudaDriver.cuMemAlloc(at, (long) floats * Float.BYTES);
        Tensor tensor = torch.from_blob(new Address(at.address()), new long[] {floats}, options);
        return new FlatMemory(at, floats, tensor);
    }

    /** To be called before Brigade reads it: a GPU may still be busy with what PyTorch has asked it to compute. */
    void complete() {
        if (buffer instanceof CUdeviceptr) {
            JCudaDriver.cuStreamSynchronize(null); // PyTorch's, unless the program has chosen another
        }
    }
}
