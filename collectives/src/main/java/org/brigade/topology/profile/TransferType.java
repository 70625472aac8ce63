package org.brigade.topology.profile;

/**
 * Who moves data between which memories. The names and their order are those of TCCL's files. A GPU's own transfers
 * name that GPU first; it moves the data with a kernel or with its copy engine (MEMCPY). INTER is a network adapter's
 * transfer from a memory of one node to a memory of another.
 */
public enum TransferType {
    GPU_READ_CPUMEM_KERNEL,
    GPU_WRITE_CPUMEM_KERNEL,
    GPU_READ_GPUMEM_KERNEL,
    GPU_WRITE_GPUMEM_KERNEL,
    GPU_READ_CPUMEM_MEMCPY,
    GPU_WRITE_CPUMEM_MEMCPY,
    GPU_READ_GPUMEM_MEMCPY,
    GPU_WRITE_GPUMEM_MEMCPY,
    GPU_GPU_INTER,
    GPU_CPU_INTER,
    CPU_GPU_INTER,
    CPU_CPU_INTER;

    private static final TransferType[] ALL = values();

    static TransferType of(int ordinal) {
        return ALL[ordinal];
    }

    /** The type of this name; null if there is none. */
    public static TransferType named(String name) {
        for (TransferType type : ALL) {
            if (type.name().equals(name)) {
                return type;
            }
        }
        return null;
    }

    /** Whether it is between two nodes. */
    public boolean inter() {
        return ordinal() >= GPU_GPU_INTER.ordinal();
    }

    /** Whether the destination's GPU fetches the data; else the source's GPU, or an adapter, sends them. */
    public boolean read() {
        return this == GPU_READ_CPUMEM_KERNEL || this == GPU_READ_GPUMEM_KERNEL || this == GPU_READ_CPUMEM_MEMCPY
            || this == GPU_READ_GPUMEM_MEMCPY;
    }

    /** Whether a kernel of a GPU moves the data. */
    public boolean byKernel() {
        return ordinal() <= GPU_WRITE_GPUMEM_KERNEL.ordinal();
    }

    /** Whether it is from one GPU's memory to another's on the same node. */
    public boolean peer() {
        return this == GPU_READ_GPUMEM_KERNEL || this == GPU_WRITE_GPUMEM_KERNEL || this == GPU_READ_GPUMEM_MEMCPY
            || this == GPU_WRITE_GPUMEM_MEMCPY;
    }

    /** Whether the data lie in a GPU's memory; else in a NUMA node's. */
    public boolean fromGpu() {
        return this != GPU_READ_CPUMEM_KERNEL && this != GPU_READ_CPUMEM_MEMCPY && this != CPU_GPU_INTER
            && this != CPU_CPU_INTER;
    }

    /** Whether the data go to a GPU's memory; else to a NUMA node's. */
    public boolean toGpu() {
        return this != GPU_WRITE_CPUMEM_KERNEL && this != GPU_WRITE_CPUMEM_MEMCPY && this != GPU_CPU_INTER
            && this != CPU_CPU_INTER;
    }

    /** The network transfer between memories of these kinds. */
    static TransferType inter(boolean fromGpu, boolean toGpu) {
        return fromGpu ? toGpu ? GPU_GPU_INTER : GPU_CPU_INTER : toGpu ? CPU_GPU_INTER : CPU_CPU_INTER;
    }
}
