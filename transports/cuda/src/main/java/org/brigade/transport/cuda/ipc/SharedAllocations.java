package org.brigade.transport.cuda.ipc;

import java.util.IdentityHashMap;
import java.util.Map;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.driver.Allocation;
import org.brigade.transport.cuda.driver.DeviceMemory;
import org.brigade.transport.cuda.driver.Gpu;

/** The device memory that one rank and the ranks of its node share with each other. Under the progress lock. */
public final class SharedAllocations {
    private final Endpoint endpoint;
    private final ExportTable exports;
    private final Map<Gpu, ImportTable> imports = new IdentityHashMap<>();

    public SharedAllocations(Endpoint endpoint) {
        this.endpoint = endpoint;
        exports = new ExportTable(endpoint.board(endpoint.rank()), IpcMemory.PROCESS, new DriverSource());
    }

    /** Whether it is this rank's. */
    public boolean isOf(Endpoint rank) {
        return endpoint == rank;
    }

    public ExportTable exports() {
        return exports;
    }

    /** The peers' allocations in the context of one of our GPUs. */
    public ImportTable imports(Gpu gpu) {
        ImportTable table = imports.get(gpu);
        if (table == null) {
            table = new ImportTable(endpoint, IpcMemory.PROCESS, new DriverMapper());
            imports.put(gpu, table);
        }
        return table;
    }

    /** Unmaps the peers' memory. */
    public void close() {
        for (Map.Entry<Gpu, ImportTable> each : imports.entrySet()) {
            try {
                each.getKey().enter();
                try {
                    each.getValue().close();
                } finally {
                    each.getKey().leave();
                }
            } catch (RuntimeException e) {
                // The context is gone, and everything in it.
            }
        }
        imports.clear();
    }

    private static final class DriverSource implements ExportTable.Source {
        @Override
        public int handle(Allocation allocation, long[] handle) {
            allocation.enter();
            try {
                return IpcMemory.export(allocation.base, handle);
            } finally {
                allocation.gpu.leave();
            }
        }

        @Override
        public boolean isAlive(Allocation allocation) {
            return DeviceMemory.isAlive(allocation);
        }

        @Override
        public byte[] gpu(Allocation allocation) {
            return allocation.gpu.uuid;
        }
    }

    private static final class DriverMapper implements ImportTable.Mapper {
        @Override
        public int open(long[] handle, long[] address) {
            return IpcMemory.open(handle, address);
        }

        @Override
        public void close(long address) {
            IpcMemory.close(address);
        }
    }
}
