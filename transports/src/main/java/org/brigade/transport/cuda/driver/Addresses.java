package org.brigade.transport.cuda.driver;

import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

/** Between JCuda's pointer objects and addresses as numbers. JCuda shows these to subclasses only. */
public final class Addresses {
    /** A pointer object of another kind, seen as a subclass; costs nothing once compiled. */
    private static final class Seen extends Pointer {
        Seen(Pointer pointer) {
            super(pointer);
        }

        Seen(long address) {
            super(address);
        }

        long address() {
            return getNativePointer() + getByteOffset();
        }

        boolean isNative() {
            return getNativePointer() != 0;
        }

        long offset() {
            return getByteOffset();
        }
    }

    private Addresses() {
    }

    /**
     * Where a pointer points to: native pointer and byte offset in one. What wraps an array or a buffer has only its
     * offset here.
     */
    public static long of(Pointer pointer) {
        return new Seen(pointer).address();
    }

    /** Whether a pointer has an address of its own, and is not a wrapper or a null pointer. */
    static boolean isNative(Pointer pointer) {
        return new Seen(pointer).isNative();
    }

    /** The byte offset that is part of a pointer. */
    static long offset(Pointer pointer) {
        return new Seen(pointer).offset();
    }

    /** A pointer to device memory. */
    public static CUdeviceptr device(long address) {
        return new CUdeviceptr().withByteOffset(address);
    }

    /** A pointer to host memory. */
    public static Pointer host(long address) {
        return new Seen(address);
    }

    /** The value of a context, stream or other handle, which JCuda shows to nobody. */
    public static long of(NativePointerObject handle) {
        return JCudaFields.handle(handle);
    }

    /** Makes a handle object of a value that the driver gave in another way. */
    static <H extends NativePointerObject> H handle(H empty, long value) {
        JCudaFields.setHandle(empty, value);
        return empty;
    }
}
