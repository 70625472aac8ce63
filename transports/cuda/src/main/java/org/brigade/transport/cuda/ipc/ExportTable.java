package org.brigade.transport.cuda.ipc;

import jcuda.driver.CUresult;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.cuda.driver.Allocation;

/**
 * The allocations that this rank exports to its peers, on its board. An allocation is exported when a call first uses
 * it and keeps its number until it is freed or 128 others have been used since; then it is exported again under another
 * number. Under the progress lock.
 */
public final class ExportTable {
    /** The driver's part of exporting; tests replace it. */
    interface Source {
        /** The driver's result of cuIpcGetMemHandle. */
        int handle(Allocation allocation, long[] handle);

        boolean isAlive(Allocation allocation);

        /** The UUID of the GPU that it is on: 16 bytes. */
        byte[] gpu(Allocation allocation);
    }

    private final NativeMemory board;
    private final long process;
    private final Source source;
    private final Allocation[] offered = new Allocation[ExportEntry.LINES];
    private final long[] numbers = new long[ExportEntry.LINES];
    private final long[] lastUse = new long[ExportEntry.LINES];
    private final ExportEntry entry = new ExportEntry();
    private long clock;
    private long generation;

    ExportTable(NativeMemory board, long process, Source source) {
        this.board = board;
        this.process = process;
        this.source = source;
    }

    /** The number of an allocation; {@link Devices#UNREACHABLE} if peers cannot map it. */
    public long offer(Allocation allocation) {
        if (!allocation.exportable) {
            return Devices.UNREACHABLE;
        }
        if (allocation.exports == this) {
            long number = allocation.export;
            if (number == Devices.UNREACHABLE) {
                return number;
            }
            int line = ExportEntry.line(number);
            if (offered[line] == allocation) {
                lastUse[line] = ++clock;
                return number;
            }
        }
        return offerAnew(allocation);
    }

    private long offerAnew(Allocation allocation) {
        retireDead();
        boolean known = allocation.exports != this && findOffered(allocation);
        allocation.exports = this;
        if (known) {
            return allocation.export;
        }
        allocation.export = Devices.UNREACHABLE;
        if (source.handle(allocation, entry.handle) == CUresult.CUDA_SUCCESS) {
            entry.base = allocation.base;
            entry.bytes = allocation.bytes;
            entry.bufferId = allocation.id;
            entry.process = process;
            entry.gpu = source.gpu(allocation);
            int line = freeLine();
            allocation.export = ExportEntry.number(++generation, line);
            entry.write(board, allocation.export);
            offered[line] = allocation;
            numbers[line] = allocation.export;
            lastUse[line] = ++clock;
        }
        return allocation.export;
    }

    /** If several ranks are threads of this process, another rank's table may have exported the allocation since. */
    private boolean findOffered(Allocation allocation) {
        for (int line = 0; line < offered.length; line++) {
            if (offered[line] == allocation) {
                allocation.export = numbers[line];
                lastUse[line] = ++clock;
                return true;
            }
        }
        return false;
    }

    /** Withdraws freed memory, so that peers unmap it and its pages become free. */
    private void retireDead() {
        for (int line = 0; line < offered.length; line++) {
            if (offered[line] != null && !source.isAlive(offered[line])) {
                ExportEntry.retire(board, line);
                offered[line] = null;
            }
        }
    }

    /** A line without an export, else the line whose allocation has been unused for longest. */
    private int freeLine() {
        int oldest = 0;
        for (int line = 0; line < offered.length; line++) {
            if (offered[line] == null) {
                return line;
            }
            if (lastUse[line] < lastUse[oldest]) {
                oldest = line;
            }
        }
        return oldest;
    }
}
