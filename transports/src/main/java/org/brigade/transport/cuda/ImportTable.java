package org.brigade.transport.cuda;

import jcuda.driver.CUresult;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;

/**
 * The peers' allocations as mapped into one GPU's context of this process: each opened once, closed when its owner has taken the offer back. Under the progress lock, the context current.
 */
final class ImportTable {
    /** What mapping needs of the driver; tests have none. */
    interface Mapper {
        /** The driver's answer to cuIpcOpenMemHandle. */
        int open(long[] handle, long[] address);

        void close(long address);
    }

    private final Endpoint endpoint;
    private final long process;
    private final Mapper mapper;
    private final NativeMemory[] boards;
    /** By peer and line: the number whose mapping we have, 0 for none, and where it is. */
    private final long[][] numbers;
    private final long[][] addresses;
    /** Whether the address is a mapping, and not the allocation of another rank of this process. */
    private final boolean[][] mapped;
    private final ExportEntry entry = new ExportEntry();
    private final long[] opened = new long[1];
    private int result;

    ImportTable(Endpoint endpoint, long process, Mapper mapper) {
        this.endpoint = endpoint;
        this.process = process;
        this.mapper = mapper;
        boards = new NativeMemory[endpoint.size()];
        numbers = new long[endpoint.size()][];
        addresses = new long[endpoint.size()][];
        mapped = new boolean[endpoint.size()][];
    }

    /**
     * Where an allocation that a peer offers begins here.
     *
     * @param peer   a rank of the job
     * @param number what the peer told by {@link org.brigade.device.Devices#export}
     * @return 0 if it is no longer offered or cannot be mapped: {@link #why} tells
     */
    long address(int peer, long number) {
        long[] known = numbers[peer];
        int line = ExportEntry.line(number);
        return known != null && known[line] == number ? addresses[peer][line] : open(peer, number, line);
    }

    /** The UUID of the GPU that a peer's allocation is on; null if it is no longer offered. */
    byte[] gpuOf(int peer, long number) {
        return boards[peer] != null && entry.read(boards[peer], number) ? entry.gpu : null;
    }

    /** Why the last allocation was not found, as a sentence. */
    String why() {
        return result == CUresult.CUDA_SUCCESS ? "its owner no longer offers it: more than " + ExportEntry.LINES + " allocations of that rank were in use at once, or it was freed during the call"
            : CudaResult.describe(result, "cuIpcOpenMemHandle");
    }

    private long open(int peer, long number, int line) {
        if (numbers[peer] == null) {
            boards[peer] = endpoint.board(peer);
            numbers[peer] = new long[ExportEntry.LINES];
            addresses[peer] = new long[ExportEntry.LINES];
            mapped[peer] = new boolean[ExportEntry.LINES];
        }
        closeRetired();
        result = CUresult.CUDA_SUCCESS;
        if (!entry.read(boards[peer], number)) {
            return 0;
        }
        boolean local = entry.process == process;
        if (local) {
            opened[0] = entry.base;
        } else {
            result = mapper.open(entry.handle, opened);
            if (result != CUresult.CUDA_SUCCESS) {
                return 0;
            }
        }
        numbers[peer][line] = number;
        addresses[peer][line] = opened[0];
        mapped[peer][line] = !local;
        return opened[0];
    }

    /** Lets go of everything. */
    void close() {
        close(true);
    }

    /** Lets go of what its owner offers no more. */
    private void closeRetired() {
        close(false);
    }

    private void close(boolean all) {
        for (int peer = 0; peer < numbers.length; peer++) {
            if (numbers[peer] != null) {
                for (int line = 0; line < ExportEntry.LINES; line++) {
                    if (numbers[peer][line] != 0 && (all || ExportEntry.offered(boards[peer], line) != numbers[peer][line])) {
                        if (mapped[peer][line]) {
                            mapper.close(addresses[peer][line]);
                        }
                        numbers[peer][line] = 0;
                    }
                }
            }
        }
    }
}
