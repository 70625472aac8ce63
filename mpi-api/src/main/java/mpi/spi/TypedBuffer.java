package mpi.spi;

/**
 * A caller's buffer as a derived type sees it: its bytes are the packed bytes of the items in it. Package mpi hands it
 * down in place of the buffer, so the layers below count packed bytes and know nothing of the type.
 */
public final class TypedBuffer {
    /** An array of primitives, a direct or heap NIO buffer of any kind, or a {@link DeviceBuffer}. */
    public final Object buffer;
    /** Byte of the buffer at which item 0 lies. */
    public final long place;
    /** All items, one behind the other. */
    public final TypeMap items;
    /** The packed bytes as memory of a device that packs them; null if they must be copied block by block. */
    public final DeviceBuffer packed;

    public TypedBuffer(Object buffer, long place, TypeMap items) {
        this.buffer = buffer;
        this.place = place;
        this.items = items;
        packed = buffer instanceof DeviceBuffer ? ((DeviceBuffer) buffer).packed(place, items) : null;
    }

    /** Shows where in {@link #buffer} the packed bytes {@code from} to {@code to} lie. */
    public void visit(long from, long to, TypeMap.Visitor visitor) {
        if (from < to) {
            items.visit(place, from, to, visitor);
        }
    }
}
