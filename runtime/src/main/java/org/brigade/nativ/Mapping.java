package org.brigade.nativ;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * Maps files into memory. From JDK 22 on it uses the FFM API: there {@link FileChannel#map(MapMode, long, long)} makes
 * its buffer by reflection, for which the JVM generates some 25 classes at the start of every rank (JDK 25 on a 2-core
 * EPYC: about 30 ms, a tenth of the time in which a job of two ranks starts and ends).
 */
public final class Mapping {
    private Mapping() {
    }

    /** A file's first {@code bytes} bytes, shared, for reading and writing, until nobody refers to the buffer. */
    public static ByteBuffer map(FileChannel file, long bytes) throws IOException {
        return map(file, 0, bytes);
    }

    /** {@code bytes} bytes of a file from a place on, otherwise as {@link #map(FileChannel, long)}. */
    public static ByteBuffer map(FileChannel file, long from, long bytes) throws IOException {
        if (Runtime.version().feature() >= 22) {
            try {
                return mapSegment(file, from, bytes);
            } catch (IOException | RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IOException(e);
            }
        }
        return file.map(MapMode.READ_WRITE, from, bytes);
    }

    private static ByteBuffer mapSegment(FileChannel file, long from, long bytes) throws Throwable {
        Class<?> arena = Class.forName("java.lang.foreign.Arena");
        Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodHandle automatic = lookup.findStatic(arena, "ofAuto", MethodType.methodType(arena));
        MethodHandle map = lookup.findVirtual(FileChannel.class, "map",
            MethodType.methodType(segment, MapMode.class, long.class, long.class, arena));
        MethodHandle asByteBuffer =
            lookup.findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class));
        Object scope = automatic.asType(MethodType.methodType(Object.class)).invokeExact();
        Object mapped = map
            .asType(MethodType.methodType(Object.class, FileChannel.class, MapMode.class, long.class, long.class,
                Object.class))
            .invokeExact(file, MapMode.READ_WRITE, from, bytes, scope);
        return (ByteBuffer) asByteBuffer.asType(MethodType.methodType(ByteBuffer.class, Object.class))
            .invokeExact(mapped);
    }
}
