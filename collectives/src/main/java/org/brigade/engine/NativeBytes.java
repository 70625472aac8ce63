package org.brigade.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Words in byte arrays, in native order. */
final class NativeBytes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private NativeBytes() {
    }

    static long getLong(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }
}
