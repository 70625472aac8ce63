package org.brigade.transport.hostmpi;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;

/**
 * Messages of the host's MPI from and to device memory that are under way in this process. While there are any,
 * whatever call of the library, of whatever thread, may move them, and then needs the device's context in that thread.
 * Under {@link HostMpiEnd#LOCK}.
 */
final class DeviceTraffic {
    private static int underWay;
    private static CopyEngine engine;
    private static DeviceBuffer last;

    private DeviceTraffic() {
    }

    /** A message has begun. */
    static void begun(CopyEngine copies, DeviceBuffer memory) {
        underWay++;
        engine = copies;
        last = memory;
    }

    /** One has ended. */
    static void ended() {
        if (--underWay == 0) {
            engine = null;
            last = null;
        }
    }

    /** Before a call of the library; to be followed by {@link #leave}. Null if nothing is under way. */
    static CopyEngine enter() {
        if (underWay > 0) {
            engine.enter(last);
        }
        return engine;
    }

    /** After that call, with what {@link #enter} answered. */
    static void leave(CopyEngine entered) {
        if (entered != null) {
            entered.leave();
        }
    }
}
