package org.brigade.topology.search;

import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferType;

/** The part of a GPU that moves its data. */
public enum Mover {
    KERNEL,
    /** The copy engine; in a profile of host memory the processor core. */
    MEMCPY;

    /** From the GPU {@code from} directly into another's memory. */
    public Transfer write(int from, int to) {
        return Transfer.local(
            this == KERNEL ? TransferType.GPU_WRITE_GPUMEM_KERNEL : TransferType.GPU_WRITE_GPUMEM_MEMCPY, from, to);
    }

    /** The GPU {@code to} fetches from another's memory. */
    public Transfer read(int from, int to) {
        return Transfer.local(
            this == KERNEL ? TransferType.GPU_READ_GPUMEM_KERNEL : TransferType.GPU_READ_GPUMEM_MEMCPY, from, to);
    }

    /** From a GPU into the memory of a NUMA node. */
    public Transfer toHost(int gpu, int numa) {
        return Transfer.local(
            this == KERNEL ? TransferType.GPU_WRITE_CPUMEM_KERNEL : TransferType.GPU_WRITE_CPUMEM_MEMCPY, gpu, numa);
    }

    /** A GPU fetches from the memory of a NUMA node. */
    public Transfer fromHost(int numa, int gpu) {
        return Transfer.local(
            this == KERNEL ? TransferType.GPU_READ_CPUMEM_KERNEL : TransferType.GPU_READ_CPUMEM_MEMCPY, numa, gpu);
    }
}
