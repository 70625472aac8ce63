package org.brigade.transport.cuda;

import java.util.Arrays;

/** The GPUs of this process that have been used so far. */
final class Gpus {
    private final Gpu[] used = new Gpu[CudaDriver.devices()];

    /**
     * The GPU of this ordinal.
     *
     * @throws mpi.MPIException if it cannot be used
     */
    synchronized Gpu get(int ordinal) {
        if (used[ordinal] == null) {
            used[ordinal] = new Gpu(ordinal);
        }
        return used[ordinal];
    }

    /** The GPU with this id if this process has used it; else null. */
    synchronized Gpu withUuid(byte[] uuid) {
        for (Gpu gpu : used) {
            if (gpu != null && Arrays.equals(gpu.uuid, uuid)) {
                return gpu;
            }
        }
        return null;
    }
}
