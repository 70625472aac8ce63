package org.brigade.communicator.device;

import mpi.spi.Call;
import mpi.spi.DeviceBuffer;

/**
 * A blocking call on device memory that a kernel which stays on the device has served ({@link Call#memo}). While that
 * is the last call of its communicator on devices, it is made again without describing it anew.
 */
final class RepeatedDeviceCall implements Call.Remembered {
    private final DeviceRoutes routes;
    private final int number;

    /** @param number of the description, see {@link KernelRunner#number} */
    RepeatedDeviceCall(DeviceRoutes routes, int number) {
        this.routes = routes;
        this.number = number;
    }

    /** Whether these routes remember it. */
    boolean isOf(DeviceRoutes those) {
        return routes == those;
    }

    @Override
    public boolean isStill(Object pointer, DeviceBuffer memory) {
        return routes.isStill(pointer, memory);
    }

    @Override
    public boolean again(Call call) {
        if (routes.again(call, number)) {
            return true;
        }
        requireAlive(call, call.send.buffer);
        requireAlive(call, call.recv.buffer);
        return false;
    }

    /** That memory {@linkplain #isStill is still there} was enough for the kernel that stays, not for others. */
    private void requireAlive(Call call, Object memory) {
        if (memory instanceof DeviceBuffer device && !device.isAlive()) {
            throw routes.gone(call, device);
        }
    }
}
