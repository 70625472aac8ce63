package org.brigade.transport.packet;

import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;

/**
 * Counts this process's messages of carriers from and to device memory that are under way. While there are any, every
 * call of the library, on any thread, may move them, and needs the device's context on that thread. Under
 * {@link PacketEnd#lock}.
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

    /** A message has ended. */
    static void ended() {
        if (--underWay == 0) {
            engine = null;
            last = null;
        }
    }

    /** Call it before a call of the library, and {@link #leave} after it. Null if nothing is under way. */
    static CopyEngine enter() {
        if (underWay > 0) {
            engine.enter(last);
        }
        return engine;
    }

    /** Call it after the library's call, with the result of {@link #enter}. */
    static void leave(CopyEngine entered) {
        if (entered != null) {
            entered.leave();
        }
    }
}
