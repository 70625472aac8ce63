package org.brigade.transport.cuda.ipc;

import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUresult;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.PeerTable;
import org.brigade.transport.cuda.driver.CudaResult;

/**
 * The peers' allocations as mapped into one GPU's context of this process: each is opened once, and closed when its
 * owner has withdrawn the export. Under the progress lock, with the context current.
 */
public final class ImportTable {
    /** The driver's part of mapping; tests replace it. */
    interface Mapper {
        /** The driver's result of cuIpcOpenMemHandle. */
        int open(long[] handle, long[] address);

        void close(long address);
    }

    private final Endpoint endpoint;
    private final long process;
    private final Mapper mapper;
    private final PeerTable<Imports> peers;
    /** All entries of the table. */
    private final List<Imports> all = new ArrayList<>();
    private final ExportEntry entry = new ExportEntry();
    private final long[] opened = new long[1];
    private int result;

    /** One peer's allocations. */
    private static final class Imports {
        final NativeMemory board;
        /** By line: the number that is mapped, 0 for none, and its address. */
        final long[] numbers = new long[ExportEntry.LINES];
        final long[] addresses = new long[ExportEntry.LINES];
        /** Whether the address is a mapping, not the allocation of another rank of this process. */
        final boolean[] mapped = new boolean[ExportEntry.LINES];

        Imports(NativeMemory board) {
            this.board = board;
        }
    }

    ImportTable(Endpoint endpoint, long process, Mapper mapper) {
        this.endpoint = endpoint;
        this.process = process;
        this.mapper = mapper;
        peers = new PeerTable<>(endpoint.size());
    }

    /**
     * The address here of an allocation that a peer exports.
     *
     * @param peer a rank of the job
     * @param number from the peer's {@link org.brigade.device.Devices#export}
     * @return 0 if it is no longer exported or cannot be mapped: {@link #why} tells
     */
    public long address(int peer, long number) {
        Imports its = peers.get(peer);
        int line = ExportEntry.line(number);
        return its != null && its.numbers[line] == number ? its.addresses[line] : open(peer, number, line);
    }

    /** The UUID of the GPU of a peer's allocation; null if it is no longer exported. */
    public byte[] gpuOf(int peer, long number) {
        Imports its = peers.get(peer);
        return its != null && entry.read(its.board, number) ? entry.gpu : null;
    }

    /** Why the last allocation was not found, as a sentence. */
    public String why() {
        return result == CUresult.CUDA_SUCCESS
            ? "its owner no longer exports it: more than " + ExportEntry.LINES
                + " allocations of that rank were in use at once, or it was freed during the call"
            : CudaResult.describe(result, "cuIpcOpenMemHandle");
    }

    private long open(int peer, long number, int line) {
        Imports its = peers.get(peer);
        if (its == null) {
            its = new Imports(endpoint.board(peer));
            peers.put(peer, its);
            all.add(its);
        }
        closeRetired();
        result = CUresult.CUDA_SUCCESS;
        if (!entry.read(its.board, number)) {
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
        its.numbers[line] = number;
        its.addresses[line] = opened[0];
        its.mapped[line] = !local;
        return opened[0];
    }

    /** Unmaps everything. */
    void close() {
        close(true);
    }

    /** Unmaps what its owner no longer exports. */
    private void closeRetired() {
        close(false);
    }

    private void close(boolean everything) {
        for (Imports its : all) {
            for (int line = 0; line < ExportEntry.LINES; line++) {
                if (its.numbers[line] != 0
                    && (everything || ExportEntry.offered(its.board, line) != its.numbers[line])) {
                    if (its.mapped[line]) {
                        mapper.close(its.addresses[line]);
                    }
                    its.numbers[line] = 0;
                }
            }
        }
    }
}
