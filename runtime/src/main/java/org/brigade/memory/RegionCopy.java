package org.brigade.memory;

import java.nio.ByteBuffer;
import mpi.spi.DeviceBuffer;
import org.brigade.nativ.Libc;

/** Copies from one {@link Region} to another without a buffer between them. */
public final class RegionCopy {
    private RegionCopy() {
    }

    /**
     * Copies between two regions in one go if possible: two arrays of one kind, two stretches of native memory, or
     * device memory and device or native memory. Does nothing if both are the same bytes.
     *
     * @return false if that is impossible; then nothing has been copied
     */
    public static boolean copy(Region target, long targetAt, Region source, long sourceAt, long bytes) {
        if (target.form != source.form) {
            return betweenSpaces(target, targetAt, source, sourceAt, bytes);
        }
        long to = target.offset + targetAt;
        long from = source.offset + sourceAt;
        if (target.base == source.base && to == from || bytes == 0) {
            return true; // 0 bytes may lie anywhere, even outside the buffer
        }
        if ((((int) to | (int) from | (int) bytes) & target.mask) != 0) {
            return false;
        }
        int shift = switch (target.form) {
            case Region.BYTES, Region.BOOLEANS -> 0;
            case Region.CHARS, Region.SHORTS -> 1;
            case Region.INTS, Region.FLOATS -> 2;
            case Region.LONGS, Region.DOUBLES -> 3;
            default -> -1;
        };
        if (shift >= 0) {
            System.arraycopy(source.base, (int) (from >> shift), target.base, (int) (to >> shift),
                (int) (bytes >> shift));
            return true;
        }
        if (target.form == Region.DEVICE) {
            DeviceBuffer there = (DeviceBuffer) target.base;
            DeviceBuffer here = (DeviceBuffer) source.base;
            if (here.isOnDevice() != there.isOnDevice()) {
                return false;
            }
            boolean same = there.isContiguous() && here.isContiguous() && there.address + to == here.address + from;
            if (!same && bytes > 0) {
                here.copy(from, there, to, bytes);
            }
            return true;
        }
        if (target.form != Region.BYTE_BUFFER) {
            return false; // two views, or two buffers of items with gaps
        }
        if (bytes >= Region.LARGE && target.isNative() && source.isNative() && Libc.works()) {
            Libc.copy(target.address() + targetAt, source.address() + sourceAt, bytes);
        } else {
            ((ByteBuffer) target.base).put((int) to, (ByteBuffer) source.base, (int) from, (int) bytes);
        }
        return true;
    }

    private static boolean betweenSpaces(Region target, long targetAt, Region source, long sourceAt, long bytes) {
        if (bytes == 0) {
            return true;
        }
        if (bytes >= Region.LARGE && source.isNative() && target.isNative() && Libc.works()) {
            Libc.copy(target.address() + targetAt, source.address() + sourceAt, bytes);
            return true;
        }
        if (source.form == Region.DEVICE && target.form == Region.BYTE_BUFFER && target.isNative()) {
            ((DeviceBuffer) source.base).read(source.offset + sourceAt, (ByteBuffer) target.base,
                (int) (target.offset + targetAt), (int) bytes);
            return true;
        }
        if (target.form == Region.DEVICE && source.form == Region.BYTE_BUFFER && source.isNative()) {
            ((DeviceBuffer) target.base).write(target.offset + targetAt, (ByteBuffer) source.base,
                (int) (source.offset + sourceAt), (int) bytes);
            return true;
        }
        return false;
    }
}
