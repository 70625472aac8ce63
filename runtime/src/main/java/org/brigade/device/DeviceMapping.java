package org.brigade.device;

import mpi.spi.DeviceBuffer;

/** Device memory of another rank of this node, as this process reaches it. */
public interface DeviceMapping {
    /** From the byte that the other rank's buffer begins at, to the end of its allocation. */
    DeviceBuffer buffer();

    /** Ends the mapping; the buffer must not be used any more. */
    void close();
}
