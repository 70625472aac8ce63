package org.brigade.transport.cuda.driver;

import java.lang.reflect.Field;
import java.nio.Buffer;
import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUipcMemHandle;

/**
 * Private fields of JCuda without an accessor. The names are those of JCuda 0.8 to 12.6; with any other JCuda, the
 * first use of a missing field is an error that says so.
 */
public final class JCudaFields {
    /** Bytes of an IPC handle. */
    public static final int IPC_HANDLE_BYTES = 64;

    private static final Field NATIVE_POINTER = field(NativePointerObject.class, "nativePointer");
    private static final Field BUFFER = field(Pointer.class, "buffer");
    private static final Field IPC_HANDLE = field(CUipcMemHandle.class, "reserved");

    private JCudaFields() {
    }

    static long handle(NativePointerObject object) {
        try {
            return need(NATIVE_POINTER, "NativePointerObject.nativePointer").getLong(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    static void setHandle(NativePointerObject object, long value) {
        try {
            need(NATIVE_POINTER, "NativePointerObject.nativePointer").setLong(object, value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The array or buffer that a pointer of {@code Pointer.to} wraps, or the view of the page-locked host memory that
     * it points to; null for other pointers.
     */
    static Buffer buffer(Pointer pointer) {
        try {
            return (Buffer) need(BUFFER, "Pointer.buffer").get(pointer);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The 64 bytes of a handle, not a copy: writing them makes it another process's handle. */
    public static byte[] bytes(CUipcMemHandle handle) {
        try {
            return (byte[]) need(IPC_HANDLE, "CUipcMemHandle.reserved").get(handle);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field field(Class<?> owner, String name) {
        try {
            Field field = owner.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null; // need() reports it on use
        }
    }

    private static Field need(Field field, String name) {
        if (field == null) {
            throw new IllegalStateException("this JCuda has no readable field " + name
                + "; use org.jcuda 12.6.0, on the class path and not as a module");
        }
        return field;
    }
}
