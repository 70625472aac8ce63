package org.brigade.transport.cuda.driver;

import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;

/** Converts between JCuda's pointer objects and addresses. JCuda shows these to subclasses only. */
public final class Addresses {
    /** A view of another pointer object as a subclass; costs nothing once compiled. */
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
     * The address of a pointer: native pointer plus byte offset. For a pointer that wraps an array or a buffer, only
     * the offset.
     */
    public static long of(Pointer pointer) {
        return new Seen(pointer).address();
    }

    /** Whether a pointer has an address of its own, and is no wrapper or null pointer. */
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

    /** The value of a context, stream or other handle, which JCuda keeps private. */
    public static long of(NativePointerObject handle) {
        return JCudaFields.handle(handle);
    }

    /** Makes a handle object from a value that the driver returned otherwise. */
    static <H extends NativePointerObject> H handle(H empty, long value) {
        JCudaFields.setHandle(empty, value);
        return empty;
    }
}
