package org.brigade.transport.cuda.driver;

import mpi.spi.TypeMap;

/** Packs items with gaps in the memory of one GPU. */
public interface Packing {
    /** As {@link mpi.spi.DeviceBuffer#packed}. */
    PackedBuffer packed(CudaBuffer memory, long place, TypeMap items);

    /** Frees the device memory that packing keeps; nothing is being packed. Never throws. */
    default void end() {
    }
}
