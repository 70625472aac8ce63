package org.brigade.matching;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import mpi.spi.TypeLayout;

/** A message that came before its receive: its bytes if it is eager, else the sender's request. */
final class Unexpected {
    /** In place of a sender's number: the first kind of notices, which go to no queue; the next have lower numbers. */
    static final long NOTICE = -2;

    final int world;
    final long key;
    final long bytes;
    /** What a probe counts: {@link mpi.spi.TypeLayout#unit}. */
    final int unit;
    /** The sender's number for it; -1 for an eager message. */
    final long request;
    /** The bytes of an eager message. */
    final byte[] data;
    private final int objects;
    long arrived;
    /** The receive that took it before all of it had arrived. */
    RecvOperation claimed;
    Unexpected next;

    /** @param objects the number of objects in the sender's request */
    Unexpected(int world, long key, long bytes, int unit, long request, int objects) {
        this.world = world;
        this.key = key;
        this.bytes = bytes;
        this.unit = unit;
        this.request = request;
        this.objects = objects;
        this.data = request < 0 ? new byte[(int) bytes] : null;
    }

    /** Whether {@link #sent} is known: a probe must not find the message before. */
    boolean isCounted() {
        return unit != TypeLayout.OBJECTS || request >= 0 || arrived >= Long.BYTES;
    }

    /** Basic elements, or objects, that the sender's call has sent. */
    long sent() {
        if (unit != TypeLayout.OBJECTS) {
            return bytes >> unit;
        }
        return request >= 0 ? objects : ByteBuffer.wrap(data).order(ByteOrder.nativeOrder()).getLong(0);
    }
}
